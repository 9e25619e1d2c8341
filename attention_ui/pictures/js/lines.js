// Lines by their roles: each has its colour and its dashes, so that it is never told by colour alone.

import { element } from "./format.js";

const DASHES = {
  truth: "7 5",
  average: "2 4",
  reference: "9 4 2 4",
  ink: "14 4",
  query: "4 4",
  prediction: null,
};

export function linePath(role, colours, more = "") {
  const kind = `${role}${more}`;
  return element("path", { class: kind, fill: "none", stroke: colours[role], "stroke-dasharray": DASHES[role] });
}

// What stands before the name of a line; samples are circles.
export function lineSign(role, colours) {
  if (role === "points") {
    const circle = { cx: 13, cy: 6, r: 4, fill: "none", stroke: colours.points, "stroke-width": 2 };
    return element("svg", { width: 26, height: 12, "aria-hidden": "true" }, element("circle", circle));
  }
  const stroke = { class: role, stroke: colours[role], "stroke-dasharray": DASHES[role] };
  const line = element("line", { x1: 0, x2: 22, y1: 6, y2: 6, ...stroke });
  return element("svg", { width: 22, height: 12, "aria-hidden": "true" }, line);
}
