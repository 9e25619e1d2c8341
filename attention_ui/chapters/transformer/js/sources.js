// What the open tensor is made of: its sources as small heatmaps, with the part marked that one number takes.

import { box, element, formulaRuns } from "../../../pictures/js/format.js";
import { FIRST } from "../../../pictures/js/frames.js";
import { heatmapGrid } from "../../../pictures/js/heatmap_grid.js";
import { hovers } from "../../../pictures/js/hint.js";
import { tooltipOver } from "../../../pictures/js/tooltip.js";
import { headOf, heatmapsOf } from "./tensor.js";

const ALL = Infinity;

// The part of a source that the cell of a tensor takes: its head, and where its first cell and its sides are.
const TAKEN = {
  cell: ({ head, row, column }) => ({ head, row, column, down: 1, across: 1 }),
  row: ({ head, row }) => ({ head, row, column: 0, down: 1, across: ALL }),
  key: ({ head, column }) => ({ head, row: column, column: 0, down: 1, across: ALL }),
  column: ({ head, column }) => ({ head, row: 0, column, down: ALL, across: 1 }),
  strip: ({ row, column }, wide) => ({
    head: Math.floor(column / wide),
    row,
    column: column % wide,
    down: 1,
    across: 1,
  }),
};

export function sourcesPanel(page, data, open) {
  const words = element("p", { class: "made" });
  const row = element("div", { class: "from" });
  const panel = { words, place: row };
  let [made, current, height] = [[], null, 0];

  const sourcePanel = ([name, part]) => {
    const tensor = data.shown[name];
    const place = element("div", { class: "fitted still" });
    const tooltip = tooltipOver(place);
    const label = element("button", { type: "button", title: `Open ${tensor.word}` });
    label.addEventListener("click", () => open(name));
    row.append(place);
    let [grid, head, mark] = [null, -1, null];
    const draw = (next) => {
      head = next;
      const shown = heatmapsOf(name, tensor, height);
      const acts = { mix: () => FIRST, changed: () => grid.ready() && grid.light() };
      grid = heatmapGrid({ ...shown, heatmaps: [shown.heatmaps[head]] }, place, page.colours, tooltip, acts);
      mark = element("rect", { class: "taken", visibility: "hidden" });
      grid.panels[0].svg.append(mark);
      label.textContent = `← ${tensor.word}${headOf(tensor, head)}`;
      grid.panels[0].box.querySelector(".title").replaceChildren(label);
      place.replaceChildren(grid.box, tooltip.box);
      grid.tell(0);
      if (!place.clientWidth) return;
      grid.resize();
      grid.draw(FIRST, true);
    };
    // Marks the part that a cell takes; null marks nothing.
    const light = (cell) => {
      if (!place.clientWidth) return null;
      const taken = cell && TAKEN[part](cell, tensor.columns.length);
      const next = tensor.panels > 1 ? taken?.head ?? Math.max(head, 0) : 0;
      if (next !== head) draw(next);
      const { left, top, right, bottom, cellWidth, cellHeight } = grid.panels[0].area;
      box(
        mark,
        taken && {
          x: left + taken.column * cellWidth - 1,
          y: top + taken.row * cellHeight - 1,
          width: Math.min(right - left, taken.across * cellWidth) + 2,
          height: Math.min(bottom - top, taken.down * cellHeight) + 2,
        },
      );
      return taken && { name, ...taken };
    };
    return { draw: () => draw(Math.max(head, 0)), light };
  };

  panel.show = (name, room) => {
    [current, height] = [name, room];
    row.replaceChildren();
    made = data.sources[name].map(sourcePanel);
    made.forEach(({ draw }) => draw());
    panel.point(null);
  };
  panel.point = (cell) => {
    const { word, made: how } = data.shown[current];
    const hint = made.length && !cell ? ` ${hovers() ? "Hover over" : "Tap"} a number to see where it comes from.` : "";
    const asked = element("span", { "data-control": "" }, hint);
    words.replaceChildren(element("b", {}, `${word} = `), ...formulaRuns(how), ".", asked);
    return made.map(({ light }) => light(cell)).filter(Boolean);
  };
  return panel;
}
