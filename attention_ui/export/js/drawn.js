// What is drawn in SVG: shapes and texts, with what their style makes of them.

import { colourFrom, ellipsePath, NONE, roundedPath } from "./paint.js";
import { drawnTextItems } from "./texts.js";

const number = (length) => length.baseVal.value;
const points = (node) => [...node.points].map(({ x, y }) => `${x},${y}`).join("L");

const SHAPES = {
  path: (node) => node.getAttribute("d"),
  line: (node) => `M${number(node.x1)},${number(node.y1)}L${number(node.x2)},${number(node.y2)}`,
  rect: (node) => {
    const [x, y, width, height] = [node.x, node.y, node.width, node.height].map(number);
    return width && height ? roundedPath(x, y, width, height, number(node.rx)) : "";
  },
  circle: (
    node,
  ) => (number(node.r) ? ellipsePath(number(node.cx), number(node.cy), number(node.r), number(node.r)) : ""),
  ellipse: (node) => ellipsePath(number(node.cx), number(node.cy), number(node.rx), number(node.ry)),
  polyline: (node) => `M${points(node)}`,
  polygon: (node) => `M${points(node)}Z`,
};

// From the numbers of a shape to the pixels of the sheet.
function matrixOf(node, { left, top }) {
  const { a, b, c, d, e, f } = node.getScreenCTM();
  return [a, b, c, d, e - left, f - top];
}

function strokeOf(style, alpha) {
  const paint = colourFrom(style.stroke, alpha * style.strokeOpacity);
  const width = parseFloat(style.strokeWidth);
  if (!paint || !width) return null;
  const dash = style.strokeDasharray === "none" ? NONE : style.strokeDasharray.split(",").map(parseFloat);
  return { ...paint, width, dash, cap: style.strokeLinecap, join: style.strokeLinejoin };
}

const named = (text, root) => {
  const id = text.match(/url\("?#([^")]+)"?\)/)?.[1];
  return id ? root.querySelector(`#${CSS.escape(id)}`) : null;
};

// Its own items, and the clips of what is in it.
export function drawnItems(node, context) {
  const { style, alpha, root } = context;
  const clip = style.clipPath === "none" ? null : named(style.clipPath, root);
  const clips = clip ? [...context.clips, clipOf(clip, node, context)] : context.clips;
  if (node.localName === "text") return { own: runs(node, { ...context, clips }), clips };
  const d = SHAPES[node.localName]?.(node);
  if (!d) return { own: [], clips };
  const matrix = matrixOf(node, context);
  const pattern = named(style.fill, root);
  const rule = style.fillRule === "evenodd" ? "evenodd" : "nonzero";
  const fill = node.localName === "line" ? null : colourFrom(style.fill, alpha * style.fillOpacity);
  const own = [{ d, matrix, clips, rule, fill, stroke: strokeOf(style, alpha) }];
  if (pattern) own.unshift(...tiles(pattern, node, { d, matrix, clips, alpha }));
  return { own: own.filter((item) => item.fill || item.stroke), clips };
}

// A clip stands in the numbers of what it cuts.
function clipOf(clip, node, context) {
  const d = [...clip.children].map((child) => SHAPES[child.localName](child)).join("");
  return { d: d || "M0,0Z", matrix: matrixOf(node, context) };
}

// A pattern, laid out over a shape as often as it finds room.
function tiles(pattern, node, { d, matrix, clips, alpha }) {
  const [wide, high] = [number(pattern.width), number(pattern.height)];
  const { x, y, width, height } = node.getBBox();
  const [firstX, firstY] = [Math.floor(x / wide) * wide, Math.floor(y / high) * high];
  const cut = [...clips, { d, matrix }];
  return [...pattern.children].flatMap((child) => {
    const style = getComputedStyle(child);
    const stroke = strokeOf(style, alpha * style.opacity);
    const inside = SHAPES[child.localName](child);
    const [a, b, c, e, dx, dy] = matrix;
    if (!stroke || !inside) return [];
    const made = [];
    for (let row = firstY; row < y + height; row += high) {
      for (let column = firstX; column < x + width; column += wide) {
        const shifted = [a, b, c, e, dx + a * column + c * row, dy + b * column + e * row];
        made.push({ d: inside, matrix: shifted, clips: cut, fill: null, stroke });
      }
    }
    return made;
  });
}

function runs(node, context) {
  const alphaOf = (part) => {
    let alpha = context.alpha;
    for (let at = part; at !== node; at = at.parentElement) alpha *= getComputedStyle(at).opacity;
    return alpha;
  };
  const haloOf = (style) => (style.paintOrder.startsWith("stroke") ? strokeOf(style, context.alpha) : null);
  return drawnTextItems(node, { matrix: matrixOf(node, context), alphaOf, haloOf, clips: context.clips });
}

// A drawing with light and shade that lists of shapes do not have: it stays whole.
export const isMasked = (svg) => svg.querySelector("mask, radialGradient, linearGradient") !== null;

const KEPT = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "filter",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "visibility",
];

export function maskedItem(svg, { left, top, alpha, clips }) {
  const copy = svg.cloneNode(true);
  const [all, copies] = [svg, copy].map((each) => [...each.querySelectorAll("*")]);
  all.forEach((node, i) => {
    const style = getComputedStyle(node);
    copies[i].removeAttribute("class");
    KEPT.forEach((name) => copies[i].style.setProperty(name, style.getPropertyValue(name)));
  });
  const { width, height, left: x, top: y } = svg.getBoundingClientRect();
  const set = { xmlns: "http://www.w3.org/2000/svg", width, height, x: x - left, y: y - top };
  copy.removeAttribute("class");
  Object.entries(set).forEach(([name, value]) => copy.setAttribute(name, value));
  const whole = new XMLSerializer().serializeToString(copy);
  return { whole, x: x - left, y: y - top, width, height, alpha, matrix: [1, 0, 0, 1, 0, 0], clips };
}
