// Unpack what Python packed (attention_ui/pictures/film/film.py), and read a cell or a point between two frames.

function unpackFilm(bytes) {
  const { header, body } = opened(bytes);
  let at = 0;
  const take = (Kind, count) => {
    const part = new Kind(body, at, count);
    at += part.byteLength;
    return part;
  };
  const groups = (header.plane?.groups ?? []).map((group) => ({ ...group, places: take(Float32Array, 2 * group.kept * group.labels.length) }));
  const panels = header.panels.map((panel) => ({ ...panel, size: panel.rows.length * panel.columns.length }));
  panels.forEach((panel) => (panel.cells = take(header.levels ? Uint16Array : Float32Array, panel.kept * panel.size)));
  panels.forEach((panel) => (panel.hatches = take(Uint8Array, panel.masks * panel.size)));
  return { ...header, panels, plane: header.plane && { ...header.plane, groups } };
}

// Frame 2.25 is three quarters of frame 2 and a quarter of frame 3; whole frames are torch's own numbers.
function readBetween(list, size, kept, mix, i) {
  const value = list[(kept > 1 ? mix.before : 0) * size + i];
  return mix.share && kept > 1 ? value * (1 - mix.share) + list[mix.after * size + i] * mix.share : value;
}

function cellAt(film, panel, mix, i) {
  const value = readBetween(panel.cells, panel.size, panel.kept, mix, i);
  return film.levels ? film.low + (value / film.levels) * (film.high - film.low) : value;
}

const maskedAt = (panel, mix, i) => panel.masks > 0 && panel.hatches[(panel.masks > 1 ? mix.before : 0) * panel.size + i] === 1;
const noteAt = (panel, frame) => panel.notes[panel.notes.length > 1 ? frame : 0] ?? "";

// A panel in words: where every row's largest cell is, as far as anyone would listen.
const MOST_ROWS = 12;

function panelWords(film, panel, frame) {
  const mix = { before: frame, after: frame, share: 0 };
  const across = panel.columns.length;
  const largest = (row) => {
    const open = panel.columns.map((_, column) => column).filter((column) => !maskedAt(panel, mix, row * across + column));
    const value = (column) => cellAt(film, panel, mix, row * across + column);
    const best = open.reduce((top, column) => (top === null || value(column) > value(top) ? column : top), null);
    return best === null ? `${panel.rows[row]} none` : `${panel.rows[row]} at ${panel.columns[best]} ${weightText(value(best))}`;
  };
  const told = panel.rows.slice(0, MOST_ROWS).map((_, row) => largest(row));
  const head = [panel.title, film.captions[frame], noteAt(panel, frame)].filter(Boolean).join(", ");
  return `${head}. Largest ${film.names.cell} of every ${film.names.row}: ${told.join("; ")}${panel.rows.length > MOST_ROWS ? "; and so on" : ""}.`;
}
