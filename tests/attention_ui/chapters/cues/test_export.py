"""Scripts taken home from the desk make the numbers of the screen again."""

import pytest

from attention_core.demos.cues import DESK
from attention_ui.chapters.cues.choices import Cues
from attention_ui.chapters.cues.export import exported, script
from tests.attention_ui.export.exported import said

ANOTHER = Cues((3.0, 0.0, 1.5, 6.0, 2.5), "write", 63)
CHOICES = [Cues(), ANOTHER, Cues((1.0, 2.0, 3.0, 4.0, 5.0), None, 20)]


@pytest.mark.parametrize("chosen", CHOICES)
def test_both_scripts_make_the_numbers_on_the_screen_again(agree, chosen):
    export = agree(exported(chosen))
    assert export.with_core().text == script(chosen)
    shown = export.computation.shown
    assert export.tables["objects"]["score"].tolist() == shown["scores"].tolist()
    assert export.tables["objects"]["weight"].tolist() == shown["weights"].tolist()
    assert export.tables["gains"]["amount"].tolist() == shown["output"].tolist()


def test_the_scripts_hold_what_the_visitor_chose():
    text = said(exported(ANOTHER).alone().text)
    assert f"saliency=torch.tensor({list(ANOTHER.saliency)})" in text
    assert "query=torch.tensor([0.0, 0.0, 6.0])" in text
    assert "blend=0.63," in text
    assert "query" not in exported(CHOICES[-1]).alone().text.partition("import")[2].partition("\n\n\n")[2]


def test_the_bars_are_the_weights_and_gains():
    export = exported(ANOTHER)
    weights, gains = export.figure.data
    assert list(export.figure.layout.xaxis.ticktext) == [thing.name for thing in DESK]
    assert list(weights.y) == export.computation.shown["weights"].tolist()
    assert list(gains.y) == export.computation.shown["output"].tolist()
