"""The learned w's logic: what its controls, presets and links set, and that every number on it is torch's."""

from dataclasses import replace

import pytest
import torch
from streamlit.testing.v1 import AppTest

from attention_core.data import generate, query_grid, truth
from attention_core.learning.diagnosis import COLLAPSED, DIVERGED, FOUND, OVERSHOT, RAN_AWAY
from attention_core.learning.presets import PRESETS
from attention_core.learning.training import TrainingConfig, train
from attention_core.learning.valley import loss_at
from attention_core.regression.prediction import predict
from attention_core.regression.selection import best_width
from attention_ui.chapters.learned_w import cache
from attention_ui.chapters.learned_w.export import script
from attention_ui.chapters.learned_w.graphs import path_measured_as, path_of, step_graph, stepped, stepped_over
from attention_ui.chapters.learned_w.pictures import hand_picture, run_picture
from attention_ui.chapters.learned_w.runs import Plan, Run, Trained, difference
from attention_ui.controls.dataset import Dataset
from attention_ui.link.choice import REGISTER
from tests.attention_ui.export.exported import said
from tests.pages.opening import opened, sent, table


def page(**parameters: str) -> AppTest:
    return opened("learned_w", **{f"lw_{name}": value for name, value in parameters.items()})


def run_of(app: AppTest) -> Run:
    return app.session_state["lw_runs"][-1]


def test_it_opens_on_the_steady_run_which_finds_the_best_w():
    app = page()
    run = run_of(app)
    assert run.plan == Plan(Dataset(), PRESETS["steady"].config)
    assert app.pills(key="lw_preset").value == "steady"
    assert not app.query_params
    assert run.complete
    assert not run.replaces, "the first run waits for Train"
    assert run.steps[-1].w == pytest.approx(1 / best_width(generate()), rel=0.03)


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("steady", FOUND), ("d2l", OVERSHOT), ("fifty_epochs", FOUND), ("collapses", COLLAPSED),
     ("no_leave_one_out", RAN_AWAY)],
)  # fmt: skip
def test_a_preset_sets_every_control_and_ends_as_it_says(name, outcome):
    app = page(rate="1", epochs="7", optimizer="adam", loss="mean", seed="3")
    app.pills(key="lw_preset").set_value(name).run()
    run = run_of(app)
    assert run.plan.config == PRESETS[name].config
    assert run.plan.dataset.samples().x.equal(PRESETS[name].samples().x)
    assert run.replaces, "a new run plays by itself"
    assert cache.judged(run.trained())[0].outcome == outcome


def test_the_d2l_preset_gives_d2ls_numbers():
    app = page()
    app.pills(key="lw_preset").set_value("d2l").run()
    path = path_of(run_of(app).trained())
    assert path.losses[:5].tolist() == pytest.approx([61.9502, 20.3592, 20.2998, 20.2396, 20.1784], abs=1e-3)
    assert path.w[1:].tolist() == pytest.approx([9.7814, 9.6093, 9.4361, 9.2616, 9.0857], abs=1e-3)


def test_a_full_link_sets_everything():
    app = page(
        w0="2.5", rate="0.02", epochs="30", optimizer="adam", loss="mean", loo="false", function="bump", n="40",
        noise="0.25", seed="7",
    )  # fmt: skip
    run = run_of(app)
    assert run.plan.config == TrainingConfig(30, 0.02, 2.5, False, "mean", "adam")
    assert run.plan.dataset == Dataset("bump", 40, 0.25, 7)
    assert run.steps == list(train(generate("bump", 40, 0.25, 7), run.plan.config))


@pytest.mark.parametrize(("asked", "frame"), [("7", 7), ("50", 50), ("999", 100), ("-1", 0), ("x", 0), ("1e9", 0)])
def test_a_link_opens_at_its_epoch(asked, frame):
    assert page(epoch=asked).session_state[REGISTER].noted["lw_epoch"].text == str(frame)


def test_a_rate_between_two_steps_survives_the_link():
    assert run_of(page(rate="0.0123")).plan.config.learning_rate == 0.0123


def test_the_last_three_runs_stay_and_are_named_by_what_differs():
    app = page(tab="runs")
    for rate in (0.2, 0.25, 0.4, 0.5):
        app.select_slider(key="lw_rate").set_value(rate).run()
    runs = app.session_state["lw_runs"]
    assert [run.plan.config.learning_rate for run in runs] == [0.2, 0.25, 0.4, 0.5]
    runs_in_table = opened_table(app)
    assert list(runs_in_table) == ["Now", "rate 0.4", "rate 0.25", "rate 0.2"]
    assert float(runs_in_table["Now"]["Final $w$"]) == pytest.approx(runs[-1].steps[-1].w, rel=1e-3)
    queries = query_grid()
    error = (predict(queries, *generate(), 1 / runs[-1].steps[-1].w) - truth("wave", queries)).square().mean().item()
    assert float(runs_in_table["Now"]["True error"]) == pytest.approx(error, rel=1e-3)


