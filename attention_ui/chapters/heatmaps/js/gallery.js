// Heatmaps side by side, one row of each as bars. Torch made every weight; here they are only coloured and measured
// off.

import { opened } from "../../../pictures/js/packing.js";
import { between, element, weightText, windowHeight, write } from "../../../pictures/js/format.js";
import { mixing, rangeOf } from "../../../pictures/js/frames.js";
import { heatmapGrid, stillHeatmap } from "../../../pictures/js/heatmap_grid.js";
import { mount } from "../../../pictures/js/mount.js";
import { tooltipOver } from "../../../pictures/js/tooltip.js";

const BARS = 24; // pixels of the bars
const UNDER = 78; // and what a panel has beside its title, its cells and its labels
const AROUND = 270; // pixels of a window that other things need
const ACROSS = [1, 2, 3, 4, 5, 3, 4, 4, 5, 5]; // for so many heatmaps: how many in a row, where there is room
const [SIDE, WIDE] = [84, 138]; // pixels: how high a heatmap is at least, and how wide with what is around it

export default mount((page) => {
  const { place, colours } = page;
  const data = unpacked(page.data);
  const tooltip = tooltipOver(place);
  let [pointed, drawn] = [null, null]; // the cell under the pointer; the frame on the screen

  const frame = () => between(0, sliders[0]?.position() ?? data.start, data.frames - 1);
  const mix = () => mixing(data.frames, frame());
  const { soon } = page.drawing(() => {
    if (!place.clientWidth || !grid.ready()) return false;
    const chosen = Math.floor((sliders[1]?.position() ?? 0) / data.blocks[0]);
    const row = between(0, pointed?.row ?? chosen, data.rows.length - 1);
    if (drawn !== frame()) {
      grid.draw(mix(), drawn === null);
      rest();
    }
    drawn = frame();
    grid.light();
    readings.forEach((reading) => reading.draw(mix(), row, pointed));
    Object.assign(place.dataset, { frame: drawn, row });
    waitFor(sliders, page.latest(page.key));
  });
  const acts = { mix, changed: soon, pointedAt: (next) => (pointed = next) };
  const grid = heatmapGrid(data, place, colours, tooltip, acts);
  const readings = grid.panels.map((panel, i) => readingOf(panel, data, data.says[i], colours));
  const rest = page.rested(() => grid.tell(frame()));
  const sliders = [data.sharpness, data.row].map((key) => key && page.follow(key, soon));

  place.replaceChildren(
    element("div", { class: "head" }, element("span", {}, data.lead), grid.foot),
    grid.box,
    tooltip.box,
  );
  page.resized(() => {
    data.height = windowHeight() - AROUND;
    data.across = Math.min(
      ACROSS[data.heatmaps.length - 1] ?? Infinity,
      Math.max(1, Math.floor(place.clientWidth / WIDE)),
    );
    grid.resize();
    readings.forEach((reading) => reading.resize());
    drawn = null;
    soon();
  });
  page.updated(page.key, soon);
  page.listen(globalThis, "pointerdown", soon, true); // a slider of another length is a new one: find it in time
});

// What follows a slider only once it is released waits while it stands elsewhere than the server knows.
function waitFor([sharpness, row], told) {
  sharpness?.waits(Boolean(told) && (sharpness.position() ?? told.frame) !== told.frame);
  row?.waits(Boolean(told) && (row.position() ?? told.row) !== told.row);
}

function unpacked(bytes) {
  const { tensors, ...header } = opened(bytes);
  const { shared, low, high, tops, blocks, titles } = header;
  const [rows, columns] = [numbered(header.queries, blocks[0]), numbered(header.keys, blocks[1])];
  const several = blocks[0] * blocks[1] > 1;
  const names = {
    row: "query",
    column: "key",
    cell: several ? "mean weight" : "weight",
    rows: "queries",
    columns: "keys",
  };
  const ends = (i) => ({ low, high: shared ? high : tops[i] });
  const heatmaps = tensors.map((cells, i) => stillHeatmap({ title: titles[i], cells, rows, columns, ...ends(i) }));
  const [frames] = tensors[0].shape;
  const captions = Array.from({ length: frames }, () => "");
  return {
    ...header,
    frames,
    captions,
    rows,
    columns,
    heatmaps,
    names,
    under: UNDER,
    least: SIDE / rows.length,
    apart: !shared,
  };
}

// "3", or "12–15" where these share a row.
const numbered = (total, block) =>
  Array.from({ length: Math.ceil(total / block) }, (_, i) => {
    const last = Math.min((i + 1) * block, total) - 1;
    return last > i * block ? `${i * block}–${last}` : `${last}`;
  });

// One row of a heatmap, in bars under its columns and in words.
function readingOf(panel, data, says, colours) {
  const { heatmap } = panel;
  const bars = element("path", { fill: colours.query });
  const zero = element("path", { class: "zero" });
  const axis = element("svg", { class: "bars", height: BARS, "aria-hidden": "true" }, bars, zero);
  const words = element("div", { class: "reading" });
  const across = heatmap.columns.length;
  panel.box.querySelector(".title").after(element("div", { class: "says" }, says));
  panel.cells.after(axis, words);

  const resize = () => {
    axis.style.width = `${panel.area.right + 2}px`;
    words.style.paddingLeft = `${panel.area.left}px`;
  };
  const draw = (mix, row, pointed) => {
    const { left, right, cellWidth } = panel.area;
    const begin = (mix.before * data.rows.length + row) * across;
    const weights = heatmap.cells.subarray(begin, begin + across);
    const [low, high] = rangeOf(heatmap, mix);
    const y = (weight) => BARS * (high - weight) / (high - low);
    let path = "";
    weights.forEach((weight, i) => {
      const [from, to] = [left + (i + 0.1) * cellWidth, left + (i + 0.9) * cellWidth];
      if (weight) path += `M${from.toFixed(1)},${y(0)}V${y(weight).toFixed(2)}H${to.toFixed(1)}V${y(0)}Z`;
    });
    bars.setAttribute("d", path);
    zero.setAttribute("d", `M${left},${y(0)}H${right}`);
    write(words, inWords(weights, data));
    panel.mark(row, pointed && data.heatmaps[pointed.head] === heatmap ? pointed : null);
  };
  return { resize, draw };
}

function inWords(weights, { columns, blocks }) {
  const most = weights.reduce((best, weight, i) => (weight > weights[best] ? i : best), 0);
  const tied = weights.filter((weight) => weights[most] - weight < 1e-6).length;
  const [one, many] = blocks[1] > 1 ? ["keys", "groups of keys"] : ["key", "keys"];
  const whom = tied > 1 ? `${tied} ${many}, each` : `most to ${one} ${columns[most]}:`;
  return `${whom} ${weightText(weights[most])}`;
}
