// A heatmap: a canvas of one pixel per cell, enlarged without smoothing, under an SVG of labels and marks.

import { tickText } from "./axes.js";
import { colourBar, rampOf, scaleColours } from "./colours.js";
import { box, digits, element, put, sizeOf, weightText, write } from "./format.js";
import { cellAt, maskedAt, mixed, noteAt, rangeOf, rootShare } from "./frames.js";

// strokes across a masked cell: from x, y, so far
const HATCHES = [[0, 1, 1, 1], [0, 0.5, 0.5, 0.5], [0.5, 1, 0.5, 0.5]];

// What every heatmap of the app has: cells that are painted, a row and a cell that are marked, a cell under the
// pointer.
export function heatmapCells(heatmap, colours, kind = "over") {
  const [rows, columns] = [heatmap.rows.length, heatmap.columns.length];
  const canvas = element("canvas", { width: columns, height: rows, "aria-hidden": "true" });
  const label = heatmap.title || null;
  const svg = element("svg", { class: kind, role: "img", tabindex: 0, "aria-label": label });
  const back = element("g");
  const hatch = element("path", { class: "hatch" });
  const row = element("rect", { class: "row", stroke: colours.query, visibility: "hidden" });
  const cell = element("rect", { class: "cell", visibility: "hidden" });
  svg.append(back, hatch, row, cell);
  const pixels = new ImageData(columns, rows);
  const shades = new Uint32Array(pixels.data.buffer);
  const ramp = rampOf(scaleColours(colours, heatmap.low));
  const panel = { heatmap, ramp, svg, canvas, back, area: null };
  panel.cells = element("div", { class: "cells" }, canvas, svg);

  // The first cell's corner and the size of a cell; what is around them is up to the panel.
  panel.put = ({ left, top, cellWidth, cellHeight }) => {
    const [right, bottom] = [left + columns * cellWidth, top + rows * cellHeight];
    panel.area = { left, top, right, bottom, cellWidth, cellHeight };
    const size = { width: `${columns * cellWidth}px`, height: `${rows * cellHeight}px` };
    Object.assign(canvas.style, { left: `${left}px`, top: `${top}px`, ...size });
    const frame = { x: left - 0.5, y: top - 0.5, width: right - left + 1, height: bottom - top + 1 };
    back.replaceChildren(element("rect", { class: "frame", ...frame }));
  };

  panel.paint = (mix, frames = heatmap) => {
    paintCells(frames, mix, ramp, shades);
    canvas.getContext("2d").putImageData(pixels, 0, 0);
    if (heatmap.masks) hatch.setAttribute("d", hatching(heatmap, panel.area, mix));
  };

  // A row, a cell, or neither: null stands for what is not marked.
  panel.mark = (markedRow, at) => {
    const { left, right, top, cellWidth, cellHeight } = panel.area;
    const y = (i) => top + i * cellHeight;
    const wide = { x: left - 1, width: right - left + 2, height: cellHeight + 1 };
    box(row, markedRow !== null && { ...wide, y: y(markedRow) - 0.5 });
    box(cell, at && { x: left + at.column * cellWidth, y: y(at.row), width: cellWidth, height: cellHeight });
  };

  panel.at = (x, y) => {
    const { left, right, top, bottom, cellWidth, cellHeight } = panel.area;
    if (x < left || x >= right || y < top || y >= bottom) return null;
    return { row: Math.floor((y - top) / cellHeight), column: Math.floor((x - left) / cellWidth) };
  };

  // The middle of a cell's upper edge, where a tooltip belongs.
  panel.over = ({ row: i, column }) => {
    const { left, top, cellWidth, cellHeight } = panel.area;
    return [left + (column + 0.5) * cellWidth, top + i * cellHeight];
  };
  return panel;
}

