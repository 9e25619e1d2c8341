// Rows and columns of the heatmaps as points in the plane, round the unit circle.

import { digits, element, set } from "./format.js";
import { entryAt, FIRST } from "./frames.js";

const SIGNS = [
  (r) => `M0,${-r}L${r},0L0,${r}L${-r},0Z`,
  (r) => `M${-r},0A${r},${r} 0 1 1 ${r},0A${r},${r} 0 1 1 ${-r},0Z`,
]; // a diamond, a disc

export function planePanel(plane, colours) {
  const svg = element("svg", { class: "plane", role: "img", tabindex: 0, "aria-label": plane.title });
  const key = element("div", { class: "note" }, ...plane.groups.map((group, i) => groupSign(group, i, colours)));
  const box = element("div", { class: "panel" }, element("div", { class: "title" }, plane.title), svg, key);
  const back = element("g");
  const link = element("line", { class: "link", visibility: "hidden" });
  const ways = plane.groups.map((group) =>
    group.labels.map(() => element("line", { class: "way", stroke: colours[group.role] }))
  );
  const points = plane.groups.map((group, i) => group.labels.map((label) => pointSign(label, i, colours[group.role])));
  svg.append(back, ...ways.flat(), link, ...points.flat());
  const made = { svg, box };
  let toX = null;
  let toY = null;
  let now = FIRST;

  const placeOf = ({ places, labels }, mix, i) =>
    [0, 1].map((axis) => entryAt(places, 2 * labels.length, mix, 2 * i + axis));
  const pixel = ([x, y]) => [toX(x), toY(y)];

  made.resize = ({ side }) => {
    Object.assign(svg.style, { width: `${side}px`, height: `${side}px` });
    box.style.maxWidth = `${side}px`;
    toX = (x) => ((x / plane.reach + 1) * side) / 2;
    toY = (y) => ((1 - y / plane.reach) * side) / 2;
    back.replaceChildren(
      element("rect", { class: "frame", x: 0.5, y: 0.5, width: side - 1, height: side - 1 }),
      element("line", { class: "grid", x1: 0, x2: side, y1: toY(0), y2: toY(0) }),
      element("line", { class: "grid", x1: toX(0), x2: toX(0), y1: 0, y2: side }),
      element("circle", { class: "unit", cx: toX(0), cy: toY(0), r: toX(1) - toX(0) }),
    );
  };

  made.draw = (mix) => {
    now = mix;
    plane.groups.forEach((group, g) =>
      group.labels.forEach((_, i) => {
        const [x, y] = pixel(placeOf(group, mix, i));
        const [x1, y1] = pixel(placeOf(group, FIRST, i));
        points[g][i].setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
        set(ways[g][i], rounded({ x1, y1, x2: x, y2: y }));
      })
    );
  };

  made.light = (pointed) => {
    const [rows, columns] = plane.groups;
    const known = pointed && columns && pointed.row < rows.labels.length && pointed.column < columns.labels.length;
    link.setAttribute("visibility", known ? "visible" : "hidden");
    points.forEach((group, g) =>
      group.forEach((point, i) =>
        point.classList.toggle("lit", Boolean(known) && i === [pointed.row, pointed.column][g])
      )
    );
    if (!known) return;
    const [[x1, y1], [x2, y2]] = [pixel(placeOf(rows, now, pointed.row)), pixel(placeOf(columns, now, pointed.column))];
    set(link, rounded({ x1, y1, x2, y2 }));
  };

  // The point nearest to the pointer: its label, where it is, and where that is on the screen.
  made.near = (x, y) => {
    const all = plane.groups.flatMap((group) =>
      group.labels.map((label, i) => ({ label, at: placeOf(group, now, i) }))
    );
    const far = ({ at }) => Math.hypot(pixel(at)[0] - x, pixel(at)[1] - y);
    const best = all.reduce((top, next) => (far(next) < far(top) ? next : top));
    return far(best) < 24 ? { words: wordsAt(best.label, best.at), at: pixel(best.at) } : null;
  };
  const told = (group) => group.labels.map((label, i) => wordsAt(label, placeOf(group, now, i)));
  made.words = () => plane.groups.map((group) => `${group.name} at ${told(group).join(", ")}`).join("; ");
  return made;
}

const rounded = (where) => Object.fromEntries(Object.entries(where).map(([name, value]) => [name, value.toFixed(1)]));

const wordsAt = (label, at) => `${label} (${at.map((value) => digits(value)).join(", ")})`;

function pointSign(label, kind, colour) {
  const text = element("text", { class: "tick", x: 9, y: -7 }, label);
  return element("g", { class: "spot" }, element("path", { d: SIGNS[kind % 2](kind % 2 ? 6 : 8), fill: colour }), text);
}

function groupSign({ name, role }, kind, colours) {
  const sign = element("path", { d: SIGNS[kind % 2](6), fill: colours[role], transform: "translate(8 8)" });
  return element(
    "span",
    { class: "measure" },
    element("svg", { width: 16, height: 16, "aria-hidden": "true" }, sign),
    name,
  );
}
