// Heatmaps side by side, with a plane beside them where there is one: how large they are, what is pointed at, their
// scale.

import { ticks } from "./axes.js";
import { colourBar, rampOf, scaleColours } from "./colours.js";
import { arrowOf, between, digits, element, weightText, windowHeight, windowWidth } from "./format.js";
import { cellAt, FIRST, maskedAt, moves, rangeOf } from "./frames.js";
import { heatmapWords, labelledHeatmap, labelText } from "./heatmap.js";
import { planePanel } from "./plane.js";

const GAP = 28; // between panels
const HEAD = 26; // a panel's title
const NOTE = 24;
const LARGEST = 64; // side of a cell
const OBLONG = 1.5; // a cell is at most so much longer than wide
const LONGEST = 96; // pixels of a label
const WORD = 26; // a longer label is turned upright where it does not fit its column; of shorter ones some are left out
const RAGGED = 0.7;
// pixels of a low window; a picture that fills the window grows with it, up to so much
const [LOW, HIGHER] = [720, 1.5];
const SHARE = 0.64; // of the width, where graphs stand beside them
const NARROW = 640; // a phone: no height to keep to, and at most two panels in a row

// `shown` has heatmaps, names, captions, the room they may take, and whether they keep to it on a phone too (low); it
// may say how much stands under each heatmap, how high a cell is at least, and that every scale ends elsewhere (apart).
// `acts` says at which mix they stand, hears of changes and of what is pointed at, and may toggle a player.
export function heatmapGrid(shown, place, colours, tooltip, acts) {
  const panels = shown.heatmaps.map((heatmap) => labelledHeatmap(heatmap, colours));
  const plane = shown.plane ? planePanel(shown.plane, colours) : null;
  const all = [...(plane ? [plane] : []), ...panels];
  const box = element("div", { class: "grid-of-panels" }, ...all.map((panel) => panel.box));
  const light = pointing(shown, panels, plane, tooltip, acts);
  return {
    panels,
    box,
    foot: gridFoot(shown, colours),
    light,
    ready: () => Boolean(panels[0]?.area),
    resize: () => {
      const fit = fitting(shown, place);
      box.style.gridTemplateColumns = `repeat(${fit.across}, minmax(0, max-content))`;
      all.forEach((panel) => panel.resize(fit));
    },
    draw: (mix, anew) => {
      panels.forEach((panel) => (anew || moves(panel.heatmap)) && panel.draw(mix));
      plane?.draw(mix);
    },
    // The text alternatives, which nobody hears while the picture moves.
    tell: (frame) => {
      const caption = shown.captions[frame];
      panels.forEach(({ svg, heatmap }) =>
        svg.setAttribute("aria-label", heatmapWords(heatmap, shown.names, caption, frame))
      );
      plane?.svg.setAttribute("aria-label", `${shown.plane.title}, ${caption}: ${plane.words()}.`);
    },
  };
}

// How wide the longest labels are.
function labelSizes({ heatmaps }, place) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `14px ${getComputedStyle(place).fontFamily}`;
  const long = (label) => context.measureText(label).width;
  const widest = (side) => Math.min(LONGEST, Math.max(0, ...heatmaps.flatMap((heatmap) => heatmap[side].map(long))));
  return { left: widest("rows") + 10, columnWidth: widest("columns") };
}

// How many panels stand side by side, and how large their cells are: as large as the screen allows.
function fitting(shown, place) {
  const { heatmaps } = shown;
  const phone = windowWidth() < NARROW && !shown.low; // a place may be narrow on a wide screen too
  const width = place.clientWidth * (shown.beside && !phone ? SHARE : 1);
  const sizes = labelSizes(shown, place);
  const count = heatmaps.length + (shown.plane ? 1 : 0);
  const [rows, columns] = ["rows", "columns"].map((side) => Math.max(1, ...heatmaps.map((each) => each[side].length)));
  const noted = heatmaps.some((each) => each.notes.length) ? NOTE : 0;
  const growth = shown.fills ? between(1, windowHeight() / LOW, HIGHER) : 1;
  const tried = (across) => {
    const down = Math.ceil(count / across);
    const wide = Math.min(LARGEST, ((width - GAP * (across - 1)) / across - sizes.left - 2) / columns);
    const upright = sizes.columnWidth > Math.max(WORD, wide - 4);
    const foot = upright ? sizes.columnWidth + 12 : 24;
    const room = (shown.height * growth) / down - HEAD - foot - noted - (shown.under ?? 0) - 12;
    const high = phone ? wide : Math.min(LARGEST, Math.max(shown.least ?? 0, room / rows));
    return {
      across,
      upright,
      foot,
      cellWidth: Math.min(wide, high * OBLONG),
      cellHeight: Math.min(high, wide * OBLONG),
    };
  };
  // Large cells please, and full rows: a gap at the end of the last one must be worth it.
  const merit = ({ across, cellWidth, cellHeight }) => cellWidth * cellHeight * (count % across ? RAGGED : 1);
  const most = phone ? (count > 3 ? 2 : 1) : count;
  const fixed = phone ? most : shown.across && Math.min(shown.across, count);
  const choices = fixed ? [tried(fixed)] : Array.from({ length: most }, (_, i) => tried(i + 1));
  const best = choices.reduce((top, next) => (merit(next) >= merit(top) ? next : top));
  const least = Math.min(2, shown.least ?? 2);
  const [cellWidth, cellHeight] = [Math.max(least, best.cellWidth), Math.max(least, best.cellHeight)];
  const room = rows * cellHeight + best.foot + (phone ? 60 : 0);
  const side = Math.max(140, Math.min(sizes.left + columns * cellWidth, room));
  return { ...sizes, ...best, cellWidth, cellHeight, side };
}

