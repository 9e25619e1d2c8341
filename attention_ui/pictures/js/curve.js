// The left picture: samples as circles, lines that stay, and the prediction that moves.

import { axisMarks, scaleOf } from "./axes.js";
import { between, element, set, sizeOf } from "./format.js";
import { rootShare } from "./frames.js";
import { linePath, lineSign } from "./lines.js";

const BELL_SHARE = 0.35; // of the height of the picture, for K = 1
const LARGEST_POINT = 14; // pixels, of a sample with all of the weight

export function curvePanel(curve, colours, hidden) {
  const svg = element("svg", { class: "plot", role: "img", tabindex: 0, "aria-label": "data and prediction" });
  const back = element("g");
  const clip = element("rect");
  const clipId = `clip-${Math.random().toString(36).slice(2)}`;
  svg.append(element("defs", {}, element("clipPath", { id: clipId }, clip)), back);
  const inside = element("g", { "clip-path": `url(#${clipId})` });
  svg.append(inside);
  const usual = curve.points.length > 150 ? 2.8 : 4; // a crowd of large circles is a smear
  const points = curve.points.map(() =>
    element("circle", { class: "point", r: usual, fill: "none", stroke: colours.points })
  );
  const pointGroup = element("g", { class: "points" }, ...points);
  const grips = element("g", { class: "grips" }); // around samples that can be moved: a finger is thick
  const ring = element("circle", { class: "chosen", r: 11, stroke: colours.points, visibility: "hidden" });
  const lines = curve.lines.map((line) => linePath(line.role, colours));
  const prediction = linePath("prediction", colours);
  const bell = element("path", { class: "bell", fill: colours.query, stroke: colours.query, visibility: "hidden" });
  const queryLine = element("line", { class: "query", stroke: colours.query, visibility: "hidden" });
  const queryDot = element("circle", { class: "output", r: 6, stroke: colours.query, visibility: "hidden" });
  const added = element("circle", { class: "added", r: 6, stroke: colours.points, visibility: "hidden" });
  inside.append(bell, ...lines, pointGroup, queryLine, prediction, queryDot, ring, added, grips);
  const panel = { svg, width: 0, height: 0, toX: null, toY: null, fromX: null, fromY: null };
  const at = ({ x, y }) => ({ cx: panel.toX(x).toFixed(1), cy: panel.toY(y).toFixed(1) });

  panel.resize = () => {
    const { width, height } = sizeOf(svg);
    const [left, right, top, bottom] = [58, width - 10, 8, height - 44];
    Object.assign(panel, { width, height });
    const across = scaleOf(curve.x, left, right);
    const upward = scaleOf(curve.y, bottom, top);
    Object.assign(panel, { toX: across.to, fromX: across.from, toY: upward.to, fromY: upward.from });
    set(clip, { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) });
    back.replaceChildren(...axisMarks(curve, panel, { left, right, top, bottom }));
    curve.lines.forEach((line, i) => lines[i].setAttribute("d", pathOf(curve, panel, line.values)));
    const places = curve.points.map(([x, y]) => at({ x, y }));
    places.forEach((place, i) => set(points[i], place));
    [...grips.children].forEach((grip, i) => set(grip, places[i]));
    set(queryLine, { y1: top, y2: bottom });
  };

  panel.toggle = () => {
    const shown = (name) => (hidden.has(name) ? "none" : "");
    pointGroup.style.display = shown("Samples");
    curve.lines.forEach((line, i) => (lines[i].style.display = shown(line.name)));
    prediction.style.display = shown("Prediction");
  };

  // The sample under a pixel of the picture, in no more digits than pixels can tell; null on the axes.
  panel.sampleAt = (pixelX, pixelY) => {
    const readable = (from, pixel) => {
      const step = 10 ** Math.floor(Math.log10(Math.abs(from(pixel + 1) - from(pixel))));
      return +(Math.round(from(pixel) / step) * step).toPrecision(12);
    };
    const [x, y] = [readable(panel.fromX, pixelX), readable(panel.fromY, pixelY)];
    const holds = ({ low, high }, value) => value >= low && value <= high;
    return holds(curve.x, x) && holds(curve.y, y) ? { x, y } : null;
  };

  // Where a click would put a new sample.
  panel.announce = (sample) => set(added, sample ? { visibility: "visible", ...at(sample) } : { visibility: "hidden" });

  // The sample nearest to a pixel, if it is within reach.
  panel.pointAt = (x, y, reach) => {
    const far = ([px, py]) => Math.hypot(panel.toX(px) - x, panel.toY(py) - y);
    const best = curve.points.reduce((top, point, i) => (far(point) < far(curve.points[top]) ? i : top), 0);
    return far(curve.points[best]) <= reach ? best : null;
  };

  // The nearest pixel inside the axes.
  panel.within = (x, y) => [
    between(panel.toX(curve.x.low) + 1, x, panel.toX(curve.x.high) - 1),
    between(panel.toY(curve.y.high) + 1, y, panel.toY(curve.y.low) - 1),
  ];

  // Show a sample somewhere else, or where it is.
  panel.movePoint = (i, sample) => {
    const [x, y] = curve.points[i];
    set(points[i], at(sample ?? { x, y }));
  };

  panel.select = (i) => {
    const [x, y] = curve.points[i] ?? [];
    set(ring, i === null ? { visibility: "hidden" } : { visibility: "visible", ...at({ x, y }) });
  };

  panel.grip = (on) => {
    if (on === Boolean(grips.children.length)) return;
    const places = on ? curve.points.map(([x, y]) => (panel.width ? at({ x, y }) : {})) : [];
    grips.replaceChildren(...places.map((place) => element("circle", { r: 14, ...place })));
  };

  panel.draw = (values) => prediction.setAttribute("d", pathOf(curve, panel, values));

  // The kernel around a query: as wide as it is in x, standing on the axis.
  const bellPath = ({ query, width }) => {
    const [left, right, floor] = [panel.toX(curve.x.low), panel.toX(curve.x.high), panel.toY(curve.y.low)];
    const high = BELL_SHARE * (floor - panel.toY(curve.y.high));
    const y = (value) => (floor - value * high).toFixed(1);
    const places = curve.bell.u.map((u, i) => `L${panel.toX(query + u * width).toFixed(1)},${y(curve.bell.values[i])}`);
    const { values } = curve.bell;
    return `M${left},${floor}L${left},${y(values[0])}${places.join("")}L${right},${y(values.at(-1))}L${right},${floor}`;
  };

  // Light up one query: its line, its kernel, its output, and every sample with an area like its weight.
  panel.light = (lit) => {
    const shaped = lit?.width;
    bell.setAttribute("visibility", shaped ? "visible" : "hidden");
    if (shaped) bell.setAttribute("d", bellPath(lit));
    const hasOutput = lit && Number.isFinite(lit.output);
    queryLine.setAttribute("visibility", lit ? "visible" : "hidden");
    queryDot.setAttribute("visibility", hasOutput ? "visible" : "hidden");
    if (lit) {
      const x = panel.toX(lit.query).toFixed(1);
      set(queryLine, { x1: x, x2: x });
      set(queryDot, hasOutput ? { cx: x, cy: panel.toY(lit.output).toFixed(1) } : { cx: x });
    }
    curve.points.forEach(([, , column], i) => {
      const share = lit ? rootShare(lit.weights[column], lit.top) : 0;
      const [fill, opacity] = lit ? [colours.query, (0.12 + 0.6 * share).toFixed(2)] : ["none", 0];
      set(points[i], { r: lit ? (1.8 + LARGEST_POINT * share).toFixed(2) : usual, fill, "fill-opacity": opacity });
    });
  };
  return panel;
}

