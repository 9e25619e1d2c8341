// The tensor of a block: one heatmap, or one for each head, on one scale; below 0 it is marked by a dash too.

import { element } from "../../../pictures/js/format.js";
import { FIRST } from "../../../pictures/js/frames.js";
import { heatmapGrid, stillHeatmap } from "../../../pictures/js/heatmap_grid.js";
import { tooltipOver } from "../../../pictures/js/tooltip.js";

const SINGLE = { queries: "query", keys: "key", positions: "position", symbols: "symbol" };
const CELLS = { weights: "weight", probabilities: "probability" };

// What a grid of heatmaps needs to know of a tensor.
function heatmapsOf(name, tensor, height) {
  const [down, across] = [tensor.rows.length, tensor.columns.length];
  const later = (i) => +(i % across > Math.floor(i / across));
  const masks = tensor.causal ? Uint8Array.from({ length: down * across }, (_, i) => later(i)) : null;
  const { low, high, rows, columns } = tensor;
  const heatmaps = Array.from({ length: tensor.panels }, (_, head) => {
    const cells = tensor.cells.subarray(head * down * across, (head + 1) * down * across);
    return stillHeatmap({ title: tensor.panels > 1 ? `Head ${head + 1}` : "", rows, columns, cells, masks, low, high });
  });
  const [rowName, columnName] = tensor.axes.slice(-2);
  const names = {
    row: SINGLE[rowName] ?? rowName,
    column: SINGLE[columnName] ?? "dimension",
    cell: CELLS[tensor.word] ?? "number",
    rows: rowName,
    columns: columnName,
  };
  return { heatmaps, names, height, captions: [name] };
}

export function tensorPanel(page) {
  const place = element("div", { class: "fitted still" });
  const tooltip = tooltipOver(place);
  const panel = { place };
  let grid = null;
  let signed = false; // whether there are numbers below 0

  panel.show = (name, tensor, height) => {
    signed = tensor.low < 0;
    const { reference, background, prediction } = page.colours;
    const colours = signed ? { ...page.colours, sequential: [reference, background, prediction] } : page.colours;
    const acts = { mix: () => FIRST, changed: () => grid.light() };
    grid = heatmapGrid(heatmapsOf(name, tensor, height), place, colours, tooltip, acts);
    if (signed) grid.foot.append(element("span", { class: "measure" }, "–", " marks a number below 0"));
    tooltip.hide();
    place.replaceChildren(grid.box, grid.foot, tooltip.box);
    grid.tell(0);
    panel.resize();
  };

  panel.resize = () => {
    if (!place.clientWidth || !grid) return;
    grid.resize();
    grid.draw(FIRST, true);
    if (signed) grid.panels.forEach((each) => each.back.append(element("path", { class: "below", d: dashesOf(each) })));
  };
  return panel;
}

// A short stroke in every cell below 0: its sign is told by more than its colour.
function dashesOf({ heatmap, area: { left, top, cellWidth, cellHeight } }) {
  if (cellWidth < 6 || cellHeight < 6) return "";
  const across = heatmap.columns.length;
  const long = Math.min(8, cellWidth / 2);
  let path = "";
  heatmap.cells.forEach((value, i) => {
    if (value >= 0) return;
    const x = left + ((i % across) + 0.5) * cellWidth - long / 2;
    path += `M${x.toFixed(1)},${(top + (Math.floor(i / across) + 0.5) * cellHeight).toFixed(1)}h${long.toFixed(1)}`;
  });
  return path;
}
