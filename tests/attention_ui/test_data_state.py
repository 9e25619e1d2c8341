"""The choice of data: any link opens, what was good is never lost, and every page has its own."""

import json
import math
import re

import pandas as pd
import pytest
import streamlit as st
import torch
from streamlit.testing.v1 import AppTest

from attention_core.checks import InputError
from attention_core.data import FUNCTIONS, LAST_SEED, MEASURED, Samples, generate, measured
from attention_ui.state import own_data
from attention_ui.state.dataset import LABELS, OWN, Dataset
from attention_ui.state.wording import JOINER, literal

PAGE = "../pages/data_page.py"
CSV = "text/csv"
GOOD = b"hour,heat,humid\n3,30,1\n1,10,4\n2,20,9\n4,25,2\n"
GOOD_POINTS = [[1, 10], [2, 20], [3, 30], [4, 25]]
BAD = ["NaN", "inf", "-inf", "1e999", "1e99", "-1", "9" * 10_000, "x" * 10_000, "<script>alert(1)</script>", "", "\x00"]


def opened(**link: str) -> AppTest:
    """The stand-in page, opened by a link."""
    app = AppTest.from_file(PAGE, default_timeout=30)
    for name, value in link.items():
        app.query_params[f"first_{name}"] = value
    return clean(app.run())


def clean(app: AppTest) -> AppTest:
    """The same page, when it has not raised."""
    assert not app.exception, app.exception[0].message
    return app


def shown(app: AppTest) -> dict:
    """What the page got to work on."""
    return json.loads(app.json[0].value)


def pairs(samples: Samples) -> list[list[float]]:
    return torch.stack(samples, dim=1).tolist()


def select(app: AppTest, name: str) -> AppTest:
    return clean(app.selectbox(key="first_function").set_value(name).run())


def upload(app: AppTest, content: bytes, name: str = "heat.csv") -> AppTest:
    return clean(app.file_uploader(key="first_upload").set_value((name, content, CSV)).run())


def paste(app: AppTest, text: str) -> AppTest:
    return clean(app.text_area(key="first_pasted").set_value(text).run())


def click(app: AppTest, button: str) -> AppTest:
    return clean(app.button(key=f"first_{button}").click().run())


def sentence(app: AppTest) -> str:
    """The one error on the page, as a reader sees it."""
    (error,) = app.error
    return re.sub(r"\\(.)", r"\1", error.value.replace(JOINER, ""))


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption)


# Links.


def test_the_defaults_are_those_of_the_core() -> None:
    app = opened()
    assert shown(app)["name"] == "wave"
    assert shown(app)["points"] == pairs(generate())


@pytest.mark.parametrize("function", ["doppler", LABELS["doppler"]])
def test_a_full_link_gives_exactly_its_data(function: str) -> None:
    app = opened(function=function, n="80", noise="1.25", seed="7")
    assert shown(app)["points"] == pairs(generate("doppler", 80, 1.25, 7))
    assert app.query_params["first_function"] == LABELS["doppler"]
    assert app.query_params["first_seed"] == "7"


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
    assert "first_n" not in app.query_params
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

        from attention_ui.state.data import data_controls

        for page in ("first", "second"):
            st.json(data_controls(page).points)

    app = clean(AppTest.from_function(both, default_timeout=30).run())
    app.slider(key="first_n").set_value(9)
    paste(select(app, OWN), "1 2\n2 3\n3 5")
    assert json.loads(app.json[0].value) == [[1, 2], [2, 3], [3, 5]]
    assert json.loads(app.json[1].value) == pairs(generate())
    assert app.slider(key="second_n").value == 50
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


# Editing.


def test_an_added_point_makes_own_data_and_reset_undoes_it() -> None:
    app = opened(function="gap", n="12", seed="3")
    drawn = shown(app)["points"]
    click(click(app, "add"), "add")
    assert shown(app)["name"] == OWN
    assert shown(app)["title"] == "Sine with a gap, edited"
    assert shown(app)["points"] == sorted([*drawn, [2.5, 9.0], [2.5, 9.0]])
    assert app.query_params["first_function"] == LABELS[OWN]
    click(app, "reset")
    assert shown(app)["points"] == drawn
    assert app.query_params["first_function"] == LABELS["gap"]
    assert (app.query_params["first_n"], app.query_params["first_seed"]) == ("12", "3")


