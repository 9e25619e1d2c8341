// Numbers and formulas as people read them, and a few words for making and changing elements.

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "g", "path", "circle", "line", "text", "tspan", "rect", "clipPath", "defs", "pattern"]);

export function element(name, attributes = {}, ...children) {
  const made = DRAWN.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

// A rectangle where there is one to show, else none.
export function box(rect, where) {
  rect.setAttribute("visibility", where ? "visible" : "hidden");
  if (where) set(rect, Object.fromEntries(Object.entries(where).map(([name, value]) => [name, value.toFixed(2)])));
}

export function digits(value, count = 3) {
  if (value === null || Number.isNaN(value)) return "none";
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-4 || size >= 1e6)
    ? value.toExponential(count - 1)
    : String(+value.toPrecision(count));
}

// A weight with four decimals, or as a power of ten where these would all be 0.
export function weightText(value) {
  return value !== 0 && Math.abs(value) < 5e-5 ? value.toExponential(1) : value.toFixed(4);
}

// New words into the text that is there: cheaper than a new node, and nothing where they are the same.
export function write(place, text) {
  if (!place.firstChild) place.textContent = text;
  else if (place.firstChild.data !== text) place.firstChild.data = text;
}

// The same for an attribute: one that is set again, even to what it was, is laid out again.
export function put(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

// "W_{1}" with its 1 low, "10000^{2j}" with its 2j high: the parts of a text of a page.
export function formulaRuns(text) {
  return text.split(/([_^]\{[^}]*\})/).map((run) => {
    if (run.startsWith("_{")) return element("sub", {}, run.slice(2, -1));
    return run.startsWith("^{") ? element("sup", {}, run.slice(2, -1)) : run;
  });
}

// The same, with what stands low, for a text of a drawing.
export function drawnFormula(text) {
  const [first, ...low] = text.split("_{");
  const runs = low.map((run) => run.split("}"));
  return [
    first,
    ...runs.flatMap(([below, after]) => [
      element("tspan", { dy: 4, "font-size": "0.78em" }, below),
      element("tspan", { dy: -4 }, after || "\u200b"), // a run without a sign would leave the rest low
    ]),
  ];
}

// How much larger a part of the page is shown than it is laid out: by the presenter (frame/presenter).
export function enlarged(part) {
  const scale = part.offsetWidth ? part.getBoundingClientRect().width / part.offsetWidth : 1;
  return Math.abs(scale - 1) < 0.01 ? 1 : scale;
}

// The height that pictures fit into (frame/frame.css says how much); a page that was taken home has the whole window.
// What is drawn on a sheet (export/js/sheet.js) has the window of the sheet.
export const windowHeight = () =>
  globalThis.attentionLabSheet?.height ??
    (parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--window")) || globalThis.innerHeight);

export const windowWidth = () => globalThis.attentionLabSheet?.width ?? globalThis.innerWidth;

// Width and height of a drawing as it is laid out, which is what its parts are placed by.
export function sizeOf(drawing) {
  const { width, height } = drawing.getBoundingClientRect();
  const scale = drawing.parentElement ? enlarged(drawing.parentElement) : 1;
  return { width: width / scale, height: height / scale };
}

export const between = (low, value, high) => Math.max(low, Math.min(high, value));

const ARROW_STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// How far an arrow key leads, down and to the right; null for any other key.
export const arrowOf = (event) => ARROW_STEPS[event.key] ?? null;
