// The opened Transformer: a click on a block shows its tensor at once; torch made every number, JavaScript only paints.

const states = new WeakMap(); // per place on the page: this function is called again on every new text, model or theme
const WIDE = 900;
const ROOM = 580; // for the diagram, so that all of it is on the first screen

function unpackOpened(bytes) {
  const { header, body } = opened(bytes);
  let at = 0;
  for (const tensor of Object.values(header.tensors)) {
    const count = tensor.shape.reduce((product, side) => product * side, 1);
    tensor.cells = new Float32Array(body, 4 * at, count);
    at += count;
  }
  return header;
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".opened");
  const key = keyOf(root);
  const state = states.get(root) ?? { tensor: null };
  states.set(root, state);
  state.stop?.();

  const scene = unpackOpened(data);
  const cue = () => globalThis.attentionLabCues?.get(key);
  const known = (name) => (name in scene.tensors ? name : null);
  const current = () => known(state.tensor) ?? known(cue()?.tensor) ?? "encoder.0.self_attention.weights";
  const blockOf = (name) => scene.blocks.findIndex((block) => block.tensors.includes(name));

  const choose = (name) => {
    state.tensor = name;
    draw();
    setStateValue("tensor", name); // the picture does not wait for it: this is for the link
  };
  const diagram = diagramPanel(scene, (i) => choose(scene.blocks[i].tensors[0]));
  const tensor = tensorPanel(root);
  const title = element("div", { class: "heading" });
  const sentence = element("p", { class: "sentence" });
  const chips = element("div", { class: "chips", role: "group", "aria-label": "tensors of this block" });
  const facts = element("p", { class: "facts", role: "status" });
  const formula = element("p", { class: "formula" });

  const draw = () => {
    const name = current();
    const i = blockOf(name);
    const block = scene.blocks[i];
    const shown = scene.tensors[name];
    const where = block.side === "encoder" ? "encoder" : "decoder";
    title.textContent = `${block.title} · ${where}${block.layer === null ? "" : `, layer ${block.layer + 1}`}`;
    sentence.textContent = block.sentence;
    formula.replaceChildren(...formulaRuns(block.formula));
    chips.replaceChildren(...(block.tensors.length > 1 ? block.tensors.map((other) => chip(other, other === name)) : []));
    const axes = shown.axes.map((axis, j) => `${shown.shape[j]} ${axis}`).join(" × ");
    facts.replaceChildren(element("b", {}, name), ` has shape `, element("b", {}, `(${shown.shape.join(", ")})`), `: ${axes}`);
    diagram.light(i);
    tensor.show(name, shown, root.clientWidth > WIDE ? 330 : 400);
    Object.assign(root.dataset, { tensor: name, shape: shown.shape.join(","), read: scene.read.join(""), draws: +(root.dataset.draws ?? 0) + 1 });
  };
  const chip = (name, pressed) => {
    const made = element("button", { type: "button", "aria-pressed": pressed }, scene.tensors[name].word);
    made.addEventListener("click", () => {
      choose(name);
      [...chips.children].find((other) => other.getAttribute("aria-pressed") === "true")?.focus();
    });
    return made;
  };

  const side = element("div", { class: "inside" }, title, sentence, formula, chips, facts, tensor.place);
  root.replaceChildren(diagram.svg, side);
  const cued = (event) => event.detail === key && !state.tensor && draw();
  const resized = new ResizeObserver(() => {
    if (!root.clientWidth) return;
    diagram.resize(diagram.svg.getBoundingClientRect().width, ROOM);
    draw();
  });
  resized.observe(root);
  globalThis.addEventListener("attention-lab-cue", cued);
  state.stop = () => {
    resized.disconnect();
    globalThis.removeEventListener("attention-lab-cue", cued);
  };
  return state.stop;
}

// "W_{1}" with its 1 low, "10000^{2j}" with its 2j high.
function formulaRuns(text) {
  return text.split(/([_^]\{[^}]*\})/).map((run) => {
    if (run.startsWith("_{")) return element("sub", {}, run.slice(2, -1));
    return run.startsWith("^{") ? element("sup", {}, run.slice(2, -1)) : run;
  });
}
