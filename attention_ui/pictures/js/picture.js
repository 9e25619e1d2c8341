// A picture: its panels side by side, its graphs, a play bar, and what moves them together. Torch made every number.

import { opened } from "./packing.js";
import { between, element, write } from "./format.js";
import { curveAt, mixing } from "./frames.js";
import { graphPanel } from "./graph.js";
import { heatmapGrid } from "./heatmap_grid.js";
import { curveAndWeights } from "./curve_and_weights.js";
import { mount } from "./mount.js";
import { playerBar } from "./player.js";
import { tablePanel } from "./table.js";
import { tooltipOver } from "./tooltip.js";
import { weightsBeside } from "./weights_beside.js";

const REST = 250; // milliseconds without movement after which the words are written anew

const NO_PANELS = { kind: "alone", nodes: [], ready: () => true, resize: () => {}, draw: () => {}, light: () => {} };

// The panels by their kinds, each with its tensors.
function unpacked(bytes) {
  const picture = opened(bytes);
  const tensors = picture.tensors[Symbol.iterator]();
  const takeBoth = (part) => {
    const [x, y] = [tensors.next().value, tensors.next().value];
    const places = y.shape[0] < picture.frames ? picture.places : null;
    return { ...part, x, y, mix: (position) => mixing(picture.frames, position, places) };
  };
  const taken = picture.panels.map((panel) => [panel, Array.from({ length: panel.count }, () => tensors.next().value)]);
  const of = (kind, make) => taken.filter(([panel]) => panel.kind === kind).map(([panel, parts]) => make(panel, parts));
  const heatmaps = of("heatmap", (panel, [cells, masks = null]) => {
    return { ...panel, cells, masks, size: panel.rows.length * panel.columns.length };
  });
  const [curve] = of("curve", unpackedCurve);
  const grouped = (groups, places) => groups.map((group, i) => ({ ...group, places: places[i] }));
  const [plane] = of("plane", (panel, places) => ({ ...panel, groups: grouped(panel.groups, places) }));
  const [table] = of("table", (panel) => panel);
  const graphs = picture.graphs.map((graph) => ({ ...graph, moving: graph.moving.map(takeBoth) }));
  return { ...picture, heatmaps, curve, plane, table, graphs };
}

// Lines and samples as lists, which are drawn once for every size.
function unpackedCurve(panel, [values, lines, points, u, heights, widths]) {
  const fineCount = values.shape[1];
  const line = (i) => curveAt({ values: lines, fineCount, levels: panel.levels }, mixing(panel.lines.length, i));
  const rows = Array.from({ length: points.shape[0] }, (_, i) => [...points.subarray(3 * i, 3 * i + 3)]);
  return {
    ...panel,
    values,
    fineCount,
    lines: panel.lines.map((each, i) => ({ ...each, values: line(i) })),
    points: rows.map((row) => row.map((number) => +number.toPrecision(7))),
    bell: u ? { u: [...u], values: [...heights], widths } : null,
  };
}

// Heatmaps by themselves, with their scale below them.
function fittedHeatmaps(picture, page, tooltip, acts) {
  const grid = heatmapGrid(picture, page.place, page.colours, tooltip, acts);
  let resting = 0;
  page.onStop(() => clearTimeout(resting));
  const draw = (mix, anew) => {
    grid.draw(mix, anew);
    clearTimeout(resting);
    resting = setTimeout(() => grid.tell(Math.round(mix.at)), REST);
  };
  return { ...grid, kind: "fitted", nodes: [grid.box, grid.foot], draw };
}

// Numbers that move with the frame; torch worked them out for every one of them.
function readoutRow({ readouts }) {
  const values = readouts.map(() => element("b"));
  const row = element(
    "div",
    { class: "readouts" },
    ...readouts.map(({ name }, i) => element("span", {}, `${name} `, values[i])),
  );
  row.hidden = !values.length;
  return { row, draw: (frame) => values.forEach((value, i) => write(value, readouts[i].texts[frame])) };
}

function bodyOf({ curve, heatmaps }) {
  if (curve) return curveAndWeights;
  return heatmaps[0]?.keys ? weightsBeside : fittedHeatmaps;
}

export default mount((page) => {
  const { frames } = page.data;
  page.listen(globalThis, "attention-lab-update", ({ detail }) => detail === frames && page.again());
  const told = page.latest(frames);
  if (told) drawPicture(unpacked(told.tensors[0]), page);
});

function drawPicture(picture, page) {
  const { place, state, colours } = page;
  state.captions = picture.captions; // for a film of it
  const source = picture.follows ?? page.key;
  const tooltip = tooltipOver(place);
  const readouts = readoutRow(picture);
  // A place on a graph stands for a frame: the slider goes there, and the server is told when it was chosen.
  const choose = (frame, done) => {
    slider?.move(frame);
    if (done) page.setTriggerValue("chosen", frame);
  };
  const graphs = picture.graphs.map((graph) => graphPanel(graph, colours, tooltip, choose));
  const update = () => page.latest(source);
  let drawn = null; // the position on the screen: what has not moved is not painted again

  const position = () => {
    const asked = picture.player ? state.position : slider?.position() ?? update()?.frame ?? 0;
    return between(0, asked, picture.frames - 1);
  };
  const { now, soon } = page.drawing(() => {
    if (!place.clientWidth || !body.ready() || !graphs.every((graph) => graph.toX)) return false;
    const at = position();
    const mix = mixing(picture.frames, at, picture.places);
    if (at !== drawn) {
      body.draw(mix, drawn === null);
      readouts.draw(Math.round(at));
      graphs.forEach((graph) => graph.draw(at));
    }
    drawn = at;
    body.light(mix);
    player?.refresh();
    place.dataset.frame = Math.floor(at);
    slider?.waits(update() !== undefined && Math.round(at) !== update().frame);
    return true;
  });
  const settled = (frame) => page.setTriggerValue("frame", frame);
  const slider = picture.slider ? page.follow(picture.slider, soon) : null;
  const player = picture.player ? playerBar(picture, page, { moved: soon, settled }) : null;
  const anew = () => {
    drawn = null;
    soon();
  };
  const mix = () => mixing(picture.frames, position(), picture.places);
  const acts = { update, changed: soon, anew, toggle: player?.toggle, mix };
  const body = picture.table
    ? tablePanel(picture.table, page)
    : picture.panels.length
    ? bodyOf(picture)(picture, page, tooltip, acts)
    : NO_PANELS;

  const looks = ["small", "beside", "fills"].filter((look) => picture[look]);
  place.className = ["picture", body.kind, ...looks].join(" ");
  const below = element("div", { class: "graphs" }, ...graphs.map((graph) => graph.box));
  place.replaceChildren(...(player ? [player.bar] : []), readouts.row, ...body.nodes, below, tooltip.box);
  page.resized(() => {
    body.resize();
    graphs.forEach((graph) => graph.resize());
    drawn = null;
    now(); // at once: no blank picture in between
  });
  page.updated(source, (told) => {
    body.updated?.(told);
    slider?.attach();
    // 0 also where nothing tells what was played.
    player?.begin({ ...told, frame: told.frame || picture.player.first });
    if (told.exact?.length && !told.exact.includes("tried")) anew();
    else soon();
  });
}
