// Step through decoding: the play bar moves machine and alignment together. Torch made every number.

const states = new WeakMap(); // per place on the page: this function is called again on every new text or theme
const REST = 250; // milliseconds without movement after which the words are written anew

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".decoding");
  const state = states.get(place) ?? { position: 0, playing: false, speed: 1, fresh: true };
  states.set(place, state);
  state.stop?.();

  const trace = unpackedTrace(data);
  const colours = coloursOf(place);
  const tooltip = tooltipOver(place);
  let scheduled = 0;
  let resting = 0;
  let pointed = null; // the symbol read whose numbers are told

  const frameNow = () => Math.round(between(0, state.position, trace.frames - 1));
  const go = (frame) => {
    state.playing = false;
    state.position = between(0, frame, trace.frames - 1);
    schedule();
  };
  const tell = () => [machine, alignment].forEach((panel) => panel.svg.setAttribute("aria-label", panel.words(frameNow())));
  const draw = () => {
    scheduled = 0;
    if (!place.clientWidth || !machine.columnAt) return;
    const frame = frameNow();
    machine.draw(swinging(between(0, state.position, trace.frames - 1), trace.frames));
    alignment.draw(frame);
    player.refresh();
    if (pointed !== null) machine.tell(pointed, frame);
    clearTimeout(resting);
    resting = setTimeout(tell, REST);
    place.dataset.frame = frame;
    place.dataset.draws = +(place.dataset.draws ?? 0) + 1;
  };
  const schedule = () => (scheduled ||= requestAnimationFrame(draw));

  const player = playerBar(trace, state, { moved: schedule, settled: () => {} });
  const machine = machinePanel(trace, colours, tooltip);
  const alignment = alignmentPanel(trace, colours, tooltip, go);
  machine.svg.addEventListener("pointermove", ({ offsetX, offsetY }) => {
    pointed = machine.columnAt?.(offsetX, offsetY) ?? null;
    pointed === null ? tooltip.hide() : machine.tell(pointed, frameNow());
  });
  machine.svg.addEventListener("pointerleave", () => {
    pointed = null;
    tooltip.hide();
  });
  for (const { svg } of [machine, alignment]) {
    svg.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (event.key === " ") player.toggle();
      else if (by) go(frameNow() + by);
      else return;
      event.preventDefault();
    });
  }
  const pictures = element("div", { class: "sides" }, machine.svg, alignment.svg);
  place.replaceChildren(player.bar, pictures, tooltip.box);

  const resized = new ResizeObserver(() => {
    if (!place.clientWidth) return;
    machine.resize();
    alignment.resize();
    draw(); // at once: no blank picture in between
    tell();
  });
  resized.observe(place);
  state.stop = () => {
    resized.disconnect();
    player.stop();
    clearTimeout(resting);
    cancelAnimationFrame(scheduled);
  };
  return state.stop;
}

// attention_ui/chapters/bahdanau/steps.py packs it.
function unpackedTrace(bytes) {
  const { header, body } = opened(bytes);
  const { frames, read, width, top } = header;
  let at = 0;
  const take = (Kind, count) => {
    const part = new Kind(body, at, count);
    at += part.byteLength;
    return part;
  };
  const [scores, weights, contexts, chances] = [read.length, read.length, width, top].map((count) => take(Float32Array, frames * count));
  return { ...header, scores, weights, contexts, chances, which: take(Int32Array, frames * top) };
}

// A symbol is looked at for a while, then the bands swing over to the next.
function swinging(position, frames) {
  const before = Math.floor(position);
  const share = between(0, (position - before - 0.3) / 0.4, 1);
  return { before, after: Math.min(before + 1, frames - 1), share: share * share * (3 - 2 * share), frame: Math.round(position) };
}
