"""The code of an experiment, and the lines that run it on the seed on the screen: with attention_core, or without it.

Without it, all that the experiment uses is taken out of our own files, so that nobody need write any of it twice.
"""

import inspect
import sys

import torch

from attention_core.experiments import EXPERIMENTS
from attention_core.sequences import checkpoint
from attention_ui.export.bundling import bundle
from attention_ui.export.modules import Place, our_source
from attention_ui.export.tensors import embedded, reading

RUN = """finding = experiment(seed={seed})
numbers = torch.tensor(list(finding.numbers.values()), dtype=torch.float64)  # finding.drawn has what the picture shows
for name, number in finding.numbers.items():
    print(f"{{name}}: {{number:.6g}}")
"""
ABOUT = '''"""{question}

PyTorch alone: this is all of Attention Lab that the experiment uses, file by file. The experiment itself stands
at the end.
"""'''


def about(name: str) -> str:
    """What an experiment asks, in one line that needs no other."""
    return inspect.getdoc(sys.modules[EXPERIMENTS[name].__module__]) or ""


def snippet(name: str, seed: int) -> str:
    """A script that prints the numbers of the picture."""
    source = _module_source(name)
    if "import torch\n" not in source:
        source = source.replace("\nfrom attention_core", "\nimport torch\n\nfrom attention_core", 1)
    return f"{source}\n\n{RUN.format(seed=seed)}"


def plain(name: str, seed: int) -> str:
    """The same with torch alone."""
    start = Place(EXPERIMENTS[name].__module__, "experiment")
    models = [each for each in checkpoint.CHECKPOINTS if f'"{each}"' in _module_source(name)]

    def read(module: str) -> str | None:
        text = our_source(module)
        return _with_parameters(text, models) if text and module == checkpoint.__name__ else text

    return f"{ABOUT.format(question=about(name))}\n\n{bundle([start], read)}\n\n{RUN.format(seed=seed)}"


def _module_source(name: str) -> str:
    return inspect.getsource(sys.modules[EXPERIMENTS[name].__module__])


def _with_parameters(source: str, models: list[str]) -> str:
    """The module of the trained models, with their parameters in it instead of in files."""
    vectors = {each.replace("-", "_"): _parameters(each) for each in models}
    table = ", ".join(f'"{each}": {name}' for each, name in zip(models, vectors, strict=True))
    held = f'''import base64
from torch.nn.utils import vector_to_parameters


{reading()}


# What the trained models hold.
{embedded(**vectors)}
PARAMETERS = {{{table}}}


def filled(model: M, name: str) -> M:
    """A fresh model with the trained parameters of this name, which stand one after the other."""
    vector_to_parameters(PARAMETERS[name], model.parameters())
    return model.eval().requires_grad_(False)
'''
    return source.replace(inspect.getsource(checkpoint.filled), held)


def _parameters(name: str) -> torch.Tensor:
    return torch.cat([each.flatten() for each in checkpoint.load(name).parameters()])