def opened_table(app: AppTest):
    app.query_params["lw_tab"] = "runs"  # AppTest forgets which tab is open from one run to the next
    app.run()
    return table(app)


def test_a_difference_names_all_that_differs():
    first = Plan(Dataset(), TrainingConfig(optimizer="adam", leave_one_out=False))
    assert difference(first, Plan(Dataset(seed=3), TrainingConfig())) == "seed 0, Adam, point included"


@pytest.mark.parametrize("tab", ["train", "by_hand", "before_after", "one_step", "runs"])
@pytest.mark.parametrize("function", ["step", "engel"])
def test_every_view_opens(tab, function):
    assert not page(tab=tab, function=function).error


@pytest.mark.parametrize("tab", ["train", "head_by_head", "runs"])
def test_several_heads_open_in_every_view(tab):
    app = page(tab=tab, heads="2", function="step", optimizer="adam", epochs="400", w0="0.5")
    last = run_of(app).steps[-1]
    assert len(last.w) == 2
    assert sum(last.shares) == pytest.approx(1)
    assert not app.error


def test_by_hand_keeps_the_best_w_to_itself_until_it_is_asked_for():
    app = page(tab="by_hand")
    (told,) = [text.value for text in app.markdown if text.value.startswith("Your $w")]
    own = leave_one_out_loss(generate(), app.select_slider(key="lw_hand").value) / 50
    assert told == f"Your $w = 1.03$ has a leave-one-out loss of **{own:.5g}**."
    assert "Show the best w" in app.info[0].value
    app.toggle(key="lw_reveal").set_value(True).run()
    assert app.query_params["lw_reveal"] == "true"
    plan, valley = run_of(app).plan, cache.valley_of(Dataset(), "mean")
    at = torch.tensor([1.0, 3.0], dtype=torch.float64)
    hidden, shown = (hand_picture(plan, valley, at, "lw_hand", revealed) for revealed in (False, True))
    assert [mark.name for mark in shown.graphs[0].marks] == ["best 3.96"]
    assert not hidden.graphs[0].marks
    assert [readout.name for readout in shown.readouts] == ["loss at this w", "above the best"]
    assert [readout.name for readout in hidden.readouts] == ["loss at this w"]
    assert "3.96" in shown.graphs[0].text
    assert "3.96" not in hidden.graphs[0].text


def test_by_hand_tells_the_loss_and_the_distance():
    app = page(tab="by_hand", reveal="true", loss="sum", rate="0.1", epochs="50")
    hand = app.select_slider(key="lw_hand")
    told = " ".join(text.value for text in app.markdown)
    assert "Show the best w" not in app.info[0].value
    samples = generate()
    own = leave_one_out_loss(samples, hand.value)
    best = leave_one_out_loss(samples, 1 / best_width(samples))
    assert f"loss of **{own:.5g}**" in told
    assert f"{100 * (own / best - 1):.2f} % above" in told


def leave_one_out_loss(samples, w: float) -> float:
    scores = -(((samples.x[:, None] - samples.x) * w) ** 2) / 2
    scores.fill_diagonal_(-torch.inf)
    return (scores.softmax(-1) @ samples.y - samples.y).square().sum().item()


def test_one_step_writes_its_numbers_out():
    app = page(tab="one_step", step="2")
    first, second, *_ = train(generate(), PRESETS["steady"].config)
    (formula,) = [latex.value for latex in app.latex if "aligned" in latex.value]
    assert f"{second.loss:.6g}" in formula
    assert f"{first.w:.6g} - 1 \\cdot ({second.gradient:.5g})" in formula
    assert f"{second.w:.6g}" in formula
    assert any("50 × 1 × 49" in text.value for text in app.markdown)


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
@pytest.mark.parametrize("leave_one_out", [True, False])
def test_every_step_stands_on_the_valley_with_its_tangent(optimizer, leave_one_out):
    plan = Plan(
        Dataset(), replace(PRESETS["steady"].config, optimizer=optimizer, leave_one_out=leave_one_out, epochs=20)
    )
    run = Trained(plan, tuple(train(generate(), plan.config)))
    steps = stepped(run)
    losses = [loss_at(generate(), w, leave_one_out, "mean") for w in [*steps.w.tolist(), float(steps.new_w[-1])]]
    assert [*steps.loss.tolist(), float(steps.new_loss[-1])] == pytest.approx(losses)
    over = stepped_over(steps, cache.valley_of(Dataset(), "mean"))
    assert over[0] <= steps.w.min()
    assert over[-1] >= steps.new_w.max()
    graph = step_graph(steps, over, over * 0 + 1, 3.96)
    tangent, step = graph.moving
    slopes = tangent.y.diff(dim=1) / tangent.x.diff(dim=1)
    torch.testing.assert_close(slopes[:, 0], steps.slope)
    torch.testing.assert_close(tangent.y.mean(1), steps.loss)
    assert step.x[:, 1].equal(steps.new_w)
    assert step.y[:, 2].equal(steps.new_loss)


