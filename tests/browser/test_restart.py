"""kill -9 with pages open: each is as it was, with all that stood in its link, and a drag under way is not lost.

That is the work of outliveServer, watchServer and knockOften in attention_ui/pictures/js/streamlit.js; of a drag also
that of keepDrag, and of files and texts that of noticeFiles, givenTo, give, filesIn and isUploading there.
"""

import re
import signal
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from attention_ui.contents import CHAPTERS, HOME
from attention_ui.server import workers
from tests.browser.conftest import HAS_TEXT, SETTLED
from tests.browser.gestures import handle, hang_up, messages
from tests.browser.restarting import SERVED_BY, boot_of, kill, served_by
from tests.browser.serving import Serving
from tests.browser.test_data_controls import open_editor, type_into

pytestmark = pytest.mark.skipif(not workers.POSSIBLE, reason="nobody replaces a process here")

MOST_SECONDS = 10  # from a kill to a page that works, on a busy machine; on one at rest it is to be 3

# Of every page: what its link says, and the control that is moved then, which the link names.
LINKS = {
    "home": ("home_width=0.501", "home_width"),
    "cues": ("cues_goal=drink", "cues_blend"),
    "qkv": ("qkv_space=plane", "qkv_temperature"),
    "heatmaps": ("heatmaps_n=9", "heatmaps_sharpness"),
    "kernel_regression": ("kr_kernel=tricube&kr_query=1.5", "kr_width"),
    "batches": ("batches_n=4", "batches_tilt"),
    "learned_w": ("lw_n=40", "lw_epochs"),
    "scoring": ("scoring_tab=scaling", "scoring_width"),
    "bahdanau": ("bahdanau_digits=2718", "bahdanau_digits"),
    "multihead": ("multihead_noise=0.2", "multihead_share"),
    "self_attention": ("sa_causal=true", "sa_strength"),
    "transformer": ("transformer_tab=steps", "transformer_temperature"),
    "exercises": ("exercises_at=columns", "exercises_next"),
}


ALONE = {
    "home",
    "cues",
    "qkv",
    "kernel_regression",
    "scoring",
    "multihead",
    "self_attention",
}  # where it is in a fragment


@pytest.fixture
def opened(context: BrowserContext, server: str) -> Iterator[Callable[[str], Page]]:
    """A function that opens a page in a tab of its own, which may complain that its server is gone."""
    tabs: list[Page] = []

    def visit(path: str) -> Page:
        tabs.append(context.new_page())
        tabs[-1].goto(server + path)
        tabs[-1].wait_for_selector(SETTLED)
        tabs[-1].wait_for_function(HAS_TEXT)
        tabs[-1].wait_for_function(SERVED_BY)
        return tabs[-1]

    yield visit
    for tab in tabs:
        tab.close()


