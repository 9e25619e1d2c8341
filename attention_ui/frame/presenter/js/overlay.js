// What lies over the page: a spotlight that follows the pointer, and a pen.

import { element } from "../../../pictures/js/format.js";

export function overlay(listen) {
  const light = element("div", { class: "over spotlight", hidden: "" });
  const paper = element("svg", { class: "over pen", "aria-hidden": "true" });
  let stroke = null;
  listen(globalThis, "pointermove", ({ clientX, clientY }) => {
    if (light.hidden) return;
    light.style.setProperty("--x", `${clientX}px`);
    light.style.setProperty("--y", `${clientY}px`);
  }, true);
  const point = (event) => `${event.clientX.toFixed(1)},${event.clientY.toFixed(1)}`;
  paper.addEventListener("pointerdown", (event) => {
    stroke = element("path", { d: `M${point(event)}l0,0` }); // a touch is a dot
    paper.append(stroke);
    paper.setPointerCapture(event.pointerId);
  });
  paper.addEventListener("pointermove", (event) => {
    stroke?.setAttribute("d", `${stroke.getAttribute("d")}L${point(event)}`);
  });
  for (const kind of ["pointerup", "pointercancel"]) paper.addEventListener(kind, () => (stroke = null));
  return {
    layers: [light, paper],
    spotlight: () => !(light.hidden = !light.hidden),
    pen: () => paper.classList.toggle("on"),
    wipe: () => paper.replaceChildren(),
  };
}
