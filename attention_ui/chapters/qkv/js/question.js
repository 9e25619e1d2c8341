// Unpack what Python packed (attention_ui/chapters/qkv/diagram.py), and look up the frame of one question in it.

function unpacked(bytes) {
  const { header, body } = opened(bytes);
  const [temperatures, nodes, keys] = header.shape;
  const [outputsFrom, weightsFrom] = [4 * nodes * keys, 4 * nodes * (keys + temperatures)];
  return {
    ...header,
    plane: header.counts.length === 2,
    scores: new Float32Array(body, 0, nodes * keys),
    outputs: new Float32Array(body, outputsFrom, temperatures * nodes),
    weights: new Uint16Array(body, weightsFrom, temperatures * nodes * keys),
  };
}

// The query always stands on a place that torch has been to, so nothing is mixed and every number is torch's own.
function frameAt(scene, place, temperature, answer) {
  const [, nodes, keys] = scene.shape;
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
    return { ...frame, weights: answer.weights, output: answer.output, exact: true, looked: answer.looked };
  }
  const row = temperature * nodes + node;
  const weights = Array.from(scene.weights.subarray(row * keys, (row + 1) * keys), (weight) => weight / scene.levels);
  return { ...frame, weights, output: scene.outputs[row] };
}

function placeOf(scene, text) {
  const place = text.split(",").map((number) => Math.round(+number * scene.perUnit));
  return place.length === scene.counts.length ? place : null;
}

// A colour for every pair, from the slots of the theme that stand for nothing else in this picture.
function pairColours(place) {
  const list = getComputedStyle(place).getPropertyValue("--st-chart-categorical-colors").split(/,(?![^(]*\))/);
  return [1, 7, 2, 8, 3, 6].map((slot) => list[slot % list.length].trim());
}
