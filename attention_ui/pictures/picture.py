"""A picture on a page: one component for its frames, which travel once, and a small one for what changes."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attention_ui.component import component
from attention_ui.palette import shades
from attention_ui.pictures.curve import Curve
from attention_ui.pictures.graph import Graph
from attention_ui.pictures.heatmap import TWO_BYTES, Heatmap, Names, Scale
from attention_ui.pictures.packing import framed, kept_apart, name_of, named, rounded
from attention_ui.pictures.plane import Plane
from attention_ui.pictures.table import Table

Callback = Callable[[], None]
Panel = Curve | Heatmap | Plane | Table

JS = Path(__file__).parent / "js"
STYLE = Path(__file__).parent / "picture.css"
MOST_BYTES = 1_500_000  # of float32 cells; of more each travels in two bytes
QUERIES_AND_KEYS = Names()

PICTURE = component("picture", JS / "picture.js", STYLE)
UPDATE = component("update", JS / "update.js")


class Readout(NamedTuple):
    """A number that moves with the frame, worked out by torch for every one of them."""

    name: str
    texts: tuple[str, ...]  # (F,)


class Player(NamedTuple):
    """The picture's own play bar, for an axis that has no slider on the page."""

    frames_per_second: float = 12.0
    unit: str = "frame"  # what one step is called
    label: str = "Play"  # what the button that starts it says
    autoplay: bool = False  # whether a new picture starts to play by itself
    first: int = 0  # the frame at which a new picture stands


@dataclass(frozen=True)
class Picture:
    """Everything that does not change while the slider is dragged or the frames are played.

    A curve stands beside its heatmap; other heatmaps and a plane stand side by side as large as fits; a table alone.
    While a slider is dragged, what stands in containers whose keys begin with the slider's key and "_waits" is dimmed.
    """

    panels: tuple[Panel, ...]
    captions: tuple[str, ...] = ("",)  # one per frame: how its value reads
    readouts: tuple[Readout, ...] = ()
    graphs: tuple[Graph, ...] = ()
    slider: str | None = None  # the key of the native slider whose position is the frame
    player: Player | None = None
    low: float | None = None  # of the colour scale that heatmaps share; by default what they hold, 0 included
    high: float | None = None
    names: Names = QUERIES_AND_KEYS
    across: int | None = None  # heatmaps in a row on a wide screen; by default as fits best
    height: int = 420  # pixels that heatmaps may take on a wide screen
    fills: bool = False  # the height is that in a window of 720 pixels, and grows with the window
    small: bool = False  # a lower curve, where something else must fit the first screen too
    beside: bool = False  # graphs to the right of the heatmaps instead of below them
    follows: str | None = None  # the key of another picture, at whose committed frame this one stands
    # (F,): where each frame stands among those that the tensors of panels and moving parts hold, when these are fewer
    places: Tensor | None = None

    def __post_init__(self) -> None:
        held = len(self.captions) if self.places is None else round(self.places[-1].item()) + 1
        for heatmap in self.heatmaps:
            heatmap.check(held)

    @property
    def heatmaps(self) -> tuple[Heatmap, ...]:
        """The panels that are heatmaps."""
        return tuple(panel for panel in self.panels if isinstance(panel, Heatmap))

    @property
    def curve(self) -> Curve:
        """The panel that is a curve."""
        return next(panel for panel in self.panels if isinstance(panel, Curve))

    def scale(self) -> Scale:
        """The colour scale that all heatmaps share; those whose shades follow roots have one of their own."""
        cells = torch.cat([torch.zeros(1), *(each.cells().flatten() for each in self.heatmaps if not each.by_root)])
        least, most = cells.nan_to_num(0.0, 0.0, 0.0).aminmax()
        low = least.item() if self.low is None else self.low
        high = most.item() if self.high is None else self.high
        levels = TWO_BYTES if 4 * (len(cells) - 1) >= MOST_BYTES else 0
        _, low, high = shades(low, high if high > low else low + 1.0)
        return Scale(low, high, levels)


