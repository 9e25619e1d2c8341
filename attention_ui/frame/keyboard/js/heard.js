// Which keys are ours, and a place at the end of the page for what lies over it.

import { element } from "../../../pictures/js/format.js";
import { dialogOpen } from "./finding.js";

// What is typed into, or takes all keys by itself.
const TYPED =
  "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=combobox], [role=grid], canvas";

export const isOn = (event, selector) => event.composedPath().some((node) => node.matches?.(selector));

// A key that a script made, such as ours to a slider, is not answered again.
export const isFree = (event) =>
  event.isTrusted && !event.isComposing && !event.altKey && !isOn(event, TYPED) && !dialogOpen();
export const isOurs = (event) => isFree(event) && !event.ctrlKey && !event.metaKey;

const THEME = [
  "text-color",
  "background-color",
  "secondary-background-color",
  "border-color",
  "primary-color",
  "font",
  "base-radius",
];

// A place outside Streamlit's page, since what is around a component may be hidden; its style and its theme come along.
export function themed(place, name) {
  const home = element("div", { class: name });
  const style = element("style");
  const shadow = home.attachShadow({ mode: "open" });
  const dress = () => {
    const theme = getComputedStyle(place);
    for (const part of THEME) home.style.setProperty(`--st-${part}`, theme.getPropertyValue(`--st-${part}`));
    style.textContent = place.getRootNode().querySelector("style").textContent;
  };
  dress();
  shadow.append(style);
  document.body.append(home);
  return { home, shadow, dress };
}
