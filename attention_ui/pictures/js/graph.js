// A graph: lines and bars that stay or grow, parts that move with the frame, named places, and a ball that goes its
// way.

import { axisMarks, scaleOf, xTicks } from "./axes.js";
import { between, digits, element, put, set, sizeOf } from "./format.js";
import { mixing } from "./frames.js";
import { hatchPattern, lineSign, NUMBER_SIGNS } from "./lines.js";
import { movingPart } from "./moving.js";
import { linePieces, pointsOf, tracePart } from "./traces.js";

const BARELY = 0.01; // of a distance that only decides between equals

export function graphPanel(graph, colours, tooltip, choose) {
  const kind = graph.chooses ? "plot graph chooses" : "plot graph";
  const svg = element("svg", { class: kind, role: "img", tabindex: 0, "aria-label": graph.text });
  const back = element("g");
  const clip = element("rect");
  const clipId = `clip-${Math.random().toString(36).slice(2)}`;
  const moving = graph.moving.map((part) => movingPart(part, colours));
  const upright = element("line", { class: "query", stroke: colours.query });
  const traces = graph.traces.map((trace) => tracePart(trace, colours));
  const trail = element("path", { class: "trail", fill: "none", stroke: colours.query });
  const marks = element("g", { class: "marks" });
  const late = element("g", { class: "late" }); // shown at the end alone
  const ball = element("circle", { class: "ball", r: 8, fill: colours.query });
  svg.append(
    element("defs", {}, element("clipPath", { id: clipId }, clip)),
    back,
    ...traces.flatMap(({ nodes }) => nodes),
    element("g", { "clip-path": `url(#${clipId})` }, ...moving.map(({ path }) => path)),
    ...(graph.upright ? [upright] : []),
    trail,
    ...traces.flatMap(({ over }) => over),
    marks,
    late,
    ...(graph.ball ? [ball] : []),
  );
  const frames = graph.ball?.[0].length ?? 0;
  const grows = graph.traces.some((trace) => trace.grows);
  const unfolds = graph.trail || grows; // shows nothing of the frames to come
  let growing = []; // the lines that end at the ball, each with its points on the screen
  const panel = { svg, box: graphBox(graph, svg, colours), toX: null, toY: null };
  let area = null;
  let heights = null; // the ends of the y axis that are drawn
  let at = 0; // the frame on the screen
  let position = 0; // which may lie between two frames
  let under = null; // the place whose numbers are told
  let dragged = false;

  // What lies outside the axes, as a diverging run does, stands on their edge.
  const placed = (x, y) => [between(area.left, panel.toX(x), area.right), between(area.top, panel.toY(y), area.bottom)];
  const ballAt = (frame) => placed(graph.ball[0][frame], graph.ball[1][frame]);
  const shared = ([x, y], [nextX, nextY], share) => [x * (1 - share) + nextX * share, y * (1 - share) + nextY * share];

  // What can be told about: the frames of the ball, else the numbers of the first part that moves, else all that stand
  // still.
  const still = graph.ball || moving.length ? [] : stillNumbers(graph);
  const numbersAt = (i) => {
    if (graph.ball) return [graph.ball[0][i], graph.ball[1][i]];
    return moving.length ? moving[0].at(position, i) : still[i].place;
  };
  const reach = () => {
    if (!area) return -1; // nothing is drawn yet
    return graph.ball ? (unfolds ? at : frames - 1) : (moving[0]?.count ?? still.length) - 1;
  };
  const toldAt = (i) => {
    if (still[i]) return still[i].words;
    const [x, y] = numbersAt(i);
    const [about, count] = graph.ball || !moving[0].mix(position).share ? ["", 6] : ["≈ ", 3];
    return `${graph.x.label} ${digits(x, 6)} · ${graph.y.label} ${about}${digits(y, count)}`;
  };

  const drawAxes = (ends) => {
    heights = ends;
    const y = ends ? { ...graph.y, low: ends[0], high: ends[1] } : graph.y;
    panel.toY = scaleOf(y, area.bottom, area.top).to;
    back.replaceChildren(...axisMarks({ x: graph.x, y }, panel, area));
  };

  panel.resize = () => {
    const { width, height } = sizeOf(svg);
    area = { left: 66, right: width - 12, top: 8, bottom: height - xTicks(graph.x, width - 78).high };
    panel.toX = scaleOf(graph.x, area.left, area.right).to;
    drawAxes(graph.heights?.[at] ?? null);
    set(clip, {
      x: area.left,
      y: area.top,
      width: Math.max(0, area.right - area.left),
      height: Math.max(0, area.bottom - area.top),
    });
    moving.forEach((part) => part.resize(area.right - area.left));
    growing = graph.trail ? [growingLine(trail, graph.ball[0].map((_, frame) => ballAt(frame)))] : [];
    graph.traces.forEach((trace, i) => {
      if (trace.grows) growing.push(growingLine(traces[i].line, pointsOf(trace, placed)));
      else traces[i].put(placed);
    });
    const named = graph.marks.map((mark) => (graph.listed ? { ...mark, name: "" } : mark));
    const signs = (wanted) => wanted.flatMap((mark) => markSigns(mark, placed(mark.x, mark.y), area));
    late.replaceChildren(...signs(named.filter((mark) => mark.late)));
    marks.replaceChildren(
      ...signs(named.filter((mark) => !mark.late)),
      ...(graph.upright ? uprightName(graph.upright, panel.toX(graph.upright.x), area) : []),
    );
    if (graph.upright) {
      const x = panel.toX(graph.upright.x);
      set(upright, { x1: x, x2: x, y1: area.top, y2: area.bottom });
    }
  };

  panel.draw = (next) => {
    position = next;
    at = Math.round(position);
    const ends = graph.heights?.[at] ?? null;
    if (ends && (ends[0] !== heights[0] || ends[1] !== heights[1])) drawAxes(ends);
    moving.forEach((part) => part.draw(position, panel.toX, panel.toY));
    if (frames) drawBall(mixing(frames, position));
    if (graph.texts.length) put(svg, "aria-label", graph.texts[at]);
    set(late, { visibility: at < frames - 1 ? "hidden" : "visible" });
    if (unfolds) put(svg, "aria-label", at < frames - 1 ? `${graph.title}: ${toldAt(at)}.` : graph.text);
  };

  const drawBall = (mix) => {
    const [x, y] = shared(ballAt(mix.before), ballAt(mix.after), mix.share);
    set(ball, { cx: x.toFixed(1), cy: y.toFixed(1) });
    for (const { line, points, pieces } of growing) {
      const [endX, endY] = shared(points[mix.before], points[mix.after], mix.share);
      const end = `L${endX.toFixed(1)},${endY.toFixed(1)}`;
      line.setAttribute("d", pieces.slice(0, mix.before + 1).join("") + end);
    }
  };

  const tell = (i) => {
    under = i;
    tooltip.show(toldAt(i), svg, ...placed(...numbersAt(i)));
  };
  const forget = () => {
    under = null;
    tooltip.hide();
  };
  const nearest = (event) => {
    const far = (i) => {
      const [x, y] = numbersAt(i);
      if (!Number.isFinite(y)) return Infinity;
      const [left, top] = placed(x, y);
      const aside = Math.abs(left - event.offsetX);
      if (still[i]?.base === undefined) {
        return aside + (graph.trail || still.length ? Math.abs(top - event.offsetY) : 0);
      }
      // A bar is told about over its whole height, so the one above or below it is next; of stacked bars, the one that
      // is met.
      const ends = [top, placed(x, still[i].base)[1]];
      return aside + BARELY * Math.abs(event.offsetY - between(Math.min(...ends), event.offsetY, Math.max(...ends)));
    };
    return Array.from({ length: reach() + 1 }, (_, i) => i).reduce((best, i) => (far(i) < far(best) ? i : best), 0);
  };
  const pointed = (event) => {
    const i = nearest(event);
    if (dragged) choose(i);
    if (Number.isFinite(numbersAt(i)?.[1])) tell(i);
  };
  svg.addEventListener("pointermove", (event) => reach() >= 0 && pointed(event));
  svg.addEventListener("pointerleave", forget);
  svg.addEventListener("blur", forget);
  svg.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Enter" && graph.chooses && under !== null) choose(under, true);
    else if (by && reach() >= 0) tell(between(0, (under ?? at) + by, reach()));
    else return;
    event.preventDefault();
  });
  if (graph.chooses) {
    svg.addEventListener("pointerdown", (event) => {
      if (reach() < 0) return;
      dragged = true;
      svg.setPointerCapture(event.pointerId);
      pointed(event);
    });
    svg.addEventListener("pointerup", (event) => {
      if (dragged) choose(nearest(event), true);
      dragged = false;
    });
    svg.addEventListener("pointercancel", () => (dragged = false));
  }
  return panel;
}

