"""Bahdanau's chapter: what travels to the browser is torch's, a run in slices is the run in one go, code runs."""

import pytest
import torch

from attention_core.sequences.checkpoint import load
from attention_core.sequences.decoding import trace
from attention_core.sequences.tasks import TASKS, is_held_out
from attention_core.sequences.trained import held_by
from attention_core.sequences.training import SeqTrainingConfig, train_steps
from attention_ui.chapters.bahdanau import explain, lengths, pictures, steps
from attention_ui.chapters.bahdanau.choices import EXAMPLES, Asked
from attention_ui.chapters.bahdanau.computation import aligned, occluded
from attention_ui.live.sequences import Plan, SequenceRun
from tests.attention_core.sequences.occluded import agreement, occlude
from tests.attention_ui.pictures.reading import opened
from tests.pages.opening import rows_of

TINY = Plan("reverse", SeqTrainingConfig(steps=12, batch=8, hidden=4, check_every=5, check_count=5))
ASKED = [Asked(name, text) for name, texts in EXAMPLES.items() for text in texts]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.text)
def test_the_machine_gets_torchs_own_numbers(asked):
    header, (states, scores, weights, contexts, chances, which) = opened(steps.packed(*asked))
    shown, expected = aligned(*asked).shown, trace(load(asked.task_name), asked.task, asked.text)
    for sent, name in ((scores, "scores"), (weights, "weights"), (contexts, "contexts")):
        assert torch.equal(sent, shown[name])
        torch.testing.assert_close(sent, getattr(expected, name))
    torch.testing.assert_close(shown["probabilities"], expected.probabilities)
    decoder = held_by(*asked)["decoder"]  # with the state before the first symbol
    assert torch.equal(states, decoder[:-1])
    assert states.abs().max() < 1 > contexts.abs().max(), "the strips are drawn from -1 to 1"
    assert torch.allclose(weights, scores.softmax(-1))
    assert torch.equal(chances, shown["probabilities"].gather(1, which.long()))
    assert torch.equal(chances[:, 0], shown["probabilities"].amax(1))
    assert [header["symbols"][row[0]] for row in which.tolist()] == header["written"] == list(expected.symbols)


def test_a_space_can_be_seen_and_the_right_answer_comes_along():
    header, _ = opened(steps.packed("dates", "3 May 1998"))
    assert "".join(header["read"]) == "3␣May␣1998"
    assert "".join(header["right"]) == "1998-05-03end"
    assert opened(steps.packed("dates", "May 1998"))[0]["right"] is None


def test_the_verdict_says_right_wrong_or_that_there_is_no_answer():
    assert "wrote **51413**, which is right" in steps.verdict(Asked("reverse", "31415"))
    assert "**wrong**: it should be **9853562951413**" in steps.verdict(Asked("reverse", "3141592653589"))
    assert "no right answer" in steps.verdict(Asked("dates", "May 1998"))


def test_a_run_in_slices_left_and_taken_up_is_the_run_in_one_go():
    run = SequenceRun(TINY)
    while run.step < 7:
        run.advance(0.0)
    run.stop()
    assert not run.running
    run.go_on()
    run.advance(1000.0)
    assert run.complete
    assert not run.running
    expected = list(train_steps(TINY.task, TINY.config))
    assert run.losses == [progress.loss for progress in expected]
    checked = [progress for progress in expected if progress.exact is not None]
    assert [check.step for check in run.checks] == [0, 5, 10, 12]
    for check, progress in zip(run.checks[1:], checked, strict=True):
        assert check.exact == progress.exact
        assert torch.equal(check.weights, progress.weights)
    run.go_on()
    assert not run.running, "there is nothing left to do"


def test_the_picture_of_a_run_has_a_frame_for_each_check_and_every_loss():
    run = SequenceRun(TINY)
    run.advance(1000.0)
    made = pictures.training_picture(run.plan, run.checks, run.losses)
    (panel,), (loss, exact) = made.panels, made.graphs
    assert torch.equal(panel.frames, torch.stack([check.weights for check in run.checks]))
    assert loss.traces[0].y.tolist() == run.losses
    assert loss.ball[1].tolist() == [run.losses[0], *(check.loss for check in run.checks[1:])]
    assert exact.traces[0].x.tolist() == exact.ball[0].tolist() == [0, 5, 10, 12]
    assert made.captions[-1] == "step 12 of 12"
    newest = pictures.training_picture(run.plan, run.checks[-1:], run.losses, checked=run.checks)
    assert len(newest.captions) == 1
    assert newest.graphs[1].traces[0].x.tolist() == [0, 5, 10, 12], "the whole curve, though one frame"


