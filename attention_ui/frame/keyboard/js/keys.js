// The keys of the page: Space plays, arrows move the main slider, R regenerates, ? lists them.

import { element } from "../../../pictures/js/format.js";
import { mount } from "../../../pictures/js/mount.js";
import {
  closeMenuAfterChoice,
  noticeFiles,
  oneStepPerPage,
  outliveServer,
  reachWhatScrolls,
  refuseLongText,
  showOpenTab,
  tellWhatWaits,
} from "../../../pictures/js/streamlit.js";
import { mainSlider, playButton, regenerateButton, undoButton } from "./finding.js";
import { isFree, isOn, isOurs } from "./heard.js";
import { keyList } from "./list.js";

// What takes the space bar or the arrows by itself.
const PRESSED =
  "button, a[href], summary, input[type=checkbox], input[type=radio], [role=button], [role=tab], [role=option], [role=radio], [role=checkbox], [role=switch], [role=menuitem]";
const STEPPED =
  "input, [role=slider], [role=radiogroup], [role=tablist], [role=listbox], [role=menu], [role=tree], [role=toolbar]";

export default mount(({ data, place, listen, onStop, setTriggerValue }) => {
  outliveServer(data.boot, () => setTriggerValue("restarted", true));
  oneStepPerPage();
  closeMenuAfterChoice(listen);
  reachWhatScrolls(listen, onStop);
  refuseLongText(listen);
  noticeFiles(listen);
  showOpenTab(listen, onStop);
  tellWhatWaits(listen, onStop);
  globalThis.attentionLabKeys?.(); // the page before may still be there: never two listeners
  const list = keyList(place);
  const open = element(
    "button",
    {
      type: "button",
      class: "open",
      "aria-haspopup": "dialog",
      "aria-label": "Keyboard shortcuts",
      title: "Keyboard shortcuts (?)",
    },
    keyboardSign(),
    "Shortcuts",
  );
  open.addEventListener("click", list.open);
  place.replaceChildren(open);
  // Streamlit's dialogs stand outside its app and would not know the theme (attention_ui/frame/contrast.py).
  document.documentElement.style.colorScheme = getComputedStyle(place).colorScheme;

  // Before Streamlit hears of it: to Streamlit, R means running the page again.
  const early = (event) => {
    if (event.key.toLowerCase() !== "r") return;
    if (list.isOpen()) return event.stopImmediatePropagation(); // all keys but its own rest, Streamlit's as well
    if (!isOurs(event) || event.shiftKey) return;
    const button = regenerateButton();
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) button.click();
  };
  // After everyone else: a picture that has the focus knows better what a key means there.
  const late = (event) => {
    if (list.isOpen()) return event.key === "?" && list.close();
    if (event.defaultPrevented) return;
    if (isUndo(event)) return undoButton(event.shiftKey)?.click(), event.preventDefault();
    if (!isOurs(event)) return;
    const act = { " ": space, ArrowLeft: arrow, ArrowRight: arrow, "?": question }[event.key];
    if (act?.(event)) event.preventDefault();
  };
  const question = () => (list.open(), true);
  listen(globalThis, "attention-lab-shortcuts", list.open); // the presenter's button

  let heard = true; // by this page
  listen(globalThis, "keydown", (event) => heard && early(event), true);
  listen(globalThis, "keydown", (event) => heard && late(event));
  const stop = () => {
    heard = false;
    list.remove();
    if (globalThis.attentionLabKeys === stop) globalThis.attentionLabKeys = null;
  };
  onStop(stop);
  globalThis.attentionLabKeys = stop;
});

const isUndo = (event) => (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && isFree(event);

function space(event) {
  const play = event.shiftKey || isOn(event, PRESSED) ? null : playButton();
  if (play && !event.repeat) play.click();
  return play;
}

// The slider gets the focus, so from the second press on the browser itself moves it.
function arrow(event) {
  const slider = event.shiftKey || isOn(event, STEPPED) ? null : mainSlider();
  if (!slider) return false;
  slider.focus({ preventScroll: true });
  const key = new KeyboardEvent("keydown", {
    key: event.key,
    code: event.code,
    bubbles: true,
    composed: true,
    cancelable: true,
  });
  if (slider.dispatchEvent(key) && slider.matches("input")) step(slider, event.key === "ArrowRight");
  return true;
}

// A plain range input takes no made-up key.
export function step(input, up) {
  if (up) input.stepUp();
  else input.stepDown();
  for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
}

function keyboardSign() {
  const keys = "M5,8h2M9,8h2M13,8h2M17,8h2M5,12h2M9,12h2M13,12h2M17,12h2M8,16h8";
  const lines = { fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round" };
  return element(
    "svg",
    { width: 20, height: 20, viewBox: "0 0 24 24", "aria-hidden": "true" },
    element("rect", { x: 1.5, y: 4, width: 21, height: 16, rx: 3, ...lines }),
    element("path", { d: keys, ...lines }),
  );
}
