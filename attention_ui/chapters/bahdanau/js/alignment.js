// The alignment: a row for every written symbol, filled as it is written; the rows to come are faint.

function alignmentPanel(trace, colours, tooltip, go) {
  const [rows, columns] = [trace.written.length, trace.read.length];
  const svg = element("svg", { class: "alignment", role: "img", tabindex: 0 });
  const back = element("g");
  const ramp = rampOf(colours.sequential);
  const lines = trace.written.map((_, t) => element("g", { class: "line" }, ...trace.read.map((_, i) => element("rect", { fill: shade(ramp, trace.weights[t * columns + i]) }))));
  const now = element("rect", { class: "row", stroke: colours.query });
  svg.append(back, ...lines, now);
  const panel = { svg };
  let area = null;

  panel.resize = () => {
    const width = svg.getBoundingClientRect().width;
    const high = globalThis.innerWidth < 760 ? 1e6 : 440;
    const left = 36;
    const cellWidth = Math.min(64, (width - left - 2) / columns);
    const cellHeight = Math.min(60, Math.max(9, Math.min((high - 52) / rows, cellWidth * 1.6)));
    area = { left, top: 26, cellWidth, cellHeight, right: left + columns * cellWidth, bottom: 26 + rows * cellHeight };
    lines.forEach((line, t) => [...line.children].forEach((rect, i) => sized(rect, left + i * cellWidth, area.top + t * cellHeight, cellWidth + 0.3, cellHeight + 0.3)));
    svg.style.height = `${area.bottom + 46}px`;
    back.replaceChildren(...alignmentMarks(trace, ramp, area));
  };

  panel.draw = (frame) => {
    lines.forEach((line, t) => line.classList.toggle("coming", t > frame));
    sized(now, area.left - 1, area.top + frame * area.cellHeight - 0.5, area.right - area.left + 2, area.cellHeight + 1);
  };

  panel.words = (frame) => {
    const peaks = trace.written.slice(0, frame + 1).map((symbol, t) => {
      const row = [...trace.weights.subarray(t * columns, (t + 1) * columns)];
      const most = Math.max(...row);
      return `${symbol} at ${trace.read[row.indexOf(most)]} in place ${row.indexOf(most) + 1}, ${weightText(most)}`;
    });
    return `Alignment so far, the largest weight of every written symbol: ${peaks.join("; ")}.`;
  };

  const cellAt = ({ offsetX, offsetY }) => {
    const [row, column] = [Math.floor((offsetY - area.top) / area.cellHeight), Math.floor((offsetX - area.left) / area.cellWidth)];
    return row >= 0 && row < rows && column >= 0 && column < columns ? { row, column } : null;
  };
  svg.addEventListener("pointermove", (event) => {
    const cell = cellAt(event);
    if (!cell) return tooltip.hide();
    const { row, column } = cell;
    tooltip.show(`wrote ${trace.written[row]} · read ${trace.read[column]} at place ${column + 1} · weight ${weightText(trace.weights[row * columns + column])}`, svg, area.left + (column + 0.5) * area.cellWidth, area.top + row * area.cellHeight);
  });
  svg.addEventListener("pointerleave", tooltip.hide);
  svg.addEventListener("click", (event) => cellAt(event) && go(cellAt(event).row));
  return panel;
}

function shade(ramp, weight) {
  const pixel = ramp[between(0, Math.round(weight * 255), 255)];
  return `rgb(${pixel & 255},${(pixel >> 8) & 255},${(pixel >> 16) & 255})`;
}

function alignmentMarks(trace, ramp, { left, right, top, bottom, cellWidth, cellHeight }) {
  const down = Math.max(1, Math.ceil(14 / cellHeight));
  const across = Math.max(1, Math.ceil(8.4 / cellWidth));
  const [rows, columns] = [trace.written, trace.read].map((labels, side) => labels.map((label, i) => ({ label, i })).filter(({ i }) => i % (side ? across : down) === 0));
  return [
    element("text", { class: "word", x: 0, y: 14 }, "Alignment: one row of weights for every symbol"),
    ...rows.map(({ label, i }) => element("text", { class: "symbol", x: left - 6, y: top + (i + 0.5) * cellHeight + 5, "text-anchor": "end" }, label)),
    ...columns.map(({ label, i }) => element("text", { class: "symbol", x: left + (i + 0.5) * cellWidth, y: bottom + 17, "text-anchor": "middle" }, label)),
    element("text", { class: "word", x: left, y: bottom + 40 }, "down: written, across: read"),
    ...weightScale(ramp, left + 208, bottom + 29),
    element("rect", { class: "frame", x: left - 0.5, y: top - 0.5, width: right - left + 1, height: bottom - top + 1 }),
  ];
}

// What a shade means: from no weight to all of it.
function weightScale(ramp, x, y) {
  const steps = Array.from({ length: 16 }, (_, i) => element("rect", { x: x + 14 + i * 5, y, width: 5.3, height: 12, fill: shade(ramp, i / 15) }));
  const end = (text, place) => element("text", { class: "word", x: place, y: y + 11 }, text);
  return [end("0", x), ...steps, element("rect", { class: "frame", x: x + 13.5, y: y - 0.5, width: 81, height: 13 }), end("1", x + 100)];
}
