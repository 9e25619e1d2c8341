// The small messenger: keeps torch's own answer to the latest question and tells the diagram that there is one.
export default function ({ data }) {
  const { header, body } = opened(data);
  const [output, ...weights] = new Float32Array(body);
  (globalThis.attentionLabAnswers ??= new Map()).set(header.diagram, { ...header, output, weights });
  globalThis.dispatchEvent(new CustomEvent("attention-lab-answer", { detail: header.diagram }));
}
