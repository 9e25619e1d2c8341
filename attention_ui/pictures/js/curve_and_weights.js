// Curve and weights side by side: point at a cell or at the curve and the same query lights up in both; a click pins
// it.

import { curvePanel, legend } from "./curve.js";
import { pointEditing } from "./editing.js";
import { hintOnce } from "./hint.js";
import { arrowOf, between, digits, element, weightText } from "./format.js";
import { cellAt, curveAt, exactFrame, FIRST, mixed, rangeOf } from "./frames.js";
import { weightsHeatmap } from "./heatmap.js";

const HINTS = {
  pointer: "Hover to inspect a query, click to pin it.",
  finger: "Tap to inspect a query.",
};
const LET_GO = -1; // in place of a row

export function curveAndWeights(picture, page, tooltip, { update, changed, anew, toggle }) {
  const { state, colours, setTriggerValue } = page;
  const { curve: drawn, heatmaps: [weights] } = picture;
  const [rows, columns] = [weights.rows.length, weights.columns.length];
  state.hidden ??= new Set();
  state.pinned ??= null;
  const curve = curvePanel(drawn, colours, state.hidden);
  const heatmap = weightsHeatmap(weights, drawn.x.high - drawn.x.low, colours);
  let pointed = null; // { row, column } under the pointer or moved by arrow keys; column null on the curve
  const editing = pointEditing(curve, drawn.points, page, tooltip, anew);
  let wasLit = false;

  // What the update holds of this very frame; undefined where it is about another one, or about other data: which of
  // the two messages comes first is not known.
  const exact = (mix, name) => {
    const told = update();
    return told?.frames === picture.name && told.frame === mix.at ? told.tensors[told.exact.indexOf(name)] : undefined;
  };
  const exactWeights = (mix) => {
    const told = exact(mix, "weights");
    return told?.length === weights.size ? told : undefined;
  };
  // From the update, else read back from its shade.
  const weightAt = (mix, row, column) => {
    const i = row * columns + column;
    return exactWeights(mix)?.[i] ?? cellAt(weights, mix, i);
  };
  // From the update, else from the curve that is being drawn.
  const outputAt = (mix, row) => {
    const told = exact(mix, "outputs");
    if (told) return told[row];
    const [low, high] = drawn.fine;
    return curveAt(drawn, mix)[Math.round(((drawn.queries[row] - low) / (high - low)) * (drawn.fineCount - 1))];
  };
  const litAt = (row, mix) => {
    const all = Array.from({ length: columns }, (_, column) => weightAt(mix, row, column));
    const [, top] = rangeOf(weights, mix);
    const width = drawn.bell && mixed(drawn.bell.widths, mix);
    return { row, query: drawn.queries[row], output: outputAt(mix, row), weights: all, top, width };
  };
  const words = (lit, mix) => {
    const parts = [`query ${digits(lit.query)}`];
    if (pointed.column !== null) {
      const weight = weightText(weightAt(mix, pointed.row, pointed.column));
      parts.push(`key ${digits(weights.columns[pointed.column])}`, `weight ${exactWeights(mix) ? "" : "≈ "}${weight}`);
    }
    parts.push(Number.isFinite(lit.output) ? `output ${digits(lit.output, 4)}` : "no key in reach");
    return parts.join(" · ");
  };
  const tell = (lit, mix) => {
    if (pointed.column === null) tooltip.show(words(lit, mix), curve.svg, curve.toX(lit.query), 52);
    else tooltip.show(words(lit, mix), heatmap.svg, ...heatmap.over(pointed));
  };
  const light = (mix) => {
    const away = editing.toAdd() || editing.busy(); // who adds or moves a sample wants to see the others as they are
    const row = away ? state.pinned : pointed?.row ?? state.pinned;
    const lit = row === null || row >= rows ? null : litAt(row, mix);
    if (lit || wasLit) {
      curve.light(lit);
      const column = lit ? pointed?.column ?? null : null;
      heatmap.mark(lit?.row ?? null, column === null ? null : { row: lit.row, column });
      heatmap.pin(state.pinned);
    }
    if (editing.toAdd()) editing.announce();
    else if (pointed && lit && !away) tell(lit, mix);
    wasLit = lit !== null;
  };

  const point = (next) => {
    if (pointed && !next) tooltip.hide();
    pointed = next;
    changed();
  };
  const pin = (row) => {
    state.pinned = row === state.pinned ? null : row;
    setTriggerValue("query", state.pinned ?? LET_GO);
    changed();
  };
  const nearer = (x) => (best, query, i) => (Math.abs(query - x) < Math.abs(drawn.queries[best] - x) ? i : best);
  const overCurve = (event) => ({ row: drawn.queries.reduce(nearer(curve.fromX(event.offsetX)), 0), column: null });
  const overHeatmap = (event) => heatmap.at(event.offsetX, event.offsetY);

  const arrowed = (event, onHeatmap) => {
    const middle = { row: state.pinned ?? Math.floor(rows / 2), column: onHeatmap ? Math.floor(columns / 2) : null };
    const from = pointed ?? middle;
    const arrow = arrowOf(event);
    if (editing.typed(event)) return;
    if (event.key === "Escape") {
      if (state.pinned !== null) pin(state.pinned);
      point(null);
    } else if (event.key === "Enter") pin(from.row);
    else if (event.key === " " && toggle) toggle();
    else if (arrow) {
      const [down, right] = arrow;
      const along = onHeatmap ? down : down || right; // on the curve, right is the next query
      const column = onHeatmap ? between(0, from.column + right, columns - 1) : null;
      point({ row: between(0, from.row + along, rows - 1), column });
    } else return;
    event.preventDefault();
  };
  for (const [svg, find] of [[curve.svg, overCurve], [heatmap.svg, overHeatmap]]) {
    const onCurve = svg === curve.svg;
    svg.addEventListener("pointermove", (event) => {
      if (onCurve && editing.moved(event)) return changed();
      if (onCurve) editing.hovered(event);
      point(find(event));
    });
    svg.addEventListener("pointerleave", () => {
      editing.left();
      point(null);
    });
    svg.addEventListener("click", (event) => {
      const found = find(event);
      if (!(onCurve && editing.clicked(event)) && found) pin(found.row);
    });
    svg.addEventListener("keydown", (event) => arrowed(event, !onCurve));
    svg.addEventListener("blur", () => point(null));
  }
  curve.svg.addEventListener("pointerdown", editing.pressed);
  curve.svg.addEventListener("pointerup", editing.released);
  curve.svg.addEventListener("pointercancel", editing.givenUp);
  curve.svg.addEventListener("touchmove", editing.held, { passive: false });

  const left = element(
    "div",
    { class: "panel" },
    legend(drawn, colours, state.hidden, curve.toggle),
    curve.svg,
    ...editing.nodes,
  );
  const heading = element("div", { class: "legend heading" }, weights.title);
  const stretch = element("input", { type: "checkbox" });
  const stretched = (on) => {
    if (state.stretched === on) return;
    stretch.checked = weights.stretched = state.stretched = on;
    anew();
  };
  stretch.checked = weights.stretched = state.stretched ??= false;
  stretch.addEventListener("change", () => {
    stretched(stretch.checked);
    setTriggerValue("stretch", stretch.checked ? "on" : "off");
  });
  const scale = element("label", { class: "stretch", "data-control": "" }, stretch, "stretch to the largest");
  const hint = hintOnce(heatmap.svg, HINTS);
  const right = element("div", { class: "panel" }, heading, heatmap.cells, scale, ...hint);
  curve.toggle();
  return {
    kind: "halves",
    nodes: [element("div", { class: "pictures" }, left, right)],
    ready: () => heatmap.area && curve.width,
    resize: () => [curve, heatmap].forEach((panel) => panel.resize()),
    draw: (mix) => {
      const told = exactWeights(mix);
      curve.draw(exact(mix, "curve") ?? curveAt(drawn, mix));
      if (told) heatmap.draw(FIRST, exactFrame(weights, told));
      else heatmap.draw(mix);
    },
    light,
    updated: (told) => {
      const { pinned, stretched: on, curveText, heatmapText } = told;
      editing.offered(page.alone ? { offers: [], why: "" } : told); // points are moved by the server
      if (told.exact.includes("tried")) editing.answered(told.tensors[told.exact.indexOf("tried")]);
      if (pinned !== undefined) state.pinned = pinned;
      if (on !== null) stretched(on);
      curve.svg.setAttribute("aria-label", curveText || "data and prediction");
      heatmap.svg.setAttribute("aria-label", heatmapText || "attention weights");
    },
  };
}
