"""What the live training of a sequence model shows, of a decoder with attention or of a Transformer.

A run is watched while it goes on, and its model is opened and stored. So the page trains the models of `sequences` and
`transformer`; scripts train the small ones beside this module, which have the same parameters in the same order, and
the tests compare every number.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_, parameters_to_vector, vector_to_parameters
from torch.nn.utils.rnn import pad_sequence

from attention_core.sequences.tasks import Draw, Lengths, drawn
from attention_core.sequences.vocabulary import END, PADDING


def learning(
    model: nn.Module, draw: Draw, solve: Callable[[str], str], lengths: Lengths, alphabet: str, written: str,
    example: str, steps: int, made: int, batch: int, learning_rate: float, clip: float, check_every: int,
    check_count: int, seed: int,
) -> dict[str, Tensor]:  # fmt: skip
    """So many steps of a run: the loss of each, and at every check the share of unseen texts that come out right."""
    torch.set_num_threads(1)  # so small a model only loses time to more
    parameters = parameters_to_vector(model.parameters()).detach()
    vector_to_parameters(parameters, model.parameters())  # the model's own are views of this vector from here on
    adam, losses, exact = torch.optim.Adam([parameters]), [], []
    unseen = drawn(draw, solve, check_count, seed, lengths, unseen=True)
    for step in range(made):
        of_step = (seed * 1_000_003 + step * 7_919 + 1) % (2**31 - 1)  # a seed for each
        texts = drawn(draw, solve, batch, of_step, lengths, unseen=False)
        sources, targets = numbered(texts, solve, alphabet, written)
        logits, _ = model(sources, targets)
        loss = cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PADDING)
        parameters.grad = torch.cat([part.flatten() for part in torch.autograd.grad(loss, list(model.parameters()))])
        clip_grad_norm_([parameters], clip)
        adam.param_groups[0]["lr"] = learning_rate * (1 - step / steps)
        adam.step()
        losses.append(loss.item())
        if (step + 1) % check_every == 0 or step + 1 in (steps, made):
            exact.append(exact_match(model, *numbered(unseen, solve, alphabet, written)))
    _, weights = model(*numbered([example], solve, alphabet, written))  # where it looks in the example
    shown = {name: torch.tensor(each, dtype=torch.float64) for name, each in {"losses": losses, "exact": exact}.items()}
    shown |= {"steps": torch.arange(1, made + 1), "weights": weights[0].detach()}
    return shown


def numbered(texts: list[str], solve: Callable[[str], str], alphabet: str, written: str) -> tuple[Tensor, Tensor]:
    """Texts (B, S) and their answers (B, T) as numbers from 3 on, padded; an answer closes with the end symbol."""
    rows = [torch.tensor([alphabet.index(sign) + 3 for sign in text.lower()]) for text in texts]
    answers = [torch.tensor([*(written.index(sign) + 3 for sign in solve(text)), END]) for text in texts]
    return pad_sequence(rows, batch_first=True), pad_sequence(answers, batch_first=True)


def exact_match(model: nn.Module, sources: Tensor, targets: Tensor) -> float:
    """The share of texts that are written without an error: each symbol is the likeliest after the right ones."""
    likeliest = model(sources, targets)[0][..., END:].argmax(-1) + END  # never padding or begin
    return float(((likeliest == targets) | (targets == PADDING)).all(1).double().mean())
