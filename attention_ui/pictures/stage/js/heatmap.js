// The right picture: queries down, keys across, one shade per weight, and a colour bar with the true range.

function heatmapPanel(scene, colours) {
  // One pixel per weight; the style sheet enlarges it without smoothing, so it is crisp on any screen.
  const canvas = element("canvas", { width: scene.columnCount, height: scene.rows, "aria-hidden": "true" });
  const svg = element("svg", { class: "plot over", role: "img", tabindex: 0, "aria-label": "attention weights" });
  const box = element("div", { class: "heatmap" }, canvas, svg);
  const back = element("g");
  const row = element("rect", { class: "row", stroke: colours.query, visibility: "hidden" });
  const cell = element("rect", { class: "cell", visibility: "hidden" });
  const pin = element("path", { class: "pin", fill: colours.query, visibility: "hidden" });
  const bar = element("g", { class: "bar" });
  svg.append(back, bar, row, cell, pin);
  const pixels = new ImageData(scene.columnCount, scene.rows);
  const cells = new Uint32Array(pixels.data.buffer);
  const ramp = rampOf(colours.sequential);
  const panel = { svg, box, area: null };

  panel.resize = () => {
    const { width, height } = svg.getBoundingClientRect();
    const area = { left: 58, right: width - 92, top: 8, bottom: height - 44 };
    panel.area = area;
    area.cellWidth = (area.right - area.left) / scene.columnCount;
    area.cellHeight = (area.bottom - area.top) / scene.rows;
    Object.assign(canvas.style, { left: `${area.left}px`, top: `${area.top}px`, width: `${area.right - area.left}px`, height: `${area.bottom - area.top}px` });
    back.replaceChildren(...heatmapAxes(scene, area), ...colourBar(colours, area));
  };

  panel.draw = (mix) => {
    const size = cells.length;
    const from = mix.before * size;
    const to = mix.after * size;
    const { shades } = scene;
    for (let i = 0; i < size; i++) {
      const shade = mix.share ? shades[from + i] * (1 - mix.share) + shades[to + i] * mix.share : shades[from + i];
      cells[i] = ramp[shade | 0];
    }
    canvas.getContext("2d").putImageData(pixels, 0, 0);
    barTexts(bar, panel.area, mixed(scene.low, mix), mixed(scene.high, mix));
  };

  panel.light = (probe, column, pinned) => {
    const { left, right, top, cellWidth, cellHeight } = panel.area;
    place(row, probe && { x: left - 1, y: top + probe.row * cellHeight - 0.5, width: right - left + 2, height: cellHeight + 1 });
    place(cell, probe && column !== null && { x: left + column * cellWidth, y: top + probe.row * cellHeight, width: cellWidth, height: cellHeight });
    const middle = pinned === null ? 0 : top + (pinned + 0.5) * cellHeight;
    pin.setAttribute("visibility", pinned === null ? "hidden" : "visible");
    pin.setAttribute("d", `M${left - 3},${middle}l-9,-6v12z`);
  };

  panel.at = (x, y) => {
    const { left, right, top, bottom, cellWidth, cellHeight } = panel.area;
    if (x < left || x >= right || y < top || y >= bottom) return null;
    return { row: Math.floor((y - top) / cellHeight), column: Math.floor((x - left) / cellWidth) };
  };
  return panel;
}

function place(rect, where) {
  rect.setAttribute("visibility", where ? "visible" : "hidden");
  if (where) for (const [key, value] of Object.entries(where)) rect.setAttribute(key, value.toFixed(2));
}

// 256 shades between the theme's sequential colours, as the pixels of an image.
function rampOf(sequential) {
  const context = new OffscreenCanvas(256, 1).getContext("2d");
  const gradient = context.createLinearGradient(0, 0, 256, 0);
  sequential.forEach((colour, i) => gradient.addColorStop(i / (sequential.length - 1), colour));
  context.fillStyle = gradient;
  context.fillRect(0, 0, 256, 1);
  return new Uint32Array(context.getImageData(0, 0, 256, 1).data.buffer);
}

function heatmapAxes(scene, { left, right, top, bottom, cellWidth, cellHeight }) {
  const marks = [element("rect", { class: "frame", x: left - 0.5, y: top - 0.5, width: right - left + 1, height: bottom - top + 1 })];
  const span = scene.x.high - scene.x.low;
  const step = 10 ** Math.floor(Math.log10(span) - 1); // two digits of the range
  const across = Math.max(1, Math.ceil(scene.columnCount / Math.max(2, (right - left) / 60)));
  for (let i = 0; i < scene.columnCount; i += across) {
    marks.push(element("text", { class: "tick", x: left + (i + 0.5) * cellWidth, y: bottom + 20, "text-anchor": "middle" }, tickText(scene.columns[i], step)));
  }
  const down = Math.max(1, Math.ceil(scene.rows / Math.max(2, (bottom - top) / 42)));
  for (let i = 0; i < scene.rows; i += down) {
    marks.push(element("text", { class: "tick", x: left - 14, y: top + (i + 0.5) * cellHeight + 5, "text-anchor": "end" }, tickText(scene.queries[i], step)));
  }
  const shared = scene.columnCount < scene.keys ? `${scene.keys} keys, neighbours share a column` : "keys: the samples, sorted";
  marks.push(element("text", { class: "label", x: (left + right) / 2, y: bottom + 39, "text-anchor": "middle" }, shared));
  const middle = (top + bottom) / 2;
  marks.push(element("text", { class: "label", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, "queries"));
  return marks;
}

function colourBar(colours, { right, top, bottom }) {
  const steps = 64;
  const height = (bottom - top) / steps;
  const ramp = rampOf(colours.sequential);
  const marks = Array.from({ length: steps }, (_, i) => {
    const pixel = ramp[Math.round((i / (steps - 1)) * 255)];
    const colour = `rgb(${pixel & 255},${(pixel >> 8) & 255},${(pixel >> 16) & 255})`;
    return element("rect", { x: right + 14, y: bottom - (i + 1) * height, width: 12, height: height + 0.6, fill: colour });
  });
  const middle = (top + bottom) / 2;
  const label = element("text", { class: "label", x: right + 88, y: middle, "text-anchor": "middle", transform: `rotate(-90 ${right + 88} ${middle})` }, "weight");
  return [...marks, label];
}

// The two ends are exact; round numbers stand between them where there is room.
function barTexts(bar, { right, top, bottom }, low, high) {
  const range = Math.max(high - low, 1e-30);
  const steps = ticks(low, high, 4);
  const inner = steps.filter((tick) => tick - low > 0.08 * range && high - tick > 0.08 * range);
  const values = [low, ...inner.slice(0, 5), high];
  while (bar.children.length < 7) bar.append(element("text", { class: "tick" }));
  for (let i = 0; i < bar.children.length; i++) {
    const text = bar.children[i];
    const value = values[i];
    const end = i === 0 ? 0 : i === values.length - 1 ? 11 : 5;
    write(text, value === undefined ? "" : digits(value, end === 5 ? 2 : 3));
    put(text, "x", right + 31);
    put(text, "y", value === undefined ? 0 : (bottom - ((value - low) / range) * (bottom - top) + end).toFixed(1));
  }
}
