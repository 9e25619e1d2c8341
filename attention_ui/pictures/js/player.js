// A picture's own play bar: rewind, step, play, a scrubber and a speed, for frames that no slider on the page moves.

import { between, element } from "./format.js";

const SPEEDS = [[0.25, "¼×"], [0.5, "½×"], [1, "1×"], [2, "2×"], [4, "4×"]];

// Drawn, since not every font has these signs.
const ICONS = {
  play: "M4,2L14,8L4,14Z",
  pause: "M4,2H7V14H4ZM10,2H13V14H10Z",
  rewind: "M2,2H4V14H2ZM14,2L5,8L14,14Z",
  back: "M12,2L3,8L12,14ZM13,2H14V14H13Z",
  on: "M4,2L13,8L4,14ZM2,2H3V14H2Z",
};
const icon = (name) =>
  element(
    "svg",
    { width: 16, height: 16, "aria-hidden": "true" },
    element("path", { d: ICONS[name], fill: "currentColor" }),
  );

// What is played has frames, captions, a name and the words of its player; `settled` hears where it came to rest.
export function playerBar(played, { state, onStop, setTriggerValue }, { moved, settled = () => {} }) {
  const { unit, label, frames_per_second: rate } = played.player;
  const last = played.frames - 1;
  state.speed ??= 1;
  state.played = { last, rate }; // for a film of it
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let timer = 0;
  let before = 0; // when the last picture was drawn

  const button = (sign, name, act) => {
    const made = element("button", { type: "button", "aria-label": name, title: name, "data-control": "" }, sign);
    made.addEventListener("click", act);
    return made;
  };
  const range = { type: "range", min: 0, max: last, step: 1 };
  const scrubber = element("input", { ...range, "aria-label": unit, "data-control": "" });
  const caption = element("output");
  const words = element("span");
  const sign = element("span", { class: "sign" });
  const play = button(sign, label, () => toggle());
  play.append(words);
  play.classList.add("play");
  const speeds = SPEEDS.map(([value, text]) => element("option", { value }, text));
  const speed = element("select", { "aria-label": "Speed", title: "Speed", "data-control": "" }, ...speeds);
  speed.value = state.speed;
  speed.addEventListener("change", () => (state.speed = +speed.value));

  const go = (position, rest = true) => {
    state.position = between(0, position, last);
    moved();
    if (rest) settled(Math.round(state.position));
  };
  const start = () => {
    if (state.position >= last) state.position = 0;
    state.playing = true;
    before = 0;
    timer = requestAnimationFrame(tick);
    refresh();
  };
  const pause = () => {
    state.playing = false;
    cancelAnimationFrame(timer);
    go(Math.round(state.position));
  };
  const tick = (now) => {
    if (!state.playing) return;
    state.position += before ? ((now - before) / 1000) * rate * state.speed : 0;
    before = now;
    if (state.position >= last) return pause();
    moved();
    timer = requestAnimationFrame(tick);
  };
  const toggle = () => (state.playing ? pause() : start());
  const step = (by) => {
    if (state.playing) pause();
    go(Math.round(state.position) + by);
  };
  scrubber.addEventListener("input", () => {
    state.playing = false;
    go(+scrubber.value, false);
  });
  scrubber.addEventListener("change", () => settled(+scrubber.value));

  const refresh = () => {
    const frame = Math.round(between(0, state.position, last));
    const name = state.playing ? "Pause" : label;
    scrubber.value = frame;
    scrubber.setAttribute("aria-valuetext", played.captions[frame]);
    caption.textContent = played.captions[frame];
    sign.replaceChildren(icon(state.playing ? "pause" : "play"));
    words.textContent = name;
    play.setAttribute("aria-label", name);
    play.title = `${name} (space)`; // attention_ui/frame/keyboard hears it
  };
  const bar = element(
    "div",
    { class: "player", role: "group", "aria-label": "player" },
    button(icon("rewind"), "Rewind", () => step(-played.frames)),
    button(icon("back"), `One ${unit} back`, () => step(-1)),
    play,
    button(icon("on"), `One ${unit} on`, () => step(1)),
    scrubber,
    speed,
    caption,
  );

  if (state.name !== played.name) {
    state.name = played.name;
    state.playing = played.player.autoplay && !calm;
    state.position = played.player.autoplay && calm ? last : played.player.first;
    state.told = state.position; // the server begins a new picture there too
  }
  onStop(() => cancelAnimationFrame(timer));
  if (state.playing) start(); // also when called again while it played: go on, never two loops
  return {
    bar,
    refresh,
    toggle,
    // Tells the server where it stands, for the link: once, and not while it plays.
    tell: (frame) => {
      if (state.playing || state.told === frame) return;
      setTriggerValue("frame", state.told = frame);
    },
    // A link, a return to the page, or Undo says where it stands: once each; in between it goes on by itself.
    begin: ({ frame, turns }) => {
      const isFirst = state.turns === undefined;
      if (state.turns === turns) return;
      state.turns = turns;
      if (isFirst && frame === played.player.first) return;
      state.playing = false;
      cancelAnimationFrame(timer);
      state.told = frame;
      go(frame, false);
    },
  };
}
