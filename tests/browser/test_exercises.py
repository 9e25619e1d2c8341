"""Exercises as a student meets them: predict, see, reload, copy."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from attention_core.experiments import EXPERIMENTS
from tests.browser.conftest import SETTLED

ALERT = "[data-testid=stAlert]"
PATIENT = 30_000  # ms: a busy machine needs its time to draw a page


def test_a_prediction_is_judged_survives_a_reload_and_can_be_copied(open_page: Callable[..., Page]) -> None:
    page = open_page("/exercises?exercises_seed=7&exercises_at=average")
    commit = page.locator(".st-key-exercises_commit button")
    expect(commit).to_be_disabled(timeout=PATIENT)
    page.locator(".st-key-exercises_choice_average [role=radiogroup] label").nth(1).click()
    expect(commit).to_be_enabled(timeout=PATIENT)
    commit.click()
    expect(page.locator(ALERT)).to_contain_text("Your prediction held.", timeout=PATIENT)
    ratio = EXPERIMENTS["average"](704000).numbers["times smaller"]
    expect(page.locator("body")).to_contain_text(f"times smaller: {ratio:.3g}", timeout=PATIENT)
    expect(page.locator(".st-key-exercises_after svg.graph path.prediction")).to_be_visible(timeout=PATIENT)
    expect(page).to_have_url(re.compile(r"exercises_answers=---b"))

    page.reload()
    page.wait_for_selector(SETTLED)
    expect(page.locator(ALERT)).to_contain_text("Your prediction held.", timeout=PATIENT)
    summary = page.locator("[data-testid=stCode]")
    expect(summary).to_contain_text("4. Better than the average: held (seed 704000)", timeout=PATIENT)
    copy = page.locator(".st-key-exercises_copy button")
    expect(copy).to_have_text("Copy my results", timeout=PATIENT)
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    copy.click()
    page.wait_for_function("() => window.copied")
    copied = page.evaluate("window.copied")
    assert copied.startswith("Attention Lab, exercises: 1 of ")
    assert re.search(r"http://[\w.:]+/exercises\?exercises_seed=7&exercises_at=average&exercises_answers=---b$", copied)


def test_progress_waits_while_another_chapter_is_visited(open_page: Callable[..., Page]) -> None:
    page = open_page("/exercises?exercises_seed=7&exercises_at=average&exercises_answers=---b")
    page.get_by_role("link", name=re.compile("Play on in Kernel regression")).click()
    expect(page).to_have_url(re.compile("kr_seed=704000"), timeout=PATIENT)
    expect(page.locator(".st-key-kr_stage")).to_be_visible(timeout=PATIENT)
    page.go_back()
    expect(page.locator(ALERT)).to_contain_text("Your prediction held.", timeout=PATIENT)
    expect(page).to_have_url(re.compile("exercises_answers=---b"), timeout=PATIENT)


def test_back_while_the_other_chapter_is_drawn_gives_the_link_back_too(open_page: Callable[..., Page]) -> None:
    page = open_page("/exercises?exercises_seed=7&exercises_at=average&exercises_answers=---b")
    page.get_by_role("link", name=re.compile("Play on in Kernel regression")).click()
    page.wait_for_url(re.compile("kr_seed=704000"))
    page.go_back()  # at once
    expect(page.locator(ALERT)).to_contain_text("Your prediction held.")
    page.wait_for_selector(SETTLED)
    expect(page).to_have_url(re.compile(r"/exercises\?.*exercises_answers=---b$"))
