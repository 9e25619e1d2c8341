// Numbers between two frames: frame 2.25 is three quarters of frame 2 and a quarter of frame 3.

import { between } from "./format.js";

export const FIRST = { before: 0, after: 0, share: 0 };

// Whole frames are torch's own numbers.
export function mixing(frames, position) {
  const before = Math.floor(between(0, position, frames - 1));
  return { before, after: Math.min(before + 1, frames - 1), share: between(0, position - before, 1) };
}

export function mixed(list, { before, after, share }) {
  return share ? list[before] * (1 - share) + list[after] * share : list[before];
}

// Entry i of a tensor whose frames have so many entries; one with a single frame stays still.
export function entryAt(tensor, size, { before, after, share }, i) {
  if (tensor.length === size) return tensor[i];
  const value = tensor[before * size + i];
  return share ? value * (1 - share) + tensor[after * size + i] * share : value;
}

// The ends of a heatmap's colour scale, which every frame may have of its own; equally far from 0 where one is below it.
// Where shades go by roots they are fixed, unless they are stretched to the largest of the frame.
export function rangeOf(heatmap, mix) {
  const [low, high] = [heatmap.low, heatmap.high].map((end) => (Array.isArray(end) ? mixed(end, mix) : end));
  const top = heatmap.tops && heatmap.stretched ? mixed(heatmap.tops, mix) : Math.max(-low, high);
  return heatmap.tops || low < 0 ? [low < 0 ? -top : low, top] : [low, high];
}

// The number in a cell, as it was sent or read back from its level.
export function cellAt(heatmap, mix, i) {
  const { cells, size, levels, tops, zero } = heatmap;
  if (!levels) return entryAt(cells, size, mix, i);
  const read = (frame) => {
    const level = cells[(cells.length > size ? frame * size : 0) + i];
    if (tops) return Math.sign(level - zero) * ((level - zero) / (levels - zero)) ** 2 * tops[frame];
    const [low, high] = rangeOf(heatmap, { before: frame, share: 0 });
    return low + (level / levels) * (high - low);
  };
  return mix.share ? read(mix.before) * (1 - mix.share) + read(mix.after) * mix.share : read(mix.before);
}

// How far up its side of the colour scale a number stands, from 0 to 1.
export const rootShare = (value, top) => Math.sqrt(Math.min(1, Math.abs(value) / top));

export function maskedAt({ masks, size }, { before }, i) {
  return masks !== null && masks[(masks.length > size ? before * size : 0) + i] === 1;
}

export const noteAt = ({ notes }, frame) => notes[notes.length > 1 ? frame : 0] ?? "";

// Whether there is anything in a heatmap that moves.
export const moves = ({ cells, masks, notes, size }) => cells.length > size || masks?.length > size || notes.length > 1;

export function curveAt({ values, fineCount }, mix) {
  const from = mix.before * fineCount;
  if (!mix.share) return values.subarray(from, from + fineCount);
  return Float32Array.from({ length: fineCount }, (_, i) => entryAt(values, fineCount, mix, i));
}
