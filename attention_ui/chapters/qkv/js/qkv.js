// The diagram: a query that is dragged among keys, and what their values answer. Torch made every number in it.

const states = new WeakMap(); // per place on the page: this function is called again on every new space or theme
const LINE_HEIGHT = 160;
const FLOW_HEIGHT = 350;

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".qkv");
  const key = keyOf(root);
  const scene = unpacked(data);
  const state = states.get(root) ?? {};
  states.set(root, state);
  state.stop?.();
  // Until the hand moves it, the query stands where the server says; from then on the hand knows better.
  if (state.space !== scene.space) Object.assign(state, { space: scene.space, at: null, moved: false });

  const colours = coloursOf(root);
  const pairs = pairColours(root);
  const keys = keysPanel(scene, colours, pairs);
  const flow = flowPanel(scene, colours, pairs);
  const answer = () => globalThis.attentionLabAnswers?.get(key);
  const slider = followSlider(scene.slider, () => schedule());
  let [scheduled, dragging, width] = [0, false, 0];

  const draw = () => {
    scheduled = 0;
    if (!state.at || !width) return;
    const temperature = between(0, slider.position() ?? answer()?.temperature ?? 0, scene.shape[0] - 1);
    const frame = frameAt(scene, state.at, temperature, answer());
    keys.draw(frame);
    flow.draw(frame);
    tell(frame);
  };
  const schedule = () => (scheduled ||= requestAnimationFrame(draw));

  // Everything about one picture, written with it: who reads it in one go reads one picture.
  const tell = (frame) => {
    const said = `${frame.text.replace(",", ", ")}; output ${digits(frame.output, 4)}`;
    const now = { "aria-valuetext": said, "aria-valuenow": frame.query[0], "aria-valuemin": 0, "aria-valuemax": (scene.counts[0] - 1) / scene.perUnit };
    for (const [name, value] of Object.entries(now)) keys.handle.setAttribute(name, value);
    keys.svg.setAttribute("aria-label", (frame.exact && answer().text) || `Query at ${said}`);
    Object.assign(root.dataset, {
      space: scene.space,
      query: frame.text,
      temperature: scene.temperatures[frame.temperature],
      scores: frame.scores.join(","),
      weights: frame.weights.join(","),
      output: frame.output,
      exact: frame.exact,
      looked: frame.looked === null ? "" : scene.names[frame.looked],
      draws: +(root.dataset.draws ?? 0) + 1,
    });
  };

  const move = (at) => {
    Object.assign(state, { at, moved: true });
    schedule();
  };
  const settle = () => {
    dragging = false;
    root.classList.remove("dragging");
    const text = state.at.map((step) => step / scene.perUnit).join(",");
    if (text !== state.told) setStateValue("query", (state.told = text));
  };

  keys.svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !state.at) return;
    dragging = true;
    root.classList.add("dragging");
    root.classList.remove("keyed");
    keys.svg.setPointerCapture(event.pointerId);
    keys.handle.focus({ preventScroll: true, focusVisible: false });
    event.preventDefault(); // no text is selected on the way
    move(keys.at(event));
  });
  keys.svg.addEventListener("pointermove", (event) => dragging && move(keys.at(event)));
  for (const end of ["pointerup", "pointercancel"]) keys.svg.addEventListener(end, () => dragging && settle());

  // Arrow keys go a tenth of a unit or so, with Shift the finest step there is; the server hears of it on release.
  keys.handle.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 1 : Math.ceil(scene.perUnit / 10);
    const [right, up] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [0, 0];
    if (!state.at || !(right || up)) return;
    root.classList.add("keyed"); // taken up by the mouse, it shows its focus only from here on
    const by = scene.plane ? [right, up] : [right || up];
    move(state.at.map((from, axis) => between(0, from + by[axis] * step, scene.counts[axis] - 1)));
    event.preventDefault();
  });
  for (const end of ["keyup", "blur"]) keys.handle.addEventListener(end, () => state.moved && !dragging && settle());

  const answered = (event) => {
    if (event.detail !== key) return;
    const now = answer();
    if (now.space === scene.space && !state.moved) {
      state.at = placeOf(scene, now.query);
      state.told = now.query;
    }
    slider.attach();
    schedule();
  };
  const resized = new ResizeObserver(() => {
    if (root.clientWidth === width) return; // our own heights
    width = root.clientWidth;
    const beside = scene.plane && width > 900;
    root.classList.toggle("beside", beside);
    flow.place();
    keys.cards = flow.cards;
    const across = keys.svg.getBoundingClientRect().width - 42;
    const height = scene.plane ? (across * (scene.counts[1] - 1)) / (scene.counts[0] - 1) + 58 : LINE_HEIGHT;
    keys.resize(height);
    flow.resize(beside ? Math.max(height, FLOW_HEIGHT) : FLOW_HEIGHT);
    schedule();
  });

  root.replaceChildren(keys.svg, flow.svg);
  resized.observe(root);
  globalThis.addEventListener("attention-lab-answer", answered);
  state.stop = () => {
    resized.disconnect();
    slider.stop();
    cancelAnimationFrame(scheduled);
    globalThis.removeEventListener("attention-lab-answer", answered);
  };
  if (answer()) answered({ detail: key });
  return state.stop;
}
