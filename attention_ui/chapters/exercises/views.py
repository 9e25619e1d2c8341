"""The page's parts: the list of exercises, the question, what the experiment found, and the results to copy."""

from typing import Literal

import streamlit as st

from attention_ui.chapters.exercises.contents import EXERCISES
from attention_ui.chapters.exercises.copy_button import copy_button
from attention_ui.chapters.exercises.exercise import Exercise, Guess
from attention_ui.chapters.exercises.export import exported, script
from attention_ui.chapters.exercises.judging import Judged, judged
from attention_ui.chapters.exercises.progress import LAST_SEED, Progress, keep
from attention_ui.chapters.exercises.summary import counted, results, summary
from attention_ui.contents import Chapter, chapter_of
from attention_ui.export.code import code
from attention_ui.export.view import View
from attention_ui.pictures.picture import pack, show_picture
from attention_ui.seams import styled

HELD, NOT_HELD = "✓", "✗"
# Question and answer beside the picture; on a phone the picture stands between them, so that it is seen before Commit.
STYLE = styled("""
.st-key-exercises_steps { align-items: end; }
.st-key-exercises_question h2 { font-size: 1.25rem; padding: 0 0 0.5rem; letter-spacing: normal; }
.st-key-exercises_question p { font-size: 1.15rem; line-height: 1.4; }
[class*="st-key-exercises_choice_"] [role="radiogroup"] { gap: 0.4rem; }
[class*="st-key-exercises_choice_"] label p { font-size: 1.05rem; }
@media (min-width: 768px) {
  .st-key-exercises_body { display: grid; grid-template: auto 1fr / minmax(0, 2fr) minmax(0, 3fr); column-gap: 2rem; }
  .st-key-exercises_body > :has(> .st-key-exercises_picture) { grid-area: 1 / 2 / 3 / 3; }
}
""")


def steps(progress: Progress, done: dict[int, Judged]) -> None:
    """The list of all exercises by their chapters, with their states, and the way to the one before and the next."""
    st.html(f"<style>{STYLE}</style>")

    def label(place: int) -> str:
        mark = (HELD if done[place].held else NOT_HELD) if place in done else ""
        return f"{_chapter(EXERCISES[place]).title} · {place + 1}. {EXERCISES[place].title} {mark}".strip()

    st.session_state["exercises_step"] = progress.at
    with st.container(horizontal=True, key="exercises_steps"):
        st.selectbox(
            f"{counted(done)} ({HELD} held, {NOT_HELD} did not hold)",
            range(len(EXERCISES)),
            format_func=label,
            key="exercises_step",
            on_change=_go_to_step,
            args=(progress,),
            width=560,
        )
        _walk(progress, "primary" if progress.at in done else "secondary")


def _go_to_step(progress: Progress) -> None:
    keep(progress.moved(st.session_state["exercises_step"]))


def question(progress: Progress) -> None:
    """The number, the name and the question itself."""
    exercise = EXERCISES[progress.at]
    with st.container(key="exercises_question", gap="xsmall"):
        st.markdown(f"## {progress.at + 1}. {exercise.title}")
        st.markdown(exercise.question)


def ask(progress: Progress) -> None:
    """The question, its set-up, and the answers with the button that fixes one."""
    exercise = EXERCISES[progress.at]
    with st.container(key="exercises_body"):
        question(progress)
        with st.container(key="exercises_picture"):
            show_picture("exercises_before", pack(exercise.before(progress.seed_of(progress.at))))
            st.caption(exercise.setup)
        with st.container(key="exercises_answer"):
            key = f"exercises_choice_{exercise.name}"
            chosen = _choice(exercise, key)
            st.button(
                "Commit",
                key="exercises_commit",
                type="primary",
                disabled=chosen is None,
                width="stretch",
                on_click=lambda: keep(progress.committed(str(st.session_state[key]))),
            )
            st.caption("Then the experiment runs, on data drawn for you.")


