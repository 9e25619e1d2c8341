"""One entry in SCORES is enough: the new score can be chosen, is shown, is taken home, and its scripts run."""

import pytest
from torch import Tensor

from attention_core.scores import SCORES, Score
from attention_ui.chapters.scoring import explorer
from tests.pages.opening import opened


def city_block(queries: Tensor, keys: Tensor) -> Tensor:
    """a(q, k) = -|q - k|_1"""
    return -(queries.unsqueeze(-2) - keys.unsqueeze(-3)).abs().sum(-1)


@pytest.fixture(autouse=True)
def entry(monkeypatch):
    explorer.packed.cache_clear()
    monkeypatch.setitem(SCORES, "city_block", Score("City block", r"-\lVert q - k\rVert_1", city_block, "Nearby."))
    yield
    explorer.packed.cache_clear()


@pytest.mark.parametrize(
    ("link", "place"),
    [({"scoring_block_score": "city_block"}, ...), ({"scoring_tab": "explorer", "scoring_d": "3"}, 6)],
)
def test_a_new_score_opens_its_views_and_is_taken_home(agree, monkeypatch, link, place):
    packed = []
    monkeypatch.setattr("attention_ui.export.dialog.offer", lambda tools, make: packed.append(make()))
    app = opened("scoring", **link)
    assert any("City block" in text.value for text in app.markdown)
    export = agree(packed[-1])
    assert ".abs().sum(-1)" in export.alone().text
    queries, keys = (
        (export.computation.call.named[side] for side in ("queries", "keys"))
        if place is ...
        else (export.computation.call.named["vectors"].run())
    )
    assert export.computation.shown["scores"][place].equal(city_block(queries, keys))
