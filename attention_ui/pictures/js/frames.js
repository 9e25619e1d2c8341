// Numbers between two frames: frame 2.25 is three quarters of frame 2 and a quarter of frame 3.

import { between } from "./format.js";

const NONE = 65535; // the level of a curve that has no value: see attention_ui/pictures/curve.py

export const FIRST = { before: 0, after: 0, share: 0, at: 0 };

// Whole frames are torch's own numbers. Where tensors hold fewer frames, `places` says where each one stands among
// them.
export function mixing(frames, position, places = null) {
  const before = Math.floor(between(0, position, frames - 1));
  const mix = {
    before,
    after: Math.min(before + 1, frames - 1),
    share: between(0, position - before, 1),
    at: position,
  };
  return places ? { ...mixing(places.at(-1) + 1, mixed(places, mix)), at: position } : mix;
}

// A number that every frame has of its own, or one for all.
export function mixed(list, { before, after, share }) {
  if (list.length === 1) return list[0];
  return share ? list[before] * (1 - share) + list[after] * share : list[before];
}

// Entry i of a tensor whose frames have so many entries; one with a single frame stays still.
export function entryAt(tensor, size, { before, after, share }, i) {
  if (tensor.length === size) return tensor[i];
  const value = tensor[before * size + i];
  return share ? value * (1 - share) + tensor[after * size + i] * share : value;
}

// The ends of a heatmap's colour scale, which every frame may have of its own; equally far from 0 where one is below
// it. Where shades go by roots they are fixed, unless they are stretched to the largest of the frame.
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
    if (tops) {
      return Math.sign(level - zero) * ((level - zero) / (levels - zero)) ** 2 *
        mixed(tops, { before: frame, share: 0 });
    }
    const [low, high] = rangeOf(heatmap, { before: frame, share: 0 });
    return low + (level / levels) * (high - low);
  };
  return mix.share ? read(mix.before) * (1 - mix.share) + read(mix.after) * mix.share : read(mix.before);
}

// Exact weights as a frame of their own, in levels that are not rounded.
export function exactFrame(heatmap, weights) {
  const { levels, zero } = heatmap;
  const top = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-30);
  const level = (weight) => zero + Math.sign(weight) * rootShare(weight, top) * (levels - zero);
  return { ...heatmap, cells: Float32Array.from(weights, level), tops: [top] };
}

// How far up its side of the colour scale a number stands, from 0 to 1.
export const rootShare = (value, top) => Math.sqrt(Math.min(1, Math.abs(value) / top));

export function maskedAt({ masks, size }, { before }, i) {
  return masks !== null && masks[(masks.length > size ? before * size : 0) + i] === 1;
}

export const noteAt = ({ notes }, frame) => notes[notes.length > 1 ? frame : 0] ?? "";

// Whether there is anything in a heatmap that moves.
export const moves = ({ cells, masks, notes, size }) => cells.length > size || masks?.length > size || notes.length > 1;

// The heights of a curve, read back from their levels.
export function curveAt({ values, fineCount, levels: [low, high] }, { before, after, share }) {
  const step = (high - low) / (NONE - 1);
  return Float64Array.from({ length: fineCount }, (_, i) => {
    const [here, next] = [values[before * fineCount + i], values[after * fineCount + i]];
    if (here === NONE || (share && next === NONE)) return NaN;
    return low + (here * (1 - share) + next * share) * step;
  });
}
