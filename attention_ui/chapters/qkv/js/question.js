// Unpack what Python packed (attention_ui/chapters/qkv/diagram.py), and look up the frame of one question in it.

import { opened } from "../../../pictures/js/bytes.js";

export function unpacked(bytes) {
  const { tensors: [scores, outputs, weights], ...header } = opened(bytes);
  return { ...header, plane: header.counts.length === 2, scores, outputs, weights };
}

// The query always stands on a place that torch has been to, so nothing is mixed and every number is torch's own.
export function frameAt(scene, place, temperature, answer) {
  const [, nodes, keys] = scene.weights.shape;
  const node = scene.plane ? place[0] * scene.counts[1] + place[1] : place[0];
  const query = place.map((step) => step / scene.perUnit);
  const frame = {
    query,
    text: query.join(","),
    temperature,
    scores: Array.from(scene.scores.subarray(node * keys, (node + 1) * keys)),
    exact: false,
    looked: null,
  };
  if (answer?.space === scene.space && answer.query === frame.text && answer.temperature === temperature) {
    const [[output], weights] = answer.tensors;
    return { ...frame, weights: Array.from(weights), output, exact: true, looked: answer.looked };
  }
  const row = temperature * nodes + node;
  const levels = scene.weights.subarray(row * keys, (row + 1) * keys);
  return { ...frame, weights: Array.from(levels, (level) => level / scene.levels), output: scene.outputs[row] };
}

export function placeOf(scene, text) {
  const place = text.split(",").map((number) => Math.round(+number * scene.perUnit));
  return place.length === scene.counts.length ? place : null;
}
