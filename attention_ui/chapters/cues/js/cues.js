// The desk: one light per object, brighter and wider the more attention it gets, and the same numbers as bars.

import { opened } from "../../../pictures/js/packing.js";
import { between, element, set } from "../../../pictures/js/format.js";
import { mount } from "../../../pictures/js/mount.js";

const [DIM, FULL] = [112, 140]; // radius of a light without any attention and with all of it, in units of the drawing
const SIZE = [800, 530]; // of the drawing
const SPEED = 90; // per cent of the blend in a second

export default mount((page) => {
  const { place, state } = page;
  const data = unpackedCues(page.data);
  state.captions = Array.from({ length: data.frames }, (_, i) => `${Math.round((100 * i) / (data.frames - 1))} %`);
  const objects = [...place.querySelectorAll(".object")];
  const lights = [...place.querySelectorAll(".light")];
  const picture = place.querySelector(".picture");
  const tags = data.names.map((name, i) => tag(name, data.places[i]));
  const bars = data.names.map((name) => bar(name));
  const gains = data.gains.map((name) => bar(name));
  bars.forEach((row, i) => row.mark([data.weightsAt(0)[i], data.weightsAt(data.frames - 1)[i]]));
  place.querySelector(".tags").replaceChildren(...tags.map(({ box }) => box));
  place.querySelector(".attention").replaceChildren(
    heading("Attention", data.goal ? legend() : ""),
    ...bars.map(({ row }) => row),
  );
  place.querySelector(".gains").replaceChildren(
    heading("What you get", "the values, averaged by attention"),
    ...gains.map(({ row }) => row),
  );
  place.toggleAttribute("data-query", data.goal !== null);
  objects.forEach((object, i) => makeClickable(page, object, data, i));

  let patience = 120; // pictures to wait for a slider that is not on the page yet
  const move = glideOf(page, data);
  const { now, soon } = page.drawing(() => {
    const position = slider.position();
    if (position === null && patience-- > 0) soon();
    if (move.towards(between(0, position ?? data.frame, data.frames - 1))) soon();
    show(move.data(), Math.round(state.shown));
  });
  const show = (shown, frame) => {
    const weights = shown.weightsAt(frame);
    const most = winner(weights);
    objects.forEach((object, i) => object.setAttribute("data-attention", weights[i]));
    lights.forEach((light, i) => shine(light, weights[i % objects.length]));
    weights.forEach((weight, i) => {
      tags[i].tell(percent(weight), i === most);
      bars[i].tell(weight, percent(weight), i === most);
    });
    shown.gainsAt(frame).forEach((gain, i) => gains[i].tell(gain / data.largest, gain.toFixed(2)));
    picture.setAttribute("aria-label", told(shown, weights));
    place.dataset.frame = frame;
  };
  const slider = page.follow(data.slider, soon);
  now();
});

// A hand on the slider is followed at once. Where a click or a key has set it, attention glides there, through torch's
// own frames; to another goal it first goes back to what stands out, which is where all goals begin.
function glideOf({ state, listen, sheet }, data) {
  const calm = sheet || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const another = state.data && state.data.goal !== data.goal;
  if (another && state.data.goal && !calm) state.left = state.data;
  if (another && !state.data.goal) state.shown = 0;
  state.data = data;
  listen(globalThis, "pointerdown", () => (state.held = true), true);
  for (const end of ["pointerup", "pointercancel"]) listen(globalThis, end, () => (state.held = false), true);

  const towards = (target) => {
    const time = performance.now();
    const step = (SPEED * Math.min(50, time - (state.time ?? time))) / 1000;
    state.time = time;
    if (state.left) {
      state.shown = Math.max(0, state.shown - 2 * step);
      if (!state.shown) state.left = null;
      return true;
    }
    const at = state.held || calm ? target : state.shown ?? target;
    state.shown = at < target ? Math.min(at + step, target) : Math.max(at - step, target);
    return state.shown !== target;
  };
  return { towards, data: () => state.left ?? data };
}

// A click on an object, or Enter or a blank on it, tells the server, which makes it stand out or plain.
function makeClickable({ setTriggerValue }, object, { names, saliency, salient }, i) {
  const does = salient[i] ? "make it plain" : "make it stand out";
  set(object, { role: "button", tabindex: 0, "aria-pressed": salient[i] });
  object.setAttribute("aria-label", `${names[i]}: stands out ${saliency[i]} of 6, press to ${does}`);
  object.classList.toggle("salient", salient[i]);
  const press = () => setTriggerValue("object", names[i]);
  object.onclick = press;
  object.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  };
}

// attention_ui/chapters/cues/desk.py packs it: the weights of every frame, then what they bring.
function unpackedCues(bytes) {
  const { tensors: [weights, brought], ...header } = opened(bytes);
  const row = (list) => (frame) => [...list.subarray(frame * list.shape[1], (frame + 1) * list.shape[1])];
  return { ...header, weightsAt: row(weights), gainsAt: row(brought) };
}

// The object that gets the most, or -1 where several get the same.
function winner(weights) {
  const most = Math.max(...weights);
  return weights.indexOf(most) === weights.lastIndexOf(most) ? weights.indexOf(most) : -1;
}

const percent = (weight) => `${(100 * weight).toFixed(1)} %`;

function told(data, weights) {
  const shares = data.names.map((name, i) => `${name} ${percent(weights[i])}`);
  return `A desk from above, with light on five objects. Attention: ${shares.join(", ")}.`;
}

// The eye sees about the square root of brightness, so that is what a light shows of its weight.
function shine(light, weight) {
  light.setAttribute("r", (DIM + (FULL - DIM) * weight).toFixed(2));
  light.setAttribute("opacity", Math.sqrt(weight).toFixed(4));
}

function tag(name, [x, y]) {
  const share = element("b");
  const box = element(
    "span",
    { class: "tag", style: `left:${(100 * x) / SIZE[0]}%;top:${(100 * y) / SIZE[1]}%` },
    element("i", {}, name),
    share,
  );
  return { box, tell: (text, most) => ((share.textContent = text), box.classList.toggle("most", most)) };
}

function bar(name) {
  const fill = element("span", { class: "fill" });
  const track = element("span", { class: "track", "aria-hidden": "true" }, fill);
  const number = element("span", { class: "number" });
  const row = element(
    "div",
    { class: "row", role: "listitem" },
    element("span", { class: "name" }, name),
    track,
    number,
  );
  return {
    row,
    mark: ([outstanding, wanted]) => track.append(marker("outstanding", outstanding), marker("wanted", wanted)),
    tell: (share, text, most = false) => {
      fill.style.width = `${100 * share}%`;
      number.textContent = text;
      row.classList.toggle("most", most);
    },
  };
}

const marker = (kind, share) => element("span", { class: `marker ${kind}`, style: `left:${100 * share}%` });

const heading = (title, aside) =>
  element("div", { class: "heading" }, element("b", {}, title), element("small", {}, aside));

function legend() {
  const entry = (kind, text) => element("span", { class: "entry" }, element("span", { class: `marker ${kind}` }), text);
  return element("span", { class: "legend" }, entry("outstanding", "at 0 %"), entry("wanted", "at 100 %"));
}
