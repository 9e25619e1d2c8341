"""What the shared link holds: its lesson, and neither answers nor what is one's own."""

from attention_ui.link.dialog import link_to, without_own


def test_a_lesson_stands_in_the_link_and_can_be_taken_out_again() -> None:
    shared = link_to("http://a.bc/lab", [("kr_tab", "one_query"), ("kr_n", "9")], True, ["kernel", "noise"])
    assert shared == "http://a.bc/lab?kr_tab=one_query&kr_n=9&present=1&lock=kernel,noise"
    before = [("present", "1"), ("kr_n", "9"), ("lock", "kernel")]
    assert link_to("http://a.bc/lab", before, False, []) == "http://a.bc/lab?kr_n=9"
    assert link_to("http://a.bc/lab", [], False, []) == "http://a.bc/lab"
    assert link_to("http://a.bc", [("home_width", "1")], False, []) == "http://a.bc/?home_width=1"


def test_answers_are_never_shared_and_a_seed_only_with_the_same_data_for_all() -> None:
    at, seed = ("exercises_at", "columns"), ("exercises_seed", "7")
    link = [at, seed, ("exercises_answers", "ab"), ("exercises_tries", "01")]
    assert without_own(link, same=False) == [at]
    assert without_own(link, same=True) == [at, seed]
