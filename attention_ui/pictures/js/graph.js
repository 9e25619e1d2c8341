// A line graph whose ball stands where the frame is: lines that stay or grow with it, named places, and its way.

import { axisMarks, scaleOf } from "./axes.js";
import { between, digits, element, put, set } from "./format.js";
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
  const grows = graph.traces.some((trace) => trace.grows);
  const unfolds = graph.trail || grows; // shows nothing of the frames to come
  let growing = []; // the lines that end at the ball, each with its points on the screen
  const panel = { svg, box: graphBox(graph, svg, colours), toX: null, toY: null };
  let area = null;
  let at = 0; // the frame on the screen
  let under = null; // the frame whose numbers are told

  // What lies outside the axes, as a diverging run does, stands on their edge.
  const placed = (x, y) => [between(area.left, panel.toX(x), area.right), between(area.top, panel.toY(y), area.bottom)];
  const ballAt = (frame) => placed(graph.ball[0][frame], graph.ball[1][frame]);
  const shared = ([x, y], [nextX, nextY], share) => [x * (1 - share) + nextX * share, y * (1 - share) + nextY * share];

  const toldAt = (frame) =>
    [graph.x, graph.y].map((axis, i) => `${axis.label} ${digits(graph.ball[i][frame], 6)}`).join(" · ");

  panel.resize = () => {
    const { width, height } = svg.getBoundingClientRect();
    area = { left: 66, right: width - 12, top: 8, bottom: height - 44 };
    panel.toX = scaleOf(graph.x, area.left, area.right).to;
    panel.toY = scaleOf(graph.y, area.bottom, area.top).to;
    back.replaceChildren(...axisMarks(graph, panel, area));
    growing = graph.trail ? [growingLine(trail, graph.ball[0].map((_, frame) => ballAt(frame)))] : [];
    graph.traces.forEach((trace, i) => {
      const points = linePoints(trace.x, trace.y, placed);
      if (trace.grows) growing.push(growingLine(traces[i], points));
      else traces[i].setAttribute("d", linePieces(points).join(""));
    });
    marks.replaceChildren(...graph.marks.flatMap((mark) => markSigns(mark, placed(mark.x, mark.y), area)));
  };

  panel.draw = (position) => {
    at = Math.round(position);
    const mix = mixing(frames, position);
    const [x, y] = shared(ballAt(mix.before), ballAt(mix.after), mix.share);
    set(ball, { cx: x.toFixed(1), cy: y.toFixed(1) });
    for (const { line, points, pieces } of growing) {
      const [endX, endY] = shared(points[mix.before], points[mix.after], mix.share);
      const end = `L${endX.toFixed(1)},${endY.toFixed(1)}`;
      line.setAttribute("d", pieces.slice(0, mix.before + 1).join("") + end);
    }
    if (grows) put(svg, "aria-label", at < frames - 1 ? `${graph.title}: ${toldAt(at)}.` : graph.text);
  };

  const reach = () => (unfolds ? at : frames - 1); // the last frame that can be told about
  const tell = (frame) => {
    under = frame;
    const [x, y] = ballAt(frame);
    tooltip.show(toldAt(frame), svg, x, y);
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
    return graph.ball[0].slice(0, reach() + 1).reduce((best, _, i) => (far(i) < far(best) ? i : best), 0);
  };
  svg.addEventListener("pointermove", (event) => tell(nearest(event)));
  svg.addEventListener("pointerleave", forget);
  svg.addEventListener("blur", forget);
  svg.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    tell(between(0, (under ?? at) + by, reach()));
    event.preventDefault();
  });
  return panel;
}

function linePoints(x, y, placed) {
  return x.flatMap((value, i) => (y[i] === null ? [] : [placed(value, y[i])]));
}

// A line through these points, a piece of it for each.
function linePieces(points) {
  return points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`);
}

// Its pieces are written once, so that a frame only joins those up to the ball.
function growingLine(line, points) {
  return { line, points, pieces: linePieces(points) };
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
