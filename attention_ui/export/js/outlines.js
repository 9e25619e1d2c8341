// The outlines of letters as the browser draws them, since it does not give away the fonts of a page: each letter is
// painted large, and the edge of the paint is followed. So a PDF has the letters of the screen, as curves that print at
// any size.

import { fontText } from "./texts.js";

const EM = 256; // pixels of the size at which a letter is painted
export const UNITS = 2048; // of a font, for the same size
const BESIDE = 64; // pixels that letters may reach beyond their place
const TOLERANCE = 0.12; // pixels that an outline may be off
const INSIDE = 128; // the least paint of a pixel that is inside

// From which edge of a square of four pixels to which the outline goes, by the corners that are inside (upper left 8,
// upper right 4, lower right 2, lower left 1): what is inside lies to its right.
const WAYS = [
  "",
  "LB",
  "BR",
  "LR",
  "RT",
  "RTLB",
  "BT",
  "LT",
  "TL",
  "TB",
  "TLBR",
  "TR",
  "RL",
  "RB",
  "BL",
  "",
];

// The outlines of a letter in units of a font, upwards from the line of letters, and how far the next letter stands.
export function outlinesOf(letter, font) {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  const face = fontText({ ...font, size: EM });
  context.font = face;
  const advance = context.measureText(letter).width;
  const { canvas } = context;
  [canvas.width, canvas.height] = [Math.ceil(advance) + 2 * BESIDE, 2 * EM];
  context.font = face;
  const ground = 1.4 * EM;
  context.fillText(letter, BESIDE, ground);
  const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
  const unit = UNITS / EM;
  const contours = edgesOf((x, y) => data[4 * (y * width + x) + 3], width, height).map(simplified).filter((
    { length },
  ) => length > 2);
  const put = ([x, y]) => [Math.round((x - BESIDE) * unit), Math.round((ground - y) * unit)];
  return { contours: contours.map((contour) => contour.map(put)), advance: Math.round(advance * unit) };
}

// The closed lines between what is painted and what is not.
function edgesOf(paint, width, height) {
  const next = new Map(); // from the edge of a square: the edge to which the line goes on, and where it crosses
  const cross = (x, y, toX, toY) => {
    const [from, to] = [paint(x, y), paint(toX, toY)];
    const share = (INSIDE - from) / (to - from);
    return [x + 0.5 + share * (toX - x), y + 0.5 + share * (toY - y)];
  };
  const edges = {
    T: (x, y) => [2 * (y * width + x), () => cross(x, y, x + 1, y)],
    B: (x, y) => [2 * ((y + 1) * width + x), () => cross(x, y + 1, x + 1, y + 1)],
    L: (x, y) => [2 * (y * width + x) + 1, () => cross(x, y, x, y + 1)],
    R: (x, y) => [2 * (y * width + x + 1) + 1, () => cross(x + 1, y, x + 1, y + 1)],
  };
  for (let y = 0; y < height - 1; y++) {
    for (let x = 0; x < width - 1; x++) {
      const inside = (dx, dy) => +(paint(x + dx, y + dy) >= INSIDE);
      const ways = WAYS[8 * inside(0, 0) + 4 * inside(1, 0) + 2 * inside(1, 1) + inside(0, 1)];
      for (let i = 0; i < ways.length; i += 2) {
        const [from, point] = edges[ways[i]](x, y);
        next.set(from, { to: edges[ways[i + 1]](x, y)[0], point: point() });
      }
    }
  }
  const lines = [];
  while (next.size) {
    const line = [];
    let [at] = next.keys();
    while (next.has(at)) {
      const { to, point } = next.get(at);
      next.delete(at);
      line.push(point);
      at = to;
    }
    lines.push(line);
  }
  return lines;
}

// A closed line with as few of its points as its shape needs (Douglas and Peucker).
function simplified(line) {
  const far = line.reduce((best, [x, y], i) => {
    const away = Math.hypot(x - line[0][0], y - line[0][1]);
    return away > best.away ? { away, i } : best;
  }, { away: 0, i: 0 }).i;
  return [...thinnedOutline(line.slice(0, far + 1)), ...thinnedOutline([...line.slice(far), line[0]])];
}

// Of an open line, all points that are needed but the last.
function thinnedOutline(points) {
  const [[x1, y1], [x2, y2]] = [points[0], points.at(-1)];
  const long = Math.hypot(x2 - x1, y2 - y1) || 1;
  let [most, at] = [TOLERANCE, 0];
  for (let i = 1; i < points.length - 1; i++) {
    const [x, y] = points[i];
    const off = Math.abs((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) / long;
    if (off > most) [most, at] = [off, i];
  }
  return at ? [...thinnedOutline(points.slice(0, at + 1)), ...thinnedOutline(points.slice(at))] : [points[0]];
}
