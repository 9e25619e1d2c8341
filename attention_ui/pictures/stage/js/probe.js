// Linked hover: point at a cell or at the curve and the same query lights up in both pictures; a click pins it.

function linkedProbe({ scene, state, curve, heatmap, tooltip }, { cue, changed, pinned, added, toggle }) {
  let probe = null; // { row, column } under the pointer or moved by arrow keys; column null on the curve
  let coming = null; // the sample that a click would add, where clicks add
  let wasLit = false;

  const probeOf = (row, mix) => {
    const weights = Array.from({ length: scene.columnCount }, (_, column) => weightAt(scene, cue(), mix, row, column).value);
    const largest = Math.max(...weights.map(Math.abs), 1e-30);
    return { row, query: scene.queries[row], output: outputAt(scene, cue(), mix, row), weights, largest };
  };
  const words = (lit, mix) => {
    const parts = [`query ${digits(lit.query)}`];
    if (probe.column !== null) {
      const { value, exact } = weightAt(scene, cue(), mix, probe.row, probe.column);
      parts.push(`key ${digits(scene.columns[probe.column])}`, `weight ${exact ? "" : "≈ "}${weightText(value)}`);
    }
    parts.push(Number.isFinite(lit.output) ? `output ${digits(lit.output, 4)}` : "no key in reach");
    return parts.join(" · ");
  };
  const tell = (lit, mix) => {
    if (probe.column === null) return tooltip.show(words(lit, mix), curve.svg, curve.toX(lit.query), 52);
    const { left, top, cellWidth, cellHeight } = heatmap.area;
    return tooltip.show(words(lit, mix), heatmap.svg, left + (probe.column + 0.5) * cellWidth, top + probe.row * cellHeight);
  };
  const announce = ({ x, y }) => {
    const top = curve.toY(y);
    tooltip.show(`click to add x ${x} · y ${y}`, curve.svg, curve.toX(x), top < 60 ? top + 60 : top); // never over the dot
  };
  const light = (mix) => {
    const row = coming ? state.pinned : probe?.row ?? state.pinned; // who adds a sample wants to see the others as they are
    const lit = row === null || row >= scene.rows ? null : probeOf(row, mix);
    if (lit || wasLit) {
      curve.light(lit);
      heatmap.light(lit, probe?.column ?? null, state.pinned);
    }
    if (coming) announce(coming);
    else if (probe && lit) tell(lit, mix);
    wasLit = lit !== null;
  };

  const point = (next, sample = null) => {
    if (probe && !next) tooltip.hide();
    probe = next;
    if (coming || sample) curve.announce((coming = sample));
    changed();
  };
  const pin = (row) => {
    state.pinned = row === state.pinned ? null : row;
    pinned(state.pinned);
    changed();
  };
  const nearestRow = (x) => scene.queries.reduce((best, query, i) => (Math.abs(query - x) < Math.abs(scene.queries[best] - x) ? i : best), 0);
  const overCurve = (event) => ({ row: nearestRow(curve.fromX(event.offsetX)), column: null });
  const overHeatmap = (event) => heatmap.at(event.offsetX, event.offsetY);
  const sampleUnder = (event) => (state.adding && event.currentTarget === curve.svg ? curve.sampleAt(Math.round(event.offsetX), Math.round(event.offsetY)) : null);
  const clicked = (found, sample) => {
    if (sample) {
      curve.announce(sample); // a finger does not hover; the dot stays until the server has drawn the sample
      added(sample);
    } else if (found && !(state.adding && found.column === null)) pin(found.row);
  };

  const arrowed = (event, onHeatmap) => {
    const from = probe ?? { row: state.pinned ?? Math.floor(scene.rows / 2), column: onHeatmap ? Math.floor(scene.columnCount / 2) : null };
    const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [0, 0];
    if (event.key === "Escape") {
      if (state.pinned !== null) pin(state.pinned);
      point(null);
    } else if (event.key === "Enter") pin(from.row);
    else if (event.key === " " && toggle) toggle();
    else if (down || right) {
      const along = onHeatmap ? down : down || right; // on the curve, right is the next query
      const column = onHeatmap ? between(0, from.column + right, scene.columnCount - 1) : null;
      point({ row: between(0, from.row + along, scene.rows - 1), column });
    } else return;
    event.preventDefault();
  };
  for (const [svg, find] of [[curve.svg, overCurve], [heatmap.svg, overHeatmap]]) {
    svg.addEventListener("pointermove", (event) => point(find(event), sampleUnder(event)));
    svg.addEventListener("pointerleave", () => point(null));
    svg.addEventListener("click", (event) => clicked(find(event), sampleUnder(event)));
    svg.addEventListener("keydown", (event) => arrowed(event, svg === heatmap.svg));
    svg.addEventListener("blur", () => point(null));
  }
  return { light };
}
