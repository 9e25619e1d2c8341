// Unpack what Python packed (attention_ui/chapters/qkv/diagram.py), and look up the frame of one question in it.

import { opened } from "../../../pictures/js/packing.js";

export function unpacked(bytes) {
  const { tensors: [scores, outputs, weights], ...header } = opened(bytes);
  return { ...header, plane: header.counts.length === 2, scores, outputs, weights };
}

// The query always stands on a place that torch has been to, so nothing is mixed and every number is torch's own.
export function frameAt(data, place, temperature, answer) {
  const [, nodes, keys] = data.weights.shape;
  const node = data.plane ? place[0] * data.counts[1] + place[1] : place[0];
  const query = place.map((step) => step / data.perUnit);
  const frame = {
    query,
    text: query.join(","),
    temperature,
    scores: Array.from(data.scores.subarray(node * keys, (node + 1) * keys)),
    exact: false,
    looked: null,
  };
  if (answer?.space === data.space && answer.query === frame.text && answer.temperature === temperature) {
    const [[output], weights] = answer.tensors;
    return { ...frame, weights: Array.from(weights), output, exact: true, looked: answer.looked };
  }
  const row = temperature * nodes + node;
  const levels = data.weights.subarray(row * keys, (row + 1) * keys);
  return { ...frame, weights: Array.from(levels, (level) => level / data.levels), output: data.outputs[row] };
}

export function placeOf(data, text) {
  const place = text.split(",").map((number) => Math.round(+number * data.perUnit));
  return place.length === data.counts.length ? place : null;
}
