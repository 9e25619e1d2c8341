// Heatmaps side by side, one row of each as bars. Torch made every weight; here they are only coloured and measured off.

import { opened } from "../../../pictures/js/packing.js";
import { rampOf, scaleColours } from "../../../pictures/js/colours.js";
import { arrowOf, between, digits, element, sizeOf, weightText } from "../../../pictures/js/format.js";
import { FIRST, rangeOf } from "../../../pictures/js/frames.js";
import { paintCells } from "../../../pictures/js/heatmap.js";
import { mount } from "../../../pictures/js/mount.js";
import { tooltipOver } from "../../../pictures/js/tooltip.js";

const SIZES = [[1, 420], [2, 400], [3, 340], [4, 290], [5, 195], [3, 195], [4, 195], [4, 195]]; // for so many heatmaps: how many in a row, and their side in pixels

export default mount((page) => {
  const { place, colours } = page;
  const data = unpacked(page.data);
  place.style.setProperty("--row", colours.prediction);
  let pointed = null; // { panel, row, column } under the pointer or moved by arrow keys
  const point = (next) => {
    pointed = next;
    soon();
  };
  const ramp = rampOf(scaleColours(colours, data.low));
  const panels = data.heatmaps.map((heatmap, i) => panelOf(data, heatmap, i, colours, point, () => pointed));
  const tooltip = tooltipOver(place);

  const { soon } = page.drawing(() => {
    const frame = between(0, sliders[0]?.position() ?? data.start, data.frames - 1);
    const chosen = Math.floor((sliders[1]?.position() ?? 0) / data.blocks[0]);
    const row = between(0, pointed?.row ?? chosen, data.rows - 1);
    panels.forEach((panel, i) => panel.draw(frame, row, pointed?.panel === i ? pointed.column : null, ramp));
    if (pointed) tell(frame);
    else tooltip.hide();
    Object.assign(place.dataset, { frame, row });
  });
  const tell = (frame) => {
    const { panel, row, column } = pointed;
    const [query, key] = [data.query(row), data.key(column)];
    const mean = data.blocks[0] * data.blocks[1] > 1 ? "mean " : "";
    const weight = weightText(data.heatmaps[panel].weightsOf(frame, row)[column]);
    const { cells } = panels[panel];
    const { width, height } = sizeOf(cells);
    const [x, y] = [((column + 0.5) / data.columns) * width, (row / data.rows) * height];
    tooltip.show(`${query} · ${key} · ${mean}weight ${weight}`, cells, x, y);
  };
  const sliders = [data.sharpness, data.row].map((key) => key && page.follow(key, soon));

  const [across, size] = SIZES[panels.length - 1] ?? [5, 195];
  const room = `(var(--window, 100dvh) - 310px) / ${Math.ceil(panels.length / across)} - 118px`; // of a short screen, without words and bars
  const side = `max(84px, min(${size}px, ${room}))`;
  const kind = panels.length > 10 ? "panels many" : "panels";
  const figures = panels.map((panel) => panel.figure);
  const grid = element("div", { class: kind, style: `--columns:${across};--size:${side}` }, ...figures);
  place.replaceChildren(colourScale(data, colours), grid, tooltip.box);
  soon();
  page.listen(globalThis, "pointerdown", soon, true); // a slider of another length is a new one: find it in time
});

function unpacked(data) {
  const { tensors, ...header } = opened(data);
  const [frames, rows, columns] = tensors[0].shape;
  const { shared, low, high, tops, blocks } = header;
  const heatmaps = tensors.map((cells, i) => ({
    cells,
    size: rows * columns,
    levels: 0,
    masks: null,
    low,
    high: shared ? high : tops[i],
    top: (frame) => (shared ? high : tops[i][frame]),
    weightsOf: (frame, row) => cells.subarray((frame * rows + row) * columns, (frame * rows + row + 1) * columns),
  }));
  const query = (row) => named("query", "queries", row, blocks[0], header.queries);
  const key = (column) => named("key", "keys", column, blocks[1], header.keys);
  return { ...header, frames, rows, columns, heatmaps, query, key };
}

// "query 3", or "queries 12 to 15" where these share a row.
function named(one, many, index, block, total) {
  if (block === 1) return `${one} ${index}`;
  const last = Math.min((index + 1) * block, total) - 1;
  return last === index * block ? `${one} ${last}` : `${many} ${index * block} to ${last}`;
}

function colourScale(data, colours) {
  const { shared } = data;
  const [low, high] = rangeOf(data, FIRST);
  const ramp = element("div", {
    class: "ramp",
    style: `background:linear-gradient(90deg,${scaleColours(colours, low).join(",")})`,
  });
  const end = shared ? digits(high) : "its own largest";
  const label = `Colours: weight from ${digits(low)} to ${end}`;
  const scale = element(
    "span",
    { class: "measure", role: "img", "aria-label": label },
    `weight ${digits(low)}`,
    ramp,
    end,
  );
  return element("div", { class: "scale" }, element("span", {}, data.lead), scale);
}

