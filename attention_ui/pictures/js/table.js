// A table whose last row follows the frame; every word in it was made by torch's numbers in Python.

import { element, write } from "./format.js";

const row = (kind, texts) => element("tr", {}, ...texts.map((text) => element(kind, {}, text)));

export function tablePanel({ head, rows, live, notes }, page) {
  const last = row("td", head);
  const note = element("p");
  const body = element("tbody", {}, ...rows.map((texts) => row("td", texts)), last);
  let seen = true; // beyond the edge of the screen nobody watches it move: now and then is enough to be read out
  let waiting = 0;
  let frame = 0;

  const fill = () => {
    waiting = 0;
    live[frame].forEach((text, i) => write(last.children[i], text));
    write(note, notes[frame]);
  };
  const onScreen = new IntersectionObserver((entries) => (seen = entries.at(-1).intersectionRatio >= 0.5), {
    threshold: 0.5,
  });
  onScreen.observe(last);
  page.onStop(() => {
    onScreen.disconnect();
    clearTimeout(waiting);
  });
  return {
    kind: "table",
    nodes: [element("table", {}, element("thead", {}, row("th", head)), body), note],
    ready: () => true,
    resize: () => {},
    draw: (mix) => {
      frame = Math.round(mix.before + mix.share);
      if (seen) fill();
      else waiting ||= setTimeout(fill, 250);
    },
    light: () => {},
  };
}
