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

export function hintOnce(svg, { pointer, finger }) {
  if (hinted()) return [];
  const touch = matchMedia("(hover: none)").matches;
  const hint = element("div", { class: "hint" }, touch ? finger : pointer);
  const done = () => {
    hinted(true);
    hint.remove();
  };
  for (const used of ["pointerleave", "click", "blur"]) svg.addEventListener(used, done, { once: true });
  return [hint];
}
