"""The Transformer and its training in torch alone, as the text of a script; <WORDS> are filled in."""

TRAINING = '''"""A small Transformer learns to reverse digits: PyTorch alone."""

import math
from zlib import crc32

import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.utils import parameters_to_vector, vector_to_parameters

torch.set_num_threads(1)  # so small a model only loses time to more
PADDING, BEGIN, END = 0, 1, 2  # the digits are numbered from 3 on
SYMBOLS, WIDTH, HEADS, LAYERS, HIDDEN, SEED = 13, <WIDTH>, <HEADS>, <LAYERS>, <HIDDEN>, <SEED>
STEPS, MADE = <STEPS>, <MADE>  # planned, and made so far
generator = torch.Generator().manual_seed(SEED)  # of the first parameters


def strings(count, seed, unseen):
    """So many random strings of digits; one in ten, by what it is reversed, is kept from training."""
    draw, found = torch.Generator().manual_seed(seed), []
    at_once = 10 * count if unseen else count + count // 4
    while len(found) < count:
        long = torch.randint(<SHORTEST>, <LONGEST> + 1, (at_once,), generator=draw).tolist()
        digits = torch.randint(10, (at_once, <LONGEST>), generator=draw).tolist()
        texts = ["".join(map(str, row[:length])) for row, length in zip(digits, long)]
        found += [text for text in texts if (crc32(text[::-1].encode()) % 10 == 0) == unseen]
    return found[:count]


def numbered(texts):
    """Strings (B, S) and their answers (B, T) as numbers, padded; an answer closes with the end symbol."""
    rows = [torch.tensor([int(digit) + 3 for digit in text]) for text in texts]
    answers = [torch.cat([row.flip(0), torch.tensor([END])]) for row in rows]
    return tuple(nn.utils.rnn.pad_sequence(each, batch_first=True) for each in (rows, answers))


def linear(inputs, outputs):
    made = nn.Linear(inputs, outputs)
    nn.init.xavier_uniform_(made.weight, generator=generator)
    nn.init.zeros_(made.bias)
    return made


class Attention(nn.Module):
    """head_h = softmax((X W_q^h) (Y W_k^h)^T / sqrt(D)) (Y W_v^h), and the heads side by side times W_o."""

    def __init__(self):
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x, y, hidden):
        projected = (self.W_q(x), self.W_k(y), self.W_v(y))
        q, k, v = (rows.unflatten(-1, (HEADS, -1)).transpose(1, 2) for rows in projected)  # (B, heads, rows, D)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights


class Layer(nn.Module):
    """Attention among the rows, in a decoder also to what was read, then a small network for each row by itself."""

    def __init__(self, attentions):
        super().__init__()
        self.attentions = nn.ModuleList(Attention() for _ in range(attentions))
        self.inner, self.outer = linear(WIDTH, HIDDEN), linear(HIDDEN, WIDTH)
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(attentions + 1))

    def forward(self, x, hidden, memory=None, beyond=None):
        weights = []
        for attention, norm, masked, read in zip(self.attentions, self.norms, (hidden, beyond), (None, memory)):
            <ATTEND>
            weights.append(seen)
        <FEED>
        return x, weights[-1]

    def feed(self, x):
        return self.outer(self.inner(x).relu())


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(SYMBOLS, WIDTH), nn.Embedding(SYMBOLS, WIDTH)
        for embedding in (self.source, self.target):
            nn.init.normal_(embedding.weight, std=WIDTH**-0.5, generator=generator)
        self.encoder = nn.ModuleList(Layer(1) for _ in range(LAYERS))
        self.decoder = nn.ModuleList(Layer(2) for _ in range(LAYERS))
        self.encoder_norm, self.decoder_norm = <CLOSING>
        self.output = linear(WIDTH, SYMBOLS)

    def placed(self, embedding, symbols):
        """<PLACED>"""
        rows = embedding(symbols) * math.sqrt(WIDTH)
        <ADDED>

    def read(self, sources):
        rows, beyond = self.placed(self.source, sources), (sources == PADDING)[:, None, None]
        for layer in self.encoder:
            rows, _ = layer(rows, beyond)
        return self.encoder_norm(rows), beyond

    def write(self, before, memory, beyond):
        """Logits of the next symbol after each of those before, and where the heads of every layer looked."""
        rows, looked = self.placed(self.target, before), []
        later = torch.ones(before.shape[1], before.shape[1], dtype=torch.bool).triu(1)
        for layer in self.decoder:
            rows, weights = layer(rows, later, memory, beyond)
            looked.append(weights)
        return self.output(self.decoder_norm(rows)), torch.stack(looked, 1)

    def forward(self, sources, targets):
        """Every symbol predicted from the right ones before it."""
        return self.write(torch.cat([torch.full_like(targets[:, :1], BEGIN), targets[:, :-1]], 1), *self.read(sources))

    @torch.no_grad()
    def exact_match(self, sources, targets):
        """The share of strings that are reversed without an error, each symbol the likeliest after those before."""
        memory, shown = self.read(sources), torch.full((len(sources), 1), BEGIN)
        for _ in range(targets.shape[1]):
            likeliest = self.write(shown, *memory)[0][:, -1, END:].argmax(-1) + END
            shown = torch.cat([shown, likeliest[:, None]], 1)
        return ((shown[:, 1:] == targets) | (targets == PADDING)).all(1).double().mean().item()


model = Transformer()
<VECTOR>
unseen, example = numbered(strings(<CHECK_COUNT>, SEED, unseen=True)), numbered(["<EXAMPLE>"])

losses, exact, cross = [], [], None
for step in range(MADE):
    sources, targets = numbered(strings(<BATCH>, (SEED * 1_000_003 + step * 7_919 + 1) % (2**31 - 1), unseen=False))
<STEP>
    if (step + 1) % <CHECK_EVERY> == 0 or step + 1 == STEPS:
        exact.append(model.exact_match(*unseen))
        cross = model(*example)[1][0].detach()  # (layers, heads, written, read)
        print(step + 1, losses[-1], exact[-1])
losses, exact = (torch.tensor(numbers, dtype=torch.float64) for numbers in (losses, exact))
print(losses)
'''

# Where the norm stands: after the sum, as in the paper, or before the part.
POST = {
    "ATTEND": """output, seen = attention(x, x if read is None else read, masked)
            x = norm(x + output)""",
    "FEED": "x = self.norms[-1](x + self.feed(x))",
    "CLOSING": "nn.Identity(), nn.Identity()",
}
PRE = {
    "ATTEND": """rows = norm(x)
            output, seen = attention(rows, rows if read is None else read, masked)
            x = x + output""",
    "FEED": "x = x + self.feed(self.norms[-1](x))",
    "CLOSING": "nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)",
}
PLACES = {
    True: {
        "PLACED": "Vectors of the symbols, with sines and cosines of their places added.",
        "ADDED": """speeds = 10_000 ** (-torch.arange(0, WIDTH, 2, dtype=torch.float64) / WIDTH)
        angles = torch.arange(symbols.shape[1])[:, None] * speeds
        return rows + torch.stack([angles.sin(), angles.cos()], -1).flatten(1).float()""",
    },
    False: {"PLACED": "Vectors of the symbols; their places are not told.", "ADDED": "return rows"},
}
