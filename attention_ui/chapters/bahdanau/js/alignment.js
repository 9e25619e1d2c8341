// The alignment: a row for every written symbol, filled as it is written; the rows to come are faint.

import { colourBar } from "../../../pictures/js/colours.js";
import { between, element, set, sizeOf, weightText, windowHeight, windowWidth } from "../../../pictures/js/format.js";
import { FIRST } from "../../../pictures/js/frames.js";
import { heatmapCells } from "../../../pictures/js/heatmap.js";
import { ABOVE } from "./machine.js";
import { stillHeatmap } from "../../../pictures/js/heatmap_grid.js";

const TOP = 26;
const LEFT = 36;

export function alignmentPanel(trace, colours, tooltip, go) {
  const [rows, columns] = [trace.written.length, trace.read.length];
  const heatmap = stillHeatmap({
    title: "",
    rows: trace.written,
    columns: trace.read,
    cells: trace.weights,
    low: 0,
    high: 1,
  });
  const panel = heatmapCells(heatmap, colours, "alignment over");
  const { svg } = panel;
  const ahead = element("rect", { class: "rows-ahead" }); // rows to come are faint
  panel.back.after(ahead);

  panel.resize = () => {
    const width = sizeOf(svg).width;
    const high = windowWidth() < 760 ? 1e6 : between(320, windowHeight() - ABOVE, 440);
    const cellWidth = Math.min(64, (width - LEFT - 2) / columns);
    const cellHeight = Math.min(60, Math.max(9, Math.min((high - TOP - 46) / rows, cellWidth * 1.6)));
    panel.put({ left: LEFT, top: TOP, cellWidth, cellHeight });
    panel.paint(FIRST);
    svg.style.height = `${panel.area.bottom + 46}px`;
    panel.back.append(...alignmentMarks(trace, panel.ramp, panel.area));
  };

  panel.draw = (frame) => {
    const { left, right, top, bottom, cellHeight } = panel.area;
    const y = top + (frame + 1) * cellHeight;
    set(ahead, { x: left, y, width: right - left, height: Math.max(0, bottom - y) });
    panel.mark(frame, null);
  };

  panel.words = (frame) => {
    const peaks = trace.written.slice(0, frame + 1).map((symbol, t) => {
      const row = [...trace.weights.subarray(t * columns, (t + 1) * columns)];
      const most = Math.max(...row);
      return `${symbol} at ${trace.read[row.indexOf(most)]} in place ${row.indexOf(most) + 1}, ${weightText(most)}`;
    });
    return `Alignment so far, the largest weight of every written symbol: ${peaks.join("; ")}.`;
  };

  svg.addEventListener("pointermove", ({ offsetX, offsetY }) => {
    const cell = panel.at(offsetX, offsetY);
    if (!cell) return tooltip.hide();
    const { row, column } = cell;
    const weight = weightText(trace.weights[row * columns + column]);
    const words = `wrote ${trace.written[row]} · read ${trace.read[column]} at place ${column + 1} · weight ${weight}`;
    return tooltip.show(words, svg, ...panel.over(cell));
  });
  svg.addEventListener("pointerleave", tooltip.hide);
  svg.addEventListener("click", ({ offsetX, offsetY }) => {
    const cell = panel.at(offsetX, offsetY);
    if (cell) go(cell.row);
  });
  return panel;
}

function alignmentMarks(trace, ramp, { left, top, bottom, cellWidth, cellHeight }) {
  const text = (kind, x, y, anchor, words) => element("text", { class: kind, x, y, "text-anchor": anchor }, words);
  const some = (labels, every) => labels.map((label, i) => ({ label, i })).filter(({ i }) => i % every === 0);
  const rows = some(trace.written, Math.max(1, Math.ceil(14 / cellHeight)));
  const columns = some(trace.read, Math.max(1, Math.ceil(8.4 / cellWidth)));
  return [
    text("word", 0, 14, null, "Alignment: a row of weights for each written symbol"),
    ...rows.map(({ label, i }) => text("symbol", left - 6, top + (i + 0.5) * cellHeight + 5, "end", label)),
    ...columns.map(({ label, i }) => text("symbol", left + (i + 0.5) * cellWidth, bottom + 17, "middle", label)),
    text("word", left, bottom + 40, null, "down: written, across: read"),
    ...weightScale(ramp, left + 208, bottom + 29),
  ];
}

function weightScale(ramp, x, y) {
  const end = (words, at) => element("text", { class: "word", x: at, y: y + 11 }, words);
  const steps = colourBar(ramp, { x: x + 14, y, width: 80, height: 12 }, 16);
  const frame = element("rect", { class: "frame", x: x + 13.5, y: y - 0.5, width: 81, height: 13 });
  return [end("0", x), ...steps, frame, end("1", x + 100)];
}
