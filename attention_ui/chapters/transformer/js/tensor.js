// The tensor of a block: one heatmap, or one for each head, on one scale; below 0 it is marked by a dash too.

const ONE = { before: 0, after: 0, share: 0 };

// What the film's heatmaps (attention_ui/pictures/film/js) need to know of a tensor.
function stillOf(name, tensor, height) {
  const size = tensor.rows.length * tensor.columns.length;
  const panels = Array.from({ length: tensor.panels }, (_, head) => ({
    title: tensor.panels > 1 ? `Head ${head + 1}` : "",
    rows: tensor.rows,
    columns: tensor.columns,
    cells: tensor.cells.subarray(head * size, (head + 1) * size),
    hatches: tensor.causal ? Uint8Array.from({ length: size }, (_, i) => +(i % tensor.columns.length > Math.floor(i / tensor.columns.length))) : [],
    masks: tensor.causal ? 1 : 0,
    notes: [],
    kept: 1,
    size,
  }));
  const [rows, columns] = tensor.axes.slice(-2);
  const single = { queries: "query", keys: "key", positions: "position", symbols: "symbol" };
  const names = { row: single[rows] ?? rows, column: single[columns] ?? "dimension", cell: { weights: "weight", probabilities: "probability" }[tensor.word] ?? "number", rows, columns };
  return { panels, names, height, low: tensor.low, high: tensor.high, levels: 0, captions: [name], frames: 1, plane: null, across: null };
}

function tensorPanel(root) {
  const place = element("div", { class: "film still" });
  const shown = { place, made: null };

  shown.show = (name, tensor, height) => {
    const film = stillOf(name, tensor, height);
    const colours = coloursOf(root);
    const background = getComputedStyle(root).getPropertyValue("--st-background-color");
    if (tensor.low < 0) colours.sequential = [colours.reference, background, colours.prediction];
    const tooltip = tooltipOver(place);
    const panels = film.panels.map((panel) => cellsPanel(film, panel, colours));
    const dashes = panels.map(({ svg }) => svg.insertBefore(element("path", { class: "below" }), svg.children[1]));
    const probe = filmProbe({ film, panels, plane: null, tooltip }, { mix: () => ONE, changed: () => probe.light() });
    const grid = element("div", { class: "grid-of-panels" }, ...panels.map((panel) => panel.box));
    const foot = filmFoot(film, colours);
    if (tensor.low < 0) foot.append(element("span", { class: "measure" }, "–", " marks a number below 0"));
    place.replaceChildren(grid, foot, tooltip.box);
    panels.forEach((panel) => panel.svg.setAttribute("aria-label", panelWords(film, panel.panel, 0)));
    shown.made = { film, panels, dashes, grid };
    shown.resize();
  };

  shown.resize = () => {
    if (!place.clientWidth || !shown.made) return;
    const { film, panels, dashes, grid } = shown.made;
    const fit = fitting(film, place);
    grid.style.gridTemplateColumns = `repeat(${fit.across}, max-content)`;
    panels.forEach((panel, i) => {
      panel.resize(fit);
      panel.draw(ONE);
      dashes[i].setAttribute("d", film.low < 0 ? dashesOf(panel) : "");
    });
  };
  return shown;
}

// A short stroke in every cell below 0: its sign is told by more than its colour.
function dashesOf({ panel, area }) {
  const { left, top, cellWidth, cellHeight } = area;
  if (cellWidth < 6 || cellHeight < 6) return "";
  const across = panel.columns.length;
  const long = Math.min(8, cellWidth / 2);
  let path = "";
  panel.cells.forEach((value, i) => {
    if (value >= 0) return;
    const x = left + ((i % across) + 0.5) * cellWidth - long / 2;
    path += `M${x.toFixed(1)},${(top + (Math.floor(i / across) + 0.5) * cellHeight).toFixed(1)}h${long.toFixed(1)}`;
  });
  return path;
}
