"""What a training run gives away: its losses, its checks, and scripts that train the same model again."""

from dataclasses import fields

from attention_core.sequences import dates
from attention_core.sequences.training import SeqTrainingConfig
from attention_ui.chapters.bahdanau import lesson
from attention_ui.chapters.bahdanau.export_training_plain import DATES, DIGITS, TRAINING
from attention_ui.chapters.bahdanau.snippets import train_snippet
from attention_ui.export import Export
from attention_ui.export.runs import STEP, VECTOR, recorded
from attention_ui.export.still import still
from attention_ui.live.sequences import Plan, SequenceRun

ANSWERS = {"reverse": "text[::-1]", "copy": "text", "sort": '"".join(sorted(text))'}


def training_export(run: SequenceRun[SeqTrainingConfig] | None) -> Export:
    """The run so far: the loss of every step, exact match at every check, and the last alignment."""
    run, results, tables = recorded(run, "alignment")
    task = run.plan.task
    return Export(
        f"bahdanau-training-{run.plan.task_name}",
        f"{task.label}: the loss, exact match and alignment after {run.step} steps of training",
        still(lesson.lesson(run.plan, run.checks, run.losses), frame=len(run.checks) - 1),
        tables,
        train_snippet(run.plan, run.step),
        training_plain(run.plan, run.step),
        results,
    )


def training_plain(plan: Plan[SeqTrainingConfig], made: int) -> str:
    """The whole of it in torch alone: texts, model, Adam and the checks."""
    config, task = plan.config, plan.task
    values = {field.name.upper(): getattr(config, field.name) for field in fields(config)}
    _check(config)
    names = {"LABEL": task.label, "READ": repr(task.alphabet), "WRITE": repr(task.written), "MADE": made}
    pairs = DATES if plan.task_name == "dates" else DIGITS.replace("ANSWER", ANSWERS[plan.task_name])
    names["IMPORT"] = "from datetime import date\n" if plan.task_name == "dates" else ""
    days = {"FIRST_DAY": dates.FIRST.toordinal(), "AFTER_LAST_DAY": dates.LAST.toordinal() + 1}
    text = TRAINING.replace("<VECTOR>", VECTOR).replace("<STEP>", STEP).replace("<PAIRS>", pairs.strip())
    for name, value in {**values, **names, **days, "EXAMPLE": repr(task.example)}.items():
        text = text.replace(f"<{name}>", str(value))
    return text.replace("<RIGHT>", repr(task.solve(task.example)))


def _check(config: SeqTrainingConfig) -> None:
    """The page trains with attention and reads from both ends; the script knows nothing else."""
    assert config.attention
    assert config.bidirectional
