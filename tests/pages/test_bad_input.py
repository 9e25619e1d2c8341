"""Bad input cannot hurt: whatever stands in a link, the page opens, says what it ignored, and keeps all the rest."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from attention_ui.contents import CHAPTERS, HOME, chapter_of
from attention_ui.link.names import NAMES as LINK_NAMES
from attention_ui.reading.literal import JOINER
from attention_ui.reading.tables import MOST_READ
from tests.pages.opening import opened

# What a link may say in any of its parameters.
BAD = {
    "not a number": "NaN",
    "infinite": "inf",
    "minus infinite": "-inf",
    "beyond any float": "1e999",
    "far too large": "1e99",
    "negative": "-1",
    "more digits than Python reads": "9" * 5_000,
    "half a step": "0.5000001",
    "digits of another script": "٣٫٥",
    "a script": "<script>alert(1)</script>",
    "an image that runs a script": '"><img src=x onerror=alert(1)>',
    "Markdown and LaTeX": "**b** [a](http://b) $x^2$ :red[c] `d`",
    "nothing": "",
    "blanks": " \t\n ",
    "100 kB in all": "x" * 100_000,
    "a NUL": "\x00",
    "broken bytes, as a browser sends them": "\ufffd\ufffd",
    "written from right to left": "\u202etxt.exe\u2066",
    "an emoji of several parts": "👩‍🏫🏳️‍🌈",
    "a query for a database": "0;DROP TABLE x--",
    "a path": "../../../../etc/passwd",
    "a word of Python": "None",
    "JSON": '{"__proto__": {"x": [1, null]}}',
    "a list": "1,2,;;,3",
}

# As the page writes it: without rate, epochs and loss it would be an old link.
TWO_HEADS = {"lw_heads": "2", "lw_rate": "1", "lw_epochs": "100", "lw_loss": "mean"}

# Every view of a page: the first, then what its tabs and its larger switches open.
VIEWS: dict[str, list[dict[str, str]]] = {
    "home": [{}],
    "cues": [{}, {"cues_tab": "comparison"}],
    "qkv": [{}, {"qkv_space": "plane"}, {"qkv_hard": "true"}],
    "heatmaps": [
        {},
        {"heatmaps_tab": "lab"},
        {"heatmaps_source": "own"},
        {"heatmaps_source": "own", "heatmaps_sample": "true"},
    ],
    "kernel_regression": [
        {},
        *({"kr_tab": tab} for tab in ("one_query", "which_width", "bias_variance", "more_data", "time", "code")),
        {"kr_function": "own"},
    ],
    "batches": [{}, {"batches_tab": "race"}],
    "learned_w": [
        {},
        *({"lw_tab": tab} for tab in ("by_hand", "before_after", "one_step", "runs")),
        TWO_HEADS,
        TWO_HEADS | {"lw_tab": "head_by_head"},
    ],
    "scoring": [
        {},
        *({"scoring_tab": tab} for tab in ("explorer", "scaling", "morph", "masks", "analogy")),
    ],
    "bahdanau": [
        {},
        {"bahdanau_task": "dates"},
        *({"bahdanau_tab": tab} for tab in ("train", "lengths", "explain")),
    ],
    "multihead": [{}, {"multihead_tab": "vectors"}],
    "self_attention": [{}, {"sa_tab": "positions"}, {"sa_tab": "cost"}],
    "transformer": [
        {},
        {"transformer_model": "yours"},
        *({"transformer_tab": tab} for tab in ("all_heads", "steps", "training")),
    ],
    "exercises": [{}],
}
KINDS = (
    *("slider", "select_slider", "selectbox", "multiselect", "number_input", "text_input", "text_area"),
    *("toggle", "checkbox", "radio", "pills", "segmented_control"),
)
IGNORED = "Ignored in the link"


@dataclass(frozen=True)
class View:
    """One view of a page, by the link that opens it."""

    page: str
    link: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "-".join([self.page, *(value for _, value in self.link)])


EVERY_VIEW = [View(page, tuple(link.items())) for page, links in VIEWS.items() for link in links]
every_view = pytest.mark.parametrize("view", EVERY_VIEW, ids=str)


@cache
def plain(view: View) -> AppTest:
    """The view without bad values; looked at, never driven."""
    return opened(view.page, **dict(view.link))


def widgets(app: AppTest) -> dict[str, Any]:
    """Everything on the page that can be set, by its key."""
    return {widget.key: widget for kind in KINDS for widget in app.get(kind) if widget.key}


def attacked(view: View) -> list[str]:
    """The parameters of a view that its page's first view does not have, and for that one what has no widget too."""
    switches, keys = dict(view.link), widgets(plain(view))
    if not view.link:
        prefix = chapter_of(view.page).key_prefix
        return [*keys, *(prefix + name for name in sorted(LINK_NAMES[prefix])), "present", "lock", "unknown"]
    first = widgets(plain(View(view.page, ())))
    return [key for key in keys if key not in switches and key not in first]


