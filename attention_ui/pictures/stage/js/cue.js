// The small messenger: keeps the latest cue of every stage and tells the stages that there is one.
export default function ({ data }) {
  const { header, body } = opened(data);
  const [rows, columns] = header.rows;
  const numbers = new Float32Array(body);
  const cue = { ...header, outputs: numbers.subarray(0, rows), weights: numbers.subarray(rows), columns };
  (globalThis.attentionLabCues ??= new Map()).set(cue.stage, cue);
  globalThis.dispatchEvent(new CustomEvent("attention-lab-cue", { detail: cue.stage }));
}
