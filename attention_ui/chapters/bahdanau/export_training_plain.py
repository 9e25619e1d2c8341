"""Bahdanau's model and its training in torch alone, as the text of a script; <WORDS> are filled in."""

TRAINING = '''"""<LABEL>: a GRU that reads, a GRU that writes, and Bahdanau's attention between them. PyTorch alone."""

import math
<IMPORT>from zlib import crc32

import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.utils import parameters_to_vector, vector_to_parameters
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

torch.set_num_threads(1)  # so small a model only loses time to more
READ, WRITE = <READ>, <WRITE>
PADDING, BEGIN, END = 0, 1, 2  # the characters are numbered from 3 on
HIDDEN, EMBEDDING, SEED = <HIDDEN>, <EMBEDDING>, <SEED>
STEPS, MADE = <STEPS>, <MADE>  # planned, and made so far

<PAIRS>

def pairs(count, seed, unseen):
    """So many random texts with their answers; one answer in ten is kept from training."""
    generator, found = torch.Generator().manual_seed(seed), []
    at_once = 10 * count if unseen else count + count // 4
    while len(found) < count:
        found += [pair for pair in draw(at_once, generator) if (crc32(pair[1].encode()) % 10 == 0) == unseen]
    return found[:count]


def padded(rows):
    return nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)


def numbered(found):
    """Texts (B, S) and answers (B, T) as numbers; an answer closes with the end symbol."""
    return (
        padded([[READ.index(c) + 3 for c in text.lower()] for text, _ in found]),
        padded([[*(WRITE.index(c) + 3 for c in answer), END] for _, answer in found]),
    )


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.read = nn.Embedding(len(READ) + 3, EMBEDDING)
        self.encoder = nn.GRU(EMBEDDING, HIDDEN, batch_first=True, bidirectional=True)
        self.write = nn.Embedding(len(WRITE) + 3, EMBEDDING)
        self.W_q = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.W_k = nn.Linear(2 * HIDDEN, HIDDEN, bias=False)
        self.w_v = nn.Linear(HIDDEN, 1, bias=False)
        self.start = nn.Linear(2 * HIDDEN, HIDDEN)
        self.cell = nn.GRUCell(EMBEDDING + 2 * HIDDEN, HIDDEN)
        self.output = nn.Linear(3 * HIDDEN, len(WRITE) + 3)
        generator, bound = torch.Generator().manual_seed(SEED), 1 / math.sqrt(HIDDEN)
        for name, parameter in self.named_parameters():
            if name in ("read.weight", "write.weight"):
                nn.init.normal_(parameter, generator=generator)
            else:
                nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def remember(self, sources):
        """The encoder's states h, W_k h, -inf on padding; and the decoder's first state."""
        lengths = (sources != PADDING).sum(1)
        packed = pack_padded_sequence(self.read(sources), lengths, batch_first=True, enforce_sorted=False)
        states, last = self.encoder(packed)
        states, _ = pad_packed_sequence(states, batch_first=True)
        padding = torch.zeros(sources.shape).masked_fill(sources == PADDING, -math.inf)
        return (states, states @ self.W_k.weight.T, padding), self.start(last.transpose(0, 1).flatten(1)).tanh()

    def step(self, embedded, state, memory):
        """e_i = w_v . tanh(W_q s + W_k h_i), weights = softmax(e), context = sum_i weight_i h_i; then the next s."""
        states, keys, padding = memory
        hidden = (state[:, None] @ self.W_q.weight.T)[:, :, None] + keys[:, None]  # (B, 1, S, H)
        weights = ((hidden.tanh() @ self.w_v.weight[0])[:, 0] + padding).softmax(-1)  # (B, S)
        context = torch.bmm(weights[:, None], states)[:, 0]
        return self.cell(torch.cat([embedded, context], 1), state), context, weights

    def forward(self, sources, targets):
        """Every symbol predicted from the right ones before it: logits (B, T, symbols) and weights (B, T, S)."""
        memory, state = self.remember(sources)
        before = torch.cat([torch.full_like(targets[:, :1], BEGIN), targets[:, :-1]], 1)
        seen = []
        for embedded in self.write(before).unbind(1):
            state, context, weights = self.step(embedded, state, memory)
            seen.append((state, context, weights))
        states, contexts, weights = (torch.stack(parts, 1) for parts in zip(*seen))
        return self.output(torch.cat([states, contexts], -1)), weights

    @torch.no_grad()
    def exact_match(self, sources, targets):
        """The share of texts that are written without an error, each symbol the likeliest after those before."""
        memory, state = self.remember(sources)
        symbols, right = torch.full((len(sources),), BEGIN), torch.ones(len(sources), dtype=torch.bool)
        for target in targets.T:
            state, context, _ = self.step(self.write(symbols), state, memory)
            symbols = self.output(torch.cat([state, context], 1))[:, END:].argmax(-1) + END
            right &= (symbols == target) | (target == PADDING)
        return right.double().mean().item()


model = Model()
<VECTOR>
unseen, example = numbered(pairs(<CHECK_COUNT>, SEED, unseen=True)), numbered([(<EXAMPLE>, <RIGHT>)])

losses, exact, alignment = [], [], None
for step in range(MADE):
    sources, targets = numbered(pairs(<BATCH>, (SEED * 1_000_003 + step * 7_919 + 1) % (2**31 - 1), unseen=False))
<STEP>
    if (step + 1) % <CHECK_EVERY> == 0 or step + 1 == STEPS:
        exact.append(model.exact_match(*unseen))
        alignment = model(*example)[1][0].detach()  # (written, read)
        print(f"step {step + 1}, loss {losses[-1]:.4f}, exact match {exact[-1]:.0%}")
losses, exact = (torch.tensor(numbers, dtype=torch.float64) for numbers in (losses, exact))
print(alignment)
'''

DIGITS = '''
def draw(count, generator):
    """Random strings of <SHORTEST> to <LONGEST> digits, each with its answer."""
    long = torch.randint(<SHORTEST>, <LONGEST> + 1, (count,), generator=generator).tolist()
    digits = torch.randint(10, (count, <LONGEST>), generator=generator).tolist()
    texts = ["".join(map(str, row[:length])) for row, length in zip(digits, long)]
    return [(text, ANSWER) for text in texts]

'''

DATES = '''
MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def written(day, form):
    """A date as people write it, in one of seven forms."""
    month, weekday = MONTHS[day.month - 1], WEEKDAYS[day.weekday()]
    ending = "th" if day.day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    return (
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month[:3]} {day.year}",
        f"{weekday}, {day.day} {month} {day.year}",
        f"{weekday[:3]}, {month[:3]} {day.day}, {day.year}",
        f"{day.day}{ending} of {month} {day.year}",
        f"{day.day}.{day.month}.{day.year}",
    )[form]


def draw(count, generator):
    """Random days of the years 1900 to 2099 as people write them, each with its ISO date."""
    days = torch.randint(<FIRST_DAY>, <AFTER_LAST_DAY>, (count,), generator=generator).tolist()
    forms = torch.randint(7, (count,), generator=generator).tolist()
    return [(written(date.fromordinal(n), form), date.fromordinal(n).isoformat()) for n, form in zip(days, forms)]

'''