function panelOf(data, heatmap, index, colours, point, pointed) {
  const canvas = element("canvas", { width: data.columns, height: data.rows });
  const mark = element("div", { class: "mark" });
  const cell = element("div", { class: "cell", hidden: "" });
  const ratio = between(0.6, data.columns / data.rows, 3); // square cells, unless that leaves a thread
  const cells = element(
    "div",
    { class: "cells", tabindex: 0, role: "img", style: `aspect-ratio:${ratio}` },
    canvas,
    mark,
    cell,
  );
  const here = element("span", { class: "here" });
  const ends = [0, data.queries - 1].map((query, i) =>
    element("span", { style: `top:${i ? "calc(100% - 0.6em)" : "0.6em"}` }, String(query))
  );
  const bars = element("path", { fill: colours.prediction });
  const axis = element("svg", {
    class: "bars",
    viewBox: `0 0 ${data.columns} 1`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  }, bars);
  const keys = element(
    "div",
    { class: "keys" },
    ...(data.keys > 1 ? ["0", "keys", String(data.keys - 1)] : ["key 0"]).map((text) => element("span", {}, text)),
  );
  const reading = element("div", { class: "reading" });
  const gutter = element("div", { class: "gutter" }, ...ends, here);
  const picture = element("div", { class: "picture" }, gutter, cells, element("div"), element("div", {}, axis, keys));
  const words = element(
    "div",
    { class: "words" },
    element("div", { class: "title" }, data.titles[index]),
    element("div", { class: "says" }, data.says[index]),
  );
  const figure = element("figure", { class: "panel" }, words, picture, reading);
  const pixels = new ImageData(data.columns, data.rows);
  const paint = new Uint32Array(pixels.data.buffer);
  let painted = null;

  const draw = (frame, row, column, ramp) => {
    if (painted !== frame) {
      paintCells(heatmap, { before: frame, after: frame, share: 0 }, ramp, paint);
      canvas.getContext("2d").putImageData(pixels, 0, 0);
      painted = frame;
    }
    const height = 100 / data.rows;
    mark.style.cssText = `top:calc(${row * height}% - 2px);height:calc(${height}% + 4px)`;
    cell.hidden = column === null;
    if (column !== null) {
      cell.style.cssText = `top:${row * height}%;height:${height}%;left:${(column * 100) / data.columns}%;width:${
        100 / data.columns
      }%`;
    }
    here.textContent = String(row * data.blocks[0]);
    here.style.top = `${between(0, (row + 0.5) * height, 100)}%`;
    ends[0].hidden = (row + 0.5) * height < 14;
    ends[1].hidden = (row + 0.5) * height > 86;
    read(heatmap.weightsOf(frame, row), row, heatmap.top(frame));
  };
  const read = (weights, row, top) => {
    let path = "";
    let most = 0;
    weights.forEach((weight, i) => {
      if (weight > weights[most]) most = i;
      if (weight) path += `M${i + 0.1},1V${(1 - weight / top).toFixed(4)}H${i + 0.9}V1Z`;
    });
    bars.setAttribute("d", path);
    const tied = weights.filter((weight) => weights[most] - weight < 1e-6).length;
    const whom = tied > 1
      ? `${tied} ${data.blocks[1] > 1 ? "groups of keys" : "keys"}, each`
      : `most to ${data.key(most)}:`;
    const text = `${whom} ${weightText(weights[most])}`;
    reading.textContent = text;
    const shape = `${data.queries} queries by ${data.keys} keys`;
    cells.setAttribute(
      "aria-label",
      `${data.titles[index]}. ${data.lead} ${data.says[index]}: ${shape}; ${data.query(row)} gives ${text}`,
    );
  };

  const at = (row, column) => {
    point({ panel: index, row: between(0, row, data.rows - 1), column: between(0, column, data.columns - 1) });
  };
  cells.addEventListener("pointermove", (event) => {
    const box = cells.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    at(Math.floor(y * data.rows), Math.floor(x * data.columns));
  });
  cells.addEventListener("pointerleave", () => point(null));
  cells.addEventListener("blur", () => point(null));
  cells.addEventListener("keydown", (event) => {
    const arrow = arrowOf(event);
    if (event.key === "Escape") point(null);
    if (!arrow) return;
    event.preventDefault();
    const from = pointed()?.panel === index ? pointed() : { row: data.rows >> 1, column: data.columns >> 1 };
    at(from.row + arrow[0], from.column + arrow[1]);
  });
  return { figure, cells, draw };
}