// One pixel for every cell, coloured by its place on the scale. A cell without a number stays empty.
export function paintCells(heatmap, mix, ramp, pixels) {
  const { cells, size, masks } = heatmap;
  const moving = cells.length > size;
  const [from, to, share] = moving ? [mix.before * size, mix.after * size, mix.share] : [0, 0, 0];
  const [start, slope] = shading(heatmap, mix);
  for (let i = 0; i < size; i++) {
    const value = share ? cells[from + i] * (1 - share) + cells[to + i] * share : cells[from + i];
    const blank = Number.isNaN(value) || (masks !== null && maskedAt(heatmap, mix, i));
    pixels[i] = blank ? 0 : ramp[Math.max(0, Math.min(255, Math.round(start + value * slope)))];
  }
}

// The shade of a cell that holds 0, and how much darker 1 is: of what was sent, be it a number or a level.
function shading(heatmap, mix) {
  const { levels, tops, zero } = heatmap;
  const [low, high] = rangeOf(heatmap, mix);
  if (tops) {
    const middle = low < 0 ? 127.5 : 0;
    const slope = ((255 - middle) / (levels - zero)) * Math.sqrt(mixed(tops, mix) / high);
    return [middle - zero * slope, slope];
  }
  const slope = 255 / (levels || high - low);
  return [levels ? 0 : -low * slope, slope];
}

// Strokes across every masked cell: told by more than its colour.
function hatching(heatmap, { left, top, cellWidth, cellHeight }, mix) {
  const across = heatmap.columns.length;
  let path = "";
  for (let i = 0; i < heatmap.size; i++) {
    if (!maskedAt(heatmap, mix, i)) continue;
    const [x, y] = [left + (i % across) * cellWidth, top + Math.floor(i / across) * cellHeight];
    for (const [right, down, wide, high] of HATCHES) {
      const start = `${(x + right * cellWidth).toFixed(1)},${(y + down * cellHeight).toFixed(1)}`;
      path += `M${start}l${(wide * cellWidth).toFixed(1)},${(-high * cellHeight).toFixed(1)}`;
    }
  }
  return path;
}

// A short stroke in every cell below 0, the strong or the pale ones: its sign is told by more than its colour.
function minusSigns(heatmap, { left, top, cellWidth, cellHeight }, mix, strong) {
  if (cellWidth < 6 || cellHeight < 6) return "";
  const across = heatmap.columns.length;
  const long = Math.min(8, cellWidth / 2);
  const half = rangeOf(heatmap, mix)[0] / 2;
  let path = "";
  for (let i = 0; i < heatmap.size; i++) {
    const value = cellAt(heatmap, mix, i);
    if (!(value < 0) || value < half !== strong || maskedAt(heatmap, mix, i)) continue;
    const x = left + ((i % across) + 0.5) * cellWidth - long / 2;
    path += `M${x.toFixed(1)},${(top + (Math.floor(i / across) + 0.5) * cellHeight).toFixed(1)}h${long.toFixed(1)}`;
  }
  return path;
}

// One of several heatmaps side by side: labels at its rows and columns, a title above and a note below.
export function labelledHeatmap(heatmap, colours) {
  const panel = heatmapCells(heatmap, colours);
  const note = element("div", { class: "note" });
  const title = element("div", { class: "title" }, heatmap.title);
  panel.box = element("div", { class: "panel" }, title, panel.cells, note);
  note.hidden = !heatmap.notes.length;

  panel.resize = ({ left, foot, upright, columnWidth, cellWidth, cellHeight }) => {
    panel.put({ left, top: 1, cellWidth, cellHeight });
    const { right, bottom } = panel.area;
    Object.assign(panel.svg.style, { width: `${right + 2}px`, height: `${bottom + foot}px` });
    panel.box.style.maxWidth = `${Math.max(right + 2, 170)}px`;
    panel.back.append(...rowLabels(panel), ...columnLabels(panel, upright, columnWidth));
  };
  const below = heatmap.low < 0
    ? [false, true].map((strong) => element("path", { class: `below${strong ? " strong" : ""}` }))
    : [];
  panel.svg.append(...below);
  panel.draw = (mix) => {
    panel.paint(mix);
    below.forEach((signs, i) => signs.setAttribute("d", minusSigns(heatmap, panel.area, mix, i === 1)));
    note.textContent = noteAt(heatmap, Math.round(mix.at));
  };
  return panel;
}

