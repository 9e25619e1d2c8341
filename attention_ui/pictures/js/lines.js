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

// Signs at numbers, as pieces of paths around the place they begin at, and strokes over bars.
export const NUMBER_SIGNS = {
  circle: "m-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0z",
  square: "m-5.5,-5.5h11v11h-11z",
  diamond: "m0,-7l7,7l-7,7l-7,-7z",
  star: "m0,-9l2.4,5.8l6.2,.5l-4.8,4l1.5,6.1l-5.3,-3.3l-5.3,3.3l1.5,-6.1l-4.8,-4l6.2,-.5z",
  up: "m0,-6l6,11h-12z",
  down: "m0,6l6,-11h-12z",
  dash: "m-14,-2.5h28v5h-28z",
};
const STROKES = { "/": "M-1,1L1,-1M0,7L7,0M6,8L8,6", x: "M0,7L7,0M0,0L7,7", "-": "M0,3.5H7" };

export const hatchPattern = (hatch, id, colours) =>
  element(
    "pattern",
    { id, width: 7, height: 7, patternUnits: "userSpaceOnUse" },
    element("path", { d: STROKES[hatch] ?? "", stroke: colours.background, "stroke-width": 1.5 }),
  );

// What stands before the name of a line; samples are circles.
export function lineSign({ role, sign, kind }, colours) {
  if (role === "points") {
    const circle = { cx: 13, cy: 6, r: 4, fill: "none", stroke: colours.points, "stroke-width": 2 };
    return element("svg", { width: 26, height: 12, "aria-hidden": "true" }, element("circle", circle));
  }
  const wide = sign ? 36 : 22;
  const stroke = { class: role, stroke: colours[role], "stroke-dasharray": DASHES[role] };
  const line = kind === "signs" ? [] : [element("line", { x1: 0, x2: wide, y1: 7, y2: 7, ...stroke })];
  const signs = sign ? [element("path", { d: `M${wide / 2},7${NUMBER_SIGNS[sign]}`, fill: colours[role] })] : [];
  return element("svg", { width: wide, height: 14, "aria-hidden": "true" }, ...line, ...signs);
}
