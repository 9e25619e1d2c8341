// A line that says once in a visit what can be done with a picture, and goes when it has been done.

import { element } from "./format.js";

const KEPT = "attention-lab-hinted";

// Where a browser keeps nothing, the hint comes again.
function hinted(now = false) {
  try {
    if (now) sessionStorage.setItem(KEPT, "1");
    return sessionStorage.getItem(KEPT) === "1";
  } catch {
    return now;
  }
}

// Whether whoever looks at this can hover: what is told to do must be possible.
export const hovers = () => !matchMedia("(hover: none)").matches;

export function hintOnce(svg, { pointer, finger }) {
  if (hinted()) return [];
  const hint = element("div", { class: "hint", "data-control": "" }, hovers() ? pointer : finger);
  const done = () => {
    hinted(true);
    hint.remove();
  };
  for (const used of ["pointerleave", "click", "blur"]) svg.addEventListener(used, done, { once: true });
  return [hint];
}