const shortened = (label) => (label.length > 13 ? `${label.slice(0, 12)}…` : label);

// Of labels that stand too close, some are left out.
const some = (labels, each, room) => {
  const every = Math.max(1, Math.ceil(room / each));
  return labels.map((label, i) => ({ label, i })).filter(({ i }) => i % every === 0);
};

function rowLabels({ heatmap, area: { left, top, cellHeight } }) {
  return some(heatmap.rows, cellHeight, 17).map(({ label, i }) => {
    const where = { x: left - 7, y: top + (i + 0.5) * cellHeight + 5, "text-anchor": "end" };
    return element("text", { class: "tick", "data-row": i, ...where }, shortened(label));
  });
}

// Whether all stand side by side, though one of them alone is long: 8 pixels a letter.
const areApart = (labels, each) =>
  labels.every((label, i) => !i || 4 * (label.length + labels[i - 1].length) + 4 <= each);

function columnLabels({ heatmap, area: { left, bottom, cellWidth } }, upright, columnWidth) {
  const room = upright ? 17 : areApart(heatmap.columns, cellWidth) ? 0 : columnWidth + 6;
  return some(heatmap.columns, cellWidth, room).map(({ label, i }) => {
    const x = left + (i + 0.5) * cellWidth;
    const turned = { x: x + 5, y: bottom + 7, "text-anchor": "end", transform: `rotate(-90 ${x + 5} ${bottom + 7})` };
    const level = { x, y: bottom + 18, "text-anchor": "middle" };
    return element("text", { class: "tick", ...(upright ? turned : level) }, shortened(label));
  });
}

// The weights beside a curve: as large as their half of the picture, numbers along the sides, and a colour bar, which
// stays as it is unless it is stretched to the largest weight of the frame.
export function weightsHeatmap(heatmap, span, colours) {
  const panel = heatmapCells(heatmap, colours, "plot over");
  const bar = element("g", { class: "bar" });
  const pin = element("path", { class: "pin", fill: colours.query, visibility: "hidden" });
  panel.svg.append(bar, pin);

  panel.resize = () => {
    const { width, height } = sizeOf(panel.svg);
    const [left, top] = [58, 8];
    const cellWidth = (width - 92 - left) / heatmap.columns.length;
    panel.put({ left, top, cellWidth, cellHeight: (height - 44 - top) / heatmap.rows.length });
    const { right, bottom } = panel.area;
    const strip = colourBar(panel.ramp, { x: right + 14, y: top, width: 12, height: bottom - top });
    panel.back.append(...numbersAlong(heatmap, span, panel.area), ...strip);
  };
  panel.draw = (mix, frames = heatmap) => {
    panel.paint(mix, frames);
    barTexts(bar, panel.area, rangeOf(frames, mix), !frames.stretched && mixed(frames.tops, mix) > 1);
  };
  panel.pin = (row) => {
    const { left, top, cellHeight } = panel.area;
    pin.setAttribute("visibility", row === null ? "hidden" : "visible");
    pin.setAttribute("d", `M${left - 3},${top + ((row ?? 0) + 0.5) * cellHeight}l-9,-6v12z`);
  };
  return panel;
}

