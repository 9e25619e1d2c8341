// The diagram: a query, keys and values that are dragged, and what the query gets. Torch made every number in it.

import { arrowOf, between, digits, element, set, sizeOf, weightText, write } from "../../../pictures/js/format.js";
import { mount } from "../../../pictures/js/mount.js";
import { flowPanel } from "./flow.js";
import { keysPanel } from "./keys.js";
import { edited, frameAt, placeOf, unpacked } from "./question.js";

const LINE_HEIGHT = 132;
const FLOW_HEIGHT = 292;
const FOCUSED = ".handle, .key, .value";
const PIXELS = 2; // for a step of a dragged value
const HEAD = ["Pair", "Key", "Score", "Weight", "Value", "Weight × value"];

// A colour for every pair, from the slots of the theme that stand for nothing else in this picture.
const pairColours = ({ categorical }) => [1, 7, 2, 8, 3, 6].map((slot) => categorical[slot % categorical.length]);

export default mount((page) => {
  const { place: root, state, colours, key } = page;
  const data = unpacked(page.data);
  // The query stands where the server says, unless the hand has moved it since: `sent` is what the server was told.
  if (state.space !== data.space) Object.assign(state, { space: data.space, at: null, sent: [] });
  state.captions = data.temperatures.map((temperature) => `T = ${temperature}`); // for a film
  state.edit = null; // { pair, place } or { pair, value } while a key or a value is dragged: these frames know it

  const pairs = pairColours(colours);
  const keys = keysPanel(data, colours, pairs);
  const flow = flowPanel(data, colours, pairs);
  const table = numbersTable(data);
  const answer = () => page.latest(key);
  let [held, width] = [null, 0]; // what the pointer holds: "query", or the number of a pair

  const { soon } = page.drawing(() => {
    if (!state.at || !width) return false;
    const temperature = between(0, slider.position() ?? answer()?.temperature ?? 0, data.temperatures.length - 1);
    const frame = edited(data, frameAt(data, state.at, temperature, answer()), state.edit, answer());
    keys.draw(frame);
    flow.draw(frame);
    table.draw(frame);
    tell(frame);
    slider.waits(Boolean(answer()) && !frame.exact); // for the samples, which follow once all is released
    return true;
  });
  const slider = page.follow(data.slider, soon);

  // Everything about one picture, written with it: who reads it in one go reads one picture.
  const tell = (frame) => {
    const said = `${frame.text.replace(",", ", ")}; output ${digits(frame.output, 4)}`;
    const range = { "aria-valuemin": 0, "aria-valuemax": (data.counts[0] - 1) / data.perUnit };
    set(keys.handle, { "aria-valuetext": said, "aria-valuenow": frame.query[0], ...range });
    keys.keys.forEach((each) => set(each, range));
    keys.svg.setAttribute("aria-label", (frame.exact && answer().text) || `Query at ${said}`);
    Object.assign(root.dataset, {
      space: data.space,
      query: frame.text,
      temperature: data.temperatures[frame.temperature],
      keys: frame.keys.join(";"),
      values: frame.values.join(","),
      scores: frame.scores.join(","),
      weights: frame.weights.join(","),
      output: frame.output,
      exact: frame.exact,
      picked: frame.picked === null ? "" : data.names[frame.picked],
    });
  };

  // The query.
  const move = (at) => {
    Object.assign(state, { at, untold: true });
    soon();
  };
  const settle = () => {
    if (!state.untold) return;
    state.untold = false;
    const text = state.at.map((step) => step / data.perUnit).join(",");
    if (text === (state.sent.at(-1) ?? answer()?.query)) return;
    state.sent.push(text);
    page.setStateValue("query", text);
  };

  // A key or a value: while it is dragged, its frames are shown; once it is let go, the server sends new ones.
  const edit = (next) => {
    state.edit = next;
    soon();
  };
  const settleKey = () => {
    if (!state.edit?.place) return;
    const { pair, place } = state.edit;
    const at = place.map((step) => step / data.keysPerUnit);
    if (at.join() === data.keys[pair].join()) edit(null);
    else page.setTriggerValue("key", [pair, ...at].join(","));
  };
  const settleValue = (pair) => {
    const value = state.edit?.value;
    if (value === undefined) return;
    if (value === data.values[pair]) edit(null);
    else page.setTriggerValue("value", `${pair},${value}`);
  };
  const keyPlace = (pair) =>
    state.edit?.pair === pair && state.edit.place
      ? state.edit.place
      : data.keys[pair].map((number) => Math.round(number * data.keysPerUnit));
  const dragKey = (pair, event) => edit({ pair, place: keys.at(event, data.keyCounts, data.keysPerUnit) });

  keys.svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !state.at) return;
    const sign = event.target.closest(".key");
    held = sign ? keys.keys.indexOf(sign) : "query";
    root.classList.add("dragging");
    root.classList.remove("keyed");
    keys.svg.setPointerCapture(event.pointerId);
    (sign ?? keys.handle).focus({ preventScroll: true, focusVisible: false });
    event.preventDefault(); // no text is selected on the way
    if (held === "query") move(keys.at(event));
  });
  keys.svg.addEventListener("pointermove", (event) => {
    if (held === "query") move(keys.at(event));
    else if (held !== null) dragKey(held, event);
  });
  const letGo = () => {
    if (held === null) return;
    const query = held === "query";
    held = null;
    root.classList.remove("dragging");
    if (query) settle();
    else settleKey();
  };
  for (const end of ["pointerup", "pointercancel"]) keys.svg.addEventListener(end, letGo);

  // Arrow keys go a tenth of a unit or so, with Shift the finest step there is; the server hears of it on release.
  const stepped = (event, from, counts, step) => {
    const arrow = arrowOf(event);
    if (!state.at || !arrow) return null;
    root.classList.add("keyed"); // taken up by the mouse, it shows its focus only from here on
    event.preventDefault();
    const [down, right] = arrow;
    const by = data.plane ? [right, -down] : [right || -down];
    return from.map((at, axis) => between(0, at + by[axis] * step, counts[axis] - 1));
  };
  keys.handle.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 1 : Math.ceil(data.perUnit / 10);
    const at = stepped(event, state.at, data.counts, step);
    if (at) move(at);
  });
  for (const end of ["keyup", "blur"]) keys.handle.addEventListener(end, () => held === null && settle());
  keys.keys.forEach((sign, pair) => {
    sign.addEventListener("keydown", (event) => {
      const place = stepped(event, keyPlace(pair), data.keyCounts, 1);
      if (place) edit({ pair, place });
    });
    for (const end of ["keyup", "blur"]) sign.addEventListener(end, () => held === null && settleKey());
  });
  flow.fields.forEach((field, pair) => valueEditing(field, pair, data, edit, settleValue));

  const focused = [...root.querySelectorAll(FOCUSED)].indexOf(root.getRootNode().activeElement);
  root.replaceChildren(keys.svg, flow.box, table.node);
  root.querySelectorAll(FOCUSED)[focused]?.focus({ preventScroll: true }); // new frames do not take it away
  page.resized(() => {
    if (root.clientWidth === width) return; // our own heights
    width = root.clientWidth;
    const beside = data.plane && width > 900;
    root.classList.toggle("beside", beside);
    flow.place();
    keys.cards = flow.cards;
    const across = sizeOf(keys.svg).width - 42;
    const height = data.plane ? (across * (data.counts[1] - 1)) / (data.counts[0] - 1) + 58 : LINE_HEIGHT;
    keys.resize(height);
    flow.resize(beside ? Math.max(height, FLOW_HEIGHT) : FLOW_HEIGHT);
    soon();
  });
  page.updated(key, ({ space, query }) => {
    if (space !== data.space) return;
    const known = state.sent.indexOf(query);
    if (known >= 0) state.sent.splice(0, known + 1);
    // Undo, Reset, the link
    else if (!state.at || (!state.sent.length && !state.untold)) state.at = placeOf(data, query);
    slider.attach();
    soon();
  });
});

