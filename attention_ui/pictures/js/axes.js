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

// Round numbers on a log axis, three at least: 1-2-5 where there is room, else 1-3, else powers of ten or every other
// one.
function logTicks(low, high, room) {
  const count = Math.max(3, room);
  const decades = Math.log10(high / low);
  const powers = Array.from({ length: Math.ceil(decades) + 2 }, (_, i) => Math.floor(Math.log10(low)) + i);
  const within = (counted, stride = 1) =>
    powers.filter((power) => power % stride === 0).flatMap((power) => counted.map((digit) => digit * 10 ** power))
      .filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
  const enough = (found) => found.length >= 3;
  const few = within([1], Math.max(1, Math.ceil(decades / (count + 1))));
  if (decades > count && enough(few)) return few;
  const first = 3 * decades <= 2 * count ? 2 : decades <= count ? 1 : 0;
  return DIGITS.slice(first).map((counted) => within(counted)).find(enough) ?? ticks(low, high, count);
}

// A round number that is very large or very small, as people write it: 10⁶, 3·10⁻⁹.
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function powerText(value) {
  const [digit, power] = value.toExponential(1).split("e");
  const raised = String(+power).replace(/[-\d]/g, (sign) => RAISED[sign] ?? "⁻");
  return +digit === 1 ? `10${raised}` : `${+digit}·10${raised}`;
}

const isFar = (value) => Math.abs(value) >= 1e6 || Math.abs(value) < 1e-4;

export function tickText(value, step) {
  if (value === 0) return "0";
  if (isFar(value)) return powerText(value);
  return value.toFixed(Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9))));
}

function ticksOf(axis, count) {
  if (axis.ticks?.length) return axis.ticks;
  const [low, high] = [axis.low, axis.high].sort((one, other) => one - other); // an axis may run either way
  if (axis.log) {
    return logTicks(low, high, count).map((value) => [value, isFar(value) ? powerText(value) : digits(value, 2)]);
  }
  const values = ticks(low, high, Math.max(2, count));
  const step = values.length > 1 ? values[1] - values[0] : (high - low) / 10;
  return values.map((value) => [value, tickText(value, step)]);
}

const [LETTER, LINE_OF_TICKS] = [7.4, 17]; // pixels of a letter of a tick, about, and of a line of them
const [TICKS, NAME] = [20, 24]; // from the axis to the first line of ticks; the room of the label below them

// How the ticks at the bottom are written. Names are broken into lines, or slanted where a word is wider than its room;
// `high` is what they need below the axis, with the label.
export function xTicks(axis, width) {
  const found = ticksOf(axis, width / 80);
  const label = axis.label ? NAME : 8;
  if (axis.label || !axis.ticks?.length) return { found, lines: ([, text]) => [text], high: TICKS + label };
  const room = width / found.length / LETTER; // in letters
  const broken = found.map(([, text]) => linesOf(text, room));
  if (Math.max(...broken.flat().map((line) => line.length)) <= room) {
    const most = Math.max(...broken.map((lines) => lines.length));
    return { found, lines: ([, text]) => linesOf(text, room), high: TICKS + LINE_OF_TICKS * (most - 1) + label };
  }
  const longest = Math.max(...found.map(([, text]) => text.length));
  return { found, slanted: true, lines: ([, text]) => [text.replace("\n", ": ")], high: 0.72 * LETTER * longest + 24 };
}

// A text in lines of about so many letters, never within a word.
function linesOf(text, room) {
  return text.split("\n").flatMap((part) =>
    part.split(" ").reduce((lines, word) => {
      const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
      return lines.length && longer.length <= room ? [...lines.slice(0, -1), longer] : [...lines, word];
    }, [])
  );
}

// Ticks that leave each other room: of those with a label not all need to be there.
function thinned(found, toX, label) {
  if (!label) return found;
  let end = -Infinity;
  return found.toSorted(([one], [other]) => toX(one) - toX(other)).filter(([value, text]) => {
    const half = (LETTER * text.length) / 2;
    const fits = toX(value) - half > end;
    if (fits) end = toX(value) + half + 8;
    return fits;
  });
}

// Grid, ticks and labels around an area, for axes x and y with their scales.
export function axisMarks({ x, y }, { toX, toY }, { left, right, top, bottom }) {
  const marks = [];
  for (const [value, text] of ticksOf(y, (bottom - top) / 60)) {
    const at = toY(value);
    marks.push(element("line", { class: "grid", x1: left, x2: right, y1: at, y2: at }));
    marks.push(element("text", { class: "tick", x: left - 8, y: at + 5, "text-anchor": "end" }, text));
  }
  const { found, lines, slanted, high } = xTicks(x, right - left);
  for (const tick of thinned(found, toX, x.label)) {
    const at = toX(tick[0]);
    lines(tick).forEach((line, i) => {
      const where = { class: "tick", x: at, y: bottom + TICKS + i * LINE_OF_TICKS, "text-anchor": "middle" };
      const turned = slanted
        ? { x: at + 6, y: bottom + 14, "text-anchor": "end", transform: `rotate(-45 ${at + 6} ${bottom + 14})` }
        : {};
      marks.push(element("text", { ...where, ...turned }, line));
    });
  }
  marks.push(
    element("text", {
      class: "label",
      x: (left + right) / 2,
      y: bottom + high - 5,
      "text-anchor": "middle",
    }, x.label),
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
