// Unpack what Python packed (attention_ui/pictures/stage/scene.py), and mix two neighbouring frames.

function unpack(bytes) {
  const { header, body } = opened(bytes);
  const [frames, fine, rows, columns] = header.shape;
  const curves = new Float32Array(body, 0, frames * fine);
  const shades = new Uint8Array(body, 4 * frames * fine, frames * rows * columns);
  return { ...header, frames, fineCount: fine, rows, columnCount: columns, curves, shades };
}

// Frame 2.25 is three quarters of frame 2 and a quarter of frame 3; whole frames are torch's own numbers.
function mixing(scene, position) {
  const before = Math.floor(between(0, position, scene.frames - 1));
  const share = between(0, position - before, 1);
  return { before, after: Math.min(before + 1, scene.frames - 1), share };
}

function mixed(list, { before, after, share }) {
  return share ? list[before] * (1 - share) + list[after] * share : list[before];
}

function curveAt(scene, mix) {
  const { curves, fineCount } = scene;
  const from = mix.before * fineCount;
  if (!mix.share) return curves.subarray(from, from + fineCount);
  const to = mix.after * fineCount;
  return Float32Array.from({ length: fineCount }, (_, i) => curves[from + i] * (1 - mix.share) + curves[to + i] * mix.share);
}

// The weight of a cell: exact when the cue is for this very frame, else read back from its shade.
function weightAt(scene, cue, mix, row, column) {
  if (cue && !mix.share && cue.frame === mix.before && cue.columns === scene.columnCount) {
    return { value: cue.weights[row * scene.columnCount + column], exact: true };
  }
  const size = scene.rows * scene.columnCount;
  const cell = row * scene.columnCount + column;
  const read = (frame) => scene.low[frame] + (scene.shades[frame * size + cell] / 255) * (scene.high[frame] - scene.low[frame]);
  return { value: read(mix.before) * (1 - mix.share) + read(mix.after) * mix.share, exact: false };
}

// The output at a heatmap row: exact from the cue, else from the curve that is being drawn.
function outputAt(scene, cue, mix, row) {
  if (cue && !mix.share && cue.frame === mix.before) return cue.outputs[row];
  const [low, high] = scene.fine;
  const place = ((scene.queries[row] - low) / (high - low)) * (scene.fineCount - 1);
  return curveAt(scene, mix)[Math.round(place)];
}
