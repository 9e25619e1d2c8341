// How many panels stand side by side, and how large their cells are: as large as the screen allows.

const GAP = 28; // between panels
const HEAD = 26; // a panel's title
const NOTE = 24;
const LARGEST = 64; // side of a cell
const OBLONG = 1.5; // a cell is at most so much longer than wide
const LONGEST = 96; // pixels of a label
const WORD = 26; // a label longer than this is turned upright where it does not fit its column; of shorter ones some are left out
const RAGGED = 0.7;
const NARROW = 640; // a phone: no height to keep to, and at most two panels in a row

function labelSizes(film, place) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `14px ${getComputedStyle(place).fontFamily}`;
  const widest = (side) => Math.min(LONGEST, Math.max(0, ...film.panels.flatMap((panel) => panel[side].map((label) => context.measureText(label).width))));
  return { left: widest("rows") + 10, columnWidth: widest("columns") };
}

function fitting(film, place) {
  const width = place.clientWidth;
  const sizes = labelSizes(film, place);
  const count = film.panels.length + (film.plane ? 1 : 0);
  const [rows, columns] = ["rows", "columns"].map((side) => Math.max(1, ...film.panels.map((panel) => panel[side].length)));
  const noted = film.panels.some((panel) => panel.notes.length) ? NOTE : 0;
  const phone = width < NARROW;
  const tried = (across) => {
    const down = Math.ceil(count / across);
    const wide = Math.min(LARGEST, ((width - GAP * (across - 1)) / across - sizes.left - 2) / columns);
    const upright = sizes.columnWidth > Math.max(WORD, wide - 4);
    const foot = upright ? sizes.columnWidth + 12 : 24;
    const room = film.height / down - HEAD - foot - noted - 12;
    const high = phone ? wide : Math.min(LARGEST, room / rows);
    return { across, upright, foot, cellWidth: Math.min(wide, high * OBLONG), cellHeight: Math.min(high, wide * OBLONG) };
  };
  // Large cells please, and full rows: a gap at the end of the last one must be worth it.
  const merit = ({ across, cellWidth, cellHeight }) => cellWidth * cellHeight * (count % across ? RAGGED : 1);
  const most = phone ? (count > 3 ? 2 : 1) : count;
  const fixed = phone ? most : film.across && Math.min(film.across, count);
  const choices = fixed ? [tried(fixed)] : Array.from({ length: most }, (_, i) => tried(i + 1));
  const best = choices.reduce((top, next) => (merit(next) >= merit(top) ? next : top));
  const cell = { cellWidth: Math.max(2, best.cellWidth), cellHeight: Math.max(2, best.cellHeight) };
  const side = Math.max(140, Math.min(sizes.left + columns * cell.cellWidth, rows * cell.cellHeight + best.foot + (phone ? 60 : 0)));
  return { ...sizes, ...best, ...cell, side };
}
