// The left picture: samples as circles, lines that stay, and the prediction that moves.

const STROKES = { truth: "7 5", average: "2 4", reference: "9 4 2 4", prediction: null };

function curvePanel(scene, colours, hidden) {
  const svg = element("svg", { class: "plot", role: "img", tabindex: 0, "aria-label": "data and prediction" });
  const back = element("g");
  const clip = element("rect");
  const clipId = `clip-${Math.random().toString(36).slice(2)}`;
  svg.append(element("defs", {}, element("clipPath", { id: clipId }, clip)), back);
  const inside = element("g", { "clip-path": `url(#${clipId})` });
  svg.append(inside);
  const usual = scene.points.length > 150 ? 2.8 : 4; // a crowd of large circles is a smear
  const points = scene.points.map(() => element("circle", { class: "point", r: usual, fill: "none", stroke: colours.points }));
  const pointGroup = element("g", { class: "points" }, ...points);
  const lines = scene.lines.map((line) => trace(line.role, colours));
  const prediction = trace("prediction", colours);
  const queryLine = element("line", { class: "query", stroke: colours.query, visibility: "hidden" });
  const queryDot = element("circle", { class: "output", r: 6, stroke: colours.query, visibility: "hidden" });
  inside.append(...lines, pointGroup, queryLine, prediction, queryDot);
  const panel = { svg, width: 0, height: 0, toX: null, toY: null, fromX: null };

  panel.resize = () => {
    const { width, height } = svg.getBoundingClientRect();
    const [left, right, top, bottom] = [58, width - 10, 8, height - 44];
    Object.assign(panel, { width, height });
    panel.toX = (x) => left + ((x - scene.x.low) / (scene.x.high - scene.x.low)) * (right - left);
    panel.toY = (y) => bottom - ((y - scene.y.low) / (scene.y.high - scene.y.low)) * (bottom - top);
    panel.fromX = (pixel) => scene.x.low + ((pixel - left) / (right - left)) * (scene.x.high - scene.x.low);
    panel.fromY = (pixel) => scene.y.low + ((bottom - pixel) / (bottom - top)) * (scene.y.high - scene.y.low);
    for (const [key, value] of Object.entries({ x: left, y: top, width: right - left, height: bottom - top })) {
      clip.setAttribute(key, Math.max(0, value));
    }
    back.replaceChildren(...curveAxes(scene, panel, { left, right, top, bottom }));
    scene.lines.forEach((line, i) => lines[i].setAttribute("d", pathOf(scene, panel, line.values)));
    scene.points.forEach(([x, y], i) => {
      points[i].setAttribute("cx", panel.toX(x).toFixed(1));
      points[i].setAttribute("cy", panel.toY(y).toFixed(1));
    });
    queryLine.setAttribute("y1", top);
    queryLine.setAttribute("y2", bottom);
  };

  panel.toggle = () => {
    const shown = (name) => (hidden.has(name) ? "none" : "");
    pointGroup.style.display = shown("Samples");
    scene.lines.forEach((line, i) => (lines[i].style.display = shown(line.name)));
    prediction.style.display = shown("Prediction");
  };

  panel.draw = (curve) => prediction.setAttribute("d", pathOf(scene, panel, curve));

  // Light up one query: its line, its output, and every sample as large as its weight.
  panel.light = (probe) => {
    const visibility = probe ? "visible" : "hidden";
    queryLine.setAttribute("visibility", visibility);
    queryDot.setAttribute("visibility", probe && Number.isFinite(probe.output) ? "visible" : "hidden");
    if (probe) {
      const x = panel.toX(probe.query).toFixed(1);
      queryLine.setAttribute("x1", x);
      queryLine.setAttribute("x2", x);
      queryDot.setAttribute("cx", x);
      if (Number.isFinite(probe.output)) queryDot.setAttribute("cy", panel.toY(probe.output).toFixed(1));
    }
    scene.points.forEach(([, , column], i) => {
      const share = probe ? Math.sqrt(Math.abs(probe.weights[column]) / probe.largest) : null;
      points[i].setAttribute("r", share === null ? usual : (2 + 9 * share).toFixed(2));
      points[i].setAttribute("fill", probe ? colours.query : "none");
      points[i].setAttribute("fill-opacity", probe ? (0.12 + 0.6 * share).toFixed(2) : 0);
    });
  };
  return panel;
}

function trace(role, colours) {
  return element("path", { class: role, fill: "none", stroke: colours[role], "stroke-dasharray": STROKES[role] });
}

// A path over the fine grid; where there is no value the pen is lifted.
function pathOf(scene, panel, values) {
  const [low, high] = scene.fine;
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

function curveAxes(scene, panel, { left, right, top, bottom }) {
  const marks = [];
  const xs = ticks(scene.x.low, scene.x.high, Math.max(2, (right - left) / 90));
  const ys = ticks(scene.y.low, scene.y.high, Math.max(2, (bottom - top) / 60));
  for (const y of ys) {
    const at = panel.toY(y);
    marks.push(element("line", { class: "grid", x1: left, x2: right, y1: at, y2: at }));
    marks.push(element("text", { class: "tick", x: left - 8, y: at + 5, "text-anchor": "end" }, tickText(y, ys[1] - ys[0])));
  }
  for (const x of xs) {
    marks.push(element("text", { class: "tick", x: panel.toX(x), y: bottom + 20, "text-anchor": "middle" }, tickText(x, xs[1] - xs[0])));
  }
  marks.push(element("text", { class: "label", x: (left + right) / 2, y: bottom + 39, "text-anchor": "middle" }, scene.x.label));
  const middle = (top + bottom) / 2;
  marks.push(element("text", { class: "label", x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})` }, scene.y.label));
  return marks;
}

// The legend doubles as switches: click a name and its line goes, or comes back.
function legend(scene, colours, hidden, changed) {
  const entries = [["Samples", "points"], ...scene.lines.map((line) => [line.name, line.role]), ["Prediction", "prediction"]];
  return element("div", { class: "legend" }, ...entries.map(([name, role]) => {
    const sign = role === "points"
      ? element("circle", { cx: 13, cy: 6, r: 4, fill: "none", stroke: colours.points, "stroke-width": 2 })
      : element("line", { x1: 0, x2: 26, y1: 6, y2: 6, class: role, stroke: colours[role], "stroke-dasharray": STROKES[role] });
    const swatch = element("svg", { width: 26, height: 12, "aria-hidden": "true" }, sign);
    const button = element("button", { type: "button", "aria-pressed": !hidden.has(name), title: `Show or hide: ${name}` }, swatch, name);
    button.addEventListener("click", () => {
      hidden.has(name) ? hidden.delete(name) : hidden.add(name);
      button.setAttribute("aria-pressed", !hidden.has(name));
      changed();
    });
    return button;
  }));
}