def test_reset_returns_to_what_was_uploaded() -> None:
    app = click(upload(opened(function=OWN), GOOD), "add")
    assert [2.5, 9.0] in shown(app)["points"]
    click(app, "reset")
    assert shown(app)["points"] == GOOD_POINTS
    assert not [button for button in app.button if button.key == "first_reset"]


def test_reset_returns_to_where_the_edit_began_even_after_a_detour() -> None:
    app = click(opened(n="20", seed="3"), "add")
    select(app, "line")
    app.slider(key="first_n").set_value(30).run()
    click(select(app, OWN), "reset")
    assert shown(app)["points"] == pairs(generate("wave", 20, 0.5, 3))


def test_edits_of_other_data_do_not_cost_those_of_ones_own() -> None:
    app = click(upload(opened(function=OWN), GOOD), "add")
    edited = shown(app)["points"]
    click(click(select(app, "line"), "add"), "reset")
    assert shown(app)["name"] == "line"
    assert shown(select(app, OWN))["points"] == edited


def test_a_bad_file_does_not_cost_the_edits() -> None:
    app = click(upload(opened(function=OWN), GOOD), "add")
    edited = shown(app)["points"]
    upload(app, b"x,y\n1,2\n2,oops\n3,4\n")
    assert shown(app)["points"] == edited
    assert "Still in use: 5 points, 'heat.csv', edited." in captions(app)
    upload(app, GOOD)
    assert shown(app)["points"] == GOOD_POINTS


def test_the_editor_opens_for_up_to_500_points() -> None:
    app = opened(n="500")
    click(app, "edit")
    assert len(app.data_editor[0].value) == 500
    click(click(app, "add"), "add")
    assert not [button for button in app.button if button.key == "first_edit"]
    assert "More than 500 points" in captions(app)


@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        ([1, 2, None, 4], [1, 2, 3, 4], "Column 'time' has no number in row 3."),
        ([1, 2, 3, None], [1, 2, 3, None], "Column 'time' has no number in row 4."),
        ([1, 2, 3, 4], [1, math.inf, 3, 4], "Column 'heat' is infinite or beyond 1e+100 in row 2."),
        ([1, 2], [1, 2], "The data must have 3 to 50,000 rows; there are 2."),
        ([5, 5, 5], [1, 2, 3], "Column 'time' is 5 in every row: there is nothing to tell the points apart by."),
        ([None, None, None], [1, 2, 3], "Column 'time' has no number in 3 rows: 1, 2 and 3."),
        ([], [], "Column 'time' must hold at least one number; there are none."),
    ],
)
def test_bad_rows_of_the_editor_are_explained(x: list, y: list, said: str) -> None:
    rows = pd.DataFrame({"time": x, "heat": y}, index=range(1, len(x) + 1))
    with pytest.raises(InputError) as caught:
        own_data._points(rows)
    assert str(caught.value) == said


def test_columns_of_the_same_name_are_told_apart_in_the_editor() -> None:
    samples = Samples(*torch.tensor([[1.0, 2, 3], [4, 5, 6]], dtype=torch.float64))
    assert list(own_data._rows(Dataset.own(samples, "same", "same", "a"))) == ["x", "y"]


# The data set itself.


def own(values: list[float]) -> Dataset:
    x = torch.arange(len(values), dtype=torch.float64)
    return Dataset.own(Samples(x, torch.tensor(values, dtype=torch.float64)), "a", "b", "c")


def test_own_points_come_back_exactly() -> None:
    values = [0.1, -0.0, 1e-300, 1e100, math.pi]
    dataset = own(values)
    assert dataset.samples().y.tolist() == values
    assert dataset.samples().y.dtype == torch.float64
    assert dataset.samples() is dataset.samples()
    assert dataset.points == tuple(enumerate(values))


