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
  const coming = element("circle", { class: "coming", r: 6, stroke: colours.points, visibility: "hidden" });
  inside.append(...lines, pointGroup, queryLine, prediction, queryDot, coming);
  const panel = { svg, width: 0, height: 0, toX: null, toY: null, fromX: null, fromY: null };

  panel.resize = () => {
    const { width, height } = svg.getBoundingClientRect();
    const [left, right, top, bottom] = [58, width - 10, 8, height - 44];
    Object.assign(panel, { width, height });
    const across = scaleOf(scene.x, left, right);
    const upward = scaleOf(scene.y, bottom, top);
    Object.assign(panel, { toX: across.to, fromX: across.from, toY: upward.to, fromY: upward.from });
    for (const [key, value] of Object.entries({ x: left, y: top, width: right - left, height: bottom - top })) {
      clip.setAttribute(key, Math.max(0, value));
    }
    back.replaceChildren(...axisMarks(scene, panel, { left, right, top, bottom }));
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

  // The sample under a pixel of the picture, in no more digits than pixels can tell; null on the axes.
  panel.sampleAt = (pixelX, pixelY) => {
    const readable = (from, pixel) => {
      const step = 10 ** Math.floor(Math.log10(Math.abs(from(pixel + 1) - from(pixel))));
      return +(Math.round(from(pixel) / step) * step).toPrecision(12);
    };
    const at = { x: readable(panel.fromX, pixelX), y: readable(panel.fromY, pixelY) };
    const holds = ({ low, high }, value) => value >= low && value <= high;
    return holds(scene.x, at.x) && holds(scene.y, at.y) ? at : null;
  };

  // Where a click would put a new sample.
  panel.announce = (at) => {
    coming.setAttribute("visibility", at ? "visible" : "hidden");
    if (!at) return;
    coming.setAttribute("cx", panel.toX(at.x).toFixed(1));
    coming.setAttribute("cy", panel.toY(at.y).toFixed(1));
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

// The legend doubles as switches: click a name and its line goes, or comes back.
function legend(scene, colours, hidden, changed) {
  const entries = [["Samples", "points"], ...scene.lines.map((line) => [line.name, line.role]), ["Prediction", "prediction"]];
  return element("div", { class: "legend" }, ...entries.map(([name, role]) => {
    const circle = element("circle", { cx: 13, cy: 6, r: 4, fill: "none", stroke: colours.points, "stroke-width": 2 });
    const swatch = role === "points" ? element("svg", { width: 26, height: 12, "aria-hidden": "true" }, circle) : lineSign(role, colours);
    const button = element("button", { type: "button", "aria-pressed": !hidden.has(name), title: `Show or hide: ${name}` }, swatch, name);
    button.addEventListener("click", () => {
      hidden.has(name) ? hidden.delete(name) : hidden.add(name);
      button.setAttribute("aria-pressed", !hidden.has(name));
      changed();
    });
    return button;
  }));
}

// What else can be done with the picture: add samples by clicks, which pin queries as long as that is off, and undo it.
function offered(scene, state, reset) {
  const buttons = [];
  if (scene.offers.includes("reset")) {
    buttons.push(element("button", { type: "button", title: "Undo all changes of the points" }, "Reset points"));
    buttons[0].addEventListener("click", reset);
  }
  if (scene.offers.includes("add")) {
    const add = element("button", { type: "button", "aria-pressed": state.adding, title: "Click into the picture to add points" }, "+ Add points");
    add.addEventListener("click", () => {
      state.adding = !state.adding;
      add.setAttribute("aria-pressed", state.adding);
    });
    buttons.push(add);
  }
  return element("div", { class: "offers" }, ...buttons);
}
