"""The button on the pages of decoders, heads, words and blocks: what is on the screen at this moment is packed."""

from types import SimpleNamespace

import pytest
import torch

from attention_core.checks import InputError
from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.chapters.bahdanau.choices import plan
from attention_ui.live.sequences import Plan, SequenceRun
from tests.attention_ui.export.exported import said
from tests.pages.opening import opened

TINY = TransformerTrainingConfig(steps=3, batch=4, width=8, hidden=8, check_every=3, check_count=2, longest=3)
BAHDANAU, HEADS, WORDS, BLOCKS = "bahdanau", "multihead", "self_attention", "transformer"
# A page and a link, and what must stand in the packed code.
SHOWN = [
    (BAHDANAU, {}, 'held_by("reverse", "31415")'),
    (BAHDANAU, {"bahdanau_task": "dates", "bahdanau_date": "17.11.2024"}, 'held_by("dates", "17.11.2024")'),
    (BAHDANAU, {"bahdanau_tab": "lengths", "bahdanau_length": "11"}, "one_answer(11)"),
    (
        BAHDANAU,
        {"bahdanau_tab": "explain", "bahdanau_digits": "907", "bahdanau_symbol": "2"},
        'held_with_swaps("reverse", "907")', 'swapped_by("reverse", "907", 1)',
    ),
    (HEADS, {}, "widths=torch.tensor([0.355, 0.562]", "shares=torch.tensor([1.88, -0.88]"),
    (HEADS, {"multihead_share": "1.8", "multihead_function": "step"}, "noisy(step,", "step(queries)", "[1.8, -0.8]"),
    (
        HEADS,
        {"multihead_tab": "vectors", "multihead_on_4": "1", "multihead_seed_vectors": "7"},
        "seed=7", "[True, False, False, False]",
    ),
    (
        WORDS,
        {"sa_strength": "37", "sa_text": "a b", "sa_order": "1.0"},
        'words=("a", "b")', "order=(1, 0)", "strength=0.37",
    ),
    (WORDS, {"sa_tab": "positions", "sa_offset": "12", "sa_width": "8"}, "width=8, offset=12"),
    (WORDS, {"sa_tab": "cost", "sa_length": "512", "sa_cost_width": "16"}, "length=512,", "width=16,"),
    (BLOCKS, {"transformer_block": "decoder.0.cross_attention.keys"}, '("decoder.0.cross_attention.keys", load'),
    (BLOCKS, {"transformer_tab": "all_heads", "transformer_text": "907"}, 'load_transformer(), "907")'),
    (
        BLOCKS,
        {
            "transformer_tab": "steps", "transformer_temperature": "2",
            "transformer_draw": "true", "transformer_seed": "4",
        },
        "temperature=2.0", "seed=4",
    ),
]  # fmt: skip


@pytest.fixture
def packed(monkeypatch):
    """What the dialog is given, or the sentence that it says instead."""
    given = []

    def make_at_once(make, *_):
        try:
            given.append(make())
        except InputError as fault:
            given.append(str(fault))

    monkeypatch.setattr("attention_ui.export.dialog._downloads", make_at_once)
    # AppTest forgets on every run that there is a navigation, and the rerun that this asks for forgets the press.
    monkeypatch.setattr("attention_ui.seams.PagesManager", SimpleNamespace(uses_pages_directory=False))
    return given


def pressed(app):
    app.button(key="download").click().run()
    assert not app.exception, app.exception


@pytest.mark.parametrize(("page", "link", "texts"), [(page, link, texts) for page, link, *texts in SHOWN])
def test_what_is_on_the_screen_is_packed(page, link, texts, packed):
    pressed(opened(page, **link))
    (export,) = packed
    assert [text for text in texts if text not in said(export.with_core().text)] == []


@pytest.mark.parametrize("page", [BAHDANAU, BLOCKS])
def test_there_is_nothing_to_take_home_before_a_training(page, packed):
    pressed(opened(page, **{f"{page}_tab": {BAHDANAU: "train", BLOCKS: "training"}[page]}))
    assert packed == ["Train first, then there is something to download."]


def test_a_run_is_packed_as_it_stands_and_rests(packed):
    app = opened(BAHDANAU, bahdanau_tab="train")
    run = app.session_state["bahdanau_run"] = SequenceRun(plan("reverse", 4, 20, 0.01, 0))
    run.advance(0)
    pressed(app)
    assert not run.running
    assert packed[0].computation.shown["losses"].tolist() == run.losses
    app.segmented_control(key="bahdanau_learns").set_value("sort").run()
    pressed(app)  # the picture shows an untrained model now
    assert packed[1].startswith("Train first")


def test_a_transformers_run_is_packed_as_it_stands_and_rests(packed):
    app = opened(BLOCKS, transformer_tab="training")
    run = app.session_state["transformer_run"] = SequenceRun(Plan("reverse", TINY))
    run.advance(0)
    pressed(app)
    assert not run.running
    assert packed[0].computation.shown["losses"].tolist() == run.losses
    assert f"made={run.step}" in said(packed[0].with_core().text)
    app.segmented_control(key="transformer_tab").set_value("all_heads").run()
    app.segmented_control(key="transformer_model").set_value("yours").run()
    pressed(app)
    assert "model=Transformer(TransformerConfig(" in said(packed[1].with_core().text)
    numbers = packed[1].with_core().numbers
    assert torch.equal(numbers["parameters/output.weight"], run.model().output.weight)


@pytest.mark.parametrize("page", [BAHDANAU, HEADS, WORDS, BLOCKS])
def test_the_code_is_one_section_of_the_dialog(page, monkeypatch):
    app = opened(page)
    monkeypatch.setattr("attention_ui.seams.PagesManager", SimpleNamespace(uses_pages_directory=False))
    pressed(app)
    assert not app.code
    app.session_state["export_section"] = "code"
    pressed(app)
    assert app.code
