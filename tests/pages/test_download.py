"""The Download button on the pages: nothing is made before it is pressed, then what is on the screen is offered."""

import pytest
from streamlit.testing.v1 import AppTest

from attention_core.checks import InputError
from attention_ui.export.view import Export
from tests.attention_ui.export.exported import said
from tests.pages.opening import opened

LAB = {"data", "predictions", "weights"}
BATCH = {"first", "second", "product"}
ANSWERED = {"exercises_seed": "7", "exercises_at": "average", "exercises_answers": "---b"}

PAGES = [
    ("home", {"home_width": "0.3"}, LAB, "width=0.3"),
    ("kernel_regression", {"kr_width": "0.25", "kr_kernel": "tricube"}, LAB, "width=0.25"),
    ("learned_w", {"lw_epochs": "20", "lw_epoch": "7"}, LAB | {"run"}, "epoch=7"),
    ("learned_w", {"lw_epochs": "500", "lw_epoch": "500"}, LAB | {"run"}, "epoch=500"),
    ("learned_w", {"lw_tab": "by_hand"}, LAB, "torch.tensor([1.03]"),
    ("learned_w", {"lw_tab": "before_after"}, {"data", "run", "before", "after"}, "before, after ="),
    ("learned_w", {"lw_heads": "2", "lw_epochs": "20"}, LAB | {"run"}, "starts=("),
    ("learned_w", {"lw_heads": "2", "lw_tab": "head_by_head"}, {"data", "run", "weights"}, "w[:, None, None]"),
    ("heatmaps", {"heatmaps_n": "6"}, {"weights"}, "n=6,"),
    ("heatmaps", {"heatmaps_tab": "lab"}, {"data", "weights"}, "widths=torch.tensor([1.0, "),
    ("batches", {"batches_tilt": "0.5"}, BATCH | {"weights", "averages"}, "0.5 * torch.arange(10"),
    ("batches", {"batches_tab": "race"}, BATCH, "torch.bmm"),
    ("exercises", ANSWERED, {"numbers", "lists", "results"}, "seed=704000"),
]


@pytest.fixture
def makers(monkeypatch):
    """What a page would make on a press, as it is made in the page's own run."""
    made = []

    def press(tools, make):
        try:
            made.append(make())
        except InputError as fault:
            made.append(str(fault))

    monkeypatch.setattr("attention_ui.export.dialog.offer", press)
    return made


@pytest.mark.parametrize(("page", "link", "tables", "words"), PAGES)
def test_what_is_on_the_screen_is_offered(makers, page, link, tables, words):
    opened(page, **link)
    (export,) = makers
    assert set(export.tables) == tables
    assert words in said(export.alone().text)


@pytest.mark.parametrize(
    ("page", "link", "sentence"),
    [
        ("learned_w", {"lw_tab": "runs"}, "Open Train to download a picture."),
        ("learned_w", {"lw_tab": "one_step"}, "Open Train to download a picture."),
        ("batches", {"batches_mismatch": "true"}, "There is no product to download."),
        ("exercises", ANSWERED | {"exercises_at": "narrow"}, "Commit to an answer first"),
    ],
)
def test_where_there_is_nothing_to_take_a_sentence_says_so(makers, page, link, sentence):
    opened(page, **link)
    (fault,) = makers
    assert fault.startswith(sentence)


@pytest.mark.parametrize("page", ["home", "kernel_regression", "learned_w", "heatmaps", "batches", "exercises"])
def test_nothing_is_made_before_the_press(monkeypatch, page):
    made = []
    monkeypatch.setattr(Export, "__init__", lambda *args, **kwargs: made.append(1))
    app = opened(page)
    assert app.button(key="download").label == "Download"
    assert made == []


def one_page():
    import streamlit as st

    from attention_core.checks import InputError
    from attention_core.data import generate
    from attention_core.regression.estimator import Estimator
    from attention_ui.controls.dataset import Dataset
    from attention_ui.export.dialog import offer
    from attention_ui.export.lab import exported

    def make():
        if st.session_state.get("nothing"):
            raise InputError("*Nothing* is here yet.")
        return exported(Dataset.own(generate(n=2000), "x", "y", "file"), Estimator(0.5))

    offer(st.container(horizontal=True), make)


def test_the_dialog_offers_every_file_and_both_scripts():
    app = AppTest.from_function(one_page, default_timeout=60).run()
    assert not app.get("download_button")
    app.button(key="download").click().run()
    assert not app.exception
    files = {each.proto.label for each in app.get("download_button")}
    assert files == {"HTML", "CSV: data", "CSV: predictions", "CSV: weights", "Python script (zip)", "Notebook (zip)"}
    assert "from attention_core" not in app.code[0].value
    variant = app.segmented_control(key="export_variant")
    assert (variant.value, variant.options) == ("alone", ["PyTorch alone", "With attention_core"])


def test_the_dialog_says_why_there_is_nothing():
    app = AppTest.from_function(one_page, default_timeout=60)
    app.session_state["nothing"] = True
    app.run().button(key="download").click().run()
    assert [info.value for info in app.info] == [r"\*Nothing\* is here yet."]
    assert not app.get("download_button")
