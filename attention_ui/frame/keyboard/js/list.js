// The list of the keys that work on this page, in a dialog of its own.

import { element } from "../../../pictures/js/format.js";
import { everywhere, mainSlider, playButton, presenting, regenerateButton } from "./finding.js";
import { themed } from "./heard.js";

const ARROWS = ["←", "↑", "↓", "→"];

// What the pictures do with keys while one of them has the focus: where it is found, its keys, what they do.
const PICTURES = [
  [".halves .cells .plot", ARROWS, "On curve or heatmap: from query to query, from cell to cell"],
  [".halves .cells .plot", ["Enter"], "On curve or heatmap: pin the query, or let it go"],
  [".fitted .over, .gallery .cells", ARROWS, "On a heatmap: from cell to cell"],
  [".plot.graph", ["←", "→"], "On a graph: the numbers of every step"],
  [".machine", ARROWS, "On machine or alignment: from symbol to symbol"],
  [".block", ARROWS, "On the diagram: from block to block"],
  [".grids td[tabindex]", ARROWS, "On a matrix: from number to number"],
  [".grids td.pick", ["Enter"], "On a matrix: choose this number"],
  [".handle[role=slider]", ["Shift", "← →"], "On the query: the finest step"],
];

const PRESENTER = [
  [["PageUp", "PageDown"], "To the chapter before or after this one"],
  [["C"], "Open or close the controls"],
  [["S"], "Spotlight around the pointer"],
  [["P"], "Pen: draw over the page"],
  [["W"], "Wipe what the pen drew"],
  [["Q"], "Code to scan, for the class"],
  [["F"], "Full screen"],
];

const named = (slider) => slider.getAttribute("aria-label")?.trim() || "the slider";

function working() {
  const [player, slider, regenerate] = [playButton(), mainSlider(), regenerateButton()];
  return [
    ...(player ? [[["Space"], "Play or pause"]] : []),
    ...(slider ? [[["←", "→"], `Move: ${named(slider)}`]] : []),
    ...(regenerate ? [[["R"], "Regenerate the data"]] : []),
    ...(presenting() ? PRESENTER : []),
    ...PICTURES.filter(([where]) => everywhere(where).length).map(([, keys, text]) => [keys, text]),
    [["Ctrl", "Z"], "Undo the last change; with Shift, redo it"],
    [["Tab"], "To the next control or picture"],
    [["?"], "This list"],
  ];
}

export function keyList(place) {
  const close = element("button", { type: "button", autofocus: "" }, "Close");
  const rows = element("dl");
  const title = element("h2", { id: "title" }, "Shortcuts on this page");
  const dialog = element(
    "dialog",
    { role: "dialog", "aria-modal": "true", "aria-labelledby": "title" },
    title,
    rows,
    close,
  );
  const { home, shadow, dress } = themed(place, "attention-lab-keys");
  shadow.append(dialog);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it

  const row = (
    [keys, text],
  ) => [element("dt", {}, ...keys.map((key) => element("kbd", {}, key))), element("dd", {}, text)];
  return {
    isOpen: () => dialog.open,
    close: () => dialog.close(),
    open: () => {
      dress();
      rows.replaceChildren(...working().flatMap(row));
      dialog.showModal(); // Esc closes it, and the focus goes back to where it was
    },
    remove: () => home.remove(),
  };
}
