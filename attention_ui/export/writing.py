"""Calls and their arguments written as Python, exact to the last digit."""

import math
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import FunctionType
from typing import Any

import torch
from torch import Tensor

from attention_ui.export.modules import Place

COLUMNS, INDENT = 120, "    "
AROUND = 60  # columns that the name and the kind of a tensor may need around its numbers
# Numbers of a tensor, and of a dictionary of tensors, that are written out; more come in a file beside the script.
MOST_WRITTEN, MOST_IN_DICTIONARY = 1_000, 200
LOADER = Place("attention_ui.export.script_parts", "load_numbers")


class Call:
    """A call of a function, with the values of this moment; an argument may be a call itself."""

    def __init__(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> None:
        self.function, self.arguments, self.named = function, arguments, named

    def run(self) -> Any:
        """What the function gives."""
        return self.function(*map(_run, self.arguments), **{name: _run(value) for name, value in self.named.items()})

    def without_files(self) -> "Call":
        """The same call with what was read from our files in place of the calls that read them."""
        return Call(
            self.function,
            *map(_without_files, self.arguments),
            **{name: _without_files(value) for name, value in self.named.items()},
        )


class FromFile(Call):
    """A call that reads a file of attention_core, which nobody else has."""


class Known(Call):
    """A call whose result is known, since it was computed live, part by part."""

    def __init__(self, result: Any, function: Callable[..., Any], *arguments: Any, **named: Any) -> None:
        super().__init__(function, *arguments, **named)
        self.result = result
        self.alone: Call = self  # another call with the same result, where what ran takes too much code to give away

    def run(self) -> Any:
        """What the function would give."""
        return self.result

    def without_files(self) -> Call:
        """The other call, or the same; with what was read from our files in place of the calls that read them."""
        return Call.without_files(self.alone)


class Field:
    """In a drawing: one of the named results of a call, or a part of it; without a name, all results."""

    def __init__(self, name: str = "", *index: int) -> None:
        self.name, self.index = name, index


def _run(value: Any) -> Any:
    return _mapped(value, lambda call: call.run())


def _without_files(value: Any) -> Any:
    return _mapped(value, lambda call: _plain(call.run()) if isinstance(call, FromFile) else call.without_files())


def _plain(value: Any) -> Any:
    """A value without a class of ours around it: written out, Samples(x, y) is the pair of both."""
    return tuple(value) if hasattr(value, "_fields") else value


def _mapped(value: Any, change: Callable[[Call], Any]) -> Any:
    """The value with every call in it changed."""
    match value:
        case Call():
            return change(value)
        case tuple() if not hasattr(value, "_fields"):
            return tuple(_mapped(each, change) for each in value)
        case list():
            return [_mapped(each, change) for each in value]
        case dict():
            return {name: _mapped(each, change) for name, each in value.items()}
    return value


def ran_in(call: Call) -> Iterator[str]:
    """The modules of what a page ran: of the function that is called, and of those it was given live results of."""
    yield call.function.__module__
    for each in (*call.arguments, *call.named.values()):
        if isinstance(each, Known):
            yield from ran_in(each)


def places(value: Any) -> Iterator[Place]:
    """Where all that a value is written with is defined."""
    match value:
        case Tensor():
            yield LOADER if _is_large(value) else Place("torch")
        case torch.dtype():
            yield Place("torch")
        case Call():
            yield from places(value.function)
            yield from places([*value.arguments, *value.named.values()])
        case FunctionType() | type():
            yield _place(value)
        case dict() if _is_large(value):
            yield LOADER
        case dict():
            yield from places(list(value.values()))
        case tuple() | list():
            if hasattr(value, "_fields"):
                yield _place(type(value))
            for each in value:
                yield from places(each)
        case _ if is_dataclass(value):
            yield _place(type(value))
            yield from places(list(_chosen(value).values()))
        case _ if callable(value):  # a function that keeps its results, or one of torch's that is no Python
            yield _place(value)


def _place(defined: Any) -> Place:
    if (defined.__module__ or "torch").partition(".")[0] == "torch":
        return Place("torch")
    return Place(defined.__module__, defined.__qualname__)


def _is_large(value: Tensor | Mapping[str, Any]) -> bool:
    if isinstance(value, Tensor):
        return value.numel() > MOST_WRITTEN
    tensors = all(isinstance(each, Tensor) for each in value.values())
    return tensors and sum(each.numel() for each in value.values()) > MOST_IN_DICTIONARY


def _chosen(value: Any) -> dict[str, Any]:
    """The fields of a dataclass that have not their usual value."""
    each = {field.name: (field.default, getattr(value, field.name)) for field in fields(value)}
    return {name: own for name, (usual, own) in each.items() if usual is MISSING or own != usual}


class Writer:
    """Writes values as Python under the names that a script has for everything; keeps what is too long for that."""

    def __init__(self, spelled: Mapping[Place, str]) -> None:
        self.spelled = spelled
        self.numbers: dict[str, Tensor] = {}  # by their names in the file beside the script

    def called(
        self, function: str, arguments: tuple[Any, ...], named: Mapping[str, Any], indent: str = "", around: int = 20
    ) -> str:
        """A call in one line, or in as few as its arguments need."""
        inner = indent + INDENT
        parts = [self.written(value, f"argument_{place}", inner) for place, value in enumerate(arguments)]
        parts += [f"{name}={self.written(value, name, inner)}" for name, value in named.items()]
        return in_brackets(f"{function}(", parts, ")", indent, around)

    def written(self, value: Any, name: str, indent: str = "") -> str:
        """A value as an expression; a large one is kept under the name."""
        inner = indent + INDENT
        match value:
            case Tensor():
                return self._tensor(value, name, indent)
            case Call():
                function, around = self.written(value.function, name), len(name) + 4
                return self.called(function, value.arguments, value.named, indent, around)
            case Field():
                of = f'["{value.name}"]' if value.name else ""
                return f"shown{of}" + "".join(f"[{place}]" for place in value.index)
            case float() if not math.isfinite(value):
                return f'float("{value}")'
            case dict() if _is_large(value):
                self.numbers |= {f"{name}/{each}": tensor for each, tensor in value.items()}
                return f'numbers["{name}"]'
            case dict():
                parts = [f"{_quoted(key)}: {self.written(each, f'{name}_{key}', inner)}" for key, each in value.items()]
                return in_brackets("{", parts, "}", indent)
            case tuple() if hasattr(value, "_fields"):
                named = dict(zip(value._fields, value, strict=True))
                return self.called(self._named(type(value)), (), named, indent)
            case tuple() | list():
                parts = [self.written(each, f"{name}_{place}", inner) for place, each in enumerate(value)]
                opening, closing = "()" if isinstance(value, tuple) else "[]"
                return in_brackets(opening, parts, "," * (opening == "(" and len(parts) == 1) + closing, indent)
            case FunctionType() | type():
                return self._named(value)
            case _ if is_dataclass(value):
                return self.called(self._named(type(value)), (), _chosen(value), indent)
            case _ if callable(value):
                return self._named(value)
        return _quoted(value) if isinstance(value, str) else repr(value)

    def _named(self, defined: Any) -> str:
        place = _place(defined)
        return _torch_name(defined) if place == Place("torch") else self.spelled[place]

    def _tensor(self, numbers: Tensor, name: str, indent: str) -> str:
        if _is_large(numbers):
            self.numbers[name] = numbers
            return f'numbers["{name}"]'
        short = numbers.float() if numbers.dtype == torch.float64 else numbers
        if numbers.dtype == torch.float64 and torch.equal(short.double(), numbers):  # many were float32 at first
            return f"torch.tensor({_numbers(short, indent)}).double()"
        plain = numbers.numel() and numbers.dtype in (torch.float32, torch.int64, torch.bool)
        kind = "" if plain else f", dtype={numbers.dtype}"
        return f"torch.tensor({_numbers(numbers, indent)}{kind})"


def _torch_name(defined: Any) -> str:
    """What a script calls something of torch: torch.arange, torch.optim.Adam."""
    name, module = defined.__name__, str(defined.__module__)
    return f"torch.{name}" if getattr(torch, name, None) is defined else f"torch.{module.split('.')[1]}.{name}"


def _numbers(numbers: Tensor, indent: str) -> str:
    """Nested lists with every digit, each as short as it can be, in lines that fit a page."""
    if numbers.ndim == 0:
        return _number(numbers)
    inner = indent + INDENT
    parts = [_numbers(each, inner) if numbers.ndim > 1 else _number(each) for each in numbers]
    whole = f"[{', '.join(parts)}]"
    if numbers.ndim > 1 or len(whole) < COLUMNS - len(indent) - AROUND:
        return in_brackets("[", parts, "]", indent, AROUND) if numbers.ndim > 1 else whole
    lines = textwrap.fill(", ".join(parts), COLUMNS - 10, initial_indent=inner, subsequent_indent=inner)
    return f"[\n{lines},\n{indent}]"


def _number(number: Tensor) -> str:
    value = number.item()
    if isinstance(value, float) and math.isfinite(value):
        return repr(float(str(number.numpy())))
    return f'float("{value}")' if isinstance(value, float) else repr(value)


def _quoted(text: str) -> str:
    """A text between double quotes, as formatters want it, unless it holds such quotes itself."""
    written = repr(text)
    return written if '"' in text or "'" in text else f'"{written[1:-1]}"'


def in_brackets(opening: str, parts: list[str], closing: str, indent: str, around: int = 20) -> str:
    """Parts in one line where they fit with what stands around them, else in as few as they need."""
    whole = f"{opening}{', '.join(parts)}{closing}"
    if "\n" not in whole and len(indent) + len(whole) <= COLUMNS - around:
        return whole
    lines = list[str]()
    for part in parts:
        if lines and "\n" not in lines[-1] + part and len(lines[-1]) + len(part) + 2 <= COLUMNS:
            lines[-1] += f" {part},"
        else:
            lines.append(f"{indent}{INDENT}{part},")
    return "\n".join([opening, *lines, f"{indent}{closing.lstrip(',')}"])