function numbersAlong(heatmap, span, { left, right, top, bottom, cellWidth, cellHeight }) {
  const step = 10 ** Math.floor(Math.log10(span) - 1); // two digits of the range
  const number = (value, x, y, anchor) =>
    element("text", { class: "tick", x, y, "text-anchor": anchor }, tickText(value, step));
  const every = (count, room) => Math.max(1, Math.ceil(count / Math.max(2, room)));
  const [across, down] = [
    every(heatmap.columns.length, (right - left) / 60),
    every(heatmap.rows.length, (bottom - top) / 42),
  ];
  const middle = (top + bottom) / 2;
  const upright = (x) => ({ x, y: middle, transform: `rotate(-90 ${x} ${middle})` });
  const label = (where, text) => element("text", { class: "label", "text-anchor": "middle", ...where }, text);
  const shared = heatmap.columns.length < heatmap.keys;
  const keys = shared ? `${heatmap.keys} keys, neighbours share a column` : "keys: the samples, sorted";
  return [
    ...heatmap.columns.flatMap((
      value,
      i,
    ) => (i % across ? [] : [number(value, left + (i + 0.5) * cellWidth, bottom + 20, "middle")])),
    ...heatmap.rows.flatMap((
      value,
      i,
    ) => (i % down ? [] : [number(value, left - 14, top + (i + 0.5) * cellHeight + 5, "end")])),
    label({ x: (left + right) / 2, y: bottom + 39 }, keys),
    label(upright(12), "queries"),
    label(upright(right + 88), "weight"),
  ];
}

// Round numbers up one side of the scale, from its end down to 0, as many as find room.
function roundNumbers(top, length) {
  const kept = [top];
  for (let power = Math.ceil(Math.log10(top)); power > Math.log10(top) - 6; power--) {
    for (const digit of [5, 2, 1]) {
      const value = +`${digit}e${power - 1}`;
      const gap = (rootShare(kept.at(-1), top) - rootShare(value, top)) * length;
      if (value < top && gap >= 22 && rootShare(value, top) * length >= 18) kept.push(value);
    }
  }
  return kept;
}

// The end of each side is exact; where a frame goes beyond it, a sign says so.
function barTexts(bar, { right, top, bottom }, [low, high], beyond) {
  const middle = low < 0 ? (top + bottom) / 2 : bottom;
  const sides = low < 0 ? [1, -1] : [1];
  const marks = sides.flatMap((sign) =>
    roundNumbers(high, middle - top).map((value) => {
      const end = value === high ? (sign > 0 ? 11 : 0) : 5;
      const text = digits(sign * value, end === 5 ? 2 : 3);
      const y = middle - sign * rootShare(value, high) * (middle - top) + end;
      return [value === high && beyond ? `${sign > 0 ? "≥" : "≤"} ${text}` : text, y];
    })
  );
  marks.push(["0", middle + (low < 0 ? 5 : 0)]);
  while (bar.children.length < marks.length) bar.append(element("text", { class: "tick" }));
  [...bar.children].forEach((text, i) => {
    const [words, y] = marks[i] ?? ["", 0];
    write(text, words);
    put(text, "x", right + 31);
    put(text, "y", y.toFixed(1));
  });
}

// A label as it is told: words as they are, numbers shortly.
export const labelText = (label) => (typeof label === "number" ? digits(label) : label);

// A heatmap in words: where every row's largest cell is, as far as anyone would listen.
const MOST_ROWS = 12;

export function heatmapWords(heatmap, names, caption, frame) {
  const mix = { before: frame, after: frame, share: 0 };
  const across = heatmap.columns.length;
  const largest = (row) => {
    const value = (column) => cellAt(heatmap, mix, row * across + column);
    const open = heatmap.columns.map((_, column) => column).filter((i) => !maskedAt(heatmap, mix, row * across + i));
    const best = open.reduce((top, column) => (top === null || value(column) > value(top) ? column : top), null);
    const where = best === null ? "none" : `at ${labelText(heatmap.columns[best])} ${weightText(value(best))}`;
    return `${labelText(heatmap.rows[row])} ${where}`;
  };
  const told = heatmap.rows.slice(0, MOST_ROWS).map((_, row) => largest(row));
  const head = [heatmap.title, caption, noteAt(heatmap, frame)].filter(Boolean).join(", ");
  const more = heatmap.rows.length > MOST_ROWS ? "; and so on" : "";
  return `${head}. Largest ${names.cell} of every ${names.row}: ${told.join("; ")}${more}.`;
}
