// A table whose last rows follow the frame; every word in it was made by torch's numbers in Python.

import { element, write } from "./format.js";

const MANY = 4; // columns: more than these need room
const isNumber = (text) => /^[\d(−-]/.test(text); // or a vector

export function tablePanel({ head, rows, live, note: sentence, noted }, page) {
  const kinds = live[0][0].map((text, i) => (i && isNumber(text) ? null : "words")); // of the columns
  const row = (kind, texts) => element("tr", {}, ...texts.map((text, i) => element(kind, { class: kinds[i] }, text)));
  const moving = live[0].map((texts) => row("td", texts));
  const body = element("tbody", {}, ...rows.map((texts) => row("td", texts)), ...moving);
  const shape = { class: head.length > MANY ? "wide" : null };
  const table = element("table", shape, element("thead", {}, row("th", head)), body);
  const note = element("p", { hidden: sentence ? null : "" });
  const pieces = sentence.split("{}"); // between the numbers
  let seen = true; // beyond the edge of the screen nobody watches it move: now and then is enough to be read out
  let waiting = 0;
  let frame = 0;

  const fill = () => {
    waiting = 0;
    live[frame].forEach((texts, r) => texts.forEach((text, i) => write(moving[r].children[i], text)));
    if (sentence) write(note, pieces.map((piece, i) => piece + (noted[frame][i] ?? "")).join(""));
  };
  const onScreen = new IntersectionObserver((entries) => (seen = entries.at(-1).intersectionRatio >= 0.5), {
    threshold: 0.5,
  });
  if (!page.sheet) onScreen.observe(moving.at(-1));
  page.onStop(() => {
    onScreen.disconnect();
    clearTimeout(waiting);
  });
  return {
    kind: "table",
    nodes: [table, note],
    ready: () => true,
    resize: () => {},
    draw: (mix) => {
      frame = Math.round(mix.at);
      if (seen) fill();
      else waiting ||= setTimeout(fill, 250);
    },
    light: () => {},
  };
}
