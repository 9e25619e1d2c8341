// A picture of the page, drawn once more where nobody sees it: at a width of its own, in either theme, at any frame.

import { element } from "../../pictures/js/format.js";
import { classOf, followSlider, keyOf } from "../../pictures/js/streamlit.js";
import { onPage } from "../../pictures/js/mount.js";

export const MARGIN = 10; // pixels around the picture
const FONTS = ["--st-font", "--st-code-font"];
// A sheet is only looked at; and it is shown at any size, so letters keep the places that they have at a large one. The
// strip stands above a film, with the slider that is moved.
const SHEET = `[data-control] { display: none !important; }
* { text-rendering: geometricPrecision; transition: none !important; animation: none !important; }
.strip { display: grid; grid-template-columns: 1fr auto; gap: 0.3rem 1rem; padding: 0 0.5rem 0.9rem; }
.strip b { font-variant-numeric: tabular-nums; }
.strip .track { grid-column: 1 / -1; position: relative; height: 6px; border-radius: 3px; background: var(--st-secondary-background-color); }
.strip .gone { position: absolute; height: 100%; border-radius: 3px; background: var(--st-primary-color); }
.strip .knob { position: absolute; top: -5px; width: 16px; height: 16px; margin-left: -8px; border-radius: 50%; background: var(--st-primary-color); }`;
const WIDTHS = /\((min|max)-width: *([\d.]+)px\)/g;

// The pictures that are on the screen, in the order of the page.
export function picturesOnPage(kinds) {
  const kindOf = ({ html }) => html.match(/class="(\w+)"[^>]*data-place/)?.[1];
  const all = [...onPage().values()].filter(({ place, state }) =>
    kinds.includes(kindOf(state)) && place.isConnected && place.clientWidth && place.clientHeight
  );
  const home = ({ call }) => call.parentElement.host;
  const isBefore = (one, other) => home(one).compareDocumentPosition(home(other)) & Node.DOCUMENT_POSITION_FOLLOWING;
  return all.sort((one, other) => (isBefore(one, other) ? -1 : 1));
}

// Its style as if the window were so wide; what else a query may ask does not hold on a sheet.
function styleFor(root, width) {
  const css = [...root.querySelectorAll("style")].map((style) => style.textContent).join("\n");
  const holds = (query) => {
    const asked = [...query.matchAll(WIDTHS)];
    return asked.length > 0 && asked.every(([, end, pixels]) => (end === "min" ? width >= pixels : width <= pixels));
  };
  const told = css.replace(/@media ([^{]+)\{/g, (_, query) => `@media ${holds(query) ? "all" : "not all"} {`);
  return `${told}\n${SHEET}`;
}

function hostFor({ call, state, place }, { paper, width, height, theme }) {
  const host = element("div", { class: classOf(keyOf(place)), "aria-hidden": "true", inert: "" });
  host.style.cssText = `position:fixed;left:-20000px;top:0;box-sizing:border-box;width:${paper}px;padding:${MARGIN}px;
    background:var(--st-background-color);font:1rem/1.6 var(--st-font);color:var(--st-text-color)`;
  const fonts = FONTS.map((name) => [name, getComputedStyle(place).getPropertyValue(name)]);
  const look = [...fonts, ...Object.entries(theme), ["--window", `${height}px`]];
  look.forEach(([name, value]) => host.style.setProperty(name, value));
  const shadow = host.attachShadow({ mode: "open" });
  shadow.innerHTML = state.html; // ours, as mount.js found it
  shadow.querySelectorAll("style").forEach((style) => style.remove());
  shadow.append(element("style", {}, styleFor(call.parentElement, width)));
  document.body.append(host);
  return host;
}

// `paper` is how wide the sheet is; `width` and `height` are those of the window that the picture is laid out for;
// `theme` has the variables of its colours.
export function sheetOf(picture, look) {
  const { mounted, call, state, place } = picture;
  const { width, height } = look;
  const host = hostFor(picture, look);
  let strip = null;
  const [positions, real] = [new Map(), new Map()]; // by slider: where it stands here, and the one on the page
  const nobody = () => {};
  const at = (key) => positions.get(key) ?? real.get(key).position();
  const slider = (key) => {
    if (!real.has(key)) real.set(key, followSlider(key, nobody));
    return { attach: nobody, move: nobody, waits: nobody, position: () => at(key) };
  };
  const copied = { ...state, stop: undefined, playing: false };
  const sheet = { key: keyOf(place), state: copied, draws: [], fits: [], slider };
  // What is drawn asks how large the window is: the sheet's own answer holds meanwhile.
  const inside = (act) => {
    globalThis.attentionLabSheet = { width, height };
    try {
      return act();
    } finally {
      delete globalThis.attentionLabSheet;
    }
  };
  const told = { setTriggerValue: nobody, setStateValue: nobody };
  const end = inside(() => mounted({ ...call, ...told, parentElement: host.shadowRoot, sheet }));
  inside(() => [...sheet.fits, ...sheet.draws].forEach((act) => act()));
  return {
    host,
    sliders: [...real.keys()],
    ends: (key) => real.get(key).ends(), // the last position of a slider, and the step from one to the next
    played: () => copied.played ?? null, // the last frame of what is played, and how many of them a second has
    // Go to a position of a slider, or of what is played, and draw it at once.
    go: (to, key = null) => {
      if (key === null) copied.position = to;
      else positions.set(key, to);
      strip?.draw(to, copied.captions?.[to] ?? "");
      inside(() => sheet.draws.forEach((draw) => draw()));
    },
    // Show a slider above the picture.
    show: ({ words, last }) => {
      strip = stripOf(words, last);
      host.shadowRoot.prepend(strip.box);
    },
    close: () => {
      end();
      real.forEach(({ stop }) => stop());
      host.remove();
    },
  };
}

function stripOf(words, last) {
  const [gone, knob, caption] = ["i", "i", "b"].map((name) => element(name));
  [gone.className, knob.className] = ["gone", "knob"];
  const track = element("div", { class: "track" }, gone, knob);
  const draw = (at, text) => {
    gone.style.width = knob.style.left = `${(100 * at) / last}%`;
    caption.textContent = text;
  };
  return { box: element("div", { class: "strip" }, element("span", {}, words), caption, track), draw };
}
