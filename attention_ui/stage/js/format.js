// Numbers as people read them, ticks where they expect them, and a few words for making elements.

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, ...children) {
  const made = ["svg", "g", "path", "circle", "line", "text", "rect", "clipPath", "defs"].includes(name)
    ? document.createElementNS(SVG, name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// Steps of 1, 2 or 5 times a power of ten: about `count` of them between low and high.
function ticks(low, high, count) {
  const raw = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= 0.75 * raw) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

function tickText(value, step) {
  if (value === 0) return "0";
  if (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-4) return value.toExponential(1);
  return value.toFixed(Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9))));
}

function digits(value, count = 3) {
  if (value === null || Number.isNaN(value)) return "none";
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-4 || size >= 1e6) ? value.toExponential(count - 1) : String(+value.toPrecision(count));
}

// A weight with four decimals, or as a power of ten where these would all be 0.
function weightText(value) {
  return value !== 0 && Math.abs(value) < 5e-5 ? value.toExponential(1) : value.toFixed(4);
}

const between = (low, value, high) => Math.max(low, Math.min(high, value));
