"""Every page as a link: a full one opens as it was, a bad value is named, and a lesson hides what its teacher names."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from attention_ui.contents import CHAPTERS, HOME, Chapter, chapter_of
from attention_ui.controls.dataset import OWN, labels
from attention_ui.link.choice import REGISTER
from attention_ui.link.names import NAMES
from attention_ui.reading.literal import literal
from tests.pages.opening import opened
from tests.pages.test_bad_input import VIEWS

every_page = pytest.mark.parametrize("chapter", [HOME, *CHAPTERS], ids=lambda chapter: chapter.name)
LARGE = "--scale"  # the type on the projector


# What opens the choices that no view of a page shows at once.
MORE_VIEWS = {
    "scoring": [
        {"scoring_tab": "masks", "scoring_mask_rows": "true"},
        *({"scoring_tab": "analogy", "scoring_question": name} for name in ("symmetry", "likeness")),
    ],
    "learned_w": [{"lw_function": OWN}],
    "multihead": [
        {"multihead_count": "4"},
        {"multihead_function": OWN},
        *({"multihead_tab": "vectors", "multihead_vector_heads": heads} for heads in ("1", "2", "8")),
    ],
    "self_attention": [{"sa_tab": "positions", "sa_width": width} for width in ("8", "16")],
}


def ignored(app: AppTest) -> str:
    """The sentence on the link, or nothing."""
    return "".join(warning.value for warning in app.warning if warning.value.startswith("Ignored in the link"))


def style(app: AppTest) -> str:
    return " ".join(html.proto.body for html in app.get("html"))


def full_link(app: AppTest) -> dict[str, str]:
    """Every choice of the page as a link writes it, usual or not; nothing where it can be left out only."""
    return {key: noted.text for key, noted in app.session_state[REGISTER].noted.items() if noted.text}


@every_page
def test_a_full_link_is_used_and_a_bad_one_is_named(chapter: Chapter) -> None:
    app = opened(chapter.name)
    link = full_link(app)
    assert ignored(opened(chapter.name, **link, utm_source="mail", embed="true", present="1")) == ""
    bad = next((key for key in sorted(link) if not key.endswith(("_text", "_digits"))), "a_typo")
    said = ignored(opened(chapter.name, **(link | {bad: "*bad*"}), nobody="1"))
    assert literal(f"{bad}=*bad*") in said
    assert "nobody=1" in said
    assert said.count("=") == 2


@pytest.mark.parametrize("page", VIEWS)
def test_every_choice_of_a_page_is_in_the_table_of_names_and_no_other(page: str) -> None:
    """Else a link that was made while another part of the page was open would be said to be bad."""
    prefix, found = chapter_of(page).key_prefix, set()
    for link in [*VIEWS[page], *MORE_VIEWS.get(page, [])]:
        app = opened(page, **link)
        found |= {key.removeprefix(prefix) for key in app.session_state[REGISTER].noted}
    assert found == NAMES[prefix]


def test_a_choice_of_a_closed_part_of_the_page_is_neither_told_nor_lost() -> None:
    app = opened("scoring", scoring_temperature="2.22", scoring_typo="1")
    assert ignored(app) == "Ignored in the link, since this page cannot use it: scoring\\_typo=1."
    assert app.query_params["scoring_temperature"] == "2.22"
    app.segmented_control(key="scoring_tab").set_value("explorer").run()
    assert app.select_slider(key="scoring_temperature").value == 2.22
    assert app.query_params["scoring_tab"] == "explorer"


def test_a_choice_outlives_the_part_of_the_page_that_it_belongs_to() -> None:
    app = opened("scoring", scoring_tab="masks")
    app.slider(key="scoring_mask_0").set_value(2).run()
    app.segmented_control(key="scoring_tab").set_value("morph").run()
    assert app.query_params == {"scoring_tab": "morph", "scoring_mask_0": "2"}
    app.segmented_control(key="scoring_tab").set_value("masks").run()
    assert app.slider(key="scoring_mask_0").value == 2


def test_a_page_that_is_come_back_to_is_as_it_was_left_unless_its_link_says_otherwise() -> None:
    app = opened("kernel_regression", kr_noise="1.5", kr_kernel="boxcar")
    app.select_slider(key="kr_n").set_value(80).run()
    for link in ({}, {"kr_n": "90"}):
        app.switch_page("pages/cues.py").run()
        app.query_params.clear()
        app.switch_page("pages/kernel_regression.py")
        for name, value in link.items():
            app.query_params[name] = value
        app.run()
        assert not app.exception
        assert app.select_slider(key="kr_n").value == int(link.get("kr_n", 80))
        assert (app.slider(key="kr_noise").value, app.pills(key="kr_kernel").value) == (1.5, "boxcar")
        assert app.query_params["kr_noise"] == "1.5"


def test_a_width_goes_along_to_a_page_with_the_same_data() -> None:
    app = opened("kernel_regression", kr_width="0.5")
    app.switch_page("pages/home.py").run()
    assert app.select_slider(key="home_width").value == 0.5
    app.select_slider(key="home_width").set_value(2.0).run()
    app.switch_page("pages/cues.py").run()
    app.query_params.clear()
    app.switch_page("pages/kernel_regression.py").run()
    assert app.select_slider(key="kr_width").value == 2.0
    app.selectbox(key="kr_function").set_value("faithful").run()
    app.switch_page("pages/home.py").run()
    assert app.select_slider(key="home_width").value == 2.0, "the width of other data means something else"


def test_the_sentence_goes_with_the_next_change() -> None:
    app = opened("kernel_regression", kr_n="abc")
    assert literal("kr_n=abc") in ignored(app)
    assert ignored(app.run())  # nothing has changed
    app.slider(key="kr_noise").set_value(1.0).run()
    assert ignored(app) == ""


def test_it_names_five_and_counts_the_rest() -> None:
    said = ignored(opened("kernel_regression", **{f"typo{i}": "x" * 100 for i in range(8)}))
    assert said.endswith("... and 3 more.")


# Lessons.


def test_a_lesson_hides_what_it_names_and_nothing_else() -> None:
    app = opened("kernel_regression", lock="kernel,noise", kr_kernel="boxcar")
    (rule,) = re.findall(r"([^}]*){ display: none !important; }", style(app))
    hidden = set(re.findall(r"\.st-key-(\w+)", rule))
    assert {key for key in hidden if key.startswith("kr_")} == {"kr_kernel", "kr_noise"}
    assert app.pills(key="kr_kernel").value == "boxcar"
    assert ignored(app) == ""


@pytest.mark.parametrize("name", ["nothing", "a{}b", "</style><script>", "*"])
def test_a_lock_on_what_is_not_there_is_named_and_does_nothing_else(name: str) -> None:
    app = opened("kernel_regression", lock=f"noise,{name}")
    assert literal(f"lock={name}") in ignored(app)
    assert name == "nothing" or f"kr_{name}" not in style(app)
    assert ".st-key-kr_noise" in style(app)


def test_a_projector_is_asked_for_by_1_alone_and_stays_on_the_way() -> None:
    assert LARGE not in style(opened("kernel_regression", present="0"))
    app = opened("kernel_regression", present="1")
    assert LARGE in style(app)
    assert {link.proto.query_string for link in app.get("page_link")} == {"present=1"}, "to every chapter"
    app.button(key="leave").click().run()
    assert LARGE not in style(app)
    assert "present" not in app.query_params
    assert [link.proto.query_string for link in app.get("page_link")] == [""]


# Own points.


def with_points(page: str, prefix: str, text: str = "1 2.5\n2 0.1\n3 1e-7") -> AppTest:
    """The page with pasted points."""
    app = opened(page, **{f"{prefix}_function": OWN})
    app.text_area(key=f"{prefix}_pasted").set_value(text).run()
    assert not app.exception
    return app


@pytest.mark.parametrize(("page", "prefix"), [("kernel_regression", "kr"), ("learned_w", "lw")])
def test_own_points_travel_in_the_link(page: str, prefix: str) -> None:
    app = with_points(page, prefix)
    link = {key: app.query_params[key] for key in (f"{prefix}_points", f"{prefix}_function")}
    again = opened(page, **link)
    assert again.session_state[f"{prefix}_kept"].current.points == ((1.0, 2.5), (2.0, 0.1), (3.0, 1e-7))
    assert again.query_params[f"{prefix}_points"] == link[f"{prefix}_points"]
    assert ignored(again) == ""


def test_the_link_drops_the_points_with_the_way_back_to_made_up_data() -> None:
    app = with_points("kernel_regression", "kr")
    app.selectbox(key="kr_function").set_value("wave").run()
    assert "kr_points" not in app.query_params
    app.selectbox(key="kr_function").set_value(OWN).run()
    assert "kr_points" in app.query_params


@pytest.mark.parametrize("text", ["abc", "x" * 20_000, "eJwDAAAAAAE", "\x00"])
def test_bad_points_give_the_usual_data_and_are_named(text: str) -> None:
    app = opened("kernel_regression", kr_function=labels()[OWN], kr_points=text)
    assert "kr\\_points=" in ignored(app)
    assert app.session_state["kr_kept"].current.name == "wave"
    assert "kr_points" not in app.query_params


def test_many_points_are_waited_for_and_nothing_of_the_waiting_stays() -> None:
    app = with_points("kernel_regression", "kr", "\n".join(f"{i} {i % 7}" for i in range(1001)))
    assert app.session_state["kr_kept"].current.n == 1001
    assert not app.get("progress")


def test_too_many_points_are_said_to_need_their_file() -> None:
    app = with_points("kernel_regression", "kr", "\n".join(f"{i} {i % 7}" for i in range(201)))
    assert "kr_points" not in app.query_params
    assert any("too many for a link" in caption.value for caption in app.caption)
