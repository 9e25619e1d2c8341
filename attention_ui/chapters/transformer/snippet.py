"""The code that made each picture, with the current values in it."""

import textwrap
from dataclasses import fields

from attention_core.sequences.vocabulary import END
from attention_core.transformer.recorder import axes
from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.chapters.transformer.decoding import Writing
from attention_ui.chapters.transformer.state import Asked

INLINE = 50  # letters of settings that stand on one line with the call


def opened(asked: Asked, tensor: str, made: dict[str, str] | None = None) -> str:
    """A script that prints the open tensor; with `made`, it keeps these tensors too, by the names of variables."""
    kept = "".join(f"{variable} = {_taken(name)}\n" for variable, name in (made or {}).items())
    return f"""{_imports(asked, "from attention_core.transformer.recorder import Recorder", "write_text")}
{_model(asked)}
tensors = {{}}
written = write_text(model, TASKS["reverse"], "{asked.text}", recorder=Recorder(tensors))
{kept}
print(written.output)
print(tensors["{tensor}"].shape)
print(tensors["{tensor}"])
"""


def _taken(name: str) -> str:
    """A tensor of the pass without its batch of one."""
    return f'tensors["{name}"]' + ("[0]" if axes(name).startswith("B") else "")


def all_heads(asked: Asked) -> str:
    """A script that prints the weights of every head."""
    return f"""{_imports(asked, "", "write_text")}
{_model(asked)}
written = write_text(model, TASKS["reverse"], "{asked.text}")

encoder, decoder, cross = written.encoder, written.decoder, written.cross

print(encoder.shape)  # (layers, heads, queries, keys); every row sums to 1
print(decoder.shape)
print(cross[-1])      # from what is written to what was read
"""


def decoding(asked: Asked, writing: Writing, temperature: float) -> str:
    """A script that writes the digits and prints every step's distribution."""
    drawn = writing.seed is not None and temperature > 0
    choice = f"Choice(temperature={max(temperature, 0.01):g}, seed={writing.seed if drawn else None})"
    coldest = "  # as good as 0" if temperature == 0 else ""
    sure = (
        ""
        if temperature
        else "\nprobabilities = (probabilities == probabilities.amax(-1, keepdim=True)).float()  # at T = 0"
    )
    return f"""{_imports(asked, "", "Choice, write_text")}
{_model(asked)}
choice = {choice}{coldest}
written = write_text(model, TASKS["reverse"], "{writing.text}", choice)
cross = written.cross  # (layers, heads, written, read)
probabilities = written.probabilities[:, {END}:]  # padding and begin are never written{sure}

for symbol, shares in zip(written.symbols, written.probabilities):
    best = shares.topk(3)
    names = [TASKS["reverse"].target.symbols[i] for i in best.indices]
    print(symbol, dict(zip(names, best.values.tolist())))
"""


def training(config: TransformerTrainingConfig, made: int | None = None) -> str:
    """A script that makes the run, so many steps of it or all."""
    whole = made is None or made == config.steps
    return f"""{"" if whole else "from itertools import islice" + chr(10) * 2}import torch

from attention_core.sequences.tasks import TASKS
from attention_core.sequences.training import train_steps
from attention_core.transformer.training import TransformerTrainingConfig

torch.set_num_threads(1)  # so small a model only loses time to more
run = train_steps(TASKS["reverse"], {_config(config)})

losses, exact, cross = [], [], None
for progress in {"run" if whole else f"islice(run, {made})"}:
    losses.append(progress.loss)
    if progress.exact is not None:  # every few steps, on unseen strings
        exact.append(progress.exact)
        cross = progress.weights  # (layers, heads, written, read), of the task's example
        print(progress.step, progress.loss, progress.exact)
losses, exact = (torch.tensor(numbers, dtype=torch.float64) for numbers in (losses, exact))
print(losses)
model = run.model
"""


def _imports(asked: Asked, recorder: str, words: str) -> str:
    trainer = "from attention_core.sequences.training import train_steps"
    settings = "from attention_core.transformer.training import TransformerTrainingConfig"
    ready = "from attention_core.transformer.checkpoint import load_transformer"
    lines = (
        *(("from itertools import islice\n",) if asked.run else ()),
        *((recorder,) if recorder else ()),
        "from attention_core.sequences.tasks import TASKS",
        *((trainer,) if asked.run else (ready,)),
        f"from attention_core.transformer.decoding import {words}",
        *((settings,) if asked.run else ()),
    )
    return "\n".join(lines) + "\n"


def _model(asked: Asked) -> str:
    """How the model came about: it is stored, or the same seed trains it again."""
    if asked.run is None:
        return "model = load_transformer()"
    made = f'train_steps(TASKS["reverse"], {_config(asked.run.plan.config)})'
    return f"run = {made}\nlist(islice(run, {asked.run.step}))  # so many steps\nmodel = run.model"


def _config(config: TransformerTrainingConfig) -> str:
    """The settings that are not the usual ones."""
    usual = TransformerTrainingConfig()
    changed = {field.name: getattr(config, field.name) for field in fields(config)}
    words = ", ".join(f"{name}={value}" for name, value in changed.items() if value != getattr(usual, name))
    if len(words) > INLINE:
        words = "\n" + textwrap.indent("\n".join(textwrap.wrap(words, 100)), "    ") + ",\n"
    return f"TransformerTrainingConfig({words})"
