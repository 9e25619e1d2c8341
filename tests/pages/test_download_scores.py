"""The button on the pages of cues, queries and scores: what is on the screen at this moment is packed."""

from types import SimpleNamespace

import pytest

from tests.attention_ui.export.exported import said
from tests.pages.opening import opened

BREAKS = {"scoring_tab": "analogy"}
# A page and a link, and what must stand in the packed code.
SHOWN = [
    ("cues", {}, "blend=0.0,"),
    ("cues", {"cues_goal": "drink", "cues_blend": "37", "cues_book": "6.0"}, "blend=0.37,", "5.0, 1.0, 6.0"),
    ("qkv", {"qkv_space": "plane", "qkv_query": "1,2.5", "qkv_temperature": "0"}, "[[1.0, 2.5]]", "weights = nearest"),
    ("qkv", {"qkv_hard": "true", "qkv_looks": "77", "qkv_seed": "5"}, "count=77,", "seed=5,"),
    ("scoring", {}, "scores = queries @ keys.mT", "weights[0, :, None]"),
    (
        "scoring",
        {"scoring_block_score": "cosine", "scoring_block_query": "q2", "scoring_q": "1,2;3,4;5,6"},
        "[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]", "normalize(queries, dim=-1)", "weights[2, :, None]",
    ),
    (
        "scoring",
        {"scoring_tab": "explorer", "scoring_d": "3", "scoring_temperature": "0.05", "scoring_draw": "4"},
        "d=3", "seed=4", "temperature=0.05",
    ),
    ("scoring", {"scoring_tab": "scaling", "scoring_width": "48"}, "d = 48", 'shown["weights"][0][10]'),
    (
        "scoring", {"scoring_tab": "morph", "scoring_share": "40", "scoring_both": "true"},
        "share=0.4", "queries = towards_sphere(queries",
    ),
    (
        "scoring",
        {"scoring_tab": "masks", "scoring_mask_rows": "true", "scoring_mask_row_5": "0", "scoring_mask_1": "3"},
        "lengths=((1, 2, 3, 4, 4, 0), (3, 3, 3, 3, 3, 3))",
    ),
    ("scoring", {"scoring_tab": "masks", "scoring_mask_0": "6", "scoring_mask_causal": "true"}, "((6,", ".tril()"),
    ("scoring", {**BREAKS, "scoring_sigma": "0.2"}, "width=0.2"),
    ("scoring", {**BREAKS, "scoring_question": "symmetry", "scoring_shared": "true"}, "W_k = W_q"),
    ("scoring", {**BREAKS, "scoring_question": "likeness", "scoring_strength": "3"}, "strength=3.0"),
    ("scoring", {**BREAKS, "scoring_question": "order", "scoring_tokens": "6"}, "count=6", "seed=6"),
    ("scoring", {**BREAKS, "scoring_question": "positive", "scoring_tokens": "2"}, "count=8", "seed=2"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "link", "texts"), [(page, link, texts) for page, link, *texts in SHOWN])
def test_what_is_on_the_screen_is_packed(page, link, texts, monkeypatch):
    packed = []
    monkeypatch.setattr("attention_ui.export.dialog.offer", lambda tools, make: packed.append(make()))
    opened(page, **link)
    assert [text for text in texts if text not in said(packed[-1].alone().text)] == []


@pytest.mark.parametrize("page", ["cues", "qkv", "scoring"])
def test_the_code_is_one_section_of_the_dialog(page, monkeypatch):
    app = opened(page)
    # AppTest forgets on every run that there is a navigation, and the rerun that this asks for forgets the press.
    monkeypatch.setattr("attention_ui.seams.PagesManager", SimpleNamespace(uses_pages_directory=False))
    for section in ("picture", "code"):
        app.session_state["export_section"] = section
        app.button(key="download").click().run()
        assert not app.exception, app.exception
        assert bool(app.code) == (section == "code")
