"""An exercise is one entry: its page opens, and both scripts of the download run."""

import torch

from attention_core.experiments import EXPERIMENTS, Finding
from attention_ui.chapters.exercises.contents import EXERCISES
from attention_ui.chapters.exercises.exercise import Choice, Exercise, heatmaps
from attention_ui.pictures.charts import maps
from tests.pages.opening import opened


def halves(seed):
    """Softmax of two equal scores."""
    weights = torch.full((1, 2), float(seed), dtype=torch.float64).softmax(-1)
    return Finding("half", {"first weight": weights[0, 0].item()}, {"weights": weights})


HALVES = Exercise(
    "halves",
    "heatmaps",
    "Two equal scores",
    "Which weight does each get?",
    Choice({"half": "One half", "none": "None"}, "half"),
    lambda seed: maps([torch.ones(1, 2)], ["scores"]),
    "Two scores.",
    lambda finding: maps([finding.drawn["weights"]], ["weights"]),
    lambda finding: "Both are as good.",
    drawing=heatmaps("weights"),
)


def test_an_exercise_is_one_entry(monkeypatch, agree):
    monkeypatch.setitem(EXPERIMENTS, "halves", halves)
    EXERCISES.append(HALVES)
    packed = []
    monkeypatch.setattr("attention_ui.export.dialog.offer", lambda tools, make: packed.append(make()))
    try:
        app = opened(
            "exercises", exercises_seed="7", exercises_at="22", exercises_answers="-" * 21 + "a", exercises_code="true"
        )
        assert any("Your prediction held" in each.value for each in app.success)
        export = agree(packed[-1])
    finally:
        EXERCISES.remove(HALVES)
    assert export.computation.shown["first weight"] == 0.5
    assert "torch.full((1, 2), float(seed)" in export.alone().text