// A path over the fine grid; where there is no value the pen is lifted.
function pathOf(curve, panel, values) {
  const [low, high] = curve.fine;
  const left = panel.toX(low);
  const step = (panel.toX(high) - left) / (values.length - 1);
  let path = "";
  let pen = "M";
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null || Number.isNaN(value)) {
      pen = "M";
      continue;
    }
    path += `${pen}${(left + i * step).toFixed(1)},${panel.toY(value).toFixed(1)}`;
    pen = "L";
  }
  return path;
}

// The legend doubles as switches: click a name and its line goes, or comes back.
export function legend(curve, colours, hidden, changed) {
  // Of very many samples some are drawn, every so many-th by its key: each part of the data keeps its share.
  const [drawn, all] = [curve.points.length, curve.samples].map((count) => count.toLocaleString("en"));
  const some = drawn === all ? "" : `: ${drawn} of ${all} are drawn`;
  const entries = [["Samples", "points"], ...curve.lines.map((line) => [line.name, line.role]), [
    "Prediction",
    "prediction",
  ]];
  return element(
    "div",
    { class: "legend" },
    ...entries.map(([name, role]) => {
      const button = element(
        "button",
        { type: "button", "aria-pressed": !hidden.has(name), title: `Show or hide: ${name}` },
        lineSign({ role }, colours),
        role === "points" ? name + some : name,
      );
      button.addEventListener("click", () => {
        if (!hidden.delete(name)) hidden.add(name);
        button.setAttribute("aria-pressed", !hidden.has(name));
        changed();
      });
      return button;
    }),
  );
}
