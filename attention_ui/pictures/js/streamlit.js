// Everything that is not public in Streamlit's page: its inner elements, its test ids, its use of the history.
// Each use says what it is for and what happens where it is missing; tests/browser/test_streamlit.py tries each,
// and tests/browser/test_restart.py what outlives a server.

import { enlarged } from "./format.js";

// The key of a component's container, from the class that Streamlit makes of it. It is how a message finds its picture;
// where it is missing, a picture stands at its first frame until its slider is moved.
export function keyOf(place) {
  const home = (place.getRootNode().host ?? place).closest("[class*='st-key-']");
  return home ? [...home.classList].find((name) => name.startsWith("st-key-")).slice(7) : null;
}

// The class by which pictures find a component or a slider, for a page that stands without Streamlit.
export const classOf = (key) => `st-key-${key}`;

export const homeOf = (key) => document.querySelector(`.st-key-${CSS.escape(key)}`);

const FOLLOWED = "data-followed"; // on a slider that a picture follows
const POSITION = { attributes: true, attributeFilter: ["value", "aria-valuetext"] };

// The range input inside a native slider, which tells the server nothing before it is released: pictures follow it
// while it is dragged. Where it is missing, position() is null, and they move when the server has been told.
export function followSlider(key, moved) {
  let found = null;
  let watched = null;
  const input = () => (found?.isConnected ? found : (found = homeOf(key)?.querySelector("input[type=range]") ?? null));
  const observer = new MutationObserver(moved);
  const attach = () => {
    if (watched?.isConnected) return;
    const home = homeOf(key);
    if (home === watched) return;
    observer.disconnect();
    watched = home;
    home?.setAttribute(FOLLOWED, "");
    if (home) observer.observe(home, { subtree: true, childList: true, ...POSITION });
  };
  const position = () => {
    attach();
    return input() ? input().value - input().min : null;
  };
  const ends = () => (input() ? { last: input().max - input().min, step: +input().step || 1 } : { last: 0, step: 1 });
  // The handle goes there, and the server hears of it as little as while it is dragged. React sees what is set by the
  // browser's own setter alone.
  const move = (to) => {
    if (!input()) return;
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    set.call(input(), +input().min + to);
    input().dispatchEvent(new Event("input", { bubbles: true }));
  };
  // What follows only once the slider is released is dimmed meanwhile: see frame/layout.py.
  const waits = (on) => {
    const all = document.querySelectorAll(`[class*="st-key-${CSS.escape(key)}_waits"]`);
    all.forEach((home) => home.toggleAttribute("data-waiting", on));
  };
  return { attach, position, ends, move, waits, stop: () => observer.disconnect() };
}

// A slider that no picture follows changes the page only when it is released: it says so while it is dragged
// (frame.css). Where its parts are missing, it says nothing.
export function tellWhatWaits(listen, onStop) {
  let home = null;
  const observer = new MutationObserver(() => home?.toggleAttribute("data-released-only", true));
  const end = () => {
    observer.disconnect();
    home?.removeAttribute("data-released-only");
    home = null;
  };
  listen(globalThis, "pointerdown", ({ target }) => {
    end();
    const slider = target.closest?.("[data-testid=stSlider]");
    const named = slider?.closest("[class*='st-key-']");
    if (!named || named.hasAttribute(FOLLOWED)) return;
    home = named;
    observer.observe(slider, { subtree: true, ...POSITION });
  }, true);
  for (const kind of ["pointerup", "pointercancel"]) listen(globalThis, kind, end, true);
  onStop(end);
}

// The part of the page beside the menu: keys of the keyboard act on what is in it. Where it is missing, on all.
export const mainPart = () => document.querySelector("[data-testid=stMain]") ?? document.body;

// Dialogs, Streamlit's own among them, ask for all keys. Where theirs have no such role any more, our keys act under
// them.
export const dialogs = () => [...document.querySelectorAll("[role=dialog], [role=alertdialog], dialog[open]")];

// The button that draws new data: one of the page's own, inside a container with our key. Where it is missing, R is not
// ours.
export const regenerateButtons = () => [...document.querySelectorAll("[class*='_regenerate'] button:enabled")];

