"""The Download button on the pages: nothing is made before it is pressed, then what is on the screen is offered."""

import json
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from attention_core.checks import InputError
from attention_ui.export.view import Export
from attention_ui.palette import theme
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


@pytest.fixture
def exports(monkeypatch):
    """A list that grows with every export that is made."""
    made = []
    init = Export.__init__

    def counted(self, *args, **kwargs):
        made.append(self)
        init(self, *args, **kwargs)

    monkeypatch.setattr(Export, "__init__", counted)
    return made


@pytest.mark.parametrize("page", ["home", "kernel_regression", "learned_w", "heatmaps", "batches", "exercises"])
def test_nothing_is_made_before_it_is_asked_for(monkeypatch, exports, page):
    app = opened(page)
    assert app.button(key="download").label == "Download"
    # AppTest forgets at every run that app.py names the pages; the rerun that mends it would swallow the press.
    monkeypatch.setattr("attention_ui.seams.PagesManager", SimpleNamespace(uses_pages_directory=False))
    app.button(key="download").click().run()
    assert app.segmented_control(key="export_section").value == "picture"
    assert not app.exception
    assert exports == []


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


def opened_at(section, **state):
    """The dialog of that page, open at a section."""
    app = AppTest.from_function(one_page, default_timeout=60)
    for name, value in {**state, "export_section": section}.items():
        app.session_state[name] = value
    app.run()
    assert not app.get("download_button")
    app.button(key="download").click().run()
    assert not app.exception
    return app


def labels(app):
    return [each.proto.label for each in app.get("download_button")]


def test_every_section_offers_its_files():
    app = opened_at("picture")
    (component,) = app.get("bidi_component")
    data = json.loads(component.proto.json)
    assert data["name"] == "attention-lab"
    assert data["kinds"] == []  # this page shows none
    assert data["themes"]["dark"]["--st-background-color"] == theme("dark")["backgroundColor"]
    assert labels(opened_at("numbers")) == ["CSV: data", "CSV: predictions", "CSV: weights", "Plotly (JSON)"]
    app = opened_at("code")
    assert labels(app) == ["Python script (zip)", "Notebook (zip)"]
    assert "from attention_core" not in app.code[0].value
    variant = app.segmented_control(key="export_variant")
    assert (variant.value, variant.options) == ("alone", ["PyTorch alone", "With attention_core"])


@pytest.mark.parametrize("section", ["numbers", "code"])
def test_the_dialog_says_why_there_is_nothing(section):
    app = opened_at(section, nothing=True)
    assert [info.value for info in app.info] == [r"\*Nothing\* is here yet."]
    assert not app.get("download_button")