def in_link(page: Page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def move(page: Page, key: str) -> None:
    """Use this control once, whatever it is."""
    home = page.locator(f".st-key-{key}")
    if (slider := home.locator("input[type=range]")).count():
        slider.press("ArrowRight")
    elif (text := home.locator("input[type=text]")).count():
        text.fill("1618" if text.input_value() != "1618" else "2718")
        text.press("Enter")
    else:
        home.locator("button").first.click()


def test_every_page_works_again_after_its_process_was_killed(opened: Callable[[str], Page], server: str) -> None:
    assert set(LINKS) == {chapter.name for chapter in (HOME, *CHAPTERS)}
    pages = {name: opened(f"/{'' if name == 'home' else name}?{link}") for name, (link, _) in LINKS.items()}
    assert all(link in page.url for page, (link, _) in zip(pages.values(), LINKS.values(), strict=True))
    survives(pages, server)  # the last run was a whole one
    alone = set[str]()
    for name, page in pages.items():
        said = messages(page)
        moves(name, page)
        alone |= {name} if last_run_was_a_fragments(said) else set()
    hang_up()
    assert alone == ALONE
    survives(pages, server)
    for name, page in pages.items():
        moves(name, page)


def survives(pages: dict[str, Page], server: str) -> None:
    """Kill the process; every page is drawn by the next one with all that stood in its link, the first one soon."""
    before = {name: in_link(page) for name, page in pages.items()}
    begun = time.monotonic()
    kill(server)
    boot = boot_of(server)  # it waits for an answer
    seconds = {"process": time.monotonic() - begun}
    for name, page in pages.items():  # only the page in front is drawn at full speed
        brought = time.monotonic()
        served_by(page, boot)
        seconds[name] = time.monotonic() - brought
        assert in_link(page) == before[name], name
    print({name: round(each, 1) for name, each in seconds.items()})
    assert max(seconds.values()) < 3 * MOST_SECONDS, "all thirteen are drawn anew at once"


def moves(name: str, page: Page) -> None:
    """Move the control of the page, which says so in its link."""
    page.bring_to_front()
    address = page.url
    move(page, LINKS[name][1])
    page.wait_for_function("address => location.href !== address", arg=address)
    page.wait_for_selector(SETTLED)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)


def last_run_was_a_fragments(said: list[Any]) -> bool:
    """Whether the last run that the page has asked for is that of a part of it."""
    frames = [each["response"] for each in said]
    sent = [BackMsg.FromString(b64decode(each["payloadData"])) for each in frames if each["mask"]]  # as browsers must
    runs = [each.rerun_script for each in sent if each.HasField("rerun_script")]
    return bool(runs and runs[-1].fragment_id)


def test_a_drag_under_way_is_not_lost(opened: Callable[[str], Page], server: str) -> None:
    page = opened("/kernel_regression?kr_kernel=tricube")
    page.locator(".st-key-kr_stage .picture[data-frame]").wait_for()
    drag_past_a_kill(page, server, "there is no server")  # the last run was a whole one
    drag_past_a_kill(page, server, "there is one again")  # it was a fragment's
    assert in_link(page)["kr_kernel"] == "tricube"


def test_new_code_drops_nobodys_page(opened: Callable[[str], Page], warm_server: Serving, server: str) -> None:
    page, before = opened("/kernel_regression?kr_kernel=tricube&kr_query=1.5"), boot_of(server)
    page.evaluate("() => { globalThis.sameDocument = true; }")
    warm_server.process.send_signal(signal.SIGHUP)
    while boot_of(server) == before:  # nobody is turned away meanwhile, or it would raise
        time.sleep(0.05)
    begun = time.monotonic()
    served_by(page, boot_of(server))
    assert time.monotonic() - begun < MOST_SECONDS
    print(f"after new code the page was back within {time.monotonic() - begun:.1f} s")
    assert page.evaluate("() => globalThis.sameDocument"), "it was not loaded again"
    x, y = handle(page, "kr_width")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y)
    page.mouse.up()
    page.wait_for_url("**/*kr_width=*")
    assert in_link(page).items() >= {"kr_kernel": "tricube", "kr_query": "1.5"}.items()
    expect(page.locator(".st-key-kr_width [data-testid=stSliderThumbValue]")).to_contain_text(
        f"σ {in_link(page)['kr_width']} "
    )


def drag_past_a_kill(page: Page, server: str, released_when: str) -> None:
    """Drag the width while the server is killed; the page comes to be where the hand has led it."""
    thumb = page.locator(".st-key-kr_width [data-testid=stSliderThumbValue]")
    before = in_link(page).get("kr_width", "1")
    x, y = handle(page, "kr_width")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y)
    here = thumb.inner_text()
    kill(server)
    page.wait_for_selector(f"{SETTLED}:not([data-test-connection-state=CONNECTED])")
    page.mouse.move(x + 120, y)
    if released_when == "there is no server":
        page.mouse.up()
    served_by(page, boot_of(server))
    expect(thumb, "keepDrag: the slider was left where the server was lost").not_to_have_text(here)
    if released_when == "there is one again":
        page.mouse.move(x + 122, y)
        page.mouse.up()
    page.wait_for_function("before => new URLSearchParams(location.search).get('kr_width') !== before", arg=before)
    page.wait_for_url("**/*kr_width=*")
    expect(thumb).to_contain_text(f"σ {in_link(page)['kr_width']} ")


