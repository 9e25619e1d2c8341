// One heatmap of the film: a canvas of one pixel per cell, enlarged without smoothing, under an SVG of labels and marks.

function cellsPanel(film, panel, colours) {
  const [rows, columns] = [panel.rows.length, panel.columns.length];
  const canvas = element("canvas", { width: columns, height: rows, "aria-hidden": "true" });
  const svg = element("svg", { class: "over", role: "img", tabindex: 0, "aria-label": panel.title });
  const note = element("div", { class: "note" });
  const box = element("div", { class: "panel" }, element("div", { class: "title" }, panel.title), element("div", { class: "cells" }, canvas, svg), note);
  const back = element("g");
  const hatch = element("path", { class: "hatch" });
  const row = element("rect", { class: "row", stroke: colours.query, visibility: "hidden" });
  const cell = element("rect", { class: "cell", visibility: "hidden" });
  svg.append(back, hatch, row, cell);
  const pixels = new ImageData(columns, rows);
  const shades = new Uint32Array(pixels.data.buffer);
  const ramp = rampOf(colours.sequential);
  const made = { panel, svg, box, area: null };
  note.hidden = !panel.notes.length;

  made.resize = ({ left, foot, upright, columnWidth, cellWidth, cellHeight }) => {
    const area = { left, top: 1, right: left + columns * cellWidth, bottom: 1 + rows * cellHeight, cellWidth, cellHeight };
    made.area = area;
    Object.assign(svg.style, { width: `${area.right + 2}px`, height: `${area.bottom + foot}px` });
    Object.assign(canvas.style, { left: `${left}px`, top: "1px", width: `${columns * cellWidth}px`, height: `${rows * cellHeight}px` });
    box.style.maxWidth = `${Math.max(area.right + 2, 170)}px`;
    back.replaceChildren(...cellLabels(panel, area, upright, columnWidth));
  };

  made.draw = (mix) => {
    const scale = 255 / (film.high - film.low);
    for (let i = 0; i < shades.length; i++) {
      const value = cellAt(film, panel, mix, i);
      const blank = Number.isNaN(value) || maskedAt(panel, mix, i);
      shades[i] = blank ? 0 : ramp[between(0, Math.round((value - film.low) * scale), 255)];
    }
    canvas.getContext("2d").putImageData(pixels, 0, 0);
    if (panel.masks) hatch.setAttribute("d", hatching(panel, made.area, mix));
    note.textContent = noteAt(panel, Math.round(mix.before + mix.share));
  };

  // The cell under the pointer, here or in another panel, and its row where it is here.
  made.light = (probe, here) => {
    const { left, right, top, cellWidth, cellHeight } = made.area;
    const known = probe && probe.row < rows && probe.column < columns;
    const y = known && top + probe.row * cellHeight;
    place(row, known && here && { x: left - 1, y: y - 0.5, width: right - left + 2, height: cellHeight + 1 });
    place(cell, known && { x: left + probe.column * cellWidth, y, width: cellWidth, height: cellHeight });
  };

  made.at = (x, y) => {
    const { left, right, top, bottom, cellWidth, cellHeight } = made.area;
    if (x < left || x >= right || y < top || y >= bottom) return null;
    return { row: Math.floor((y - top) / cellHeight), column: Math.floor((x - left) / cellWidth) };
  };
  return made;
}

const shortened = (label) => (label.length > 13 ? `${label.slice(0, 12)}…` : label);

function cellLabels(panel, { left, right, top, bottom, cellWidth, cellHeight }, upright, columnWidth) {
  const marks = [element("rect", { class: "frame", x: left - 0.5, y: top - 0.5, width: right - left + 1, height: bottom - top + 1 })];
  const down = Math.max(1, Math.ceil(17 / cellHeight));
  for (let i = 0; i < panel.rows.length; i += down) {
    marks.push(element("text", { class: "tick", x: left - 7, y: top + (i + 0.5) * cellHeight + 5, "text-anchor": "end" }, shortened(panel.rows[i])));
  }
  const across = Math.max(1, Math.ceil((upright ? 17 : columnWidth + 6) / cellWidth));
  for (let i = 0; i < panel.columns.length; i += across) {
    const x = left + (i + 0.5) * cellWidth;
    const turned = { x: x + 5, y: bottom + 7, "text-anchor": "end", transform: `rotate(-90 ${x + 5} ${bottom + 7})` };
    const level = { x, y: bottom + 18, "text-anchor": "middle" };
    marks.push(element("text", { class: "tick", ...(upright ? turned : level) }, shortened(panel.columns[i])));
  }
  return marks;
}

// Two strokes across every masked cell: told by more than its colour.
function hatching(panel, { left, top, cellWidth, cellHeight }, mix) {
  const across = panel.columns.length;
  let path = "";
  for (let i = 0; i < panel.size; i++) {
    if (!maskedAt(panel, mix, i)) continue;
    const [x, y] = [left + (i % across) * cellWidth, top + Math.floor(i / across) * cellHeight];
    path += `M${x.toFixed(1)},${(y + cellHeight).toFixed(1)}l${cellWidth.toFixed(1)},${(-cellHeight).toFixed(1)}`;
    path += `M${x.toFixed(1)},${(y + cellHeight / 2).toFixed(1)}l${(cellWidth / 2).toFixed(1)},${(-cellHeight / 2).toFixed(1)}`;
    path += `M${(x + cellWidth / 2).toFixed(1)},${(y + cellHeight).toFixed(1)}l${(cellWidth / 2).toFixed(1)},${(-cellHeight / 2).toFixed(1)}`;
  }
  return path;
}

// Below the panels: what shades mean, with the true range, and what stands where.
function filmFoot(film, colours) {
  const { rows, columns, cell } = film.names;
  const scale = element("svg", { class: "scale", width: 260, height: 36, role: "img", "aria-label": `${cell} from ${digits(film.low)} to ${digits(film.high)}` });
  const ramp = rampOf(colours.sequential);
  const toX = (value) => 24 + ((value - film.low) / (film.high - film.low)) * 212;
  for (let i = 0; i < 64; i++) {
    const pixel = ramp[Math.round((i / 63) * 255)];
    scale.append(element("rect", { x: 24 + (i * 212) / 64, y: 2, width: 212 / 64 + 0.6, height: 12, fill: `rgb(${pixel & 255},${(pixel >> 8) & 255},${(pixel >> 16) & 255})` }));
  }
  scale.append(element("rect", { class: "frame", x: 24, y: 2, width: 212, height: 12 }));
  const range = film.high - film.low;
  const inner = ticks(film.low, film.high, 4).filter((tick) => tick - film.low > 0.15 * range && film.high - tick > 0.15 * range);
  for (const value of [film.low, ...inner, film.high]) {
    scale.append(element("text", { class: "tick", x: toX(value), y: 31, "text-anchor": "middle" }, digits(value, 2 + (value === film.low || value === film.high))));
  }
  const words = element("span", {}, `down: ${rows}, across: ${columns}`);
  const masked = film.panels.some((panel) => panel.masks);
  const sign = element("svg", { width: 18, height: 18, "aria-hidden": "true" }, element("rect", { class: "frame", x: 1, y: 1, width: 16, height: 16 }), element("path", { class: "hatch", d: "M1,17L17,1M1,9L9,1M9,17L17,9" }));
  return element("div", { class: "foot" }, element("span", { class: "measure" }, cell, scale), words, ...(masked ? [element("span", { class: "measure" }, sign, film.names.hatched)] : []));
}
