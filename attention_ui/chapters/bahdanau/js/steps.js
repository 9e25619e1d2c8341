// Step through decoding: the play bar moves machine and alignment together. Torch made every number.

import { opened } from "../../../pictures/js/packing.js";
import { arrowOf, between, element } from "../../../pictures/js/format.js";
import { mount } from "../../../pictures/js/mount.js";
import { playerBar } from "../../../pictures/js/player.js";
import { tooltipOver } from "../../../pictures/js/tooltip.js";
import { alignmentPanel } from "./alignment.js";
import { machinePanel } from "./machine.js";

export default mount((page) => {
  const { place, state, colours } = page;
  const trace = unpackedTrace(page.data);
  const tooltip = tooltipOver(place);
  let pointed = null; // the symbol read, or the number of a strip, that is told

  const frameNow = () => Math.round(between(0, state.position, trace.frames - 1));
  const go = (frame) => {
    state.playing = false;
    state.position = between(0, frame, trace.frames - 1);
    soon();
  };
  const tell = () => {
    [machine, alignment].forEach((panel) => panel.svg.setAttribute("aria-label", panel.words(frameNow())));
    player.tell(frameNow());
  };
  const atRest = page.rested(tell);
  const { now, soon } = page.drawing(() => {
    if (!place.clientWidth || !machine.at) return false;
    const frame = frameNow();
    machine.draw(swinging(between(0, state.position, trace.frames - 1), trace.frames));
    alignment.draw(frame);
    player.refresh();
    if (pointed !== null) machine.tell(pointed, frame);
    atRest();
    place.dataset.frame = frame;
    return true;
  });

  const player = playerBar(trace, page, { moved: soon });
  const machine = machinePanel(trace, colours, tooltip);
  const alignment = alignmentPanel(trace, colours, tooltip, go);
  for (const kind of ["pointermove", "pointerdown"]) {
    machine.svg.addEventListener(kind, ({ offsetX, offsetY }) => {
      pointed = machine.at?.(offsetX, offsetY) ?? null;
      if (pointed === null) tooltip.hide();
      else machine.tell(pointed, frameNow());
    });
  }
  machine.svg.addEventListener("pointerleave", () => {
    pointed = null;
    tooltip.hide();
  });
  for (const { svg } of [machine, alignment]) {
    svg.addEventListener("keydown", (event) => {
      const arrow = arrowOf(event);
      if (event.key === " ") player.toggle();
      else if (arrow) go(frameNow() + arrow[0] + arrow[1]);
      else return;
      event.preventDefault();
    });
  }
  const pictures = element("div", { class: "sides" }, machine.svg, alignment.cells);
  place.replaceChildren(player.bar, pictures, tooltip.box);

  page.resized(() => {
    machine.resize();
    alignment.resize();
    now(); // at once: no blank picture in between
    tell();
  });
  page.updated(page.key, player.begin);
});

// attention_ui/chapters/bahdanau/steps.py packs it.
function unpackedTrace(bytes) {
  const { tensors: [states, scores, weights, contexts, chances, which], ...header } = opened(bytes);
  return { ...header, states, scores, weights, contexts, chances, which, top: chances.shape[1] };
}

// A symbol is looked at for a while, then the bands swing over to the next.
function swinging(position, frames) {
  const before = Math.floor(position);
  const share = between(0, (position - before - 0.3) / 0.4, 1);
  return {
    before,
    after: Math.min(before + 1, frames - 1),
    share: share * share * (3 - 2 * share),
    frame: Math.round(position),
  };
}