# Trained models: the link holds their plan, which is trained again, and shown meanwhile.

TRAININGS = {
    "bahdanau": "/bahdanau?bahdanau_tab=train&bahdanau_steps=50",
    "transformer": "/transformer?transformer_tab=training&transformer_steps=100",
}


@pytest.mark.parametrize("name", TRAININGS)
def test_what_was_trained_comes_back(opened: Callable[[str], Page], server: str, name: str) -> None:
    page = opened(TRAININGS[name])
    page.locator(f".st-key-{name}_train button").click()
    before = trained(page, name)
    link = in_link(page)
    kill(server)
    served_by(page, boot_of(server))
    assert in_link(page) == link, "the plan and how far it has come"
    page.get_by_role("button", name=re.compile("^Train again")).click()
    expect(page.get_by_role("progressbar").first).to_be_visible()
    assert trained(page, name) == before, "equal plans give equal models"
    assert in_link(page) == link


def trained(page: Page, name: str) -> str:
    """What the page says of the model, once its training is over."""
    page.wait_for_url(f"**{name}_trained=*")
    done = page.get_by_text(re.compile("^Done")).first
    done.wait_for()
    page.wait_for_selector(SETTLED)
    return re.sub(r"[\d.]+ s of training", "", done.inner_text())


# What is too large for a link.

ROWS = "".join(f"{row},{row % 7},{row % 5}\n" for row in range(600))
MATRIX = "0.7 0.2 0.1\n0.1 0.8 0.1\n0.2 0.2 0.6"
HELD = """() => new Promise((done) => {
  const asked = indexedDB.open("attention-lab", 1);
  asked.onsuccess = () => {
    const names = asked.result.transaction("held").objectStore("held").getAllKeys();
    names.onsuccess = () => (asked.result.close(), done(names.result));
  };
})"""


def own_file(page: Page) -> Callable[[], None]:
    """A file of 600 rows with its third column as y."""
    file = {"name": "a.csv", "mimeType": "text/csv", "buffer": f"a,b,c\n{ROWS}".encode()}
    page.locator("input[type=file]").set_input_files(file)
    page.locator(".st-key-kr_y_column input").click()
    page.get_by_role("option", name="c", exact=True).click()
    page.wait_for_url("**kr_columns=*")

    def there() -> None:
        expect(page.get_by_text("In use: 600 points, 'a.csv'.")).to_be_visible()
        expect(page.locator(".st-key-kr_y_column input")).to_have_value("c")

    return there


def pasted_matrix(page: Page) -> Callable[[], None]:
    """Weights that were pasted."""
    page.get_by_role("tab", name="Paste").click()
    page.locator("textarea").fill(MATRIX)
    page.locator("textarea").press("Control+Enter")
    return lambda: expect(page.get_by_text("In use: 1 matrix of 3 × 3, pasted.")).to_be_visible()


def edited_points(page: Page) -> Callable[[], None]:
    """One of 300 points."""
    dialog = open_editor(page)
    type_into(page, dialog, (1, 2), "7.25")
    dialog.get_by_role("button", name="Apply").click()
    return lambda: expect(page.locator(".st-key-kr_reset button").first).to_be_visible()


def earlier_run(page: Page) -> Callable[[], None]:
    """A second run beside the first."""
    move(page, "lw_epochs")
    return lambda: expect(page.get_by_role("table").get_by_text("100 epochs")).to_be_visible()


