// Parts of a graph that stand still, by their kinds: lines, signs with or without a line, circles, and bars.

import { element } from "./format.js";
import { hatchPattern, linePath, NUMBER_SIGNS } from "./lines.js";

const CIRCLE = "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0"; // a sample

// The nodes of a part, what stands over all parts, and `put`, which draws it once `placed` knows where its numbers
// stand.
export function tracePart(trace, colours) {
  if (trace.kind === "bars") return barsPart(trace, colours);
  const line = linePath(trace.role, colours, trace.ghost ? " ghost" : "");
  const signs = element("path", { class: "signs", fill: colours[trace.role] });
  const sign = NUMBER_SIGNS[trace.sign];
  const put = (placed) => {
    const points = pointsOf(trace, placed);
    const signed = (shape) => points.map((point) => `M${written(point)}${shape}`).join("");
    if (trace.role === "points" && !trace.ghost) line.setAttribute("d", signed(CIRCLE));
    else if (trace.kind !== "signs") line.setAttribute("d", linePieces(points).join(""));
    if (sign) signs.setAttribute("d", signed(sign));
  };
  return { nodes: sign ? [line, signs] : [line], over: [], line, put };
}

// Bars from their base to their numbers, hatched where they are, with a text at the end of each.
function barsPart(trace, colours) {
  const id = `hatch-${Math.random().toString(36).slice(2)}`;
  const fill = element("path", { class: "bar", fill: colours[trace.role] });
  const hatch = element("path", { class: "bar", fill: `url(#${id})` });
  const texts = element("g", { class: "marks" });
  const put = (placed) => {
    const ends = trace.y.map((y, i) => {
      if (y === null) return null;
      const [left, top] = placed(trace.x[i] - trace.wide / 2, y);
      const [right, bottom] = placed(trace.x[i] + trace.wide / 2, trace.base?.[i] ?? 0);
      return { left, top, right, bottom };
    });
    const path = ends.map((
      bar,
    ) => (bar ? `M${written([bar.left, bar.bottom])}V${bar.top}H${bar.right}V${bar.bottom}Z` : ""));
    [fill, hatch].forEach((node) => node.setAttribute("d", path.join("")));
    texts.replaceChildren(...ends.flatMap((bar, i) => {
      if (!bar || !trace.texts[i]) return [];
      const y = bar.top <= bar.bottom ? bar.top - 5 : bar.top + 16;
      return [
        element("text", { class: "tick", x: (bar.left + bar.right) / 2, y, "text-anchor": "middle" }, trace.texts[i]),
      ];
    }));
  };
  return {
    nodes: [element("defs", {}, hatchPattern(trace.hatch, id, colours)), fill, hatch],
    over: [texts],
    line: null,
    put,
  };
}

const written = ([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;

export function pointsOf({ x, y }, placed) {
  return x.flatMap((value, i) => (y[i] === null ? [] : [placed(value, y[i])]));
}

// A line through these points, a piece of it for each.
export function linePieces(points) {
  return points.map((point, i) => `${i ? "L" : "M"}${written(point)}`);
}
