// Parts of a graph that have their own places in every frame: a line, bars that stand on 0, or a band.

import { between, element } from "./format.js";
import { entryAt } from "./frames.js";
import { linePath } from "./lines.js";

export function movingPart({ role, kind, x, y, mix }, colours) {
  const size = y.shape.slice(1).reduce((product, side) => product * side, 1); // numbers in a frame
  const count = y.shape.at(-1);
  const path = kind === "band"
    ? element("path", { class: "band", fill: colours[role] })
    : linePath(role, colours, kind === "bars" ? " bars" : "");
  if (kind === "bars") path.removeAttribute("stroke-dasharray");
  const resize = (width) =>
    kind === "bars" && (path.style.strokeWidth = between(1.5, width / Math.max(120, 2 * count), 5));
  const mixedAt = (now, i, edge = 0) => [entryAt(x, count, now, i), entryAt(y, size, now, edge * count + i)];
  const at = (position, i) => mixedAt(mix(position), i);
  const draw = (position, toX, toY) =>
    path.setAttribute("d", SHAPES[kind](places(mix(position), toX, toY), toY(0), count));
  // By edge and number: where it is on the screen, or null where there is nothing.
  const places = (now, toX, toY) => (i, edge = 0) => {
    const [across, up] = mixedAt(now, i, edge);
    return Number.isFinite(up) ? `${toX(across).toFixed(1)},${toY(up).toFixed(1)}` : null;
  };
  return { path, count, at, mix, draw, resize };
}

// Runs of numbers without a gap between them.
function runsOf(place, count) {
  const runs = [[]];
  for (let i = 0; i < count; i++) {
    if (place(i) === null) runs.push([]);
    else runs.at(-1).push(i);
  }
  return runs.filter((run) => run.length);
}

const joined = (points) => `M${points.join("L")}`;

const SHAPES = {
  line: (place, _, count) => runsOf(place, count).map((run) => joined(run.map((i) => place(i)))).join(""),
  band: (place, _, count) =>
    runsOf(place, count).map((run) =>
      `${joined([...run.map((i) => place(i)), ...run.toReversed().map((i) => place(i, 1))])}Z`
    ).join(""),
  bars: (place, ground, count) =>
    Array.from({ length: count }, (_, i) => place(i)).filter((point) => point !== null).map((point) => {
      const [x, y] = point.split(",");
      return `M${x},${ground.toFixed(1)}V${y}`;
    }).join(""),
};
