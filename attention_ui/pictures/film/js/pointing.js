// Point at a cell, or walk to it with the arrow keys: its numbers are told, and the same cell is marked in every panel.

function filmProbe({ film, panels, plane, tooltip }, { mix, changed, toggle }) {
  let probe = null; // { panel, row, column }
  const point = (next) => {
    if (!next) tooltip.hide();
    probe = next;
    changed();
  };
  const words = ({ panel }, { row, column }) => {
    const now = mix();
    const i = row * panel.columns.length + column;
    const value = maskedAt(panel, now, i) ? film.names.hatched : Number.isNaN(cellAt(film, panel, now, i)) ? "none" : weightText(cellAt(film, panel, now, i));
    const about = film.levels || (now.share && panel.kept > 1) ? "≈ " : ""; // a cell in two bytes, or between two frames
    return `${film.names.row} ${panel.rows[row]} · ${film.names.column} ${panel.columns[column]} · ${film.names.cell} ${value === film.names.hatched ? "" : about}${value}`;
  };
  const light = () => {
    panels.forEach((panel) => panel.light(probe, probe?.panel === panel));
    plane?.light(probe);
    if (!probe) return;
    const { left, top, cellWidth, cellHeight } = probe.panel.area;
    tooltip.show(words(probe.panel, probe), probe.panel.svg, left + (probe.column + 0.5) * cellWidth, top + probe.row * cellHeight);
  };

  const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const arrowed = (event, panel) => {
    if (event.key === "Escape") point(null);
    else if (event.key === " " && toggle) toggle();
    else if (event.key in STEPS) {
      const [down, right] = STEPS[event.key];
      const { rows, columns } = panel.panel;
      const from = probe?.panel === panel ? probe : { row: -down, column: -right }; // the first press shows the first cell
      point({ panel, row: between(0, from.row + down, rows.length - 1), column: between(0, from.column + right, columns.length - 1) });
    } else return;
    event.preventDefault();
  };
  for (const panel of panels) {
    const pointed = (event) => {
      const found = panel.at(event.offsetX, event.offsetY);
      point(found && { panel, ...found });
    };
    panel.svg.addEventListener("pointermove", pointed);
    panel.svg.addEventListener("pointerdown", pointed);
    panel.svg.addEventListener("pointerleave", () => point(null));
    panel.svg.addEventListener("blur", () => point(null));
    panel.svg.addEventListener("keydown", (event) => arrowed(event, panel));
  }
  plane?.svg.addEventListener("pointermove", (event) => {
    const near = plane.near(event.offsetX, event.offsetY);
    near ? tooltip.show(near.words, plane.svg, ...near.at) : tooltip.hide();
  });
  plane?.svg.addEventListener("pointerleave", () => tooltip.hide());
  return { light };
}
