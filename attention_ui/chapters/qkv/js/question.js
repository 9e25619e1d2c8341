// Unpack what Python packed (attention_ui/chapters/qkv/diagram.py), and look up the frame of one question in it.

import { opened } from "../../../pictures/js/packing.js";

export function unpacked(bytes) {
  const { tensors: [scores, outputs, weights], ...header } = opened(bytes);
  return { ...header, plane: header.counts.length === 2, scores, outputs, weights };
}

// The query always stands on a place that torch has been to, so nothing is mixed and every number is torch's own.
export function frameAt(data, place, temperature, answer) {
  const [, nodes, keys] = data.weights.shape;
  const node = nodeOf(place, data.counts);
  const query = place.map((step) => step / data.perUnit);
  const frame = {
    query,
    text: query.join(","),
    temperature,
    keys: data.keys,
    values: data.values,
    scores: Array.from(data.scores.subarray(node * keys, (node + 1) * keys)),
    exact: false,
    picked: null,
  };
  const same = answer?.space === data.space && answer.pairs === data.pairs;
  if (same && answer.query === frame.text && answer.temperature === temperature) {
    const [[output], weights] = answer.tensors;
    return { ...frame, weights: Array.from(weights), output, exact: true, picked: answer.picked };
  }
  const row = temperature * nodes + node;
  const levels = data.weights.subarray(row * keys, (row + 1) * keys);
  return { ...frame, weights: Array.from(levels, (level) => level / data.levels), output: data.outputs[row] };
}

// The same question with one key elsewhere or with another value: the answer holds these frames too.
export function edited(data, frame, edit, answer) {
  if (!edit || !frame.exact) return frame;
  const [, , scores, weights, outputs, byValue] = answer.tensors;
  const at = (list, next) => list.map((each, i) => (i === edit.pair ? next : each));
  if (edit.value !== undefined) {
    const output = byValue[edit.pair * byValue.shape[1] + edit.value];
    return { ...frame, values: at(frame.values, edit.value), output, exact: false };
  }
  const [pairs, places] = weights.shape;
  const place = nodeOf(edit.place, data.keyCounts);
  const row = edit.pair * places + place;
  const levels = weights.subarray(row * pairs, (row + 1) * pairs);
  return {
    ...frame,
    keys: at(frame.keys, edit.place.map((step) => step / data.keysPerUnit)),
    scores: at(frame.scores, scores[place]),
    weights: Array.from(levels, (level) => level / data.levels),
    output: outputs[row],
    exact: false,
  };
}

const nodeOf = (place, counts) => (place.length === 2 ? place[0] * counts[1] + place[1] : place[0]);

export function placeOf(data, text) {
  const place = text.split(",").map((number) => Math.round(+number * data.perUnit));
  return place.length === data.counts.length ? place : null;
}
