// The opened Transformer: a click on a block shows its tensor at once; torch made every number, JavaScript only paints.

import { opened } from "../../../pictures/js/packing.js";
import { element, formulaRuns } from "../../../pictures/js/format.js";
import { mount } from "../../../pictures/js/mount.js";
import { diagramPanel } from "./diagram.js";
import { tensorPanel } from "./tensor.js";

const WIDE = 900;
const ROOM = 580; // for the diagram, so that all of it is on the first screen

export default mount((page) => {
  const { place: root, state, key, setTriggerValue } = page;
  const data = opened(page.data);
  Object.values(data.shown).forEach((tensor, i) => (tensor.cells = data.tensors[i]));
  const known = (name) => (name in data.shown ? name : null);
  const current = () => known(state.tensor) ?? known(page.latest(key)?.tensor) ?? data.first;
  const blockOf = (name) => data.blocks.findIndex((block) => block.tensors.includes(name));

  const choose = (name) => {
    state.tensor = name;
    draw();
    setTriggerValue("tensor", name); // the picture does not wait for it: this is for the link
  };
  const diagram = diagramPanel(data, (i) => choose(data.blocks[i].tensors[0]));
  const tensor = tensorPanel(page);
  const title = element("div", { class: "heading" });
  const sentence = element("p", { class: "sentence" });
  const chips = element("div", { class: "chips", role: "group", "aria-label": "tensors of this block" });
  const facts = element("p", { class: "facts", role: "status" });
  const formula = element("p", { class: "formula" });

  const draw = () => {
    const name = current();
    const i = blockOf(name);
    const block = data.blocks[i];
    const shown = data.shown[name];
    const where = block.side === "encoder" ? "encoder" : "decoder";
    title.textContent = `${block.title} · ${where}${block.layer === null ? "" : `, layer ${block.layer + 1}`}`;
    sentence.textContent = block.sentence;
    formula.replaceChildren(...formulaRuns(block.formula));
    chips.replaceChildren(
      ...(block.tensors.length > 1 ? block.tensors.map((other) => chip(other, other === name)) : []),
    );
    const axes = shown.axes.map((axis, j) => `${shown.shape[j]} ${axis}`).join(" × ");
    facts.replaceChildren(
      element("b", {}, name),
      ` has shape `,
      element("b", {}, `(${shown.shape.join(", ")})`),
      `: ${axes}`,
    );
    diagram.light(i);
    tensor.show(name, shown, root.clientWidth > WIDE ? 330 : 400);
    Object.assign(root.dataset, {
      tensor: name,
      shape: shown.shape.join(","),
      read: data.read.join(""),
      draws: +(root.dataset.draws ?? 0) + 1,
    });
  };
  const chip = (name, pressed) => {
    const made = element("button", { type: "button", "aria-pressed": pressed }, data.shown[name].word);
    made.addEventListener("click", () => {
      choose(name);
      [...chips.children].find((other) => other.getAttribute("aria-pressed") === "true")?.focus();
    });
    return made;
  };

  const side = element("div", { class: "inside" }, title, sentence, formula, chips, facts, tensor.place);
  root.replaceChildren(diagram.svg, side);
  page.resized(() => {
    diagram.resize(diagram.svg.getBoundingClientRect().width, ROOM);
    draw();
  });
  page.updated(key, ({ turns }) => {
    if (state.turns !== turns) state.tensor = null; // Undo says which one was open
    state.turns = turns;
    if (!state.tensor && root.clientWidth) draw();
  });
});
