// The list of the keys that work on this page, in a dialog of its own.

import { element } from "../../../pictures/js/format.js";
import { everywhere, mainSlider, playButton, regenerateButton } from "./finding.js";

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

const named = (slider) => slider.getAttribute("aria-label")?.trim() || "the slider";

function working() {
  const [player, slider, regenerate] = [playButton(), mainSlider(), regenerateButton()];
  return [
    ...(player ? [[["Space"], "Play or pause"]] : []),
    ...(slider ? [[["←", "→"], `Move: ${named(slider)}`]] : []),
    ...(regenerate ? [[["R"], "Regenerate the data"]] : []),
    ...PICTURES.filter(([where]) => everywhere(where).length).map(([, keys, text]) => [keys, text]),
    [["Ctrl", "Z"], "Undo the last change; with Shift, redo it"],
    [["Tab"], "To the next control or picture"],
    [["?"], "This list"],
  ];
}

// It stands at the end of the page, since the tools around the button may be hidden; the theme comes along.
const THEME = [
  "text-color",
  "background-color",
  "secondary-background-color",
  "border-color",
  "primary-color",
  "font",
  "base-radius",
];

export function keyList(place) {
  const home = element("div", { class: "attention-lab-keys" });
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
  const style = element("style");
  home.attachShadow({ mode: "open" }).append(style, dialog);
  document.body.append(home);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it

  const row = (
    [keys, text],
  ) => [element("dt", {}, ...keys.map((key) => element("kbd", {}, key))), element("dd", {}, text)];
  return {
    isOpen: () => dialog.open,
    close: () => dialog.close(),
    open: () => {
      const theme = getComputedStyle(place);
      for (const name of THEME) home.style.setProperty(`--st-${name}`, theme.getPropertyValue(`--st-${name}`));
      style.textContent = place.getRootNode().querySelector("style").textContent;
      rows.replaceChildren(...working().flatMap(row));
      dialog.showModal(); // Esc closes it, and the focus goes back to where it was
    },
    remove: () => home.remove(),
  };
}
