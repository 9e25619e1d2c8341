// Several weights side by side, each as it stands beside a curve: on the same axes and the same scale.

import { element, write } from "./format.js";
import { noteAt } from "./frames.js";
import { heatmapWords, weightsHeatmap } from "./heatmap.js";
import { pointing } from "./heatmap_grid.js";

export function weightsBeside({ heatmaps, names, captions }, page, tooltip, acts) {
  const panels = heatmaps.map((heatmap) => {
    const panel = weightsHeatmap(heatmap, heatmap.rows.at(-1) - heatmap.rows[0], page.colours);
    panel.note = element("b", { class: "name" });
    const heading = element("div", { class: "legend heading" }, heatmap.title, panel.note);
    panel.box = element("div", { class: "panel" }, heading, panel.cells);
    return panel;
  });
  let at = 0; // the frame on the screen
  const tell = page.rested(() =>
    panels.forEach(({ svg, heatmap }) => svg.setAttribute("aria-label", heatmapWords(heatmap, names, captions[at], at)))
  );
  return {
    kind: "halves",
    nodes: [element("div", { class: "pictures" }, ...panels.map(({ box }) => box))],
    ready: () => panels.every(({ area }) => area),
    resize: () => panels.forEach((panel) => panel.resize()),
    draw: (mix, anew) => {
      at = Math.round(mix.at);
      panels.forEach((panel) => {
        if (anew || panel.heatmap.cells.length > panel.heatmap.size) panel.draw(mix);
        write(panel.note, noteAt(panel.heatmap, at));
      });
      tell();
    },
    light: pointing({ names }, panels, null, tooltip, acts),
  };
}
