"""What a training run gives away: its losses, its checks, and scripts that train the same model again."""

from dataclasses import fields

from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.chapters.transformer import snippet
from attention_ui.chapters.transformer.export_training_plain import PLACES, POST, PRE, TRAINING
from attention_ui.chapters.transformer.figures import training_picture
from attention_ui.chapters.transformer.models import REVERSE
from attention_ui.export import Export
from attention_ui.export.runs import STEP, VECTOR, recorded
from attention_ui.export.still import still
from attention_ui.live.sequences import SequenceRun


def training_export(run: SequenceRun[TransformerTrainingConfig] | None) -> Export:
    """The run so far: the loss of every step, exact match at every check, and the last look of every head."""
    run, results, tables = recorded(run, "cross")
    config, checks, labels = run.plan.config, run.checks, (REVERSE.example, REVERSE.solve(REVERSE.example))
    return Export(
        "transformer-training",
        f"A Transformer learns to reverse digits: after {run.step} steps",
        still(training_picture(checks[-1:], checks, run.losses, run.total, labels)),
        tables,
        snippet.training(config, run.step),
        training_plain(config, run.step),
        results,
    )


def training_plain(config: TransformerTrainingConfig, made: int) -> str:
    """The whole of it in torch alone: strings, model, Adam and the checks."""
    values = {field.name.upper(): str(getattr(config, field.name)) for field in fields(config)}
    parts = {**(PRE if config.norm_first else POST), **PLACES[config.positions]}
    text = TRAINING.replace("<VECTOR>", VECTOR).replace("<STEP>", STEP)
    for name, value in {**parts, **values, "MADE": str(made), "EXAMPLE": REVERSE.example}.items():
        text = text.replace(f"<{name}>", value)
    return text
