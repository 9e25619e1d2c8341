// A table whose last row follows a slider; every word in it was made by torch's numbers in Python.

const places = new WeakMap(); // per place on the page: how to stop what ran there before

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".table");
  places.get(place)?.();
  const { head, rows, live, notes, slider: key, stage } = opened(data).header;
  const row = (kind, texts) => element("tr", {}, ...texts.map((text) => element(kind, {}, text)));
  const last = row("td", head);
  const note = element("p");
  place.replaceChildren(element("table", {}, element("thead", {}, row("th", head)), element("tbody", {}, ...rows.map((texts) => row("td", texts)), last)), note);
  let drawn = null;

  let scheduled = 0;
  let seen = true; // beyond the edge of the screen nobody watches it move: now and then is enough to be read out
  const schedule = () => (scheduled ||= seen ? requestAnimationFrame(draw) : setTimeout(draw, 250));
  const draw = () => {
    scheduled = 0;
    const frame = between(0, slider.position() ?? globalThis.attentionLabCues?.get(stage)?.frame ?? 0, live.length - 1);
    if (frame === drawn) return;
    drawn = frame;
    live[frame].forEach((text, i) => write(last.children[i], text));
    write(note, notes[frame]);
  };
  const slider = followSlider(key, schedule);
  const cued = (event) => event.detail === stage && schedule();
  const onScreen = new IntersectionObserver((entries) => (seen = entries.at(-1).intersectionRatio >= 0.5), { threshold: 0.5 });
  onScreen.observe(last);
  globalThis.addEventListener("attention-lab-cue", cued);
  const stop = () => {
    cancelAnimationFrame(scheduled);
    clearTimeout(scheduled);
    onScreen.disconnect();
    slider.stop();
    globalThis.removeEventListener("attention-lab-cue", cued);
  };
  places.set(place, stop);
  draw();
  return stop;
}