// Every number of the lines and bars that stand still, with what is told about it.
function stillNumbers({ traces, x: across, y: up }) {
  const nameAt = (x) => (across.ticks ?? []).find(([place]) => Math.abs(place - x) < 0.5)?.[1].replace("\n", ": ");
  return traces.flatMap(({ name, x, y, kind, texts, base }) =>
    x.flatMap((value, i) => {
      if (y[i] === null) return [];
      const at = across.label ? `${across.label} ${digits(value, 4)}` : nameAt(value);
      const more = kind === "bars" ? "" : texts[i];
      return [{
        place: [value, y[i]],
        base: kind === "bars" ? base?.[i] ?? 0 : undefined,
        words: [name, at, `${up.label} ${digits(y[i], 4)}`, more].filter(Boolean).join(" · "),
      }];
    })
  );
}

// Its pieces are written once, so that a frame only joins those up to the ball.
function growingLine(line, points) {
  return { line, points, pieces: linePieces(points) };
}

const markSign = (sign, x, y) => element("path", { class: "mark", d: `M${x},${y}${NUMBER_SIGNS[sign]}` });

// A sign with its name below it, or above where there is no room.
function markSigns({ name, sign }, [x, y], { left, right, bottom }) {
  const anchor = x > right - 40 ? "end" : x < left + 40 ? "start" : "middle";
  const below = { class: "tick name", x, y: y + (y > bottom - 26 ? -14 : 23), "text-anchor": anchor };
  return [markSign(sign, x, y), ...(name ? [element("text", below, name)] : [])];
}