// What a control is called, read from the elements that hold its words. Where these are missing, it cannot be hidden by
// a lesson's link, since nobody could say which one it is.
const LABEL = "[data-testid=stWidgetLabel]";
const WORDS = "[data-testid=stMarkdownContainer]";

export function labelOf(home) {
  const named = [`${LABEL} ${WORDS}`, `button ${WORDS}`, `summary ${WORDS}`];
  const texts = named.map((selector) => home.querySelector(selector)?.textContent.trim());
  const choices = [...home.querySelectorAll(named[1])].map((choice) => choice.textContent.trim()).filter(Boolean);
  // A switch between views has no label of its own that is shown: its choices say more.
  return texts[0] && choices.length > 1 ? `${texts[0]}: ${choices.join(", ")}` : texts.find((text) => text);
}

// Streamlit adds an address to the browser's history for every value that a page puts into its link, so that Back would
// walk through each position of a slider, and change nothing. Here Back leads to the page before, as it was left. Where
// Streamlit no longer uses pushState, nothing is changed.
export function oneStepPerPage() {
  if (history.pushState.perPage) return;
  const push = history.pushState.bind(history);
  const pathOf = (address) => new URL(address, location.href).pathname;
  let left = null; // the whole address when a link is clicked: on its way out Streamlit takes the widgets' values off
  const isLink = (node) => node.matches?.("a[href]");
  addEventListener("click", (event) => event.composedPath().some(isLink) && (left = location.href), true);
  history.pushState = (state, title, address) => {
    if (!address || pathOf(address) === location.pathname) return history.replaceState(state, title, address);
    if (left && pathOf(left) === location.pathname) history.replaceState(history.state, "", left);
    left = null;
    return push(state, title, address);
  };
  history.pushState.perPage = true;
}

// Tabs below a picture (controls/tabs.py): once one is clicked, the picture yields to what it shows, and the page is
// scrolled until that is in sight, but no further than the picture stays in sight below its slider, or the tabs where
// the picture is high. A click on the open one gives the picture its room back. Where their parts are missing, the page
// stays as it is.
const TAB = "[class*='st-key-below_'] [class*='_tab'] button";
const OPEN_TAB = "attention-lab-tab";
const SHARE_OF_PICTURE = 0.55; // of the height that the slider leaves
const BELOW_SLIDER = 10; // pixels between the slider and what stays in sight below it

export function showOpenTab(listen, onStop) {
  const { classList } = document.documentElement;
  let observer = null;
  const follow = (block) => {
    const scroller = mainPart();
    const slider = document.querySelector("[class*='st-key-sticky_']")?.parentElement;
    const [fold, { top, bottom }, head] = [scroller, block, slider].map((part) => part?.getBoundingClientRect());
    const scale = enlarged(scroller);
    const end = fold.top + (head ? scale * (parseFloat(getComputedStyle(slider).top) + BELOW_SLIDER) + head.height : 0);
    const picture = slider?.nextElementSibling?.getBoundingClientRect().top ?? top;
    const first = top - picture < SHARE_OF_PICTURE * (fold.bottom - end) ? picture : top;
    const far = Math.min(bottom - fold.bottom, first - end);
    if (far > 1) scroller.scrollBy({ top: far / scale, behavior: "smooth" });
  };
  const stop = () => observer?.disconnect();
  const watch = (block) => {
    stop();
    observer = new ResizeObserver(() => follow(block)); // until it is drawn, or something else is done
    observer.observe(block);
  };
  classList.toggle(OPEN_TAB, /[?&]\w+_tab=/.test(location.search)); // a first tab stands in no link
  listen(document, "click", ({ target }) => {
    const tab = target.closest?.(TAB);
    if (!tab) return;
    const closes = tab.getAttribute("aria-checked") === "true" && classList.contains(OPEN_TAB);
    classList.toggle(OPEN_TAB, !closes);
    if (!closes) watch(tab.closest("[class*='st-key-below_']"));
  }, true);
  for (const kind of ["wheel", "pointerdown", "keydown"]) listen(globalThis, kind, stop, true);
  onStop(() => (stop(), classList.remove(OPEN_TAB)));
}

