"""Keep every tensor of a forward pass by its name, without another copy of the model's code.

Every part of the Transformer takes a recorder and hands it down, one scope deeper for each part. What it keeps has a
name like "decoder.0.cross_attention.weights"; the last word says what the axes mean.
"""

from dataclasses import dataclass, replace

from torch import Tensor

# The axes of a noted tensor by the last word of its name: B batch, H heads, Q queries, K keys, D width of a head,
# T symbols of the string in question, M width of the model, F hidden width of the feed-forward part, L symbols known.
AXES: dict[str, str] = {
    "symbols": "BT",
    "embedded": "BTM",
    "positions": "TM",
    "placed": "BTM",  # embedded + positions
    "queries": "BHQD",
    "keys": "BHKD",
    "values": "BHKD",
    "scores": "BHQK",
    "weights": "BHQK",
    "heads": "BHQD",  # what each head read: weights @ values
    "merged": "BQM",  # the heads side by side
    "output": "BTM",
    "hidden": "BTF",
    "sum": "BTM",  # the part's input added to its output
    "norm": "BTM",
    "logits": "BTL",
    "probabilities": "BTL",
}


@dataclass(frozen=True)
class Recorder:
    """Keeps tensors by name where it has a place for them."""

    tensors: dict[str, Tensor] | None = None  # filled in the order of the pass
    scope: str = ""

    def under(self, part: str) -> "Recorder":
        """The recorder for a part of this one."""
        if self.tensors is None:
            return self  # names are of no use then
        return replace(self, scope=f"{self.scope}{part}.")

    def note(self, name: str, tensor: Tensor) -> None:
        """Keep a tensor under its name, cut from its gradient."""
        if self.tensors is not None:
            self.tensors[self.scope + name] = tensor.detach()


NO_RECORDER = Recorder()


def axes(name: str) -> str:
    """A letter for each axis of the noted tensor of this name."""
    return AXES[name.rpartition(".")[2]]
