// A line graph whose ball stands where the frame is: lines that stay, named places, and the way the ball came.

import { axisMarks, scaleOf } from "./axes.js";
import { between, digits, element, set } from "./format.js";
import { mixing } from "./frames.js";
import { linePath, lineSign } from "./lines.js";

export function graphPanel(graph, colours, tooltip) {
  const svg = element("svg", { class: "plot graph", role: "img", tabindex: 0, "aria-label": graph.text });
  const back = element("g");
  const traces = graph.traces.map(({ role, ghost }) => linePath(role, colours, ghost ? " ghost" : ""));
  const trail = element("path", { class: "trail", fill: "none", stroke: colours.query });
  const marks = element("g", { class: "marks" });
  const ball = element("circle", { class: "ball", r: 8, fill: colours.query });
  svg.append(back, ...traces, trail, marks, ball);
  const frames = graph.ball[0].length;
  const panel = { svg, box: graphBox(graph, svg, colours), toX: null, toY: null };
  let area = null;
  let at = 0; // the frame on the screen
  let under = null; // the frame whose numbers are told

  // What lies outside the axes, as a diverging run does, stands on their edge.
  const placed = (x, y) => [between(area.left, panel.toX(x), area.right), between(area.top, panel.toY(y), area.bottom)];
  const ballAt = (frame) => placed(graph.ball[0][frame], graph.ball[1][frame]);
  const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`).join("");

  panel.resize = () => {
    const { width, height } = svg.getBoundingClientRect();
    area = { left: 66, right: width - 12, top: 8, bottom: height - 44 };
    panel.toX = scaleOf(graph.x, area.left, area.right).to;
    panel.toY = scaleOf(graph.y, area.bottom, area.top).to;
    back.replaceChildren(...axisMarks(graph, panel, area));
    graph.traces.forEach(({ x, y }, i) => traces[i].setAttribute("d", path(linePoints(x, y, placed))));
    marks.replaceChildren(...graph.marks.flatMap((mark) => markSigns(mark, placed(mark.x, mark.y), area)));
  };

  panel.draw = (position) => {
    at = Math.round(position);
    const mix = mixing(frames, position);
    const after = ballAt(mix.after);
    const [x, y] = ballAt(mix.before).map((start, i) => start * (1 - mix.share) + after[i] * mix.share);
    set(ball, { cx: x.toFixed(1), cy: y.toFixed(1) });
    const way = graph.trail ? Array.from({ length: mix.before + 1 }, (_, frame) => ballAt(frame)) : [];
    if (graph.trail) trail.setAttribute("d", path([...way, [x, y]]));
  };

  const tell = (frame) => {
    under = frame;
    const [x, y] = ballAt(frame);
    const told = (axis, i) => `${axis.label} ${digits(graph.ball[i][frame], 6)}`;
    tooltip.show(`${told(graph.x, 0)} · ${told(graph.y, 1)}`, svg, x, y);
  };
  const forget = () => {
    under = null;
    tooltip.hide();
  };
  const nearest = (event) => {
    const far = (frame) => {
      const [x, y] = ballAt(frame);
      return Math.abs(x - event.offsetX) + (graph.trail ? Math.abs(y - event.offsetY) : 0);
    };
    return graph.ball[0].reduce((best, _, frame) => (far(frame) < far(best) ? frame : best), 0);
  };
  svg.addEventListener("pointermove", (event) => tell(nearest(event)));
  svg.addEventListener("pointerleave", forget);
  svg.addEventListener("blur", forget);
  svg.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    tell(between(0, (under ?? at) + by, frames - 1));
    event.preventDefault();
  });
  return panel;
}

function linePoints(x, y, placed) {
  return x.flatMap((value, i) => (y[i] === null ? [] : [placed(value, y[i])]));
}

// A diamond with its name below it, or above where there is no room.
function markSigns({ name }, [x, y], { left, right, bottom }) {
  const anchor = x > right - 40 ? "end" : x < left + 40 ? "start" : "middle";
  return [
    element("path", { class: "mark", d: `M${x},${y - 7}l7,7l-7,7l-7,-7z` }),
    element("text", { class: "tick name", x, y: y + (y > bottom - 26 ? -14 : 23), "text-anchor": anchor }, name),
  ];
}

// A graph under its title, with the names of its lines where there is more than one.
function graphBox(graph, svg, colours) {
  const named = graph.traces.length > 1 ? graph.traces.filter((trace) => !trace.ghost) : [];
  const names = named.map(({ name, role }) => element("span", { class: "name" }, lineSign(role, colours), name));
  const head = element("div", { class: "legend heading" }, element("span", {}, graph.title), ...names);
  return element("div", { class: "panel" }, head, svg);
}
