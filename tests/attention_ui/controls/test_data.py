"""The choice of data: any link opens, what was good is never lost, and every page has its own."""

import json
from itertools import pairwise

import pytest
from streamlit.testing.v1 import AppTest

from attention_core.data import FUNCTIONS, LAST_SEED, MEASURED, generate, measured
from attention_ui.controls.dataset import OWN
from attention_ui.reading.literal import JOINER, literal
from tests.attention_ui.controls.choosing import (
    GOOD,
    GOOD_POINTS,
    captions,
    clean,
    click,
    opened,
    pairs,
    paste,
    select,
    sentence,
    shown,
    upload,
)

BAD = ["NaN", "inf", "-inf", "1e999", "1e99", "-1", "9" * 10_000, "x" * 10_000, "<script>alert(1)</script>", "", "\x00"]


# Links.


def test_the_defaults_are_those_of_the_core() -> None:
    app = opened()
    assert shown(app)["name"] == "wave"
    assert shown(app)["points"] == pairs(generate())


def test_a_full_link_gives_exactly_its_data() -> None:
    app = opened(function="doppler", n="80", noise="1.25", seed="7")
    assert shown(app)["points"] == pairs(generate("doppler", 80, 1.25, 7))
    assert app.query_params["first_function"] == "doppler"
    assert app.query_params["first_seed"] == "7"


def test_any_number_of_points_opens_and_the_slider_goes_evenly_by_logarithms() -> None:
    app = opened(n="83")
    assert shown(app)["points"] == pairs(generate(n=83))
    asked = app.select_slider(key="first_n")
    assert asked.value == 83
    sizes = [int(text.replace(",", "")) for text in asked.options]
    ratios = [later / earlier for earlier, later in pairwise(sizes) if earlier >= 10]
    assert max(ratios) < 1.2
    asked.set_value(50).run()
    assert "first_n" not in app.query_params
    assert "83" not in app.select_slider(key="first_n").options, "it was there for the link alone"


@pytest.mark.parametrize("name", [*FUNCTIONS, *MEASURED])
def test_every_data_set_opens_and_says_what_it_is(name: str) -> None:
    app = opened(function=name)
    assert shown(app)["name"] == name
    known = FUNCTIONS[name].formula if name in FUNCTIONS else MEASURED[name].source
    assert known in captions(app)


@pytest.mark.parametrize("value", BAD, ids=lambda value: value[:8])
def test_a_bad_link_gives_the_defaults(value: str) -> None:
    app = opened(function=value, n=value, noise=value, seed=value)
    assert shown(app)["points"] == pairs(generate())
    assert not app.error


def test_an_infinite_seed_leaves_the_rest_of_the_link_alone() -> None:
    app = opened(function="step", n="9", seed="inf")
    assert shown(app)["points"] == pairs(generate("step", 9))
    assert click(app, "regenerate").query_params["first_seed"] == "1"


@pytest.mark.parametrize(("seed", "following"), [("0", 1), ("41", 42), (str(LAST_SEED), 0)])
def test_regenerate_takes_another_seed_and_shows_it(seed: str, following: int) -> None:
    app = opened(seed=seed)
    before = shown(app)["points"]
    click(app, "regenerate")
    assert app.number_input(key="first_seed").value == following
    assert app.query_params.get("first_seed", "0") == str(following)
    assert shown(app)["points"] == pairs(generate(seed=following)) != before


# Switching.


def test_switching_away_and_back_keeps_the_values() -> None:
    app = opened(n="80", noise="1", seed="7")
    select(app, "motorcycle")
    assert shown(app)["points"] == pairs(measured("motorcycle"))[:500]
    assert not app.slider
    assert not app.number_input
    assert app.query_params["first_n"] == "80", "the link waits for made-up data"
    select(app, "line")
    assert shown(app)["points"] == pairs(generate("line", 80, 1.0, 7))
    assert (app.query_params["first_n"], app.query_params["first_seed"]) == ("80", "7")


def test_own_data_without_points_shows_what_was_there() -> None:
    app = select(opened(function="bump"), OWN)
    assert shown(app)["points"] == pairs(generate("bump"))
    assert "No points of your own yet" in captions(app)
    assert shown(opened(function=OWN))["points"] == pairs(generate())


def test_two_pages_share_nothing() -> None:
    def both() -> None:
        import streamlit as st

        from attention_ui.controls.data import data_controls

        for page in ("first", "second"):
            st.json(data_controls(page).points)

    app = clean(AppTest.from_function(both, default_timeout=30).run())
    app.select_slider(key="first_n").set_value(9)
    paste(select(app, OWN), "1 2\n2 3\n3 5")
    assert json.loads(app.json[0].value) == [[1, 2], [2, 3], [3, 5]]
    assert json.loads(app.json[1].value) == pairs(generate())
    assert app.select_slider(key="second_n").value == 50
    clean(app.selectbox(key="second_function").set_value(OWN).run())
    assert json.loads(app.json[1].value) == pairs(generate())


