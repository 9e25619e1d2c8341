"""The chapter's logic: its digits, its views, its link, and a training that begins with a click alone."""

from itertools import islice

import pytest
import torch

from attention_core.sequences.training import train_steps
from attention_core.sequences.vocabulary import END
from attention_core.transformer.decoding import write_text
from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.chapters.transformer.models import REVERSE, ready
from attention_ui.link.choice import REGISTER
from attention_ui.live.run import ASLEEP
from attention_ui.live.sequences import Plan, SequenceRun
from tests.attention_ui.export.exported import executed
from tests.pages.opening import opened, sent

VIEWS = ("open_it", "all_heads", "steps", "training")
BAD = ["NaN", "inf", "", "<script>alert(1)</script>", "x" * 10_000, "\x00"]
KEYS = (
    *("text", "model", "block", "at", "temperature", "draw", "seed", "heads", "width", "layers", "norm", "positions"),
    *("steps", "training_seed", "trained"),
)
TINY = Plan(
    "reverse",
    TransformerTrainingConfig(steps=3, batch=4, width=8, hidden=8, check_every=3, check_count=2, longest=3),
)


def words(app):
    return "\n".join(text.value for text in (*app.markdown, *app.caption))


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_a_formula_a_question_and_code(view):
    app = opened("transformer", transformer_tab=view)
    assert app.latex
    assert app.info
    assert not app.error
    assert any(expander.label.startswith("The code") for expander in app.expander)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("bad", BAD)
def test_every_view_opens_whatever_its_link_says(view, bad):
    app = opened("transformer", transformer_tab=view, **{f"transformer_{key}": bad for key in KEYS})
    assert app.info


def test_a_bad_string_is_named_and_the_last_good_one_stays():
    app = opened("transformer", transformer_tab="all_heads", transformer_text="2718")
    assert "It writes **8172**" in words(app)
    app.text_input(key="transformer_text").set_value("27x8").run()
    assert app.error[0].value == (
        "Reverse digits: the text may hold only digits; 'x' is not one of them. The picture shows 2718."
    )
    assert "It writes **8172**" in words(app)
    app.text_input(key="transformer_text").set_value("1" * 17).run()
    assert app.error[0].value.startswith("The text must have 1 to 16 digits; it has 17 characters.")


def test_the_link_keeps_the_open_tensor_and_a_strange_one_gives_way():
    app = opened("transformer", transformer_block="encoder.0.self_attention.weights")
    assert app.query_params["transformer_block"] == "encoder.0.self_attention.weights"
    app = opened("transformer", transformer_block="decoder.7.cross_attention.keys")
    assert "transformer_block" not in app.query_params
    assert app.session_state[REGISTER].noted["transformer_block"].text == "decoder.0.cross_attention.weights"


def test_decoding_opens_on_the_finished_alignment_and_the_link_keeps_its_step():
    app = opened("transformer", transformer_tab="steps", transformer_text="2718")
    assert sent(app, "update_transformer_decoding")["frame"] == 4
    app = opened("transformer", transformer_tab="steps", transformer_text="2718", transformer_at="2")
    assert sent(app, "update_transformer_decoding")["frame"] == 1
    assert app.query_params["transformer_at"] == "2"
    app.text_input(key="transformer_text").set_value("31").run()
    assert sent(app, "update_transformer_decoding")["frame"] == 2
    assert "transformer_at" not in app.query_params


def test_no_model_of_ones_own_yet():
    app = opened("transformer", transformer_tab="all_heads", transformer_model="yours")
    assert "You have trained no model yet" in words(app)
    assert f"It writes **{write_text(ready(), REVERSE, '31415').output}**" in words(app)


def test_training_waits_for_a_click():
    app = opened("transformer", transformer_tab="training")
    assert "transformer_run" not in app.session_state
    assert app.button(key="transformer_train").label == "Train from scratch"


def test_a_stopped_run_can_be_looked_at_and_gone_on_with():
    app = opened("transformer", transformer_tab="training")
    run = SequenceRun(TINY, running=False)
    run.advance(0)
    app.session_state["transformer_run"] = run
    app.run()
    assert "Stopped at step 1 of 3" in words(app)
    app.button(key="transformer_go_on").click().run()
    assert run.complete
    assert "Done" in words(app)
    app.segmented_control(key="transformer_tab").set_value("all_heads").run()
    app.segmented_control(key="transformer_model").set_value("yours").run()
    assert not app.exception
    assert f"It writes **{write_text(run.model(), REVERSE, '31415').output or 'nothing'}**" in words(app)


LINK = "150,1,16,1,pre,false,200,7"


@pytest.mark.parametrize("view", ["training", "all_heads"])
def test_a_link_holds_a_trained_model_and_trains_it_again_at_a_press(view):
    app = opened("transformer", transformer_tab=view, transformer_model="yours", transformer_trained=LINK)
    assert "transformer_run" not in app.session_state, "a link starts nothing"
    assert app.query_params["transformer_trained"] == LINK
    assert "150" in words(app)
    app.button(key="transformer_again").click().run()
    run = app.session_state["transformer_run"]
    assert (run.step, run.running, run.complete) == (150, False, False)
    config = run.plan.config
    assert (config.heads, config.width, config.norm_first, config.positions, config.seed) == (1, 16, True, False, 7)
    assert run.losses == [step.loss for step in islice(train_steps(REVERSE, config), 150)]
    assert app.query_params["transformer_trained"] == LINK
    if view == "all_heads":
        assert f"It writes **{write_text(run.model(), REVERSE, '31415').output or 'nothing'}**" in words(app)
    else:
        app.button(key="transformer_go_on").click().run()
        assert run.complete
        assert app.query_params["transformer_trained"] == LINK.replace("150,", "200,", 1)


@pytest.mark.parametrize("bad", ["", "500", "201,1,16,1,pre,false,200,7", "1,3,16,1,pre,false,200,7", f"{LINK},1"])
def test_a_run_that_a_link_cannot_mean_is_ignored(bad):
    app = opened("transformer", transformer_model="yours", transformer_trained=bad)
    assert "You have trained no model yet" in words(app)
    assert "transformer_trained" not in app.query_params


def test_leaving_the_view_stops_the_run():
    app = opened("transformer", transformer_tab="open_it")
    app.session_state["transformer_run"] = run = SequenceRun(TINY)
    app.run()
    assert not run.running


def test_a_run_that_was_left_waits_for_go_on():
    app = opened("transformer", transformer_tab="training")
    app.session_state["transformer_run"] = run = SequenceRun(TINY)
    run.advance(0)
    run._seen -= ASLEEP + 1
    app.run()
    assert not run.running
    assert "Stopped at step 1 of 3" in words(app)


@pytest.mark.parametrize("view", VIEWS[:3])
def test_the_code_runs_and_prints_what_is_shown(view):
    app = opened("transformer", transformer_tab=view, transformer_text="907")
    app.session_state["transformer_code"] = True
    app.run()
    (code,) = [block.value for block in app.code]
    written = write_text(ready(), REVERSE, "907")
    name, expected = {
        "open_it": ("weights", written.cross[0]),
        "all_heads": ("cross", written.cross),
        "steps": ("probabilities", written.probabilities[:, END:]),
    }[view]
    torch.testing.assert_close(executed(code)["shown"][name], expected)
