"""What hands do on a page, and what a page tells the server meanwhile."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from playwright.sync_api import CDPSession, Error, Locator, Page

_listening: list[CDPSession] = []


def handle(page: Page, slider: str) -> tuple[float, float]:
    """Where the handle of the native slider with this key is."""
    x, y, width, height = box(page.locator(f".st-key-{slider} [data-testid=stSliderThumbValue]"))
    return x + width / 2, y + height + 6


def box(locator: Locator) -> tuple[float, float, float, float]:
    """Left, top, width and height of what is on the screen."""
    found = locator.bounding_box()
    assert found is not None
    return found["x"], found["y"], found["width"], found["height"]


@contextmanager
def finger(page: Page, x: float, y: float) -> Iterator[Callable[[float, float], None]]:
    """A finger that is put down here, moves to wherever the function says, and is lifted in the end."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": y})
    yield lambda x, y: touch("touchMove", {"x": x, "y": y})
    touch("touchEnd")
    session.detach()


def messages(page: Page) -> list[Any]:
    """A list that grows with every message between this page and the server, from now on until `hang_up`."""
    seen: list[Any] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    for event in ("Network.webSocketFrameSent", "Network.webSocketFrameReceived"):
        session.on(event, lambda frame: seen.append(frame))
    _listening.append(session)
    return seen


def hang_up() -> None:
    """Hear no more messages; where the page has gone, nobody speaks any more."""
    while _listening:
        with suppress(Error):
            _listening.pop().detach()


def still(page: Page, read: Callable[[], Any], rest: int = 0) -> Any:
    """What `read` gives once two pictures in a row, `rest` ms apart, agree: what moves is drawn a frame later."""
    before = read()
    for _ in range(100):
        page.wait_for_timeout(rest)
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        now = read()
        if now == before:
            return now
        before = now
    raise AssertionError("the picture does not come to rest")


def stepped(place: Locator, button: str) -> str:
    """The frame that is drawn after a press of this button of a play bar, before any server could have answered."""
    press = """(place, name) => new Promise(done => {
        place.querySelector(`.player [aria-label="${name}"]`).click();
        requestAnimationFrame(() => requestAnimationFrame(() => done(place.dataset.frame)));
    })"""
    frame: str = place.evaluate(press, button)
    return frame
