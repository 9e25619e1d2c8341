"""The heatmaps page: its links, its numbers, and own weights that no mistake can lose."""

import pytest
from streamlit.testing.v1 import AppTest

from attention_core.demos.patterns import PATTERNS, pattern_frames
from attention_ui.chapters.heatmaps.choices import SHARPNESSES
from tests.pages.opening import opened


def table(app):
    """Rows of the table below the pictures, by their first cell."""
    (text,) = [text.value for text in app.markdown if text.value.startswith(("| Pattern", "| Matrix"))]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines()[2:]]
    return {name: cells for name, *cells in rows}


def test_it_opens_with_every_pattern():
    app = opened("heatmaps")
    assert list(table(app)) == [pattern.label for pattern in PATTERNS.values()]
    assert next(iter(table(app))) != "Uniform"
    assert table(app)["Causal mask"] == ["0.1667", "6 keys", "6", "1"]


def test_a_link_sets_everything_and_the_numbers_follow():
    sharpness = SHARPNESSES[-3]
    app = opened("heatmaps", heatmaps_n="12", heatmaps_band="3", heatmaps_row="7", heatmaps_sharpness=f"{sharpness:g}")
    assert app.select_slider(key="heatmaps_sharpness").value == sharpness
    (weights,) = pattern_frames(list(PATTERNS), 12, 3, [sharpness])
    for place, pattern in enumerate(PATTERNS.values()):
        largest = weights[place, 7].max().item()
        assert float(table(app)[pattern.label][0]) == pytest.approx(largest, rel=1e-3)
    assert table(app)["Banded"][1] == "7 keys"


def test_patterns_can_be_chosen_and_none_means_all():
    assert list(table(opened("heatmaps", heatmaps_patterns="banded"))) == ["Banded"]
    assert list(table(opened("heatmaps", heatmaps_patterns="untrained,blocks"))) == ["Blocks", "Untrained"]
    assert len(table(opened("heatmaps", heatmaps_patterns=""))) == len(PATTERNS)


def test_a_row_that_is_no_longer_there_gives_way_to_the_last():
    app = opened("heatmaps", heatmaps_n="20", heatmaps_row="19")
    app.slider(key="heatmaps_n").set_value(6).run()
    assert not app.exception
    assert app.slider(key="heatmaps_row").value == 5


def test_the_labs_weights_are_a_tab_away():
    app = opened("heatmaps", heatmaps_tab="lab")
    assert any("Kernel regression on 50 points" in caption.value for caption in app.caption)


def own_weights_alone():
    """The own-matrix part by itself: AppTest forgets which source is chosen from one run to the next."""
    import streamlit as st

    from attention_ui.chapters.heatmaps.own_matrix import own_matrix

    matrix = own_matrix("heatmaps")
    st.json("none" if matrix is None else matrix.weights.tolist())


def brought(*texts):
    app = AppTest.from_function(own_weights_alone, default_timeout=60).run()
    for text in texts:
        app.text_area(key="heatmaps_pasted").set_value(text).run()
        assert not app.exception
    return app


def test_pasted_weights_are_taken():
    app = brought("0.5 0.5\n1 0")
    assert app.json[0].value == "[[[[0.5, 0.5], [1.0, 0.0]]]]"
    assert app.caption[0].value.startswith("In use: 1 matrix of 2 × 2, pasted")
    assert not app.warning


def test_a_mistake_loses_nothing_and_says_why():
    app = brought("0.5 0.5\n1 0", "0.5 0.5\n1 <b>zero</b>")
    assert app.json[0].value == "[[[[0.5, 0.5], [1.0, 0.0]]]]"
    assert "Row 2" in app.error[0].value
    assert app.caption[0].value.startswith("Still in use")
    app.text_area(key="heatmaps_pasted").set_value("").run()
    assert not app.error
    assert app.json[0].value == "[[[[0.5, 0.5], [1.0, 0.0]]]]"


def test_odd_weights_are_shown_with_a_warning():
    app = brought("0.5 0.9\n1.5 -0.5")
    assert [warning.value.split(" ")[0] for warning in app.warning] == ["1", "1"]
    assert "do not sum to 1" in app.warning[0].value
    assert "negative" in app.warning[1].value


def test_without_own_weights_the_page_offers_a_sample_and_its_link_opens_the_same():
    app = opened("heatmaps", heatmaps_source="own")
    assert any("Upload or paste" in info.value for info in app.info)
    app.button(key="heatmaps_load").click().run()
    assert not app.exception
    assert app.query_params["heatmaps_sample"] == "true"
    again = opened("heatmaps", heatmaps_source="own", heatmaps_sample="true", heatmaps_row="3")
    assert not again.warning
    largest, key, *_ = table(again)["Your matrix"]
    assert key == "4", "while it writes the fourth symbol it attends to the fourth from the end"
    assert float(largest) > 0.5