def _choice(exercise: Exercise, key: str) -> str | None:
    """What is chosen but not yet committed to; the last prediction stays chosen for another try."""
    answer = exercise.answer
    if isinstance(answer, Guess):
        st.session_state.setdefault(key, f"{answer.start:g}")
        guess: str = st.select_slider(f"Your guess. It holds when it is {answer.rule}.", answer.codes, key=key)
        return guess
    return st.radio(
        "Your prediction", answer.codes, None, format_func=answer.words, key=key, label_visibility="collapsed"
    )


def reveal(progress: Progress, each: Judged) -> None:
    """The verdict with its reason, the numbers, and the picture."""
    with st.container(key="exercises_body"):
        question(progress)
        with st.container(key="exercises_picture"):
            show_picture("exercises_after", pack(each.exercise.after(each.finding)))
            st.markdown(" · ".join(f"{name}: **{number}**" for name, number in each.numbers.items()))
        with st.container(key="exercises_answer"):
            mark, show = (HELD, st.success) if each.held else (NOT_HELD, st.warning)
            show(f"{mark} **{each.verdict}** You said: {each.said}.")
            st.markdown(each.reason)
            _play_on(each)
            st.button(
                "Try again on new data", key="exercises_again", width="stretch", on_click=lambda: keep(progress.again())
            )


def _chapter(exercise: Exercise) -> Chapter:
    """The chapter that an exercise belongs to."""
    return chapter_of(exercise.chapter)


def _play_on(each: Judged) -> None:
    """The way to the chapter, with the same data where it can have them."""
    chapter = _chapter(each.exercise)
    label = f"Play on in **{chapter.title}**"
    st.page_link(chapter.file, label=label, icon="➡️", query_params=each.exercise.link(each.seed))


def _walk(progress: Progress, kind: Literal["primary", "secondary"]) -> None:
    """Draw the buttons to the exercise before and to the next, which stands out once this one is answered."""
    last = len(EXERCISES) - 1
    for name, step, end in (("Previous", -1, 0), ("Next", 1, last)):
        st.button(
            name,
            key=f"exercises_{name.lower()}",
            type=kind if step > 0 else "secondary",
            disabled=progress.at == end,
            on_click=lambda step=step: keep(progress.moved(progress.at + step)),
        )


def exercise(progress: Progress) -> View:
    """The steps, then the exercise on the screen: a question, or what became of its answer; at last the results."""
    place, committed = progress.at, progress.code(progress.at)
    overview = st.container()
    with st.spinner("Running the experiment ..."):
        done = results(progress)
    with overview:
        steps(progress, done)
    if committed is None:
        ask(progress)
    else:
        reveal(progress, judged(EXERCISES[place], committed, progress.seed_of(place)))
        code("exercises", lambda: script(EXERCISES[place], progress.seed_of(place)))
    return View(lambda: exported(place, done), lambda: take_away(progress, done))


def take_away(progress: Progress, done: dict[int, Judged]) -> None:
    """The results as text, with a button to copy them, and the way back to the beginning."""
    if not done:
        return
    st.subheader(f"Your results: {counted(done)}", anchor=False)
    home = (st.context.url or "").rstrip("/").removesuffix("/exercises")
    text = summary(progress, done, f"{home}/exercises")
    copying, over, _ = st.columns([1, 1, 3])
    with copying:
        copy_button("exercises_copy", "Copy my results", text)
    with over.popover("Start over", key="exercises_over", width="stretch"):
        st.markdown("This deletes your answers and draws new data.")
        st.button("Delete my answers", key="exercises_really_over", on_click=_start_over, args=(progress,))
    st.code(text, language=None, wrap_lines=True, height=260)


def _start_over(progress: Progress) -> None:
    """Take a new seed, and forget all answers and choices."""
    for each in EXERCISES:
        st.session_state.pop(f"exercises_choice_{each.name}", None)
    keep(Progress(progress.seed % LAST_SEED + 1))