// The name of a line over the full height, at its top and towards the middle.
function uprightName({ name }, x, { left, right, top }) {
  const [anchor, by] = x > (left + right) / 2 ? ["end", -6] : ["start", 6];
  return [element("text", { class: "tick name", x: x + by, y: top + 12, "text-anchor": anchor }, name)];
}

// A graph under its title, with the names of its lines where there is more than one, and of its marks where they are
// listed.
function graphBox(graph, svg, colours) {
  const lines = [...graph.traces.filter((trace) => !trace.ghost), ...graph.moving];
  const named = graph.traces.length + graph.moving.length > 1 ? lines.filter(({ name }) => name) : [];
  const names = named.map((line) => element("span", { class: "name" }, signOf(line, colours), line.name));
  const listed = graph.listed ? graph.marks : [];
  const places = listed.map(({ name, sign }) => {
    const drawn = element("svg", { width: 18, height: 18, "aria-hidden": "true" }, markSign(sign, 9, 9));
    return element("span", { class: "name" }, drawn, name);
  });
  const title = graph.title ? [element("span", {}, graph.title)] : [];
  const head = element("div", { class: "legend heading" }, ...title, ...names, ...places);
  return element("div", { class: "panel" }, head, svg);
}

function signOf(line, colours) {
  const { role, kind, hatch } = line;
  if (kind !== "band" && kind !== "bars") return lineSign(line, colours);
  const size = { width: 26, height: 12 };
  const id = `hatch-${Math.random().toString(36).slice(2)}`;
  const strokes = [
    element("defs", {}, hatchPattern(hatch, id, colours)),
    element("rect", { ...size, fill: `url(#${id})` }),
  ];
  const drawn = element("rect", { class: kind === "band" ? "band" : "", ...size, fill: colours[role] });
  return element("svg", { ...size, "aria-hidden": "true" }, drawn, ...(hatch ? strokes : []));
}
