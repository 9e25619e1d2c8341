// The stage: puts the two pictures side by side and links them. No kernel is computed here; torch made every number.

const states = new WeakMap(); // per place on the page: this function is called again on every new scene or theme

function coloursOf(place) {
  const style = getComputedStyle(place);
  const list = (name) => style.getPropertyValue(name).split(/,(?![^(]*\))/).map((colour) => colour.trim());
  const [prediction, reference, truth, average, points, query] = list("--st-chart-categorical-colors");
  return { prediction, reference, truth, average, points, query, sequential: list("--st-chart-sequential-colors") };
}

export default function ({ data, parentElement, setStateValue }) {
  const place = parentElement.querySelector(".stage");
  const key = [...(place.getRootNode().host ?? place).closest("[class*='st-key-']").classList].find((name) => name.startsWith("st-key-")).slice(7);
  const state = states.get(place) ?? { hidden: new Set(), position: 0, playing: false, pinned: null };
  states.set(place, state);
  state.stop?.();

  const scene = unpack(data);
  const colours = coloursOf(place);
  const curve = curvePanel(scene, colours, state.hidden);
  const heatmap = heatmapPanel(scene, colours);
  const tooltip = element("div", { class: "tooltip", role: "status" });
  const slider = scene.slider && followSlider(scene.slider, () => schedule());
  const cue = () => globalThis.attentionLabCues?.get(key);
  let probe = null; // { row, column } under the pointer or moved by arrow keys; column null on the curve
  let scheduled = 0;
  let drawn = null; // the position on the screen: what has not moved is not painted again
  let wasLit = false;

  const position = () => {
    if (scene.player) return state.position;
    return between(0, slider?.position() ?? cue()?.frame ?? 0, scene.frames - 1);
  };

  const draw = () => {
    scheduled = 0;
    if (!heatmap.area || !curve.width) return;
    const begun = performance.now();
    const now = position();
    const mix = mixing(scene, now);
    if (now !== drawn) {
      curve.draw(curveAt(scene, mix));
      heatmap.draw(mix);
    }
    drawn = now;
    light(mix);
    player?.refresh();
    place.dataset.frame = mix.before;
    place.dataset.draws = +(place.dataset.draws ?? 0) + 1;
    place.dataset.milliseconds = (performance.now() - begun).toFixed(2);
  };
  const schedule = () => (scheduled ||= requestAnimationFrame(draw));

  const light = (mix) => {
    const row = probe?.row ?? state.pinned;
    const lit = row === null || row >= scene.rows ? null : probeOf(row, mix);
    if (lit || wasLit) {
      curve.light(lit);
      heatmap.light(lit, probe?.column ?? null, state.pinned);
    }
    wasLit = lit !== null;
    tell(lit, mix);
  };
  const probeOf = (row, mix) => {
    const weights = Array.from({ length: scene.columnCount }, (_, column) => weightAt(scene, cue(), mix, row, column).value);
    const largest = Math.max(...weights.map(Math.abs), 1e-30);
    return { row, query: scene.queries[row], output: outputAt(scene, cue(), mix, row), weights, largest };
  };
  const tell = (lit, mix) => {
    tooltip.hidden = !probe || !lit;
    if (tooltip.hidden) return;
    const parts = [`query ${digits(lit.query)}`];
    if (probe.column !== null) {
      const { value, exact } = weightAt(scene, cue(), mix, probe.row, probe.column);
      parts.push(`key ${digits(scene.columns[probe.column])}`, `weight ${exact ? "" : "≈ "}${weightText(value)}`);
    }
    parts.push(Number.isFinite(lit.output) ? `output ${digits(lit.output, 4)}` : "no key in reach");
    tooltip.textContent = parts.join(" · ");
    const x = probe.column === null ? curve.toX(lit.query) : heatmap.area.left + (probe.column + 0.5) * heatmap.area.cellWidth;
    const over = probe.column === null ? curve.svg : heatmap.svg;
    const frame = place.getBoundingClientRect();
    const box = over.getBoundingClientRect();
    const half = tooltip.offsetWidth / 2;
    const y = probe.column === null ? 52 : heatmap.area.top + probe.row * heatmap.area.cellHeight;
    tooltip.style.left = `${between(half, box.left - frame.left + x, frame.width - half)}px`;
    tooltip.style.top = `${box.top - frame.top + y}px`;
  };

  const pin = (row) => {
    state.pinned = row === state.pinned ? null : row;
    setStateValue("query", state.pinned);
    schedule();
  };
  const point = (next) => {
    probe = next;
    schedule();
  };
  const nearestRow = (x) => scene.queries.reduce((best, query, i) => (Math.abs(query - x) < Math.abs(scene.queries[best] - x) ? i : best), 0);
  const overCurve = (event) => ({ row: nearestRow(curve.fromX(event.offsetX)), column: null });
  const overHeatmap = (event) => heatmap.at(event.offsetX, event.offsetY);
  for (const [svg, find] of [[curve.svg, overCurve], [heatmap.svg, overHeatmap]]) {
    svg.addEventListener("pointermove", (event) => point(find(event)));
    svg.addEventListener("pointerleave", () => point(null));
    svg.addEventListener("click", (event) => find(event) && pin(find(event).row));
    svg.addEventListener("keydown", (event) => arrowed(event, svg === heatmap.svg));
    svg.addEventListener("blur", () => point(null));
  }
  const arrowed = (event, onHeatmap) => {
    const from = probe ?? { row: state.pinned ?? Math.floor(scene.rows / 2), column: onHeatmap ? Math.floor(scene.columnCount / 2) : null };
    const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [0, 0];
    if (event.key === "Escape") {
      if (state.pinned !== null) pin(state.pinned);
      point(null);
    } else if (event.key === "Enter") pin(from.row);
    else if (event.key === " " && player) player.toggle();
    else if (down || right) {
      const along = onHeatmap ? down : down || right; // on the curve, right is the next query
      const column = onHeatmap ? between(0, from.column + right, scene.columnCount - 1) : null;
      point({ row: between(0, from.row + along, scene.rows - 1), column });
    } else return;
    event.preventDefault();
  };

  const player = scene.player && playerBar(scene, state, { moved: schedule, settled: (frame) => setStateValue("frame", frame) });
  const toggled = () => curve.toggle();
  const left = element("div", { class: "panel" }, legend(scene, colours, state.hidden, toggled), curve.svg);
  const right = element("div", { class: "panel" }, element("div", { class: "legend heading" }, "How much each query attends to each key"), heatmap.box);
  place.replaceChildren(...(player ? [player.bar] : []), element("div", { class: "pictures" }, left, right), tooltip);
  curve.toggle();

  const cued = (event) => {
    if (event.detail !== key) return;
    const now = cue();
    if (now.pinned !== undefined) state.pinned = now.pinned;
    curve.svg.setAttribute("aria-label", now.curveText || "data and prediction");
    heatmap.svg.setAttribute("aria-label", now.heatmapText || "attention weights");
    slider?.attach();
    schedule();
  };
  const resized = new ResizeObserver(() => {
    curve.resize();
    heatmap.resize();
    drawn = null;
    schedule();
  });
  resized.observe(place);
  globalThis.addEventListener("attention-lab-cue", cued);
  state.stop = () => {
    resized.disconnect();
    slider?.stop();
    player?.stop();
    cancelAnimationFrame(scheduled);
    globalThis.removeEventListener("attention-lab-cue", cued);
  };
  if (cue()) cued({ detail: key });
  return state.stop;
}