// On a phone the menu lies over the page: it closes once a page is chosen in it. Where its parts are missing, it stays
// open until it is closed by hand.
const MENU_LINK = "[data-testid=stSidebarNavLink]";
const CLOSE_MENU = "[data-testid=stSidebarCollapseButton] button";

export function closeMenuAfterChoice(listen) {
  const closes = (event) => event.target.closest?.(MENU_LINK) && innerWidth < 768;
  const close = () => document.querySelector(CLOSE_MENU)?.click();
  listen(document, "click", (event) => closes(event) && setTimeout(close));
}

// What Streamlit's page lacks for those who use the keyboard or hear it: a formula or code that scrolls can be
// focused, so that the arrows scroll it, and a place to drop files is a group. Where these parts are missing, nothing
// is changed.
const SCROLLED = ".katex-display, [data-testid=stCode] pre";
const DROPPED_ON = "[data-testid=stFileUploaderDropzone][role=presentation]";
const [SOON, LATER] = [200, 1500]; // ms after a change of the page: sizes may follow later than its parts

export function reachWhatScrolls(listen, onStop) {
  let [waiting, last] = [0, 0];
  const mend = () => {
    waiting = 0;
    for (const part of document.querySelectorAll(SCROLLED)) {
      const down = part.scrollHeight > part.clientHeight && getComputedStyle(part).overflowY !== "hidden";
      if (down || part.scrollWidth > part.clientWidth) part.tabIndex = 0;
      else part.removeAttribute("tabindex");
    }
    document.querySelectorAll(DROPPED_ON).forEach((part) => part.setAttribute("role", "group"));
  };
  const soon = () => {
    waiting ||= setTimeout(mend, SOON);
    clearTimeout(last);
    last = setTimeout(mend, LATER);
  };
  const observer = new MutationObserver(soon);
  observer.observe(document.body, { childList: true, subtree: true });
  listen(globalThis, "resize", soon);
  onStop(() => (observer.disconnect(), clearTimeout(waiting), clearTimeout(last)));
  soon();
}

// A message of more than a megabyte ends the connection, and Streamlit would send it again for ever: longer text is not
// taken into a field, and the field says so. Where Streamlit has fields of another kind, the server ends the
// connection.
const LONGEST_TEXT = 800_000; // bytes

export function refuseLongText(listen) {
  const refuse = (event) => {
    const field = event.target;
    if (!field.matches?.("textarea, input")) return;
    field.setCustomValidity("");
    const added = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    const bytes = new Blob([field.value, added]).size;
    if (bytes <= LONGEST_TEXT) return;
    event.preventDefault();
    const said = bytes.toLocaleString("en");
    field.setCustomValidity(`This text has ${said} bytes; a field takes ${LONGEST_TEXT.toLocaleString("en")}.`);
    field.reportValidity();
  };
  listen(document, "beforeinput", refuse, true);
}

// What was last given to a field for files or text, and the same given again, as if by hand, or false: so what is too
// large for a link comes back by the way it came (link/js/held.js). Where these fields are built otherwise, it is lost
// with the page.
const FILES = "input[type=file]";
const GIVEN_WITHIN = 5000; // ms until the field must be there

export function noticeFiles(listen) {
  const given = (globalThis.attentionLabFiles ??= new Map());
  const notice = (event) => {
    const home = event.target.closest?.("[class*='st-key-']");
    const [file] = event.target.files ?? event.dataTransfer?.files ?? [];
    if (file && home?.querySelector(FILES)) given.set(keyOf(home), file);
  };
  listen(document, "change", notice, true);
  listen(document, "drop", notice, true);
}

export function givenTo(field) {
  const text = homeOf(field)?.querySelector("textarea")?.value;
  return text === undefined ? { field, file: globalThis.attentionLabFiles?.get(field) } : { field, text };
}

// What a field shows of files; those whose upload has failed are taken out of it.
const [SHOWN, UPLOADING] = ["[data-testid=stFileChip]", "[data-testid=stFileChipIconSpinner]"];

export function filesIn(field) {
  const shown = [...(homeOf(field)?.querySelectorAll(SHOWN) ?? [])];
  shown.forEach((each) => each.ariaInvalid && each.querySelector("button")?.click());
  return shown.filter((each) => !each.ariaInvalid);
}

