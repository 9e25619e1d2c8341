// Heatmaps side by side, one row of each as bars. Torch made every weight; here they are only coloured and measured off.

const galleries = new WeakMap(); // per place on the page: this function is called again on every new data or theme

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".gallery");
  galleries.get(place)?.();
  const scene = unpacked(data);
  const colours = coloursOf(place);
  place.style.setProperty("--row", colours.prediction);
  let probe = null; // { panel, row, column } under the pointer or moved by arrow keys
  let scheduled = 0;
  const schedule = () => (scheduled ||= requestAnimationFrame(draw));
  const point = (next) => {
    probe = next;
    schedule();
  };
  const ramp = rampOf(colours.sequential);
  const panels = scene.titles.map((_, i) => panelOf(scene, i, colours, point, () => probe));
  const scale = scaleOf(scene, colours);
  const tooltip = element("div", { class: "tooltip", role: "status" });
  const sliders = [scene.sharpness, scene.rowSlider].map((key) => key && followSlider(key, schedule));

  const draw = () => {
    scheduled = 0;
    const frame = between(0, sliders[0]?.position() ?? scene.start, scene.frames - 1);
    const chosen = Math.floor((sliders[1]?.position() ?? 0) / scene.blocks[0]);
    const row = between(0, probe?.row ?? chosen, scene.rows - 1);
    panels.forEach((panel, i) => panel.draw(frame, row, probe?.panel === i ? probe.column : null, ramp));
    tell(frame);
    Object.assign(place.dataset, { frame, row });
  };
  const tell = (frame) => {
    tooltip.hidden = !probe;
    if (!probe) return;
    const weight = scene.weight(frame, probe.panel, probe.row, probe.column);
    const mean = scene.blocks[0] * scene.blocks[1] > 1 ? "mean " : "";
    tooltip.textContent = `${named("query", "queries", probe.row, scene.blocks[0], scene.queries)} · ${named("key", "keys", probe.column, scene.blocks[1], scene.keys)} · ${mean}weight ${weightText(weight)}`;
    const frameBox = place.getBoundingClientRect();
    const box = panels[probe.panel].cells.getBoundingClientRect();
    const half = tooltip.offsetWidth / 2;
    const x = box.left - frameBox.left + ((probe.column + 0.5) / scene.columns) * box.width;
    tooltip.style.left = `${between(half, x, frameBox.width - half)}px`;
    tooltip.style.top = `${box.top - frameBox.top + (probe.row / scene.rows) * box.height}px`;
  };

  const count = panels.length;
  const [columns, size] = count === 1 ? [1, 420] : count === 2 ? [2, 400] : count === 3 ? [3, 340] : count === 4 ? [4, 290] : [4, 195];
  const grid = element("div", { class: count > 8 ? "panels many" : "panels", style: `--columns:${columns};--size:${size}px` }, ...panels.map((panel) => panel.figure));
  place.replaceChildren(scale, grid, tooltip);
  schedule();
  globalThis.addEventListener("pointerdown", schedule, true); // a slider of another length is a new one: find it in time
  const stop = () => {
    globalThis.removeEventListener("pointerdown", schedule, true);
    cancelAnimationFrame(scheduled);
    sliders.forEach((slider) => slider?.stop());
  };
  galleries.set(place, stop);
  return stop;
}

function unpacked(data) {
  const { header, body } = opened(data);
  const [frames, count, rows, columns] = header.shape;
  const tops = new Float32Array(body, 0, frames * count);
  const weights = new Float32Array(body, 4 * frames * count);
  const at = (frame, panel, row, column) => ((frame * count + panel) * rows + row) * columns + column;
  return {
    ...header,
    frames,
    rows,
    columns,
    rowSlider: header.row,
    weight: (frame, panel, row, column) => weights[at(frame, panel, row, column)],
    matrix: (frame, panel) => weights.subarray(at(frame, panel, 0, 0), at(frame, panel + 1, 0, 0)),
    listened: (frame, panel, row) => weights.subarray(at(frame, panel, row, 0), at(frame, panel, row + 1, 0)),
    top: (frame, panel) => (header.shared ? header.high : tops[frame * count + panel]),
  };
}

// "query 3", or "queries 12 to 15" where these share a row.
function named(one, many, index, block, total) {
  if (block === 1) return `${one} ${index}`;
  const last = Math.min((index + 1) * block, total) - 1;
  return last === index * block ? `${one} ${last}` : `${many} ${index * block} to ${last}`;
}

function scaleOf(scene, colours) {
  const ramp = element("div", { class: "ramp", style: `background:linear-gradient(90deg,${colours.sequential.join(",")})` });
  const high = scene.shared ? digits(scene.high) : "its own largest";
  const label = `Colours: weight from ${digits(scene.low)} to ${high}`;
  return element("div", { class: "scale", role: "img", "aria-label": label }, `weight ${digits(scene.low)}`, ramp, high);
}