@dataclass(frozen=True)
class Update:
    """What changes with a click: a kilobyte or ten, sent without the frames."""

    frame: int = 0  # the committed one
    outputs: Tensor | None = None  # (Q,), exact at that frame
    weights: Tensor | None = None  # (Q, G), exact at that frame
    pinned: int | None = None  # the row of the pinned query
    curve_text: str = ""  # the text alternatives, with their numbers
    heatmap_text: str = ""
    offers: tuple[str, ...] = ()  # what may be done with the samples: add, move, remove, reset
    why: str = ""  # why no more than that
    tried: Tensor | None = None  # (C,): the prediction with the sample that is being dragged
    stretched: bool | None = None  # whether colours reach to the largest weight of the frame; None: as it is
    curve: Tensor | None = None  # (C,), exact at that frame


FIRST_FRAME = Update()


def pack(picture: Picture) -> bytes:
    """The picture as bytes: a header, then the tensors of its panels and graphs in turn."""
    scale = picture.scale()
    panels = [panel.packed(scale) if isinstance(panel, Heatmap) else panel.packed() for panel in picture.panels]
    graphs = [graph.packed() for graph in picture.graphs]
    header = {
        "frames": len(picture.captions),
        "captions": picture.captions,
        "readouts": [readout._asdict() for readout in picture.readouts],
        "panels": [{**part.header, "count": len(part.tensors)} for part in panels],
        "graphs": [{**part.header, "count": len(part.tensors)} for part in graphs],
        "slider": picture.slider,
        "player": picture.player and picture.player._asdict(),
        "names": picture.names._asdict(),
        "across": picture.across,
        "height": picture.height,
        "fills": picture.fills,
        "small": picture.small,
        "beside": picture.beside,
        "follows": picture.follows,
        "places": None if picture.places is None else rounded(picture.places),
    }
    return named(header, *(tensor for part in (*panels, *graphs) for tensor in part.tensors))


def _nothing() -> None:
    """Does nothing."""


def show_picture(
    key: str,
    packed: bytes,
    update: Update = FIRST_FRAME,
    on_query: Callback = _nothing,
    on_frame: Callback = _nothing,
    on_stretch: Callback = _nothing,
) -> None:
    """Show a packed picture; a pinned query or a frame that was played to arrives in session_state[key]."""
    show_frames(key, packed, on_query, on_frame, on_stretch)
    send_update(key, packed, update)


def show_frames(
    key: str,
    packed: bytes,
    on_query: Callback = _nothing,
    on_frame: Callback = _nothing,
    on_stretch: Callback = _nothing,
    on_edit: Callback = _nothing,
    on_chosen: Callback = _nothing,
) -> None:
    """Show the frames alone; a page whose reruns must be cheap sends the update from inside a fragment.

    They travel apart from the component, whose script Streamlit would send along with every change of its data.
    """
    name = f"frames_{key}"
    UPDATE(key=f"update_{name}", data=framed({"to": name}, kept_apart(packed)))
    PICTURE(
        key=key,
        data={"frames": name},
        on_query_change=on_query,
        on_frame_change=on_frame,
        on_stretch_change=on_stretch,
        on_edit_change=on_edit,
        on_chosen_change=on_chosen,
    )


def send_update(key: str, packed: bytes, update: Update) -> None:
    """Tell the picture of this key where it stands; what is exact belongs to these frames, whichever come first."""
    exact = {name: getattr(update, name) for name in ("outputs", "weights", "curve", "tried")}
    sent = {name: tensor.float() for name, tensor in exact.items() if tensor is not None}
    header = {
        "frames": name_of(packed),
        "frame": update.frame,
        "pinned": update.pinned,
        "stretched": update.stretched,
        "offers": update.offers,
        "why": update.why,
        "exact": list(sent),
        "curveText": update.curve_text,
        "heatmapText": update.heatmap_text,
    }
    send_message(key, header, *sent.values())


def send_message(key: str, header: dict[str, Any], *tensors: Tensor) -> None:
    """Send a small message to the component of this key: js/update.js keeps the latest one.

    With `turns` a player knows that Undo has been pressed: then it goes to the frame in the message.
    """
    from attention_ui.link.choice import register  # a notebook has no link

    UPDATE(key=f"update_{key}", data=framed({"to": key, "turns": register().turns, **header}, *tensors))