def test_a_cache_keyed_by_a_data_set_follows_its_content() -> None:
    calls = []

    @st.cache_data
    def total(dataset: Dataset) -> float:
        calls.append(dataset)
        return dataset.samples().y.sum().item()

    assert [total(own([1, 2, 3])), total(own([1, 2, 3])), total(own([1, 2, 4]))] == [6, 6, 7]
    total(Dataset(seed=1)), total(Dataset(seed=1)), total(Dataset(seed=2))
    assert len(calls) == 4
    assert hash(own([1, 2, 3])) == hash(own([1, 2, 3]))


def test_pictures_show_the_whole_range() -> None:
    assert (Dataset("gap", n=3).low, Dataset("gap", n=3).high, Dataset("gap").has_truth) == (0, 5, True)
    x = measured("faithful").x
    dataset = Dataset.measured("faithful")
    assert dataset.low < x[0] < x[-1] < dataset.high
    assert dataset.high - dataset.low == pytest.approx(1.1 * (x[-1] - x[0]).item())
    assert not dataset.has_truth
    assert (dataset.x_label, dataset.y_label) == ("eruption (min)", "waiting time (min)")


def test_the_true_curve_stays_known_behind_edited_points_and_so_do_the_axes() -> None:
    dataset = Dataset("wave", 20).with_point(2.5, 9.0)
    assert (dataset.name, dataset.true_curve, dataset.has_truth) == (OWN, "wave", False)
    assert (dataset.low, dataset.high) == (0.0, 5.0)
    assert dataset.with_point(0.5, -3.0).true_curve == "wave"
    assert dataset.with_point(5.5, 1.0).true_curve == "", "beyond 5 nobody knows it"
    assert Dataset.measured("faithful").with_point(3.0, 60.0).true_curve == ""


def test_an_added_point_must_be_a_number() -> None:
    with pytest.raises(InputError, match="finite"):
        Dataset().with_point(math.nan, 1.0)


def taken(point: object, **asked: str) -> AppTest:
    """The page after its stage has sent this as a clicked point."""
    app = opened(**asked)
    app.session_state["first_stage"] = {"point": point}
    return click(app, "take")


def test_a_click_on_the_stage_adds_its_point() -> None:
    assert [2.5, 0.25] in shown(taken([2.5, 0.25], n="12"))["points"]


@pytest.mark.parametrize(
    "point",
    [
        None,
        [],
        [1.0],
        [1.0, 2.0, 3.0],
        "12",
        {"x": 1},
        [None, 1.0],
        ["a", 1.0],
        [math.nan, 1.0],
        [1.0, math.inf],
        [9.0, 1.0],
    ],
)
def test_what_no_stage_would_send_adds_nothing(point: object) -> None:
    app = taken(point, n="12")
    assert not app.exception
    assert shown(app)["name"] == "wave"


def test_nothing_is_added_to_as_many_points_as_can_be_edited_or_where_a_lesson_hides_them() -> None:
    assert shown(taken([2.5, 0.25], n="500"))["name"] == "wave"
    for name in ("edit", "function"):
        locked = opened(n="12")
        locked.query_params["lock"] = name
        locked.session_state["first_stage"] = {"point": [2.5, 0.25]}
        assert shown(click(locked.run(), "take"))["name"] == "wave"


# Words that are not ours. What a browser makes of them is tested there.


def test_an_ordinary_sentence_stays_as_it_is() -> None:
    plain = "Row 3 of column 'y-axis (m/s)' reads '1.234,5'; there are 2, not 3: try again."
    assert literal(plain) == plain


def test_markdown_signs_are_disarmed() -> None:
    assert literal("*a* [b](c) `d` $e$") == r"\*a\* \[b\](c) \`d\` \$e\$"
    assert literal(":red[x]") == f":{JOINER}red\\[x\\]"
    assert f"http:{JOINER}//" in literal("http://a.bc")
