// Axes: from numbers to pixels and back, evenly or by powers of ten, with ticks where people expect them.

import { digits, element } from "./format.js";

export function scaleOf({ low, high, log }, first, last) {
  const put = log ? Math.log10 : (value) => value;
  const start = put(low);
  const span = put(high) - start;
  return {
    to: (value) => first + ((put(value) - start) / span) * (last - first),
    from: (pixel) => {
      const value = start + ((pixel - first) / (last - first)) * span;
      return log ? 10 ** value : value;
    },
  };
}

// Steps of 1, 2 or 5 times a power of ten: about `count` of them between low and high.
export function ticks(low, high, count) {
  const raw = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= 0.75 * raw) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

const DIGITS = [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7]]; // of every power of ten, from few to many

// Round numbers on a log axis, three at least: 1-2-5 where there is room, else 1-3, powers of ten, or some of these.
function logTicks(low, high, room) {
  const count = Math.max(3, room);
  const decades = Math.log10(high / low);
  const stride = Math.max(1, Math.ceil(decades / count));
  const powers = Array.from({ length: Math.ceil(decades) + 2 }, (_, i) => Math.floor(Math.log10(low)) + i);
  const within = (counted) =>
    powers.filter((power) => power % stride === 0).flatMap((power) => counted.map((digit) => digit * 10 ** power))
      .filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
  const first = 3 * decades <= 2 * count ? 2 : decades <= count ? 1 : 0;
  return DIGITS.slice(first).map(within).find((found) => found.length >= 3) ?? ticks(low, high, count);
}

export function tickText(value, step) {
  if (value === 0) return "0";
  if (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-4) return value.toExponential(1);
  return value.toFixed(Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9))));
}

function ticksOf(axis, count) {
  const [low, high] = [axis.low, axis.high].sort((one, other) => one - other); // an axis may run either way
  if (axis.log) return logTicks(low, high, count).map((value) => [value, digits(value, 2)]);
  const values = ticks(low, high, Math.max(2, count));
  const step = values.length > 1 ? values[1] - values[0] : (high - low) / 10;
  return values.map((value) => [value, tickText(value, step)]);
}

// Grid, ticks and labels around an area, for axes x and y with their scales.
export function axisMarks({ x, y }, { toX, toY }, { left, right, top, bottom }) {
  const marks = [];
  for (const [value, text] of ticksOf(y, (bottom - top) / 60)) {
    const at = toY(value);
    marks.push(element("line", { class: "grid", x1: left, x2: right, y1: at, y2: at }));
    marks.push(element("text", { class: "tick", x: left - 8, y: at + 5, "text-anchor": "end" }, text));
  }
  for (const [value, text] of ticksOf(x, (right - left) / 80)) {
    marks.push(element("text", { class: "tick", x: toX(value), y: bottom + 20, "text-anchor": "middle" }, text));
  }
  marks.push(
    element("text", { class: "label", x: (left + right) / 2, y: bottom + 39, "text-anchor": "middle" }, x.label),
  );
  const middle = (top + bottom) / 2;
  marks.push(
    element("text", {
      class: "label",
      x: 14,
      y: middle,
      "text-anchor": "middle",
      transform: `rotate(-90 14 ${middle})`,
    }, y.label),
  );
  return marks;
}