export const isUploading = (field) => Boolean(homeOf(field)?.querySelector(UPLOADING));

export async function give({ field, file, text }) {
  const begun = performance.now();
  const found = () => homeOf(field)?.querySelector(file ? FILES : "textarea");
  while (!found() && performance.now() - begun < GIVEN_WITHIN) await new Promise((done) => setTimeout(done, 50));
  const place = found();
  if (!place) return false;
  if (file) {
    const files = new DataTransfer();
    files.items.add(file);
    place.files = files.files;
    return place.dispatchEvent(new Event("change", { bubbles: true }));
  }
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(place, text);
  for (const kind of ["input", "focusout"]) place.dispatchEvent(new Event(kind, { bubbles: true }));
  return true;
}

// A page outlives the process behind it. When its connection is back, it asks which process answers; another one knows
// nothing of it, and Streamlit drops what the parts of the page that run alone tell it: so the page is run once as a
// whole, from its link. Where the page no longer says how it is connected, it works again once a control outside
// those parts is used.
const APP = "[data-testid=stApp]";

export function outliveServer(boot, run) {
  const server = (globalThis.attentionLabServer ??= watchServer());
  Object.assign(server, { boot, run });
  server.look?.();
}

function watchServer() {
  const server = {};
  const app = document.querySelector(APP);
  let [away, asking, met] = [false, false, null];
  const is = (part, state) => app.getAttribute(`data-test-${part}-state`) === state;
  const resting = () => is("connection", "CONNECTED") && is("script", "notRunning");
  const drag = keepDrag(() => away);
  const look = async () => {
    away ||= !is("connection", "CONNECTED");
    if (!away || asking || !resting()) return;
    asking = true;
    const boot = await fetch("/readyz").then((answer) => answer.json()).then((said) => said.boot, () => server.boot);
    asking = false;
    if (!resting()) return; // it looks again at the end of the run, or of the next connection
    // Until the run that it asks for has brought the new name: Streamlit may end one of its own before.
    if (boot !== server.boot) return boot === met || server.run(met = boot);
    away = false;
    drag.goOn();
  };
  if (app) {
    new MutationObserver(look).observe(app, { attributes: true });
    server.look = look;
  }
  knockOften();
  return server;
}

// Streamlit's widgets hear nothing while it has no connection: the last move and the end of a drag that had begun
// before wait until it is back.
const OF_A_DRAG = ["pointermove", "mousemove", "touchmove", "pointerup", "mouseup", "touchend", "pointercancel"];

function keepDrag(away) {
  const waiting = new Map();
  let begun = false;
  const hear = (event) => {
    if (!begun || !away() || !event.isTrusted) return;
    event.stopImmediatePropagation();
    waiting.set(event.type, event);
  };
  addEventListener("pointerdown", () => (begun = !away()), true);
  addEventListener("pointerup", () => (begun &&= away()), true);
  OF_A_DRAG.forEach((kind) => addEventListener(kind, hear, true));
  const goOn = () => {
    waiting.forEach((event) => event.target.dispatchEvent(new event.constructor(event.type, event)));
    waiting.clear();
  };
  return { goOn };
}

// Without a server Streamlit asks for it more and more seldom, at last every four seconds. Here it asks on until there
// is an answer. Where it asks at another address, it is as slow as it was.
const KNOCKED = ["/_stcore/health", "/_stcore/host-config"];
const BETWEEN = 400; // ms, on the average: a class does not come back in one instant

function knockOften() {
  const ask = globalThis.fetch;
  const pause = () => new Promise((done) => setTimeout(done, BETWEEN * (0.5 + Math.random())));
  globalThis.fetch = async (address, ...rest) => {
    const again = typeof address === "string" && KNOCKED.some((path) => address.endsWith(path));
    for (;;) {
      const answer = await ask(address, ...rest).catch((error) => error);
      const none = answer instanceof TypeError || answer.status >= 502; // nobody there, or nobody behind the proxy
      if (again && none) await pause();
      else if (answer instanceof Error) throw answer;
      else return answer;
    }
  };
}
