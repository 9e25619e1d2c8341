// Writing symbol by symbol: where every head looks, how likely each next symbol is, and which one is taken.

const states = new WeakMap(); // per place on the page: this function is called again on every new writing or theme
const MOST_BARS = 6;

function unpackDecoding(bytes) {
  const { header, body } = opened(bytes);
  let at = 0;
  const take = (count) => {
    const part = new Float32Array(body, 4 * at, count);
    at += count;
    return part;
  };
  const { heads, read, symbols } = header;
  const runs = header.runs.map((run) => ({ ...run, cross: take(heads.length * run.symbols.length * read.length) }));
  const probabilities = header.runOf.map((run) => take(runs[run].symbols.length * symbols.length));
  return { ...header, runs, probabilities };
}

// The film's heatmaps of one writing: at step t the rows up to t are known, and the rest is blank.
function headFilm(scene, run) {
  const [steps, across] = [run.symbols.length, scene.read.length];
  const size = steps * across;
  const panels = scene.heads.map((title, head) => {
    const cells = new Float32Array(steps * size).fill(NaN);
    for (let step = 0; step < steps; step++) cells.set(run.cross.subarray(head * size, head * size + (step + 1) * across), step * size);
    return { title, rows: run.symbols.map((symbol) => `→ ${symbol}`), columns: scene.read, cells, kept: steps, masks: 0, hatches: [], notes: [], size };
  });
  const names = { row: "symbol written", column: "symbol read", cell: "weight", rows: "symbols written", columns: "symbols read" };
  return { panels, names, height: 400, low: 0, high: 1, levels: 0, captions: scene.captions, frames: steps, plane: null, across: null };
}

function headsPanel(home, scene, run) {
  const film = headFilm(scene, run);
  const colours = coloursOf(home);
  const tooltip = tooltipOver(home);
  const panels = film.panels.map((panel) => cellsPanel(film, panel, colours));
  const rows = panels.map(({ svg }) => svg.appendChild(element("rect", { class: "row", stroke: colours.query, visibility: "hidden" })));
  const grid = element("div", { class: "grid-of-panels" }, ...panels.map((panel) => panel.box));
  let mix = { before: 0, after: 0, share: 0 };
  const probe = filmProbe({ film, panels, plane: null, tooltip }, { mix: () => mix, changed: () => probe.light() });
  home.replaceChildren(grid, filmFoot(film, colours), tooltip.box);
  return {
    resize: () => {
      const fit = fitting(film, home);
      grid.style.gridTemplateColumns = `repeat(${fit.across}, max-content)`;
      panels.forEach((panel) => panel.resize(fit));
    },
    draw: (frame) => {
      mix = { before: frame, after: frame, share: 0 };
      panels.forEach((made, i) => {
        made.draw(mix);
        const { left, right, top, cellHeight } = made.area;
        hideLater(made, frame);
        place(rows[i], { x: left - 1, y: top + frame * cellHeight, width: right - left + 2, height: cellHeight });
        made.svg.setAttribute("aria-label", rowWords(scene, run, i, frame));
      });
      probe.light();
    },
  };
}

// What is not written yet has no name yet.
function hideLater({ svg, area }, frame) {
  const every = Math.max(1, Math.ceil(17 / area.cellHeight)); // rows that have a label
  svg.querySelectorAll("text[text-anchor=end]").forEach((label, i) => label.setAttribute("visibility", i * every > frame ? "hidden" : "visible"));
}

function rowWords(scene, run, head, frame) {
  const start = (head * run.symbols.length + frame) * scene.read.length;
  const weights = scene.read.map((symbol, i) => `${symbol} ${weightText(run.cross[start + i])}`);
  return `${scene.heads[head]}, writing ${run.symbols[frame]}: weights ${weights.join(", ")}.`;
}

// The likeliest symbols, and the chosen one if it is not among them.
function likeliest(scene, probabilities, frame, chosen) {
  const all = scene.symbols.map((symbol, i) => ({ symbol, probability: probabilities[frame * scene.symbols.length + i] }));
  all.sort((a, b) => b.probability - a.probability);
  const top = all.slice(0, MOST_BARS);
  return top.some(({ symbol }) => symbol === chosen) ? top : [...top.slice(0, -1), all.find(({ symbol }) => symbol === chosen)];
}

function bar({ symbol, probability }, chosen) {
  const fill = element("div", { class: "bar", style: `width: ${(100 * probability).toFixed(2)}%` });
  const parts = [["name", symbol], ["track", fill], ["value", weightText(probability)]];
  return element("li", { class: symbol === chosen ? "chosen" : null }, ...parts.map(([name, content]) => element("span", { class: name, ...(name === "track" ? { style: "display: block" } : {}) }, content)));
}

function symbolsLine(name, symbols, now, right = null) {
  const boxes = symbols.map((symbol, i) => element("span", { class: `symbol${i === now ? " now" : ""}${right && right[i] !== symbol ? " wrong" : ""}` }, symbol));
  return element("div", { class: "string" }, element("span", {}, name), ...boxes);
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".decoding");
  const state = states.get(root) ?? { position: 0, playing: false, speed: 1, fresh: true };
  states.set(root, state);
  state.stop?.();

  const scene = unpackDecoding(data);
  const slider = followSlider(scene.slider, () => schedule());
  const strings = element("div", { class: "strings" });
  const heads = element("div", { class: "film" });
  const bars = element("ol", { class: "bars", "aria-label": "likeliest next symbols" });
  const told = element("p", { class: "told", role: "status" });
  const title = element("div", { class: "heading" }, "What comes next");
  let [scheduled, made, run] = [0, null, null];

  const draw = () => {
    scheduled = 0;
    if (!heads.clientWidth) return;
    const temperature = between(0, slider.position() ?? scene.temperature, scene.temperatures.length - 1);
    const writing = scene.runs[scene.runOf[temperature]];
    if (writing !== run) {
      run = writing;
      made = headsPanel(heads, scene, run);
      made.resize();
    }
    const frame = between(0, Math.round(state.position), run.symbols.length - 1);
    const chosen = run.symbols[frame];
    const shown = likeliest(scene, scene.probabilities[temperature], frame, chosen);
    made.draw(frame);
    player.refresh();
    const written = run.symbols.slice(0, frame + 1);
    strings.replaceChildren(symbolsLine("reads", scene.read, -1), symbolsLine("writes", written, frame, scene.right));
    bars.replaceChildren(...shown.map((one) => bar(one, chosen)));
    const taken = shown.find(({ symbol }) => symbol === chosen);
    told.textContent = `Symbol ${frame + 1}: ${scene.sampled && temperature > 0 ? "drew" : "takes"} ${chosen}, with probability ${weightText(taken.probability)} at ${scene.temperatures[temperature]}.`;
    Object.assign(root.dataset, { frame, temperature, written: written.join(" "), chances: JSON.stringify(shown), draws: +(root.dataset.draws ?? 0) + 1 });
  };
  const schedule = () => (scheduled ||= requestAnimationFrame(draw));
  const player = playerBar(scene, state, { moved: schedule, settled: () => {} }); // where it stands is nobody else's business

  const side = element("div", { class: "next" }, title, bars, told);
  root.replaceChildren(player.bar, strings, element("div", { class: "sides" }, heads, side));
  const resized = new ResizeObserver(() => {
    if (!heads.clientWidth) return;
    made?.resize();
    draw();
  });
  resized.observe(root);
  state.stop = () => {
    resized.disconnect();
    slider.stop();
    player.stop();
    cancelAnimationFrame(scheduled);
  };
  return state.stop;
}