def test_every_view_is_in_the_table():
    assert list(VIEWS) == [chapter.name for chapter in [HOME, *CHAPTERS]]
    for page, links in VIEWS.items():
        tabs = [widget for key, widget in widgets(plain(View(page, ()))).items() if key.endswith("_tab")]
        for tab in tabs:
            shown = [widgets(plain(View(page, tuple(link.items())))).get(tab.key) for link in links]
            assert len({each.value for each in shown if each}) >= len(tab.options), page


def stands(sent: str, value: Any, usual: Any) -> bool:
    """Whether a widget has what it would have without this link, or what the link says as nearly as it can."""
    if value in (usual, sent, [], None) or (isinstance(value, str) and value in sent):  # a long text is cut
        return True
    try:
        asked, number = float(sent), float(value)
    except (TypeError, ValueError):
        return False
    return math.isclose(asked, number, rel_tol=0.1) or (math.isfinite(asked) and math.floor(asked) == number)


def check(view: View, app: AppTest, sent: dict[str, str]) -> None:
    """The page is whole: its title, its widgets with their values, and a sentence on what was ignored."""
    usual, now = widgets(plain(view)), widgets(app)
    assert [title.value for title in app.title] == [title.value for title in plain(view).title]
    for key, widget in now.items():
        if key in usual:
            assert stands(sent.get(key, ""), widget.value, usual[key].value), f"{key} is {widget.value!r}"
    said = " ".join(element.value for element in [*app.warning, *app.error, *app.info, *app.caption])
    assert "Traceback" not in said
    refused = [
        key for key in sent.keys() & usual.keys() & now.keys() if not stands(sent[key], now[key].value, object())
    ]
    assert IGNORED in said or not ("unknown" in sent or refused), refused


