// Writing symbol by symbol: where every head looks, how likely each next symbol is, and which one is taken.

import { opened } from "../../../pictures/js/packing.js";
import { between, box, element, weightText } from "../../../pictures/js/format.js";
import { FIRST } from "../../../pictures/js/frames.js";
import { heatmapGrid, stillHeatmap } from "../../../pictures/js/heatmap_grid.js";
import { mount } from "../../../pictures/js/mount.js";
import { playerBar } from "../../../pictures/js/player.js";
import { tooltipOver } from "../../../pictures/js/tooltip.js";

const MOST_BARS = 6;

// attention_ui/chapters/transformer/decoding.py packs it: the weights of every writing, then every temperature's
// chances.
function unpackDecoding(bytes) {
  const { tensors, ...header } = opened(bytes);
  const runs = header.runs.map((run, i) => ({ ...run, cross: tensors[i] }));
  return { ...header, runs, probabilities: tensors.slice(runs.length) };
}

// The heatmaps of one writing: at step t the rows up to t are known, and the rest is blank.
function headsOf(data, run) {
  const [steps, across] = [run.symbols.length, data.read.length];
  const size = steps * across;
  const rows = run.symbols.map((symbol) => `→ ${symbol}`);
  const heatmaps = data.heads.map((title, head) => {
    const cells = new Float32Array(steps * size).fill(NaN);
    const known = (step) => run.cross.subarray(head * size, head * size + (step + 1) * across);
    for (let step = 0; step < steps; step++) cells.set(known(step), step * size);
    return stillHeatmap({ title, rows, columns: data.read, cells, low: 0, high: 1 });
  });
  const whole = { rows: "symbols written", columns: "symbols read" };
  const names = { row: "symbol written", column: "symbol read", cell: "weight", ...whole };
  return { heatmaps, names, height: 262, fills: true, captions: data.captions };
}

function headsPanel(home, data, run, colours) {
  const tooltip = tooltipOver(home);
  let mix = FIRST;
  const acts = { mix: () => mix, changed: () => grid.light() };
  const grid = heatmapGrid(headsOf(data, run), home, colours, tooltip, acts);
  const marks = grid.panels.map(({ svg }) => svg.appendChild(element("rect", { class: "row", stroke: colours.query })));
  home.replaceChildren(grid.box, grid.foot, tooltip.box);
  const draw = (frame) => {
    mix = { before: frame, after: frame, share: 0, at: frame };
    grid.draw(mix, true);
    grid.panels.forEach(({ svg, back, area: { left, right, top, cellHeight } }, i) => {
      // What is not written yet has no name yet.
      const isLater = (label) => +label.dataset.row > frame;
      back.querySelectorAll("[data-row]").forEach((label) =>
        label.setAttribute("visibility", isLater(label) ? "hidden" : "visible")
      );
      box(marks[i], { x: left - 1, y: top + frame * cellHeight, width: right - left + 2, height: cellHeight });
      svg.setAttribute("aria-label", rowWords(data, run, i, frame));
    });
    grid.light();
  };
  return { resize: grid.resize, draw };
}

function rowWords(data, run, head, frame) {
  const start = (head * run.symbols.length + frame) * data.read.length;
  const weights = data.read.map((symbol, i) => `${symbol} ${weightText(run.cross[start + i])}`);
  return `${data.heads[head]}, writing ${run.symbols[frame]}: weights ${weights.join(", ")}.`;
}

// The likeliest symbols, and the chosen one if it is not among them.
function likeliest(data, probabilities, frame, chosen) {
  const all = data.symbols.map((symbol, i) => ({
    symbol,
    probability: probabilities[frame * data.symbols.length + i],
  }));
  all.sort((a, b) => b.probability - a.probability);
  const top = all.slice(0, MOST_BARS);
  return top.some(({ symbol }) => symbol === chosen)
    ? top
    : [...top.slice(0, -1), all.find(({ symbol }) => symbol === chosen)];
}

export function bar({ symbol, probability }, chosen) {
  const fill = element("div", { class: "bar", style: `width: ${(100 * probability).toFixed(2)}%` });
  const parts = [["name", symbol], ["track", fill], ["value", weightText(probability)]];
  return element(
    "li",
    { class: symbol === chosen ? "chosen" : null },
    ...parts.map(([name, content]) =>
      element("span", { class: name, ...(name === "track" ? { style: "display: block" } : {}) }, content)
    ),
  );
}

function symbolsLine(name, symbols, now, right = null) {
  const boxes = symbols.map((symbol, i) =>
    element(
      "span",
      { class: `symbol${i === now ? " now" : ""}${right && right[i] !== symbol ? " wrong" : ""}` },
      symbol,
    )
  );
  return element("div", { class: "string" }, element("span", {}, name), ...boxes);
}

export default mount((page) => {
  const { place: root, state } = page;
  const data = unpackDecoding(page.data);
  const strings = element("div", { class: "strings" });
  const heads = element("div", { class: "fitted" });
  const bars = element("ol", { class: "bars", "aria-label": "likeliest next symbols" });
  const told = element("p", { class: "told", role: "status" });
  const title = element("div", { class: "heading" }, "What comes next");
  let [made, run] = [null, null];

  const { now, soon } = page.drawing(() => {
    if (!heads.clientWidth) return false;
    const temperature = between(0, slider.position() ?? data.temperature, data.temperatures.length - 1);
    const writing = data.runs[data.runOf[temperature]];
    if (writing !== run) {
      run = writing;
      made = headsPanel(heads, data, run, page.colours);
      made.resize();
    }
    const frame = between(0, Math.round(state.position), run.symbols.length - 1);
    const chosen = run.symbols[frame];
    const shown = likeliest(data, data.probabilities[temperature], frame, chosen);
    made.draw(frame);
    player.refresh();
    const written = run.symbols.slice(0, frame + 1);
    strings.replaceChildren(symbolsLine("reads", data.read, -1), symbolsLine("writes", written, frame, data.right));
    bars.replaceChildren(...shown.map((one) => bar(one, chosen)));
    const taken = shown.find(({ symbol }) => symbol === chosen);
    told.textContent = `Symbol ${frame + 1} is ${chosen}, ${
      data.sampled && temperature > 0 ? "sampled" : "the likeliest"
    }, with probability ${weightText(taken.probability)} at ${data.temperatures[temperature]}.`;
    atRest();
    Object.assign(root.dataset, { frame, temperature, written: written.join(" "), chances: JSON.stringify(shown) });
    return true;
  });
  const slider = page.follow(data.slider, soon);
  const player = playerBar(data, page, { moved: soon });
  const atRest = page.rested(() => player.tell(Math.round(state.position)));

  const side = element("div", { class: "next" }, title, bars, told);
  root.replaceChildren(player.bar, strings, element("div", { class: "sides" }, heads, side));
  page.resized(() => {
    made?.resize();
    now();
  });
  page.updated(page.key, player.begin);
});
