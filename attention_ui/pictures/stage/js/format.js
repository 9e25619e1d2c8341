// Numbers as people read them, and a few words for making elements.

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

function digits(value, count = 3) {
  if (value === null || Number.isNaN(value)) return "none";
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-4 || size >= 1e6) ? value.toExponential(count - 1) : String(+value.toPrecision(count));
}

// A weight with four decimals, or as a power of ten where these would all be 0.
function weightText(value) {
  return value !== 0 && Math.abs(value) < 5e-5 ? value.toExponential(1) : value.toFixed(4);
}

// New words into the text that is there: cheaper than a new node, and nothing where they are the same.
function write(place, text) {
  if (!place.firstChild) place.textContent = text;
  else if (place.firstChild.data !== text) place.firstChild.data = text;
}

// The same for an attribute: one that is set again, even to what it was, is laid out again.
function put(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

const between = (low, value, high) => Math.max(low, Math.min(high, value));
