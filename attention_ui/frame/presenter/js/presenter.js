// The bar over a page on a projector, with its keys.

import { dialogOpen, isShown } from "../../keyboard/js/finding.js";
import { isOurs, themed } from "../../keyboard/js/heard.js";
import { element } from "../../../pictures/js/format.js";
import { mount } from "../../../pictures/js/mount.js";
import { homeOf } from "../../../pictures/js/streamlit.js";
import { overlay } from "./overlay.js";

const OPEN_CONTROLS = "attention-lab-controls";

export default mount(({ place, data, listen, onStop }) => {
  const root = document.documentElement;
  const pressed = homeOf("presenter"); // Streamlit's own links and buttons, which are not shown
  const links = () => [...pressed.querySelectorAll("a[href]")];
  const names = Object.keys(data.chapters);
  const at = Math.max(0, names.indexOf(location.pathname.split("/").filter(Boolean).at(-1)));
  const go = (chapter) => links()[chapter]?.click();
  const { home, shadow } = themed(place, "attention-lab-presenter");
  const over = overlay(listen);

  const button = (name, sign, act, attributes = {}) => {
    const made = element("button", { type: "button", title: name, ...attributes }, sign);
    made.addEventListener("click", () => (act(), made.blur()));
    return made;
  };
  const toggle = (name, sign, act, attributes = {}) => {
    const made = button(name, sign, () => made.setAttribute("aria-pressed", String(act())), attributes);
    made.setAttribute("aria-pressed", "false");
    return made;
  };
  const press = (key) => homeOf(key)?.querySelector("button")?.click();
  const chapters = element("select", { "aria-label": "Chapter" });
  chapters.append(...Object.values(data.chapters).map((title) => element("option", {}, title)));
  chapters.selectedIndex = at;
  chapters.addEventListener("change", () => (go(chapters.selectedIndex), chapters.blur()));
  const back = button("Previous chapter (PageUp)", "◀", () => go(at - 1), { "aria-label": "Previous chapter" });
  const on = button("Next chapter (PageDown)", "▶", () => go(at + 1), { "aria-label": "Next chapter" });
  back.disabled = at <= 0;
  on.disabled = at >= names.length - 1;

  const tools = {
    c: toggle("Controls (C)", "Controls", () => root.classList.toggle(OPEN_CONTROLS), { class: "controls" }),
    s: toggle("Spotlight (S)", "Spotlight", over.spotlight),
    p: toggle("Pen (P); W wipes it", "Pen", over.pen),
    w: button("Wipe what the pen drew (W)", "Wipe", over.wipe),
    q: button("Code to scan (Q)", "QR", () => press("code")),
    f: button("Full screen (F)", "Full screen", fullScreen),
  };
  const shortcuts = button("Shortcuts (?)", "?", () => dispatchEvent(new CustomEvent("attention-lab-shortcuts")), {
    "aria-label": "Keyboard shortcuts",
  });
  const leave = button("Leave the presenter", "Leave", () => press("leave"));
  const bar = element("div", { class: "bar", role: "navigation", "aria-label": "Presenter" });
  bar.append(back, chapters, on, element("h1", {}, data.title), ...Object.values(tools), shortcuts, leave);
  shadow.append(...over.layers, bar);

  // Before everyone else: a slider that has the focus would take PageUp for itself.
  const turns = { PageUp: () => !back.disabled && go(at - 1), PageDown: () => !on.disabled && go(at + 1) };
  // The remote control of a projector sends these keys, and must work wherever the focus is, in a text too.
  const isTurning = ({ key, isTrusted, altKey, ctrlKey, metaKey }) =>
    key in turns && isTrusted && !dialogOpen() && !altKey && !ctrlKey && !metaKey;
  const tool = (key) => tools[key] && isShown(tools[key]) ? () => tools[key].click() : null;
  // What lies over the page goes, the pen and the spotlight before the drawer; without any, the key is the page's.
  const putAway = () => {
    const open = [tools.p, tools.s, tools.c].find((made) => made.getAttribute("aria-pressed") === "true");
    return open ? () => open.click() : null;
  };
  listen(globalThis, "keydown", (event) => {
    if (!(isTurning(event) || isOurs(event)) || event.shiftKey) return;
    const act = event.key === "Escape" ? putAway() : turns[event.key] ?? tool(event.key.toLowerCase());
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) act();
  }, true);
  onStop(() => {
    home.remove();
    root.classList.remove(OPEN_CONTROLS);
  });
});

const fullScreen = () =>
  document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