def every_value(view: View) -> Iterator[tuple[str, dict[str, str]]]:
    """The links to try: each bad value in all parameters at once; where none is new, one that mixes them."""
    keys = attacked(view)
    if keys:
        for name, value in BAD.items():
            yield name, dict.fromkeys(keys, value[: 100_000 // len(keys)])
    else:
        known = [key for key in widgets(plain(view)) if key not in dict(view.link)]
        yield "a mixture", dict(zip(known, cycle(BAD.values()), strict=False))


@every_view
def test_a_bad_value_in_every_parameter_leaves_the_page_whole(view):
    for name, sent in every_value(view):
        try:
            check(view, opened(view.page, **(sent | dict(view.link))), sent)
        except AssertionError as failure:
            raise AssertionError(f"{name}: {failure}") from failure


# The others keep their values.


def neighbour(widget: Any) -> tuple[str, Any] | None:
    """A good value beside the one that a widget has, as a link writes it and as the widget then holds it."""
    if widget.type in {"toggle", "checkbox"}:
        return str(not widget.value).lower(), not widget.value
    if widget.type not in {"slider", "number_input"}:
        return None
    other = widget.value + (widget.step if widget.value + widget.step <= widget.max else -widget.step)
    return f"{other:.6g}", pytest.approx(other)


@every_view
def test_what_is_good_in_a_link_is_kept_beside_what_is_bad(view):
    seen = {key: widget for key, widget in widgets(plain(view)).items() if key not in dict(view.link)}
    good = {key: value for key, widget in seen.items() if (value := neighbour(widget))}
    for half in (0, 1):
        kept = dict(list(good.items())[half::2])
        bad = {key: "1e999" for key in seen if key not in kept}
        now = widgets(opened(view.page, **bad, **{key: text for key, (text, _) in kept.items()}, **dict(view.link)))
        assert {key: now[key].value for key in kept} == {key: value for key, (_, value) in kept.items()}


# Files, at every page that takes one.

TABLE, MATRIX = b"x,y\n1,10\n2,20\n3,30\n", b"0.5 0.5\n0.1 0.9\n"
ROWS = b"x,y\n" + b"1,2\n" * (MOST_READ + 1)
FILES = {
    "empty": ("a.csv", b"", "'a.csv' is empty."),
    "blank": ("a.csv", b"\n \r\n", "'a.csv' is empty."),
    "a picture": ("a.csv", b"\x89PNG\r\n\x1a\n", "'a.csv' looks like a PNG picture"),
    "an Excel file of old": ("a.csv", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "looks like an old Excel workbook"),
    "a page of the web": ("a.csv", b"<!DOCTYPE html><p>", "looks like a web page"),
    "NULs": ("a.csv", b"\x00" * 100, "does not look like text"),
    "a control character": ("a.csv", b"x,y\n1,2\n3,\x1b4\n", "does not look like text"),
    "another encoding": ("a.csv", b"x,y\r\n1,2\r\n\x81\xe9,2\r\n", "cannot be read"),
    "half of UTF-16": ("a.csv", "x,y\n1,2\n".encode("utf-16")[:-1], "cut off or damaged"),
    "51 MB": ("a.csv", b"1" * 51_000_000, "has 51,000,000 bytes"),
    "no such kind": ("a.exe", TABLE, "'a.exe'"),
    "a way out of its folder": ("../../etc/passwd", TABLE, "'passwd'"),
    "a second ending": ("a.csv\x00.exe", TABLE, "'a.csv .exe'"),
    "no name": ("", TABLE, "''"),
    "text for numbers": ("a.csv", b"x,y\na,b\nc,d\ne,f\n", ""),
    "a row too long": ("a.csv", b"1,2\n3,4\n5,6,7\n8,9\n", "Row 3 has 3"),
}
TABLES = {
    "an open quotation mark": ("a.csv", b'x,y\n1,2\n3,"4\n5,6\n', "row 3"),
    "one column": ("a.csv", b"x\n1\n2\n3\n", "'a.csv' has only one column"),
    "two rows": ("a.csv", b"1,2\n3,4\n", "at least 3 are needed"),
    "more rows than we take": ("a.csv", ROWS, f"has more than {MOST_READ:,} rows"),
    "one cell of text": ("a.csv", b"x,y\n1,2\n2,oops\n3,4\n4,5\n", "Row 3 of column 'y' reads 'oops'"),
    "NaN in rows": ("a.csv", b"x,y\n1,\n2,NaN\n3,4\n4,5\n", "Column 'y' has no number in 2 rows: 2 and 3."),
    "an infinite cell": ("a.csv", b"x,y\n1,inf\n2,3\n3,4\n", "infinite or beyond"),
    "one x for all": ("a.csv", b"x,y\n1,2\n1,3\n1,4\n", "Column 'x' is 1 in every row"),
    "two columns of one name": ("a.csv", b"x,x\n1,2\n3,4\n5,6\n", "both called 'x'"),
}
MATRICES = {
    "a damaged header": ("a.npy", b"\x93NUMPY\x01\x00v\x00{'descr': '|O'}\n", "cut off or damaged"),
    "not NumPy": ("a.npy", b"\x00" * 10, "is not a NumPy file"),
    "NaN": ("a.csv", b"nan 1\n1 1\n", "finite numbers"),
}
NAMES = {
    "an image that runs a script": ("<img src=x onerror=alert(1)>.csv", "'<img src=x onerror=alert(1)>.csv'"),
    "Markdown and LaTeX": ("$x$ **b** [a](http://b).csv", "'$x$ **b** [a](http://b).csv'"),
    "300 characters": ("n" * 300 + ".csv", "'" + "n" * 37 + "...'"),
    "a break, a NUL and a turn to the left": ("a\n\x00\u202eb.csv", "'a b.csv'"),
    "an emoji": ("\N{OWL}.csv", "'\N{OWL}.csv'"),
    "blanks": ("  .csv", "'.csv'"),
}
UPLOADS = [
    ("kernel_regression", "kr", {"kr_function": "own", "kr_kernel": "tricube", "kr_linear": "true"}, TABLE, TABLES),
    ("learned_w", "lw", {"lw_function": "own", "lw_epochs": "5", "lw_optimizer": "adam"}, TABLE, TABLES),
    ("multihead", "multihead", {"multihead_function": "own", "multihead_count": "3"}, TABLE, TABLES),
    ("heatmaps", "heatmaps", {"heatmaps_source": "own", "heatmaps_shared": "false"}, MATRIX, MATRICES),
]
every_upload = pytest.mark.parametrize(
    ("page", "prefix", "link", "good", "more"), UPLOADS, ids=[row[0] for row in UPLOADS]
)


def upload(app: AppTest, prefix: str, name: str, content: bytes) -> AppTest:
    app.file_uploader(key=f"{prefix}_upload").set_value((name, content, "text/csv")).run()
    assert not app.exception, app.exception
    return app


def plainly(elements: Any) -> str:
    """What a reader sees of Markdown that escapes everything."""
    return re.sub(r"\\(.)", r"\1", " ".join(element.value for element in elements).replace(JOINER, ""))


def held(app: AppTest) -> dict[str, Any]:
    return {key: widget.value for key, widget in widgets(app).items()}


@every_upload
def test_a_bad_file_is_refused_in_a_sentence_and_changes_nothing(page, prefix, link, good, more):
    app = upload(opened(page, **link), prefix, "good.csv", good)
    before = held(app)
    for kind, (name, content, says) in (FILES | more).items():
        upload(app, prefix, name, content)
        (refused,) = app.error
        assert says in plainly(app.error), kind
        assert refused.value.endswith((".", "?")), kind
        assert "'good.csv'" in plainly(app.caption), kind
        assert held(app) == before, kind


@every_upload
def test_a_hostile_name_is_shown_as_it_is_written(page, prefix, link, good, more):
    app = opened(page, **link)
    for kind, (name, shown) in NAMES.items():
        upload(app, prefix, name, good)
        assert not app.error, kind
        assert f"{shown}." in plainly(app.caption), kind
        (in_use,) = [caption.value for caption in app.caption if "In use" in caption.value]
        assert not re.search(r"(?<!\\)[<>$*\[\]`]|https?://", in_use), kind


# Models.

SENTENCES = {
    "bahdanau": ("bahdanau_digits", "31415"),
    "transformer": ("transformer_text", "31415"),
    "self_attention": ("sa_text", "the cat sat on the mat"),
}
TEXTS = ["", " ", "abc", "<b>", "٣١٤", "\x00", "9" * 10_000, "👩‍🏫", "$x$", "\u202e31"]


@pytest.mark.parametrize("page", SENTENCES)
def test_a_text_that_a_model_cannot_read_is_refused_in_a_sentence(page):
    key, shown = SENTENCES[page]
    for text in TEXTS:
        app = opened(page, **{key: text})
        told = plainly([*app.warning, *app.error])
        assert re.search(rf"(The picture (still )?shows|Showing) .?{shown}", told), (text[:9], told)


@pytest.mark.parametrize(
    ("link", "outcome"),
    [
        ({"rate": "10", "w0": "100"}, "Overshot"),
        ({"rate": "10", "noise": "2", "optimizer": "sgd"}, "Overshot"),
        ({"rate": "10", "loo": "false"}, "Ran away"),
        ({"rate": "1e-06"}, "Not there yet"),
        ({"w0": "0"}, "Collapsed to the average"),
    ],
    ids=lambda part: part if isinstance(part, str) else "-".join(part.values()),
)
def test_a_rate_or_start_that_fails_is_explained(link, outcome):
    app = opened("learned_w", lw_epochs="50", lw_epoch="50", **{f"lw_{name}": value for name, value in link.items()})
    (verdict,) = [text.value for text in app.markdown if text.value.startswith("**") and ".** " in text.value]
    assert verdict.startswith(f"**{outcome}.** ")
    assert app.slider(key="lw_epochs").value == 50


@pytest.mark.parametrize(
    "view", [view for view in EVERY_VIEW if view.page in {"kernel_regression", "learned_w"}], ids=str
)
def test_three_points_are_enough_for_every_view(view):
    prefix = "kr" if view.page == "kernel_regression" else "lw"
    small = {"kr": {"kr_kernel": "boxcar", "kr_width": "0.02"}, "lw": {"lw_loo": "true", "lw_rate": "10"}}[prefix]
    app = opened(view.page, **({f"{prefix}_n": "3"} | small | dict(view.link)))
    assert not app.error
