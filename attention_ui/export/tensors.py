"""Tensors written into a script: the bytes of their numbers as text, in lines that are not too long."""

import base64

from torch import Tensor

COLUMNS = 116


def reading(kind: str = "float32") -> str:
    """The function that `embedded` needs; the script must import base64 and torch."""
    return f'''def tensor(text, *shape):
    """Numbers from the bytes of their {kind}, which are written as base64."""
    return torch.frombuffer(bytearray(base64.b64decode(text)), dtype=torch.{kind}).view(*shape)'''


def embedded(**tensors: Tensor) -> str:
    """One assignment for each of these tensors, by its name."""
    return "\n".join(_assignment(name, numbers) for name, numbers in tensors.items())


def _assignment(name: str, numbers: Tensor) -> str:
    data = base64.b64encode(numbers.detach().contiguous().numpy().tobytes()).decode()
    shape = ", ".join(map(str, numbers.shape))
    return f'{name} = tensor("""\n{wrapped(data)}\n""", {shape})'


def wrapped(text: str, columns: int = COLUMNS) -> str:
    """A long text without blanks in lines of this many columns."""
    return "\n".join(text[start : start + columns] for start in range(0, len(text), columns))