function panelOf(scene, index, colours, point, probed) {
  const canvas = element("canvas", { width: scene.columns, height: scene.rows });
  const mark = element("div", { class: "mark" });
  const cell = element("div", { class: "cell", hidden: "" });
  const ratio = between(0.6, scene.columns / scene.rows, 3); // square cells, unless that leaves a thread
  const cells = element("div", { class: "cells", tabindex: 0, role: "img", style: `aspect-ratio:${ratio}` }, canvas, mark, cell);
  const here = element("span", { class: "here" });
  const ends = [0, scene.queries - 1].map((query, i) => element("span", { style: `top:${i ? "calc(100% - 0.6em)" : "0.6em"}` }, String(query)));
  const bars = element("path", { fill: colours.prediction });
  const axis = element("svg", { class: "bars", viewBox: `0 0 ${scene.columns} 1`, preserveAspectRatio: "none", "aria-hidden": "true" }, bars);
  const keys = element("div", { class: "keys" }, ...(scene.keys > 1 ? ["0", "keys", String(scene.keys - 1)] : ["key 0"]).map((text) => element("span", {}, text)));
  const reading = element("div", { class: "reading" });
  const gutter = element("div", { class: "gutter" }, ...ends, here);
  const picture = element("div", { class: "picture" }, gutter, cells, element("div"), element("div", {}, axis, keys));
  const words = element("div", { class: "words" }, element("span", { class: "title" }, scene.titles[index]), " ", element("span", { class: "says" }, scene.says[index]));
  const figure = element("figure", { class: "panel" }, words, picture, reading);
  const pixels = new ImageData(scene.columns, scene.rows);
  const paint = new Uint32Array(pixels.data.buffer);
  let painted = null;

  const draw = (frame, row, column, ramp) => {
    const top = scene.top(frame, index);
    if (painted !== frame) {
      const matrix = scene.matrix(frame, index);
      const factor = 255 / (top - scene.low);
      for (let i = 0; i < paint.length; i++) paint[i] = ramp[between(0, ((matrix[i] - scene.low) * factor) | 0, 255)];
      canvas.getContext("2d").putImageData(pixels, 0, 0);
      painted = frame;
    }
    const height = 100 / scene.rows;
    mark.style.cssText = `top:calc(${row * height}% - 2px);height:calc(${height}% + 4px)`;
    cell.hidden = column === null;
    if (column !== null) cell.style.cssText = `top:${row * height}%;height:${height}%;left:${(column * 100) / scene.columns}%;width:${100 / scene.columns}%`;
    here.textContent = String(row * scene.blocks[0]);
    here.style.top = `${between(0, (row + 0.5) * height, 100)}%`;
    ends[0].hidden = (row + 0.5) * height < 14;
    ends[1].hidden = (row + 0.5) * height > 86;
    read(scene.listened(frame, index, row), row, top);
  };
  const read = (listened, row, top) => {
    let path = "";
    let most = 0;
    listened.forEach((weight, i) => {
      if (weight > listened[most]) most = i;
      if (weight) path += `M${i + 0.1},1V${(1 - weight / top).toFixed(4)}H${i + 0.9}V1Z`;
    });
    bars.setAttribute("d", path);
    const tied = listened.filter((weight) => listened[most] - weight < 1e-6).length;
    const whom = tied > 1 ? `${tied} ${scene.blocks[1] > 1 ? "groups of keys" : "keys"}, each` : `most to ${named("key", "keys", most, scene.blocks[1], scene.keys)}:`;
    const text = `${whom} ${weightText(listened[most])}`;
    reading.textContent = text;
    const label = `${scene.titles[index]} ${scene.says[index]}: ${scene.queries} queries by ${scene.keys} keys; ${named("query", "queries", row, scene.blocks[0], scene.queries)} gives ${text}`;
    cells.setAttribute("aria-label", label);
  };

  cells.addEventListener("pointermove", (event) => {
    const box = cells.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    point({ panel: index, row: between(0, Math.floor(y * scene.rows), scene.rows - 1), column: between(0, Math.floor(x * scene.columns), scene.columns - 1) });
  });
  cells.addEventListener("pointerleave", () => point(null));
  cells.addEventListener("blur", () => point(null));
  cells.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Escape") point(null);
    if (!step) return;
    event.preventDefault();
    const from = probed()?.panel === index ? probed() : { row: scene.rows >> 1, column: scene.columns >> 1 };
    point({ panel: index, row: between(0, from.row + step[0], scene.rows - 1), column: between(0, from.column + step[1], scene.columns - 1) });
  });
  return { figure, cells, draw };
}
