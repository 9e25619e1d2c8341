// What is on the page right now: players, sliders and pictures, through the borders of our components.

import { dialogs, homeOf, mainPart, regenerateButtons } from "../../../pictures/js/streamlit.js";

export const isShown = (found) => found.getClientRects().length > 0; // a lesson's link may hide a control

// In the order of the page, inside components too.
export function everywhere(selector, within = mainPart()) {
  const found = [...within.querySelectorAll("*")].flatMap((node) => [
    ...(node.matches(selector) ? [node] : []),
    ...(node.shadowRoot ? node.shadowRoot.querySelectorAll(selector) : []),
  ]);
  return found.filter(isShown);
}

export const playButton = () => everywhere(".player .play")[0] ?? null;

// What a picture calls its main handle, else the first slider there is.
export const mainSlider = () =>
  everywhere("[data-main-slider]")[0] ?? everywhere("input[type=range]:enabled")[0] ?? null;

export const regenerateButton = () => regenerateButtons().find(isShown) ?? null;

// Also where the tools are hidden, as on the projector.
export const undoButton = (again = false) => homeOf(again ? "redo" : "undo")?.querySelector("button:enabled") ?? null;

const ownList = () => document.querySelector(".attention-lab-keys")?.shadowRoot.querySelector("dialog[open]");

export const dialogOpen = () => dialogs().some(isShown) || Boolean(ownList());

export const presenting = () => document.querySelector(".attention-lab-presenter") !== null;
