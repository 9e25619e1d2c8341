// The film: puts the panels side by side and moves them together. No score is computed here; torch made every number.

const states = new WeakMap(); // per place on the page: this function is called again on every new film or theme
const REST = 250; // milliseconds without movement after which the words are written anew

export default function ({ data, parentElement, setStateValue }) {
  const place = parentElement.querySelector(".film");
  const key = keyOf(place);
  const state = states.get(place) ?? { position: 0, playing: false, speed: 1, fresh: true };
  states.set(place, state);
  state.stop?.();

  const film = unpackFilm(data);
  const colours = coloursOf(place);
  const tooltip = tooltipOver(place);
  const plane = film.plane && planePanel(film, colours);
  const panels = film.panels.map((panel) => cellsPanel(film, panel, colours));
  const readouts = readoutRow(film);
  const graphs = film.graphs.map((graph) => graphPanel(graph, colours, tooltip));
  const slider = film.slider && followSlider(film.slider, () => schedule());
  const cue = () => globalThis.attentionLabCues?.get(key);
  let scheduled = 0;
  let resting = 0;
  let drawn = null; // the position on the screen: what has not moved is not painted again

  const position = () => {
    const asked = film.player ? state.position : slider?.position() ?? cue()?.frame ?? 0;
    return between(0, asked, film.frames - 1);
  };
  const tell = () => {
    const frame = Math.round(position());
    panels.forEach((panel) => panel.svg.setAttribute("aria-label", panelWords(film, panel.panel, frame)));
    plane?.svg.setAttribute("aria-label", `${film.plane.title}, ${film.captions[frame]}: ${plane.words()}.`);
  };
  const paint = (now) => {
    const mix = mixing(film, now);
    panels.forEach((panel) => (panel.panel.kept > 1 || panel.panel.masks > 1 || panel.panel.notes.length > 1 || drawn === null) && panel.draw(mix));
    plane?.draw(mix);
    readouts.draw(Math.round(now));
    graphs.forEach((graph) => graph.draw(now));
    clearTimeout(resting);
    resting = setTimeout(tell, REST);
  };
  const draw = () => {
    scheduled = 0;
    if (!place.clientWidth || !panels[0]?.area) return;
    const begun = performance.now();
    const now = position();
    if (now !== drawn) paint(now);
    drawn = now;
    probe.light();
    player?.refresh();
    place.dataset.frame = Math.floor(now);
    place.dataset.draws = +(place.dataset.draws ?? 0) + 1;
    place.dataset.milliseconds = (performance.now() - begun).toFixed(2);
  };
  const schedule = () => (scheduled ||= requestAnimationFrame(draw));

  const player = film.player && playerBar(film, state, { moved: schedule, settled: (frame) => setStateValue("frame", frame) });
  const probe = filmProbe({ film, panels, plane, tooltip }, { mix: () => mixing(film, position()), changed: schedule, toggle: player?.toggle });
  const grid = element("div", { class: "grid-of-panels" }, ...(plane ? [plane.box] : []), ...panels.map((panel) => panel.box));
  const below = element("div", { class: "graphs" }, ...graphs.map((graph, i) => graphBox(film.graphs[i], graph, colours)));
  place.replaceChildren(...(player ? [player.bar] : []), readouts.row, grid, filmFoot(film, colours), below, tooltip.box);

  const cued = (event) => {
    if (event.detail !== key) return;
    slider?.attach();
    player?.begin(cue().frame);
    schedule();
  };
  const resized = new ResizeObserver(() => {
    if (!place.clientWidth) return;
    const fit = fitting(film, place);
    grid.style.gridTemplateColumns = `repeat(${fit.across}, max-content)`;
    [...panels, ...(plane ? [plane] : [])].forEach((panel) => panel.resize(fit));
    graphs.forEach((graph) => graph.resize());
    drawn = null;
    draw(); // at once: no blank picture in between
  });
  resized.observe(place);
  globalThis.addEventListener("attention-lab-cue", cued);
  state.stop = () => {
    resized.disconnect();
    slider?.stop();
    player?.stop();
    clearTimeout(resting);
    cancelAnimationFrame(scheduled);
    globalThis.removeEventListener("attention-lab-cue", cued);
  };
  if (cue()) cued({ detail: key });
  return state.stop;
}
