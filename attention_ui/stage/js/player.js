// The stage's own play bar: rewind, step, play, and a scrubber, for frames that no slider on the page moves.

function playerBar(scene, state, { moved, settled }) {
  const button = (text, label, act) => {
    const made = element("button", { type: "button", "aria-label": label, title: label }, text);
    made.addEventListener("click", act);
    return made;
  };
  const scrubber = element("input", { type: "range", min: 0, max: scene.frames - 1, step: 1, "aria-label": scene.player.unit });
  const caption = element("output");
  const play = button("▶", "Play", () => (state.playing ? pause() : start()));
  let timer = 0;
  let last = 0;

  const go = (position, rest = true) => {
    state.position = between(0, position, scene.frames - 1);
    moved();
    if (rest) settled(Math.round(state.position));
  };
  const start = () => {
    if (state.position >= scene.frames - 1) state.position = 0;
    state.playing = true;
    last = 0;
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
    state.position += last ? ((now - last) / 1000) * scene.player.frames_per_second : 0;
    last = now;
    if (state.position >= scene.frames - 1) return pause();
    moved();
    timer = requestAnimationFrame(tick);
  };
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
    const frame = Math.round(state.position);
    scrubber.value = frame;
    scrubber.setAttribute("aria-valuetext", scene.captions[frame]);
    caption.textContent = scene.captions[frame];
    play.textContent = state.playing ? "⏸" : "▶";
    play.setAttribute("aria-label", state.playing ? "Pause" : "Play");
    play.title = state.playing ? "Pause (space)" : "Play (space)";
  };
  const bar = element(
    "div",
    { class: "player", role: "group", "aria-label": "player" },
    button("⏮", "Rewind", () => step(-scene.frames)),
    button("⏴", `One ${scene.player.unit} back`, () => step(-1)),
    play,
    button("⏵", `One ${scene.player.unit} on`, () => step(1)),
    scrubber,
    caption,
  );
  if (state.playing) start(); // called again while it played: go on, never two loops
  return { bar, refresh, toggle: () => (state.playing ? pause() : start()), stop: () => cancelAnimationFrame(timer) };
}