def test_an_untrained_model_looks_nowhere_in_particular():
    (before,) = SequenceRun(TINY).checks
    assert (before.step, before.exact) == (0, 0)
    assert before.weights.max() < 0.6
    assert torch.allclose(before.weights.sum(-1), torch.ones(6))


def test_the_chart_holds_every_curve_and_the_longest_trained():
    count = len(lengths.LENGTHS)
    shares = {name: torch.rand(count).tolist() for name in ("with_attention", "fixed_context", "fixed_longer")}
    (graph,) = lengths.picture(shares).graphs
    assert [line.y.tolist() for line in graph.traces] == list(shares.values())
    assert len({(line.role, line.sign) for line in graph.traces}) == len({line.name for line in graph.traces}) == 3
    assert graph.upright.x == 10.5


def test_a_mistake_beyond_the_training_is_told_as_one():
    words = steps.verdict(Asked("dates", "5 May 1066"))
    assert "it should be **1066-05-05**. It was trained only on the years 1900 to 2099." in words
    assert "It was trained on at most 10 digits." in steps.verdict(Asked("reverse", "3141592653589"))
    assert "no right answer" in steps.verdict(Asked("dates", "May 1998"))


def test_every_model_at_one_string():
    text = lengths.unseen(8)
    table = rows_of(lengths.written(text))
    assert is_held_out(TASKS["reverse"].solve(text))
    assert table["Right"]["Digits"] == text[::-1] == table["With attention"]["Digits"]
    assert table["With attention"]["Right digits"] == "8 of 8"
    output = trace(load("reverse-fixed"), TASKS["reverse"], text).output
    assert table["Fixed context"]["Digits"] == output
    assert table["Fixed context, 3,000 steps"]["Right digits"] == "8 of 8"


def test_a_swap_that_raises_a_probability_is_drawn_below_0():
    picture = explain.compared("reverse", "3141592653589")
    effects = picture.heatmaps[1].frames
    assert effects.min() < -0.06
    assert picture.scale()[:2] == (-1.0, 1.0), "0 is in the middle of the scale, where both hues meet"
    assert explain.compared("reverse", "31415").heatmaps[1].frames.equal(occluded("reverse", "31415").effects)


def test_the_explanation_has_the_cores_numbers():
    expected = occlude(load("reverse"), TASKS["reverse"], "31415")
    seen = occluded("reverse", "31415")
    assert torch.equal(seen.effects, expected.effects)
    words = explain.agreed(agreement(expected.traced.weights, expected.effects))
    assert "The correlation of the numbers (Pearson) is **0.98**" in words
    told = "the same place in **100%** of the 5 rows in which some swap lowers the probability by 0.05 or more."
    assert told in words


def test_where_all_cells_are_alike_the_correlation_is_undefined():
    one = torch.ones(2, 1)  # a text of one symbol: all weights are 1
    assert "(Pearson) is **undefined**, that of their ranks (Spearman) **undefined**" in explain.agreed(
        agreement(one, torch.zeros(2, 1))
    )


def test_a_swap_that_lowers_nothing_is_not_said_to_lower_it_most():
    asked = Asked("reverse", "31415")
    seen = occluded(*asked)
    least = seen._replace(effects=torch.full_like(seen.effects, -0.004))
    assert "by less than 0.005, whichever it is" in explain.looked(asked, least, 0)
    assert "lowers its probability most" not in explain.looked(asked, least, 0)
    assert "lowers its probability most: by 1.00" in explain.looked(asked, seen, 0)


def test_a_mistake_is_found_and_told():
    asked = Asked("reverse", "3141592653589")
    seen = occluded(*asked)
    assert explain.first_mistake(asked, seen) == 7
    told = explain.looked(asked, seen, 7)
    assert "Symbol 8 is **5**, where “9” is right: that stands in place 6" in told
    assert f"which got {seen.traced.weights[7, 5]:.2f}" in told
    assert "still right (the first mistake is symbol 8)" in explain.looked(asked, seen, 0)
    assert explain.first_mistake(Asked("reverse", "31415"), occluded("reverse", "31415")) is None


def test_swapping_what_was_looked_at_changes_the_symbol_and_the_rest_does_not():
    table = rows_of(explain.swapped(Asked("reverse", "31415"), 2))
    assert table["Most attended"]["Swapped"] == "“4” in place 3"
    assert table["Most attended"]["Symbol changes in"] == "9 of 9"
    assert table["Least attended"]["Symbol changes in"] == "0 of 9"
