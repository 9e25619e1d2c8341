"""The code behind each view: short, runnable, with the values that are on the screen."""

from dataclasses import fields

from attention_core.sequences.training import SeqTrainingConfig
from attention_ui.chapters.bahdanau.state import Asked
from attention_ui.live.sequences import Plan


def steps_snippet(chosen: Asked) -> str:
    """A script that writes the answer and prints where every symbol looked."""
    return f"""from attention_core.sequences.checkpoint import load
from attention_core.sequences.decoding import trace
from attention_core.sequences.tasks import TASKS

model, task = load({chosen.task_name!r}), TASKS[{chosen.task_name!r}]
text, output, symbols, scores, weights, contexts, probabilities = trace(model, task, {chosen.text!r})

print(output)
for symbol, row in zip(symbols, weights):  # (written, read); every row sums to 1
    most = int(row.argmax())
    print(f"{{symbol!r}} looked at {{text[most]!r}} in place {{most + 1}}, weight {{row[most]:.4f}}")
"""


def train_snippet(plan: Plan[SeqTrainingConfig], made: int | None = None) -> str:
    """A script that trains as the page does, so many steps or to the end, and prints every check."""
    config, usual = plan.config, SeqTrainingConfig()
    changed = {field.name: getattr(config, field.name) for field in fields(config)}
    words = [f"{name}={value}" for name, value in changed.items() if value != getattr(usual, name)]
    whole = made is None or made == config.steps
    run = "run" if whole else f"islice(run, {made})"
    return f"""{"" if whole else "from itertools import islice" + chr(10) * 2}import torch

from attention_core.sequences.training import SeqTrainingConfig, train_steps
from attention_core.sequences.tasks import TASKS

torch.set_num_threads(1)  # so small a model only loses time to more
config = SeqTrainingConfig({", ".join(words)})
run = train_steps(TASKS[{plan.task_name!r}], config)

losses, exact, alignment = [], [], None
for step, loss, share, looked in {run}:
    losses.append(loss)
    if share is not None:  # every few steps, on unseen texts
        exact.append(share)
        alignment = looked  # (written, read), of the task's example
        print(f"step {{step}}, loss {{loss:.4f}}, exact match {{share:.0%}}")
losses, exact = (torch.tensor(numbers, dtype=torch.float64) for numbers in (losses, exact))
print(alignment)
"""


def lengths_snippet(length: int) -> str:
    """A script that prints exact match by length for both models, and what they write for one string."""
    return f"""import torch

from attention_core.sequences.checkpoint import load
from attention_core.sequences.decoding import exact_match_by_length, outputs
from attention_core.sequences.tasks import TASKS, Lengths, strings

task, lengths = TASKS["reverse"], list(range(1, 16))
models = load("reverse"), load("reverse-fixed")
with_attention, fixed_context = (
    torch.tensor(exact_match_by_length(model, task, lengths), dtype=torch.float64) for model in models
)
print("reverse", with_attention[:{length}].tolist())  # up to the length of the string below
print("reverse-fixed", fixed_context[:{length}].tolist())

text = strings(task, 1, 0, "unseen", Lengths({length}, {length}))[0]
written = [outputs(model, task, [text])[0] for model in models]
in_place = torch.tensor([sum(a == b for a, b in zip(output, task.solve(text))) for output in written])
print(text, written, in_place)  # digits in their place
"""


def explain_snippet(chosen: Asked, row: int = 0) -> str:
    """A script that compares attention with the effect of swaps, and puts one written symbol to the test."""
    return f"""import torch

from attention_core.sequences.checkpoint import load
from attention_core.sequences.occlusion import agreement, occlude, swap_most_attended
from attention_core.sequences.tasks import TASKS

model, task = load({chosen.task_name!r}), TASKS[{chosen.task_name!r}]
written, effects = occlude(model, task, {chosen.text!r})
weights = written.weights  # (written, read)
found = agreement(weights, effects)
print(weights)
print(effects)  # what swapping a symbol takes from the probability of the written one
print(found)
agreed = torch.tensor(found)

swapped = [swap_most_attended(model, task, written.text, {row}, least) for least in (False, True)]
changes = torch.tensor([sum(swap.changed for swap in swaps) for swaps in swapped])
print(changes)  # swaps of the most, then of the least attended that change symbol {row + 1}
"""
