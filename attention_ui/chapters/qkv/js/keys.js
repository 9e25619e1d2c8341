// Where query and keys meet: a line or a plane, with a handle for the query.

import { between, element, set, sizeOf } from "../../../pictures/js/format.js";

const AXIS = 86; // the line's height in its picture
const PIN = 38; // the query's, above it

export function keysPanel(data, colours, pairs) {
  const svg = element("svg", { class: data.plane ? "keys plane" : "keys", role: "group" });
  const back = element("g");
  const links = pairs.map((colour) => element("path", { class: "link", stroke: colour, fill: "none" }));
  const halos = pairs.map((colour) => element("circle", { class: "halo", fill: colour }));
  const keys = pairs.map((colour, i) => keySign(data.names[i], colour));
  const drop = element("line", { class: "drop", stroke: colours.query });
  const shape = element("path", { class: "pin", d: "M0,-16L16,0L0,16L-16,0Z", fill: colours.query });
  const letter = element("text", { class: "letter", "text-anchor": "middle", y: 5 }, "q");
  const ring = element("circle", { class: "ring", r: 23 });
  const handle = element(
    "g",
    { class: "handle", tabindex: 0, role: "slider", "aria-label": "query", "data-main-slider": "" },
    ring,
    shape,
    letter,
  );
  const label = element("text", { class: "number", "text-anchor": data.plane ? "start" : "middle" });
  const threads = pairs.map(() => element("path", { class: "thread" }));
  svg.append(back, ...threads, ...links, ...halos, drop, ...keys, label, handle);
  const panel = { svg, handle, keys, cards: [], toX: null, toY: null };

  panel.resize = (height) => {
    const { width } = sizeOf(svg);
    const [left, right] = data.plane ? [30, width - 12] : [26, width - 26];
    const unit = ((right - left) * data.perUnit) / (data.counts[0] - 1);
    panel.toX = (x) => left + x * unit;
    panel.fromX = (pixel) => (pixel - left) / unit;
    const floor = data.plane ? height - 28 : AXIS;
    panel.toY = (y) => floor - (y ?? 0) * unit; // one unit is as long upwards as sideways: distances look as they count
    panel.fromY = (pixel) => (floor - pixel) / unit;
    panel.width = width;
    svg.style.height = `${height}px`;
    set(label, { x: left, y: data.plane ? 20 : PIN - 23 });
    panel.height = height;
    back.replaceChildren(...(data.plane ? planeAxes(data, panel) : lineAxis(data, panel)));
  };

  panel.draw = (frame) => {
    const [x, y] = [panel.toX(frame.query[0]), data.plane ? panel.toY(frame.query[1]) : PIN];
    moveTo(handle, x, y);
    set(drop, { x1: x, x2: x, y1: y, y2: data.plane ? y : AXIS });
    label.textContent = data.plane ? `q = (${frame.query.join(", ")})` : `q = ${frame.query[0]}`;
    if (!data.plane) label.setAttribute("x", between(44, x, panel.width - 44)); // above the plane it stays where it is
    frame.keys.forEach(([keyX, keyY], i) => {
      const [toX, toY] = [panel.toX(keyX), panel.toY(keyY)];
      moveTo(keys[i], toX, toY);
      set(halos[i], { cx: toX, cy: toY });
      if (!data.plane) threads[i].setAttribute("d", threadOf(toX, panel.cards[i], panel.height));
      set(keys[i], { "aria-valuenow": keyX, "aria-valuetext": frame.keys[i].join(", ") });
      const path = data.plane ? `M${x},${y}L${toX},${toY}` : `M${x},${PIN}Q${toX},${PIN} ${toX},${toY}`;
      const [thick, dense] = [1 + 7 * frame.weights[i], 0.25 + 0.75 * frame.weights[i]];
      set(links[i], { d: path, "stroke-width": thick.toFixed(2), "stroke-opacity": dense.toFixed(2) });
      halos[i].setAttribute("r", (13 + 17 * Math.sqrt(frame.weights[i])).toFixed(2));
    });
  };

  // The place of a grid under the pointer: of the query's, or of the keys', which is coarser.
  panel.at = (event, counts = data.counts, perUnit = data.perUnit) => {
    const box = svg.getBoundingClientRect();
    const scale = box.width / sizeOf(svg).width;
    const spot = [panel.fromX((event.clientX - box.left) / scale), panel.fromY((event.clientY - box.top) / scale)];
    return counts.map((count, axis) => between(0, Math.round(spot[axis] * perUnit), count - 1));
  };
  return panel;
}

export function badge(name, colour, radius) {
  return element(
    "g",
    { class: "badge" },
    element("circle", { r: radius, stroke: colour }),
    element("text", { class: "letter", "text-anchor": "middle", y: 5 }, name),
  );
}

// A key that can be dragged, or moved with the arrow keys.
function keySign(name, colour) {
  const sign = badge(name, colour, 13);
  sign.prepend(element("circle", { class: "ring", r: 19 }));
  sign.classList.add("key");
  set(sign, { tabindex: 0, role: "slider", "aria-label": `key ${name}` });
  return sign;
}

export function moveTo(group, x, y) {
  group.setAttribute("transform", `translate(${x.toFixed(1)},${y.toFixed(1)})`);
}

// The line with its ticks.
function lineAxis(data, panel) {
  const last = (data.counts[0] - 1) / data.perUnit;
  const marks = [element("line", { class: "axis", x1: panel.toX(0), x2: panel.toX(last), y1: AXIS, y2: AXIS })];
  for (let x = 0; x <= last; x += 2) {
    marks.push(element("line", { class: "axis", x1: panel.toX(x), x2: panel.toX(x), y1: AXIS, y2: AXIS + 7 }));
    marks.push(element("text", { class: "tick", x: panel.toX(x), y: AXIS + 24, "text-anchor": "middle" }, `${x}`));
  }
  return marks;
}

// From a key down to the card of its pair.
function threadOf(from, to, height) {
  const [top, bend] = [AXIS + 13, (AXIS + 13 + height) / 2];
  return `M${from},${top}C${from},${bend} ${to},${bend} ${to},${height}`;
}

function planeAxes(data, panel) {
  const [right, top] = data.counts.map((count) => (count - 1) / data.perUnit);
  const [x, y, width, height] = [
    panel.toX(0),
    panel.toY(top),
    panel.toX(right) - panel.toX(0),
    panel.toY(0) - panel.toY(top),
  ];
  const marks = [element("rect", { class: "frame", x, y, width, height })];
  for (let tick = 0; tick <= right; tick += 2) {
    marks.push(
      element("text", { class: "tick", x: panel.toX(tick), y: y + height + 19, "text-anchor": "middle" }, `${tick}`),
    );
    marks.push(element("line", { class: "grid", x1: panel.toX(tick), x2: panel.toX(tick), y1: y, y2: y + height }));
  }
  for (let tick = 0; tick <= top; tick += 2) {
    marks.push(element("text", { class: "tick", x: x - 8, y: panel.toY(tick) + 5, "text-anchor": "end" }, `${tick}`));
    marks.push(element("line", { class: "grid", x1: x, x2: x + width, y1: panel.toY(tick), y2: panel.toY(tick) }));
  }
  return marks;
}
