"""The code that made each picture, with the current values in it."""

from dataclasses import fields

from attention_core.transformer_training import TransformerTrainingConfig
from attention_ui.transformer.decoding import Writing
from attention_ui.transformer.state import Asked


def opened(asked: Asked, tensor: str) -> str:
    """A script that prints the open tensor."""
    return f"""{_imports(asked, "from attention_core.probe import Probe", "write_text")}
{_model(asked)}
tensors = {{}}
written = write_text(model, TASKS["reverse"], "{asked.text}", probe=Probe(tensors))

print(written.output)
print(tensors["{tensor}"].shape)
print(tensors["{tensor}"])
"""


def all_heads(asked: Asked) -> str:
    """A script that prints the weights of every head."""
    return f"""{_imports(asked, "", "write_text")}
{_model(asked)}
written = write_text(model, TASKS["reverse"], "{asked.text}")

print(written.encoder.shape)  # (layers, heads, queries, keys); every row sums to 1
print(written.decoder.shape)
print(written.cross[-1])      # from what is written to what was read
"""


def decoding(asked: Asked, writing: Writing, temperature: float) -> str:
    """A script that writes the digits and prints every step's distribution."""
    drawn = writing.seed is not None and temperature > 0
    choice = f"Choice(temperature={max(temperature, 0.01):g}, seed={writing.seed if drawn else None})"
    coldest = "  # as good as 0" if temperature == 0 else ""
    return f"""{_imports(asked, "", "Choice, write_text")}
{_model(asked)}
choice = {choice}{coldest}
written = write_text(model, TASKS["reverse"], "{writing.text}", choice)

for symbol, probabilities in zip(written.symbols, written.probabilities):
    best = probabilities.topk(3)
    names = [TASKS["reverse"].target.symbols[i] for i in best.indices]
    print(symbol, dict(zip(names, best.values.tolist())))
"""


def training(config: TransformerTrainingConfig) -> str:
    """A script that makes the run."""
    return f"""from attention_core.tasks import TASKS
from attention_core.transformer_training import TransformerTrainingConfig, train_transformer

run = train_transformer(TASKS["reverse"], {_config(config)})
for progress in run:
    if progress.exact is not None:
        print(progress.step, progress.loss, progress.exact)
model = run.model
"""


def _imports(asked: Asked, probe: str, words: str) -> str:
    own = "from attention_core.transformer_training import TransformerTrainingConfig, train_transformer"
    ready = "from attention_core.transformer_checkpoint import load_transformer"
    lines = (
        *(("from itertools import islice\n",) if asked.run else ()),
        *((probe,) if probe else ()),
        "from attention_core.tasks import TASKS",
        *(() if asked.run else (ready,)),
        f"from attention_core.transformer_decoding import {words}",
        *((own,) if asked.run else ()),
    )
    return "\n".join(lines) + "\n"


def _model(asked: Asked) -> str:
    """How the model came about: it is stored, or the same seed trains it again."""
    if asked.run is None:
        return "model = load_transformer()"
    made = f'train_transformer(TASKS["reverse"], {_config(asked.run.config)})'
    return f"run = {made}\nlist(islice(run, {asked.run.step}))  # so many steps\nmodel = run.model"


def _config(config: TransformerTrainingConfig) -> str:
    """The settings that are not the usual ones."""
    usual = TransformerTrainingConfig()
    changed = {field.name: getattr(config, field.name) for field in fields(config)}
    words = [f"{name}={value}" for name, value in changed.items() if value != getattr(usual, name)]
    return f"TransformerTrainingConfig({', '.join(words)})"