# Bringing data.


def test_an_uploaded_file_is_used_and_named() -> None:
    app = upload(opened(function=OWN), GOOD)
    assert shown(app) == {"name": OWN, "title": "'heat.csv'", "points": GOOD_POINTS}
    assert not app.error
    assert "In use: 4 points, 'heat.csv'." in captions(app)


def test_the_columns_can_be_chosen() -> None:
    app = upload(opened(function=OWN), GOOD)
    app.selectbox(key="first_y_column").set_value("humid").run()
    assert shown(app)["points"] == [[1, 4], [2, 9], [3, 1], [4, 2]]
    app.selectbox(key="first_x_column").set_value("humid").run()
    assert "x and y are both column 'humid'" in sentence(clean(app))
    assert shown(app)["points"] == [[1, 4], [2, 9], [3, 1], [4, 2]]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("heat.csv", b"x\n1\n2\n3\n", "'heat.csv' has only one column"),
        ("heat.pdf", GOOD, "'heat.pdf' cannot be read; choose a file whose name ends in .csv, .tsv or .txt."),
        ("heat.csv", b"", "'heat.csv' is empty"),
        ("heat.csv", b"x,y\n1,2\n2,*a*\n3,4\n", "Row 3 of column 'y' reads '*a*'"),
        ("heat.csv", b"x,y\n1,2\n1,3\n1,4\n", "Column 'x' is 1 in every row"),
        ("../../*b* :red[c] $d$.png", b"\x89PNG", "'*b* :red[c] $d$.png' looks like a PNG picture"),
    ],
)
def test_a_bad_file_is_explained_and_the_last_good_one_stays(name: str, content: bytes, said: str) -> None:
    app = upload(opened(function=OWN), GOOD)
    upload(app, content, name)
    assert said in sentence(app)
    assert shown(app)["points"] == GOOD_POINTS
    assert "Still in use: 4 points, 'heat.csv'." in captions(app)
    clean(app.file_uploader(key="first_upload").clear().run())
    assert not app.error
    assert shown(app)["points"] == GOOD_POINTS


def test_another_column_helps_where_one_is_bad() -> None:
    app = upload(opened(function=OWN), b"x,y,z\n1,2,7\n2,oops,8\n3,4,9\n")
    assert "reads 'oops'" in sentence(app)
    assert shown(app)["name"] == "wave"
    app.selectbox(key="first_y_column").set_value("z").run()
    assert not clean(app).error
    assert shown(app)["points"] == [[1, 7], [2, 8], [3, 9]]


def test_pasted_columns_are_used_and_bad_ones_explained() -> None:
    app = paste(opened(function=OWN), "1\t2,5\n2\t3,5\n3\t1,5")
    assert shown(app)["points"] == [[1, 2.5], [2, 3.5], [3, 1.5]]
    paste(app, "1 2\n2 x\n3 4")
    assert "reads 'x'" in sentence(app)
    assert shown(app)["points"] == [[1, 2.5], [2, 3.5], [3, 1.5]]
    paste(app, "  ")
    assert not app.error
    assert shown(app)["points"] == [[1, 2.5], [2, 3.5], [3, 1.5]]


def test_a_fault_is_forgotten_on_switching_away() -> None:
    app = upload(opened(function=OWN), b"", "empty.csv")
    assert app.error
    assert not select(select(app, "line"), OWN).error


def test_own_points_survive_switching_away() -> None:
    app = select(paste(opened(function=OWN), "1 2\n2 3\n3 5"), "faithful")
    assert shown(app)["name"] == "faithful"
    select(app, OWN)
    assert shown(app)["points"] == [[1, 2], [2, 3], [3, 5]]
    assert app.text_area(key="first_pasted").value == "1 2\n2 3\n3 5"
    assert app.selectbox(key="first_y_column").value == "column 2"


# Words that are not ours. What a browser makes of them is tested there.


def test_an_ordinary_sentence_stays_as_it_is() -> None:
    plain = "Row 3 of column 'y-axis (m/s)' reads '1.234,5'; there are 2, not 3: try again."
    assert literal(plain) == plain


def test_markdown_signs_are_disarmed() -> None:
    assert literal("*a* [b](c) `d` $e$") == r"\*a\* \[b\](c) \`d\` \$e\$"
    assert literal(":red[x]") == f":{JOINER}red\\[x\\]"
    assert f"http:{JOINER}//" in literal("http://a.bc")
