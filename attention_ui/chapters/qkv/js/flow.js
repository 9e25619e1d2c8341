// What the keys' values make together: a card for every pair, and bands as thick as the weights down to the output.

import { between, element, set, sizeOf } from "../../../pictures/js/format.js";
import { badge, moveTo } from "./keys.js";

export function flowPanel(data, colours, pairs) {
  const svg = element("svg", { class: "flow", role: "img", "aria-hidden": "true" });
  const back = element("g");
  const bands = pairs.map((colour) => element("path", { class: "band", stroke: colour, fill: "none" }));
  const scores = pairs.map(() => element("text", { class: "number", "text-anchor": "middle" }));
  const weights = pairs.map(() => element("text", { class: "number strong", "text-anchor": "middle" }));
  const chips = pairs.map((colour) =>
    element("rect", { class: "chip", rx: 6, height: 30, stroke: colour, fill: colour })
  );
  const fields = data.names.map((name) => valueField(name, data.valueAxis));
  const badges = pairs.map((colour, i) => badge(data.names[i], colour, 12));
  const marks = pairs.map((colour, i) => badge(data.names[i], colour, 10));
  const pill = element("rect", { class: "pill", height: 32, stroke: colours.prediction });
  const arrow = element("path", { class: "arrow", fill: colours.prediction });
  const output = element("text", { class: "number strong", "text-anchor": "middle" });
  svg.append(back, ...bands, ...chips, ...scores, ...weights, ...badges, ...marks, arrow, pill, output);
  const panel = { svg, fields, cards: [], box: element("div", { class: "flow-box" }, svg, ...fields) };

  // Where the cards stand is needed by the threads above, before this picture is drawn.
  panel.place = () => {
    const { width } = sizeOf(svg);
    const left = width < 500 ? 54 : 70;
    const gap = (width - left) / pairs.length;
    Object.assign(panel, {
      width,
      left,
      full: between(40, gap - 6, 76),
      cards: pairs.map((_, i) => left + (i + 0.5) * gap),
    });
  };

  panel.resize = (height) => {
    const [low, high] = data.valueAxis;
    const [left, right] = [panel.left + panel.full / 2, panel.width - panel.full / 2 - 4];
    const axis = height - 36;
    Object.assign(panel, { axis, toV: (value) => left + ((value - low) / (high - low)) * (right - left) });
    svg.style.height = `${height}px`;
    const names = [["score", 43], ["weight", 66], ["value", 94], ["output", axis - 38], ["value", axis + 5]];
    back.replaceChildren(
      ...names.map(([name, y]) => element("text", { class: "name", x: 0, y }, name)),
      element("line", { class: "axis", x1: left, x2: right, y1: axis, y2: axis }),
      ...[0, 1, 2, 3, 4].map((quarter) => valueTick(panel, low + (quarter * (high - low)) / 4, height - 6)),
    );
    panel.cards.forEach((x, i) => {
      moveTo(badges[i], x, 14);
      for (const [text, y] of [[scores[i], 43], [weights[i], 66]]) set(text, { x, y });
      set(chips[i], { x: x - panel.full / 2, y: 74, width: panel.full });
      Object.assign(fields[i].style, { left: `${x - panel.full / 2}px`, top: "74px", width: `${panel.full}px` });
    });
    pill.setAttribute("width", panel.full);
  };

  panel.draw = (frame) => {
    const [at, top] = [panel.toV(frame.output), panel.axis - 60];
    let landed = at - panel.full / 2; // the bands land side by side, and always fill the whole width: weights sum to 1
    frame.weights.forEach((weight, i) => {
      const thick = weight * panel.full;
      const path = bandPath(panel.cards[i], 104, landed + thick / 2, top);
      set(bands[i], { d: path, "stroke-width": thick.toFixed(3) });
      landed += thick;
      scores[i].textContent = frame.scores[i].toFixed(2).replace("-0.00", "0.00").replace("-", "−");
      weights[i].textContent = frame.weights[i].toFixed(3);
      chips[i].classList.toggle("picked", frame.picked === i);
      moveTo(marks[i], panel.toV(frame.values[i]), panel.axis);
      if (fields[i].getRootNode().activeElement !== fields[i] || fields[i].dragged) fields[i].value = frame.values[i];
    });
    set(pill, { x: at - panel.full / 2, y: top });
    arrow.setAttribute("d", `M${at - 9},${top + 32}L${at + 9},${top + 32}L${at},${panel.axis - 11}Z`);
    output.textContent = frame.output.toFixed(2);
    set(output, { x: at, y: top + 22 });
  };
  return panel;
}

// A value that is dragged up and down, or typed.
function valueField(name, [min, max]) {
  return element("input", { class: "value", type: "number", min, max, step: 1, "aria-label": `value of ${name}` });
}

function valueTick(panel, value, y) {
  return element("text", { class: "tick", x: panel.toV(value), y, "text-anchor": "middle" }, `${value}`);
}

// From the middle of a card down to its place on the output; it leaves and lands upright, so it is as wide as it is
// thick.
function bandPath(card, from, landed, to) {
  const bend = (from + to) / 2;
  return `M${card.toFixed(1)},${from}C${card.toFixed(1)},${bend} ${landed.toFixed(1)},${bend} ${
    landed.toFixed(1)
  },${to}`;
}
