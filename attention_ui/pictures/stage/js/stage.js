// The stage: puts the pictures side by side and links them. No kernel is computed here; torch made every number.

const states = new WeakMap(); // per place on the page: this function is called again on every new scene or theme

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const place = parentElement.querySelector(".stage");
  const key = keyOf(place);
  const state = states.get(place) ?? { hidden: new Set(), position: 0, playing: false, speed: 1, pinned: null, adding: false, fresh: true };
  states.set(place, state);
  state.stop?.();

  const scene = unpack(data);
  state.adding &&= scene.offers.includes("add");
  const colours = coloursOf(place);
  const tooltip = tooltipOver(place);
  const curve = curvePanel(scene, colours, state.hidden);
  const heatmap = heatmapPanel(scene, colours);
  const readouts = readoutRow(scene);
  const graphs = scene.graphs.map((graph) => graphPanel(graph, colours, tooltip));
  const slider = scene.slider && followSlider(scene.slider, () => schedule());
  const cue = () => globalThis.attentionLabCues?.get(key);
  let scheduled = 0;
  let drawn = null; // the position on the screen: what has not moved is not painted again

  const position = () => {
    const asked = scene.player ? state.position : slider?.position() ?? cue()?.frame ?? 0;
    return between(0, asked, scene.frames - 1);
  };
  const paint = (now, mix) => {
    curve.draw(curveAt(scene, mix));
    heatmap.draw(mix);
    readouts.draw(Math.round(now));
    graphs.forEach((graph) => graph.draw(now));
  };
  const draw = () => {
    scheduled = 0;
    if (!heatmap.area || !curve.width) return;
    const begun = performance.now();
    const now = position();
    const mix = mixing(scene, now);
    if (now !== drawn) paint(now, mix);
    drawn = now;
    probe.light(mix);
    player?.refresh();
    place.dataset.frame = mix.before;
    place.dataset.draws = +(place.dataset.draws ?? 0) + 1;
    place.dataset.milliseconds = (performance.now() - begun).toFixed(2);
  };
  const schedule = () => (scheduled ||= requestAnimationFrame(draw));

  const player = scene.player && playerBar(scene, state, { moved: schedule, settled: (frame) => setStateValue("frame", frame) });
  const probe = linkedProbe({ scene, state, curve, heatmap, tooltip }, {
    cue,
    changed: schedule,
    pinned: (row) => setStateValue("query", row),
    added: ({ x, y }) => setTriggerValue("point", [x, y]),
    toggle: player?.toggle,
  });
  const left = element("div", { class: "panel" }, legend(scene, colours, state.hidden, curve.toggle), curve.svg);
  if (scene.offers.length) left.append(offered(scene, state, () => setTriggerValue("reset", true)));
  const right = element("div", { class: "panel" }, element("div", { class: "legend heading" }, "How much each query attends to each key"), heatmap.box);
  const below = element("div", { class: "graphs" }, ...graphs.map((graph, i) => graphBox(scene.graphs[i], graph, colours)));
  place.classList.toggle("small", scene.small);
  place.replaceChildren(...(player ? [player.bar] : []), readouts.row, element("div", { class: "pictures" }, left, right), below, tooltip.box);
  curve.toggle();

  const cued = (event) => {
    if (event.detail !== key) return;
    const now = cue();
    if (now.pinned !== undefined) state.pinned = now.pinned;
    curve.svg.setAttribute("aria-label", now.curveText || "data and prediction");
    heatmap.svg.setAttribute("aria-label", now.heatmapText || "attention weights");
    slider?.attach();
    player?.begin(now.frame);
    schedule();
  };
  const resized = new ResizeObserver(() => {
    if (!place.clientWidth) return; // taken off the page
    [curve, heatmap, ...graphs].forEach((panel) => panel.resize());
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