// Point at a cell, or walk to it with the arrow keys: its numbers are told, and the same cell is marked in every panel.
export function pointing({ names }, panels, plane, tooltip, { mix, changed, toggle, pointedAt = () => {} }) {
  let pointed = null; // { panel, row, column }
  const point = (next) => {
    if (!next) tooltip.hide();
    pointed = next;
    pointedAt(next && { head: panels.indexOf(next.panel), row: next.row, column: next.column });
    changed();
  };
  const words = ({ heatmap }, { row, column }) => {
    const i = row * heatmap.columns.length + column;
    const value = cellAt(heatmap, mix(), i);
    // of fewer digits, or between two frames
    const about = heatmap.levels || (mix().share && heatmap.cells.length > heatmap.size) ? "≈ " : "";
    const number = `${about}${Number.isNaN(value) ? "none" : weightText(value)}`;
    const told = maskedAt(heatmap, mix(), i) ? names.hatched : number;
    const labels = [labelText(heatmap.rows[row]), labelText(heatmap.columns[column])];
    return `${names.row} ${labels[0]} · ${names.column} ${labels[1]} · ${names.cell} ${told}`;
  };
  const light = () => {
    for (const panel of panels) {
      const { rows, columns } = panel.heatmap;
      const known = pointed && pointed.row < rows.length && pointed.column < columns.length ? pointed : null;
      panel.mark(known?.panel === panel ? known.row : null, known);
    }
    plane?.light(pointed);
    if (pointed) tooltip.show(words(pointed.panel, pointed), pointed.panel.svg, ...pointed.panel.over(pointed));
  };

  const arrowed = (event, panel) => {
    const arrow = arrowOf(event);
    if (event.key === "Escape") point(null);
    else if (event.key === " " && toggle) toggle();
    else if (arrow) {
      const [down, right] = arrow;
      const { rows, columns } = panel.heatmap;
      // the first press shows the first cell
      const from = pointed?.panel === panel ? pointed : { row: -down, column: -right };
      const row = between(0, from.row + down, rows.length - 1);
      point({ panel, row, column: between(0, from.column + right, columns.length - 1) });
    } else return;
    event.preventDefault();
  };
  for (const panel of panels) {
    const over = (event) => {
      const found = panel.at(event.offsetX, event.offsetY);
      point(found && { panel, ...found });
    };
    panel.svg.addEventListener("pointermove", over);
    panel.svg.addEventListener("pointerdown", over);
    // A finger leaves when it is lifted: what was tapped stays until something else is.
    panel.svg.addEventListener("pointerleave", ({ pointerType }) => pointerType !== "touch" && point(null));
    panel.svg.addEventListener("blur", () => point(null));
    panel.svg.addEventListener("keydown", (event) => arrowed(event, panel));
  }
  plane?.svg.addEventListener("pointermove", (event) => {
    const near = plane.near(event.offsetX, event.offsetY);
    if (near) tooltip.show(near.words, plane.svg, ...near.at);
    else tooltip.hide();
  });
  plane?.svg.addEventListener("pointerleave", () => tooltip.hide());
  return light;
}

// Below the panels: what shades mean, with the true range, and what stands where.
function gridFoot({ heatmaps, names, apart }, colours) {
  const [low, high] = rangeOf(heatmaps[0], FIRST);
  const label = `${names.cell} from ${digits(low)} to ${apart ? "its own largest" : digits(high)}`;
  const frame = { x: 24, y: 2, width: 212, height: 12 };
  const scale = element("svg", { class: "scale", width: 260, height: 36, role: "img", "aria-label": label });
  scale.append(...colourBar(rampOf(scaleColours(colours, low)), frame), element("rect", { class: "frame", ...frame }));
  const range = high - low;
  const inner = ticks(low, high, 4).filter((tick) => tick - low > 0.15 * range && high - tick > 0.15 * range);
  const said = (value) => digits(value, inner.includes(value) ? 2 : 3);
  const marks = apart ? [[Math.max(low, 0), "0"]] : [low, ...inner, high].map((value) => [value, said(value)]);
  for (const [value, text] of marks) {
    const where = { x: 24 + ((value - low) / range) * 212, y: 31, "text-anchor": "middle" };
    scale.append(element("text", { class: "tick", ...where }, text));
  }
  if (apart) scale.append(element("text", { class: "tick", x: 236, y: 31, "text-anchor": "end" }, "its own largest"));
  const words = element("span", {}, `down: ${names.rows}, across: ${names.columns}`);
  const measure = element("span", { class: "measure" }, names.cell, scale);
  const masked = heatmaps.some(({ masks }) => masks)
    ? [element("span", { class: "measure" }, hatchSign(), names.hatched)]
    : [];
  const signed = low < 0 ? [element("span", { class: "measure" }, "– marks a number below 0")] : [];
  return element("div", { class: "foot" }, measure, words, ...masked, ...signed);
}

function hatchSign() {
  const frame = element("rect", { class: "frame", x: 1, y: 1, width: 16, height: 16 });
  const strokes = element("path", { class: "hatch", d: "M1,17L17,1M1,9L9,1M9,17L17,9" });
  return element("svg", { width: 18, height: 18, "aria-hidden": "true" }, frame, strokes);
}

// A heatmap that stands still, for a grid of its own.
export const stillHeatmap = (heatmap) => ({
  ...heatmap,
  size: heatmap.rows.length * heatmap.columns.length,
  levels: 0,
  masks: heatmap.masks ?? null,
  notes: [],
});
