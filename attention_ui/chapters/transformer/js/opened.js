// The opened Transformer: a click on a block shows its tensor at once; torch made every number, JavaScript only paints.

import { opened } from "../../../pictures/js/packing.js";
import { between, element, formulaRuns, sizeOf, windowHeight } from "../../../pictures/js/format.js";
import { mount } from "../../../pictures/js/mount.js";
import { diagramPanel } from "./diagram.js";
import { sourcesPanel } from "./sources.js";
import { tensorPanel } from "./tensor.js";

const WIDE = 900;
const ABOVE = 238; // pixels of the screen above the picture, which must end with the screen
const BELOW = 60; // pixels of words below the heatmaps
const FEW = 16; // columns at most, for the sources to stand beside what is made of them

export default mount((page) => {
  const { place: root, state, key, setTriggerValue } = page;
  const data = opened(page.data);
  Object.values(data.shown).forEach((tensor, i) => (tensor.cells = data.tensors[i]));
  let wide = 0;
  const known = (name) => (name in data.shown ? name : null);
  const current = () => known(state.tensor) ?? known(page.latest(key)?.tensor) ?? data.first;
  const blockOf = (name) => data.blocks.findIndex((block) => block.tensors.includes(name));

  const choose = (name) => {
    state.tensor = name;
    draw();
    setTriggerValue("tensor", name); // the picture does not wait for it: this is for the link
  };
  const diagram = diagramPanel(data, (i, clicked) => {
    choose(data.blocks[i].tensors[0]);
    if (clicked && root.clientWidth <= WIDE) side.scrollIntoView({ behavior: "smooth" }); // its numbers are below
  });
  // The blocks that what is open takes its numbers from.
  const feeding = (name, block) =>
    data.sources[name].flatMap(([source]) => blockOf(source) === block ? feeding(source, block) : [blockOf(source)]);
  const room = () => root.clientWidth > WIDE ? between(420, windowHeight() - ABOVE, 640) : 590;
  const point = (cell) => {
    const taken = sources.point(cell);
    root.dataset.from = JSON.stringify(taken);
  };
  const tensor = tensorPanel(page, point);
  const sources = sourcesPanel(page, data, (name) => choose(name));
  const title = element("div", { class: "heading" });
  const sentence = element("p", { class: "sentence" });
  const chips = element("div", {
    class: "chips",
    role: "group",
    "aria-label": "tensors of this block",
    "data-control": "",
  });
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
    diagram.light(i, feeding(name, i));
    const from = data.sources[name].map(([source]) => data.shown[source].columns.length);
    const beside = root.clientWidth > WIDE && shown.panels * shown.columns.length <= FEW && Math.max(...from) <= FEW;
    const inside = room() - (numbers.offsetTop - side.offsetTop) - BELOW;
    const [above, below] = from.length ? [0.58 * inside, 0.42 * inside] : [inside, 0];
    numbers.classList.toggle("paired", beside && from.length > 0);
    const share = between(0.3, Math.max(...from) / (Math.max(...from) + shown.panels * shown.columns.length), 0.5);
    numbers.style.gridTemplateColumns = beside && from.length ? `${share}fr ${1 - share}fr` : null;
    tensor.show(name, shown, beside ? inside : above);
    sources.show(name, beside ? inside / from.length : below);
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

  const head = element("div", { class: "head" }, title, formula);
  const numbers = element("div", { class: "numbers" }, tensor.place, sources.place);
  const side = element("div", { class: "inside" }, head, sentence, chips, facts, sources.words, numbers);
  root.replaceChildren(diagram.svg, side);
  page.resized(() => {
    if (root.clientWidth === wide) return; // words below that grew or shrank
    wide = root.clientWidth;
    diagram.resize(sizeOf(diagram.svg).width, room());
    draw();
  });
  page.updated(key, ({ turns }) => {
    if (state.turns !== turns) state.tensor = null; // Undo says which one was open
    state.turns = turns;
    if (!state.tensor && root.clientWidth) draw();
  });
});