@pytest.mark.parametrize("w0", ["-1", "100"])
def test_one_step_opens_where_w_is_negative_or_far_away(w0):
    header = sent(page(tab="one_step", w0=w0, rate="100", epochs="3", loss="sum"), "lw_steps")
    assert header["graphs"][0]["x"]["low"] < header["graphs"][0]["x"]["high"] < 1e4


def test_a_run_that_fails_offers_settings_that_work():
    app = page(rate="1", epochs="50", epoch="50")
    assert cache.judged(run_of(app).trained())[0].outcome in {DIVERGED, OVERSHOT}
    app.button(key="lw_remedy").click().run()
    assert cache.judged(run_of(app).trained())[0].outcome == FOUND


def test_a_new_link_tells_rate_epochs_and_loss_together_and_opens_the_same_run():
    app = page()
    app.select_slider(key="lw_rate").set_value(2.0).run()
    assert in_link(app) == {"lw_rate": "2", "lw_epochs": "100", "lw_loss": "mean"}
    again = opened("learned_w", **app.query_params)
    assert run_of(again).plan == run_of(app).plan
    assert again.query_params == app.query_params
    app.select_slider(key="lw_rate").set_value(1.0).run()
    assert not in_link(app)


def in_link(app):
    """What the link says, without the name of the earlier runs, which the browser holds."""
    return {name: text for name, text in app.query_params.items() if name != "lw_earlier"}


def test_the_graphs_over_the_epochs_grow_and_earlier_runs_are_whole():
    plan = Plan(Dataset(), PRESETS["steady"].config)
    path = path_of(Trained(plan, tuple(train(generate(), plan.config))))
    picture = run_picture(plan, path, cache.valley_of(Dataset(), "mean"), [("rate 2", path)], False)
    valley, *over_epochs = picture.graphs
    assert [trace.name for trace in valley.traces] == ["leave-one-out", "point included"]
    assert not any(trace.grows for trace in valley.traces)
    for graph in over_epochs:
        assert [(trace.ghost, trace.grows) for trace in graph.traces] == [(True, False), (False, True)]
        assert graph.traces[1].x.equal(graph.ball[0]), "so that it can be cut at the ball"


@pytest.mark.parametrize("loss", ["sum", "half", "mean"])
def test_an_earlier_run_is_drawn_with_the_loss_of_the_current_one(loss):
    steady = Plan(Dataset(), PRESETS["steady"].config)
    path = path_measured_as(Trained(steady, tuple(train(generate(), steady.config))), loss)
    assert path.losses[[0, -1]].tolist() == pytest.approx(
        [loss_at(generate(), float(w), True, loss) for w in path.w[[0, -1]]]
    )


def test_the_code_holds_the_runs_settings():
    run = run_of(page(epochs="20", seed="3", optimizer="Adam", rate="0.2"))
    text = script(run.trained())
    for words in (
        "noisy(wave, n=50, noise=0.5, seed=3)",
        "learning_rate=0.2",
        "epochs=20",
        "adam(learning_rate)",
    ):
        assert words in said(text)
    compile(text, "script", "exec")


def test_a_link_asks_for_a_long_training_but_only_a_press_begins_it():
    app = page(n="5000", epochs="500")
    run = run_of(app)
    assert (run.step, run.running, run.complete) == (1, False, False)
    assert any("The link asks for 500 epochs" in said.value for said in app.caption)
    app.slider(key="lw_epochs").set_value(3).run()
    assert run_of(app).complete, "what the visitor asks for here is trained at once"
    app.slider(key="lw_epochs").set_value(500)
    assert page(n="5000", epochs="20").session_state["lw_runs"][-1].complete, "a short one needs no press"


def test_pressing_train_begins_what_the_link_asks_for():
    app = page(n="400", epochs="400")
    assert run_of(app).step == 1
    (button,) = [each for each in app.button if each.key == "lw_go_on"]
    assert button.label == "Train"
    button.click().run(timeout=60)
    assert run_of(app).complete


def test_the_best_w_is_marked_only_at_the_end():
    run = run_of(page()).trained()
    known = cache.valley_of(Dataset(), "mean")
    steps = stepped(run)
    over = torch.linspace(0.5, 5, 41, dtype=torch.float64)
    for graph in (
        run_picture(run.plan, path_of(run), known, (), False).graphs[0],
        step_graph(steps, over, over, known.best.w),
    ):
        assert [(mark.name, mark.late) for mark in graph.marks] == [("best 3.96", True)]


@pytest.mark.parametrize(
    ("data", "said"), [("wave", "training needed hardly more"), ("step", "The sharpest has $w = ")]
)
def test_the_words_on_heads_are_those_of_these_heads(data, said):
    app = page(heads="2", tab="head_by_head", function=data, rate="0.1", epochs="400", optimizer="adam", w0="0.5")
    assert any(said in each.value for each in app.caption)
    assert any("Compare with the data" in each.value for each in app.caption) == (data != "step")
