// The small messenger: keeps the latest cue of every stage and tells the stages that there is one.
export default function ({ data }) {
  const view = new DataView(data.buffer, data.byteOffset);
  const length = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  const [rows, columns] = header.rows;
  const numbers = new Float32Array(data.slice(4 + length).buffer);
  const cue = { ...header, outputs: numbers.subarray(0, rows), weights: numbers.subarray(rows), columns };
  (globalThis.attentionLabCues ??= new Map()).set(cue.stage, cue);
  globalThis.dispatchEvent(new CustomEvent("attention-lab-cue", { detail: cue.stage }));
}
