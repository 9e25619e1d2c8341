"""What the visitor chooses: a task, a text of their own, and how to train; all of it stands in the link."""

from typing import NamedTuple

import streamlit as st

from attention_core.checks import InputError
from attention_core.sequences.tasks import TASKS, Task, check_text
from attention_core.sequences.training import SeqTrainingConfig
from attention_ui.controls.widgets import next_seed, segmented, select_slider, slider, text_field
from attention_ui.link.choice import asked_text
from attention_ui.link.values import list_reader, number_reader, option_reader, written_list
from attention_ui.live.sequences import Made, Plan
from attention_ui.numbers import short
from attention_ui.reading.literal import literal

PAGE = "bahdanau"
TASK, LEARNS = f"{PAGE}_task", f"{PAGE}_learns"  # of the ready model, and of the one that is trained
LABELS = {"reverse": "Reverse digits", "dates": "Rewrite a date"}  # those with a ready model
TEXTS = {"reverse": f"{PAGE}_digits", "dates": f"{PAGE}_date"}  # a text for each task, kept while the other is on
EXAMPLES = {
    "reverse": ("31415", "77177", "2718281828", "3141592653589"),  # the last is longer than any it was trained on
    "dates": ("3 May 1998", "Tue, Mar 3, 1998", "17.11.2024", "May 1998"),  # the last lacks its day
}
HIDDEN, RATES, SEEDS = (4, 8, 16, 32, 64), (0.001, 0.003, 0.01, 0.03, 0.1), 20
FEWEST, MOST, USUAL, STRIDE = 20, 600, 200, 20  # steps of training
CHECK_EVERY, CHECK_COUNT = 5, 100


class Asked(NamedTuple):
    """A task and a text that its model can read."""

    task_name: str
    text: str

    @property
    def task(self) -> Task:
        """The task of that name."""
        return TASKS[self.task_name]

    def right(self) -> str | None:
        """The right answer, where the text has one."""
        try:
            return self.task.solve(self.text)
        except InputError:
            return None


def training_tasks() -> dict[str, str]:
    """The tasks to be trained, by their labels, which are short to stand side by side."""
    return {name: task.label.removesuffix(" digits") for name, task in TASKS.items()}


def task_choice() -> str:
    """Draw the switch between the tasks with a ready model, and return the name of the chosen one."""
    return segmented("Task", LABELS, "reverse", key=TASK, persist_state="page", on_change=_take_along)


def _take_along() -> None:
    st.session_state[LEARNS] = st.session_state[TASK]


def learned_choice() -> str:
    """Draw the switch between the tasks to be trained, which begins with that of the ready model."""
    asked = st.session_state.get(TASK) or option_reader(LABELS)(asked_text(TASK) or "")
    return segmented("Task", training_tasks(), asked or "reverse", key=LEARNS, persist_state="page")


def asked() -> Asked:
    """Draw task, text and examples; a text that cannot be read gets a sentence, and the last good one stays."""
    tasks, own, ready = st.columns([1.25, 1.25, 2], gap="medium")
    with tasks:
        name = task_choice()
    task, key = TASKS[name], TEXTS[name]
    with own:
        typed = text_field("Your own text", task.example, key=key, persist_state="page", autocomplete="off")
    with ready:
        _examples(name, typed)
    kept: dict[str, str] = st.session_state.setdefault(f"{PAGE}_kept", {})
    try:
        kept[name] = check_text(task, typed)
    except InputError as fault:
        still = kept.get(name, task.example)
        st.warning(literal(f"{fault} The picture still shows {still!r}."))
    return Asked(name, kept.setdefault(name, task.example))


def _examples(name: str, typed: str) -> None:
    """Texts to press, with the one that is in use chosen."""
    key = f"{PAGE}_example_{name}"
    current = typed if typed in EXAMPLES[name] else None
    if st.session_state.get(key) != current:
        st.session_state[key] = current
    st.pills("Or one of these", EXAMPLES[name], key=key, on_change=_take_example, args=(key, name))


def _take_example(key: str, name: str) -> None:
    if text := st.session_state[key]:
        st.session_state[TEXTS[name]] = text


def plan_controls(task_name: str) -> Plan[SeqTrainingConfig]:
    """Draw how to train into the current container."""
    sizes, rates = {size: str(size) for size in HIDDEN}, {rate: short(rate) for rate in RATES}
    hidden = select_slider("Hidden size", sizes, 32, key=f"{PAGE}_hidden", persist_state="page")
    steps = slider("Steps", FEWEST, MOST, USUAL, STRIDE, key=f"{PAGE}_steps", persist_state="page")
    rate = select_slider("Learning rate", rates, 0.01, key=f"{PAGE}_rate", persist_state="page")
    seed = next_seed("Seed {}: take another", key=f"{PAGE}_seed", last=SEEDS)
    return plan(task_name, hidden, steps, rate, seed)


def plan(task_name: str, hidden: int, steps: int, rate: float, seed: int) -> Plan[SeqTrainingConfig]:
    """The settings of a run; a date has more kinds of symbols, so its vectors are wider."""
    embedding = 16 if task_name == "dates" else 8
    config = SeqTrainingConfig(
        steps=steps,
        learning_rate=rate,
        hidden=hidden,
        embedding=embedding,
        check_every=CHECK_EVERY,
        check_count=CHECK_COUNT,
        seed=seed,
    )
    return Plan(task_name, config)


READ = list_reader(
    number_reader(1, MOST),
    option_reader(TASKS),
    option_reader(HIDDEN),
    number_reader(FEWEST, MOST),
    option_reader(RATES),
    number_reader(0, SEEDS),
)


def read_made(text: str) -> Made[SeqTrainingConfig] | None:
    """A run as a link writes it: the steps that were made, then the settings."""
    if not (values := READ(text)):
        return None
    made, *settings = values
    planned = plan(*settings)
    return Made(planned, made) if made <= planned.config.steps else None


def written_made(made: Made[SeqTrainingConfig] | None) -> str:
    """The same as text; nothing where there is no run."""
    if made is None:
        return ""
    own = made.plan.config
    return written_list((made.steps, made.plan.task_name, own.hidden, own.steps, own.learning_rate, own.seed))
