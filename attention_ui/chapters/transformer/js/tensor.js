// The tensor of a block: one heatmap, or one for each head, on one scale.

import { element } from "../../../pictures/js/format.js";
import { FIRST } from "../../../pictures/js/frames.js";
import { heatmapGrid, stillHeatmap } from "../../../pictures/js/heatmap_grid.js";
import { tooltipOver } from "../../../pictures/js/tooltip.js";

const SINGLE = { queries: "query", keys: "key", positions: "position", symbols: "symbol" };
const CELLS = { weights: "weight", probabilities: "probability" };

export const headOf = (tensor, head) => (tensor.panels > 1 ? `, head ${head + 1}` : "");

// What a grid of heatmaps needs to know of a tensor.
export function heatmapsOf(name, tensor, height) {
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
  return { heatmaps, names, height, captions: [name], low: true };
}

// `pointedAt` hears of the cell that is pointed at: its head, row and column.
export function tensorPanel(page, pointedAt) {
  const place = element("div", { class: "fitted still" });
  const tooltip = tooltipOver(place);
  const panel = { place };
  let grid = null;

  panel.show = (name, tensor, height) => {
    const acts = { mix: () => FIRST, changed: () => grid.ready() && grid.light(), pointedAt };
    grid = heatmapGrid(heatmapsOf(name, tensor, height), place, page.colours, tooltip, acts);
    tooltip.hide();
    place.replaceChildren(grid.box, grid.foot, tooltip.box);
    grid.tell(0);
    panel.resize();
  };

  panel.resize = () => {
    if (!place.clientWidth || !grid) return;
    grid.resize();
    grid.draw(FIRST, true);
  };
  return panel;
}
