// What a box of HTML looks like by itself: its ground, its edges, its shadow inside, and images.

import { colourFrom, moved, NONE, roundedPath } from "./paint.js";
import { fieldItems } from "./texts.js";

const SIDES = ["Top", "Right", "Bottom", "Left"];

// Its own items, and the clips of what is in it.
export function boxItems(node, context) {
  const { style, clips } = context;
  const box = boxOf(node, context);
  const own = [];
  if (box.width && box.height) {
    const shape = (d, fill, stroke = null) => own.push({ d, fill, stroke, matrix: box.matrix, clips });
    const whole = roundedPath(box.x, box.y, box.width, box.height, box.radius);
    const ground = colourFrom(style.backgroundColor, context.alpha);
    if (ground) shape(whole, ground);
    if (style.backgroundImage.startsWith("repeating-linear-gradient")) own.push(...stripes(whole, box, context));
    insetShadows(box, context, shape);
    edges(node, box, context, shape);
    outline(box, context, shape);
    if (node.localName === "canvas") own.push(imageItem(node, box, context));
    if (node.localName === "input") own.push(...fieldItems(node, context));
  }
  const cuts = ["hidden", "clip"].includes(style.overflowX);
  const cut = { d: roundedPath(box.x, box.y, box.width, box.height, box.radius), matrix: box.matrix };
  return { own, clips: cuts ? [...clips, cut] : clips };
}

// Where it is; one that is turned stands round its middle.
function boxOf(node, { style, left, top }) {
  const rect = node.getBoundingClientRect();
  const radiusOf = (width) => {
    const radius = parseFloat(style.borderTopLeftRadius);
    return style.borderTopLeftRadius.endsWith("%") ? (radius / 100) * width : radius;
  };
  if (style.rotate === "none") {
    const at = { x: rect.left - left, y: rect.top - top, width: rect.width, height: rect.height };
    return { ...at, radius: radiusOf(rect.width), matrix: moved(0, 0) };
  }
  const [angle, scale] = [(parseFloat(style.rotate) * Math.PI) / 180, parseFloat(style.scale) || 1];
  const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)];
  const [width, height] = [node.offsetWidth, node.offsetHeight];
  const matrix = [cos, sin, -sin, cos, (rect.left + rect.right) / 2 - left, (rect.top + rect.bottom) / 2 - top];
  return { x: -width / 2, y: -height / 2, width, height, radius: radiusOf(width), matrix };
}

const line = (width, paint, more = {}) => ({ ...paint, width, dash: NONE, cap: "butt", join: "miter", ...more });

function edges(node, { x, y, width, height, radius }, { style, alpha }, shape) {
  const of = SIDES.map((side) => ({
    wide: style[`border${side}Style`] === "none" ? 0 : parseFloat(style[`border${side}Width`]),
    paint: colourFrom(style[`border${side}Color`], alpha),
  }));
  const [above, right, below, left] = of.map(({ wide, paint }) => (paint ? wide : 0));
  const shared = style.borderCollapse === "collapse" && node.localName.match(/^t[dh]$/);
  if (!shared && above && [right, below, left].every((wide) => wide === above)) {
    const [inset, paint] = [above / 2, of[0].paint];
    const d = roundedPath(x + inset, y + inset, width - above, height - above, radius - inset);
    const dash = style.borderTopStyle === "dashed" ? [3 * above, 2 * above] : NONE;
    return shape(d, null, line(above, paint, { dash }));
  }
  // Cells of a table share their edges, so each draws those at its right and its foot, and the first ones all.
  const first = shared ? [!node.parentElement.previousElementSibling && isHead(node), !node.cellIndex] : [true, true];
  const by = shared ? 0 : 0.5;
  if (above && first[0]) shape(`M${x},${y + by * above}h${width}`, null, line(above, of[0].paint));
  if (right) shape(`M${x + width - by * right},${y}v${height}`, null, line(right, of[1].paint));
  if (below) shape(`M${x},${y + height - by * below}h${width}`, null, line(below, of[2].paint));
  if (left && first[1]) shape(`M${x + by * left},${y}v${height}`, null, line(left, of[3].paint));
  return undefined;
}

const isHead = (cell) => !cell.closest("tbody")?.previousElementSibling;

function outline({ x, y, width, height, radius }, { style, alpha }, shape) {
  const paint = style.outlineStyle === "solid" ? colourFrom(style.outlineColor, alpha) : null;
  const wide = parseFloat(style.outlineWidth);
  if (!paint || !wide) return;
  const out = parseFloat(style.outlineOffset) + wide / 2;
  shape(roundedPath(x - out, y - out, width + 2 * out, height + 2 * out, radius + out), null, line(wide, paint));
}

const SHADOW = /^(.*?) (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px( inset)?$/;

// Shadows without a blur are edges: a bar at one side, or a frame.
function insetShadows({ x, y, width, height, radius }, { style, alpha }, shape) {
  if (style.boxShadow === "none") return;
  for (const text of style.boxShadow.split(/,(?![^(]*\))/)) {
    const [, colour, right, down, blur, spread, inset] = text.trim().match(SHADOW) ?? [];
    const paint = colourFrom(colour, alpha);
    if (!paint || +blur) continue;
    const [dx, dy, wide] = [+right, +down, +spread];
    if (!inset) {
      const d = roundedPath(x - wide / 2, y - wide / 2, width + wide, height + wide, radius + wide / 2);
      if (wide) shape(d, null, line(wide, paint));
    } else if (wide) {
      shape(
        roundedPath(x + wide / 2, y + wide / 2, width - wide, height - wide, radius - wide / 2),
        null,
        line(wide, paint),
      );
    } else if (dx) shape(roundedPath(dx > 0 ? x : x + width + dx, y, Math.abs(dx), height), paint);
    else if (dy) shape(roundedPath(x, dy > 0 ? y : y + height + dy, width, Math.abs(dy)), paint);
  }
}

// Strokes at 45 degrees, from the lower left corner on, as a repeating gradient of two colours draws them.
function stripes(whole, { x, y, width, height, matrix }, { style, alpha, clips }) {
  const [colours, lengths] = [
    style.backgroundImage.match(/(?:rgba?|color)\([^)]*\)/g),
    style.backgroundImage.match(/[\d.]+px/g),
  ];
  const [strokes, ground] = [colours[0], colours.at(-1)].map((colour) => colourFrom(colour, alpha));
  const [wide, period] = [parseFloat(lengths.find((length) => parseFloat(length))), parseFloat(lengths.at(-1))];
  const slant = Math.SQRT2; // from one stroke to the next, along an edge
  let d = "";
  for (let at = wide / 2; at < (width + height) / slant; at += period) {
    d += `M${x + at * slant - height},${y}l${height},${height}`;
  }
  const inside = [...clips, { d: whole, matrix }];
  return [
    { d: whole, fill: ground, stroke: null, matrix, clips },
    { d, fill: null, stroke: line(wide, strokes), matrix, clips: inside },
  ];
}

// The pixels of this moment: the next frame has others.
function imageItem(canvas, { x, y, width, height, matrix }, { alpha, clips }) {
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  copy.getContext("2d").drawImage(canvas, 0, 0);
  return { image: copy, x, y, width, height, alpha, matrix, clips };
}