def more_data(page: Page) -> Callable[[], None]:
    """The experiment of the lab, as far as it has come when it is stopped."""
    page.get_by_role("button", name="Run the experiment").click()
    page.get_by_text(re.compile(r"\b\d{3} points done")).wait_for()
    page.locator(".st-key-kr_more_stop button").click()
    return lambda: expect(page.locator(".st-key-kr_more_picture .picture[data-frame]")).to_be_visible()


TOO_LARGE = {
    "/kernel_regression?kr_function=own": own_file,
    "/heatmaps?heatmaps_source=own": pasted_matrix,
    "/kernel_regression?kr_n=300": edited_points,
    "/learned_w?lw_tab=runs": earlier_run,
    "/kernel_regression?kr_tab=more_data": more_data,
}


def test_what_is_too_large_for_a_link_is_there_after_a_reload_and_a_kill(
    opened: Callable[[str], Page], server: str, phone: Page
) -> None:
    pages = [opened(link) for link in TOO_LARGE]
    there = [make(page) for page, make in zip(pages, TOO_LARGE.values(), strict=True)]
    for page, is_there in zip(pages, there, strict=True):
        page.bring_to_front()
        is_there()
        page.wait_for_url("**/*_*=*_*=*")
        before = in_link(page)
        page.reload()
        is_there()
        assert in_link(page) == before
    kill(server)
    boot = boot_of(server)
    for page, is_there in zip(pages, there, strict=True):
        served_by(page, boot)
        is_there()
    phone.goto(pages[0].url)
    expect(phone.get_by_text("exist only in the browser that loaded them. You see Wave.")).to_be_attached()
    pages[0].bring_to_front()
    held = len(pages[0].evaluate(HELD))
    pages[0].locator(".st-key-kr_upload").get_by_role("button", name="Remove").click()
    pages[0].wait_for_url(lambda url: "kr_file" not in url)
    pages[0].wait_for_function(f"async (before) => (await ({HELD})()).length === before - 1", arg=held)


def test_what_fits_a_file_of_ones_own_alone_is_as_it_was_after_a_kill_and_a_reload(
    opened: Callable[[str], Page], server: str
) -> None:
    page = opened("/kernel_regression?kr_function=own")
    there = own_file(page)
    there()
    page.locator(".st-key-kr_width input[type=range]").press("ArrowLeft")
    page.wait_for_url("**kr_width=*")
    for key in ("ArrowDown", "Enter"):
        page.locator(".st-key-kr_stage .cells svg").press(key)
    page.wait_for_url("**kr_query=*")
    before, width = in_link(page), page.locator(".st-key-kr_width [data-testid=stSliderThumbValue]").inner_text()
    kill(server)
    for again in (lambda: served_by(page, boot_of(server)), page.reload):
        again()
        there()
        expect(page.locator(".st-key-kr_width [data-testid=stSliderThumbValue]")).to_have_text(width)
        page.wait_for_selector(SETTLED)
        assert in_link(page) == before
        expect(page.get_by_text("Ignored in the link")).to_have_count(0)


def test_a_file_whose_upload_fails_is_given_again(opened: Callable[[str], Page]) -> None:
    page = opened("/kernel_regression?kr_function=own")
    there = own_file(page)
    page.locator(".st-key-kr_width input[type=range]").press("ArrowLeft")
    page.wait_for_url("**kr_width=*")
    before = in_link(page)
    uploads = list[Route]()
    page.route("**/_stcore/upload_file/**", lambda route: uploads.append(route), times=1)
    page.reload()
    expect(page.get_by_test_id("stFileChipIconSpinner"), "isUploading: no file shows that it comes").to_be_visible()
    expect(page.get_by_text("This browser is asked for the data of this link ...")).to_be_visible()
    uploads[0].fulfill(status=400)
    there()
    expect(page.get_by_test_id("stFileChip")).to_have_count(1)
    page.wait_for_selector(SETTLED)
    assert in_link(page) == before
