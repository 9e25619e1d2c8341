"""The tool Share on every page: its link to copy, a code to photograph, and a version for a lesson."""

from pathlib import Path
from urllib.parse import urlencode, urlsplit

import streamlit as st

from attention_ui.component import component
from attention_ui.link.ignored import prefix
from attention_ui.link.lesson import LOCK, PRESENT, class_of, locked_names, presenting
from attention_ui.link.names import ANSWERS, IN_BROWSER, SEEDS
from attention_ui.link.qr import qr_code

Parameters = list[tuple[str, str]]

HERE = Path(__file__).parent
HOME_ADDRESSES = ("localhost", "127.0.0.1", "::1")

HANDED_ON = component("share", HERE / "js" / "share.js", HERE / "share.css", isolated=False, tool=True)


@st.fragment  # the page behind the dialog has no need to run again
def share_tool() -> None:
    """The button that opens the dialog."""
    if st.button("Share", icon=":material/share:", key="share", type="tertiary"):
        _share()


@st.fragment
def code_tool() -> None:
    """The presenter's button for a code that the class scans."""
    if st.button("Code to scan", key="code"):
        _code()


@st.dialog("Open this page on your own screen", width="large")
def _code() -> None:
    shared = without_own(_parameters(), same=False)
    _hand_on(link_to(st.context.url or "", shared, present=False, locked=locked_names()))


def page_link() -> str:
    """The address of the page as it stands."""
    return link_to(st.context.url or "", _parameters(), presenting(), locked_names())


def _parameters() -> Parameters:
    names = [name for name in st.query_params if name not in IN_BROWSER]
    return [(name, value) for name in names for value in st.query_params.get_all(name)]


@st.dialog("Share this page", width="large")
def _share() -> None:
    parameters = _parameters()
    left, right = st.columns([3, 2], gap="large")
    with right:
        shared = _handed_on(parameters)
        present, locked = _lesson()
    with left:
        _hand_on(link_to(st.context.url or "", shared, present, locked))


def _handed_on(parameters: Parameters) -> Parameters:
    """Draw the choice of what others get of a link that holds a visitor's own data, and return that."""
    if not SEEDS & dict(parameters).keys():
        return parameters
    same = st.toggle("Same data for all", key="share_same")
    st.caption("Otherwise everybody gets data of their own. Your answers are not shared.")
    return without_own(parameters, same)


def without_own(parameters: Parameters, same: bool) -> Parameters:
    """The parameters without the visitor's answers, and without the seed unless all shall have the same data."""
    own = ANSWERS if same else ANSWERS | SEEDS
    return [(name, value) for name, value in parameters if name not in own]


def _lesson() -> tuple[bool, list[str]]:
    """Draw what makes the link one for a lesson; begins with what the page's own link says."""
    locked = locked_names()
    labels = {name: name.replace("_", " ").capitalize() for name in locked} | _labels()
    st.markdown("**Make a lesson link**")
    present = st.toggle("For the projector", presenting(), key="share_present")
    st.caption("Large type, a slim bar instead of the menu, controls in a drawer.")
    hidden = st.multiselect(
        "Hide controls from the class",
        list(labels),
        locked,
        format_func=labels.__getitem__,
        placeholder="Nothing is hidden",
        key="share_lock",
    )
    st.caption("What is hidden keeps the value it has now.")
    return present, hidden


def _hand_on(link: str) -> None:
    """Show the link with its code, and ask the browser what the controls on the page are called."""
    code = qr_code(link)
    keys = [key for key in map(str, st.session_state) if key.startswith(prefix())]
    data = {"link": link, "code": code or "", "keys": [class_of(key) for key in keys]}
    HANDED_ON(key="share_link", data=data, on_labels_change=lambda: None)
    if code is None:
        st.caption("This link is too long for a code that a phone could read from a screen: copy it instead.")
    elif urlsplit(link).hostname in HOME_ADDRESSES:
        st.caption("This address works only on this computer. Open the app by its network address to share it.")


def _labels() -> dict[str, str]:
    """Every control that can be hidden: its name in a link, and what the page calls it."""
    told = st.session_state.get("share_link", {}).get("labels")
    found = told if isinstance(told, dict) else {}
    return {_name(str(key)): str(label)[:80] for key, label in found.items()}


def _name(key: str) -> str:
    return key.removeprefix(prefix())


def link_to(address: str, parameters: Parameters, present: bool, locked: list[str]) -> str:
    """The address with all of its parameters, those of a lesson set anew."""
    kept = [(name, value) for name, value in parameters if name not in (PRESENT, LOCK)]
    lesson = [(PRESENT, "1")] * present + [(LOCK, ",".join(locked))] * bool(locked)
    query = urlencode(kept + lesson, safe=",")
    parts = urlsplit(address)
    return parts._replace(path=parts.path or "/", query=query).geturl()
