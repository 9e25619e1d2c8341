"""The code behind each view: short, runnable, with the values that are on the screen."""

from attention_ui.bahdanau.live import Plan
from attention_ui.bahdanau.state import Asked


def steps_snippet(chosen: Asked) -> str:
    """A script that writes the answer and prints where every symbol looked."""
    return f"""from attention_core.checkpoint import load
from attention_core.decoding import trace
from attention_core.tasks import TASKS

model, task = load({chosen.task_name!r}), TASKS[{chosen.task_name!r}]
written = trace(model, task, {chosen.text!r})

print(written.output)
for symbol, weights in zip(written.symbols, written.weights):  # (written, read); every row sums to 1
    most = int(weights.argmax())
    print(f"{{symbol!r}} looked at {{written.text[most]!r}} in place {{most + 1}}, weight {{weights[most]:.4f}}")
"""


def train_snippet(plan: Plan) -> str:
    """A script that trains as the page does and prints every check."""
    config = plan.config
    return f"""from attention_core.seq_training import SeqTrainingConfig, train_steps
from attention_core.tasks import TASKS

config = SeqTrainingConfig(
    steps={config.steps}, learning_rate={config.learning_rate}, hidden={config.hidden}, embedding={config.embedding},
    check_every={config.check_every}, check_count={config.check_count}, seed={config.seed},
)
for step, loss, exact, alignment in train_steps(TASKS[{plan.task_name!r}], config):
    if exact is not None:
        print(f"step {{step}}, loss {{loss:.4f}}, exact match {{exact:.0%}}")
print(alignment)  # (written, read), of the task's example
"""


def lengths_snippet(length: int) -> str:
    """A script that prints exact match by length for both models, up to the chosen one."""
    return f"""from attention_core.checkpoint import load
from attention_core.decoding import exact_match_by_length
from attention_core.tasks import TASKS

lengths = list(range(1, {length + 1}))
for name in ("reverse", "reverse-fixed"):
    print(name, exact_match_by_length(load(name), TASKS["reverse"], lengths))
"""


def explain_snippet(chosen: Asked) -> str:
    """A script that compares attention with the effect of swaps."""
    return f"""from attention_core.checkpoint import load
from attention_core.occlusion import agreement, occlude
from attention_core.tasks import TASKS

model, task = load({chosen.task_name!r}), TASKS[{chosen.task_name!r}]
written, effects = occlude(model, task, {chosen.text!r})

print(written.weights)  # (written, read)
print(effects)          # what swapping a symbol takes from the probability of the written one
print(agreement(written.weights, effects))
"""
