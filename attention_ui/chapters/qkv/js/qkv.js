// The diagram: a query that is dragged among keys, and what their values answer. Torch made every number in it.

import { arrowOf, between, digits, set } from "../../../pictures/js/format.js";
import { mount } from "../../../pictures/js/mount.js";
import { flowPanel } from "./flow.js";
import { keysPanel } from "./keys.js";
import { frameAt, placeOf, unpacked } from "./question.js";

const LINE_HEIGHT = 160;
const FLOW_HEIGHT = 350;

// A colour for every pair, from the slots of the theme that stand for nothing else in this picture.
const pairColours = ({ categorical }) => [1, 7, 2, 8, 3, 6].map((slot) => categorical[slot % categorical.length]);

export default mount((page) => {
  const { place: root, state, colours, key } = page;
  const data = unpacked(page.data);
  // Until the hand moves it, the query stands where the server says; from then on the hand knows better.
  if (state.space !== data.space) Object.assign(state, { space: data.space, at: null, moved: false });

  const pairs = pairColours(colours);
  const keys = keysPanel(data, colours, pairs);
  const flow = flowPanel(data, colours, pairs);
  const answer = () => page.latest(key);
  let [dragging, width] = [false, 0];

  const { soon } = page.drawing(() => {
    if (!state.at || !width) return false;
    const temperature = between(0, slider.position() ?? answer()?.temperature ?? 0, data.temperatures.length - 1);
    const frame = frameAt(data, state.at, temperature, answer());
    keys.draw(frame);
    flow.draw(frame);
    tell(frame);
    return true;
  });
  const slider = page.follow(data.slider, soon);

  // Everything about one picture, written with it: who reads it in one go reads one picture.
  const tell = (frame) => {
    const said = `${frame.text.replace(",", ", ")}; output ${digits(frame.output, 4)}`;
    const range = { "aria-valuemin": 0, "aria-valuemax": (data.counts[0] - 1) / data.perUnit };
    set(keys.handle, { "aria-valuetext": said, "aria-valuenow": frame.query[0], ...range });
    keys.svg.setAttribute("aria-label", (frame.exact && answer().text) || `Query at ${said}`);
    Object.assign(root.dataset, {
      space: data.space,
      query: frame.text,
      temperature: data.temperatures[frame.temperature],
      scores: frame.scores.join(","),
      weights: frame.weights.join(","),
      output: frame.output,
      exact: frame.exact,
      looked: frame.looked === null ? "" : data.names[frame.looked],
    });
  };

  const move = (at) => {
    Object.assign(state, { at, moved: true });
    soon();
  };
  const settle = () => {
    dragging = false;
    root.classList.remove("dragging");
    const text = state.at.map((step) => step / data.perUnit).join(",");
    if (text !== state.told) page.setTriggerValue("query", state.told = text);
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
    const step = event.shiftKey ? 1 : Math.ceil(data.perUnit / 10);
    const arrow = arrowOf(event);
    if (!state.at || !arrow) return;
    root.classList.add("keyed"); // taken up by the mouse, it shows its focus only from here on
    const [down, right] = arrow;
    const by = data.plane ? [right, -down] : [right || -down];
    move(state.at.map((from, axis) => between(0, from + by[axis] * step, data.counts[axis] - 1)));
    event.preventDefault();
  });
  for (const end of ["keyup", "blur"]) keys.handle.addEventListener(end, () => state.moved && !dragging && settle());

  root.replaceChildren(keys.svg, flow.svg);
  page.resized(() => {
    if (root.clientWidth === width) return; // our own heights
    width = root.clientWidth;
    const beside = data.plane && width > 900;
    root.classList.toggle("beside", beside);
    flow.place();
    keys.cards = flow.cards;
    const across = keys.svg.getBoundingClientRect().width - 42;
    const height = data.plane ? (across * (data.counts[1] - 1)) / (data.counts[0] - 1) + 58 : LINE_HEIGHT;
    keys.resize(height);
    flow.resize(beside ? Math.max(height, FLOW_HEIGHT) : FLOW_HEIGHT);
    soon();
  });
  page.updated(key, ({ space, query, turns }) => {
    const undone = state.turns !== turns;
    state.turns = turns;
    if (space === data.space && (undone || !state.moved)) {
      Object.assign(state, { at: placeOf(data, query), told: query, moved: false });
    }
    slider.attach();
    soon();
  });
});