// Drag a value up or down, or type it: whole numbers between the ends of the axis.
function valueEditing(field, pair, { values, valueAxis: [low, high] }, edit, settle) {
  let begun = null; // { y, value } of the pointer that went down
  const whole = (value) => between(low, Math.round(value), high);
  field.addEventListener("pointerdown", (event) => (begun = { y: event.clientY, value: +field.value }));
  field.addEventListener("pointermove", (event) => {
    const up = begun ? begun.y - event.clientY : 0;
    if (!begun || (!field.dragged && Math.abs(up) < 2 * PIXELS)) return;
    field.dragged = true;
    field.setPointerCapture(event.pointerId);
    edit({ pair, value: whole(begun.value + up / PIXELS) });
  });
  for (const end of ["pointerup", "pointercancel"]) {
    field.addEventListener(end, () => {
      if (field.dragged) settle(pair);
      begun = null;
      field.dragged = false;
    });
  }
  field.addEventListener("input", () => field.value !== "" && edit({ pair, value: whole(+field.value) }));
  field.addEventListener("change", () => {
    if (field.value === "") field.value = values[pair];
    settle(pair);
  });
}

// The numbers of every pair, and their sums, in a table that moves with the picture.
function numbersTable({ names }) {
  const line = (kind, texts) => element("tr", {}, ...texts.map((text) => element(kind, {}, text)));
  const rows = names.map((name) => line("td", [name, ...HEAD.slice(1).fill("")]));
  const sum = line("td", ["Sum", "", "", "1", "", ""]);
  const node = element(
    "table",
    { class: "numbers" },
    element("thead", {}, line("th", HEAD)),
    element("tbody", {}, ...rows, sum),
  );
  const draw = ({ keys, scores, weights, values, output }) => {
    rows.forEach(({ children }, i) => {
      const share = (weights[i] * values[i]).toFixed(2);
      const texts = [keys[i].join(", "), signed(scores[i]), weightText(weights[i]), `${values[i]}`, share];
      texts.forEach((text, column) => write(children[column + 1], text));
    });
    write(sum.children[5], output.toFixed(2));
  };
  return { node, draw };
}

const signed = (score) => score.toFixed(4).replace("-0.0000", "0.0000").replace("-", "−");
