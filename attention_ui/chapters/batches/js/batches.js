// A batch product drawn so that a row and a column meet at their sum. Torch made every number; here they are only
// placed.

import { opened } from "../../../pictures/js/packing.js";
import { between, element } from "../../../pictures/js/format.js";
import { mount } from "../../../pictures/js/mount.js";

const NAMES = { first: "A, first", second: "B, second", product: "C, product" };

export default mount((page) => {
  const { place, colours } = page;
  const data = unpacked(page.data);
  const [n, rows, columns] = data.shapes[2];
  let pointed = null; // { row, column } of the product under the pointer
  const hover = (next) => {
    pointed = next;
    soon();
  };
  const first = matrixOf("first", data.shapes[0]);
  const second = matrixOf("second", data.shapes[1]);
  const product = matrixOf("product", data.shapes[2], {
    hover,
    pick: (row, column) => page.setTriggerValue("pick", [row, column]),
  }, data.fits);
  const corner = element("div", { class: "corner" });
  const sum = element("div", { class: "sum", role: "status" });

  const { now, soon } = page.drawing(() => {
    const [batch, row, column] = [n, rows, columns].map((
      count,
      i,
    ) => (count === 1 ? 0 : between(0, sliders[i].position() ?? 0, count - 1)));
    const at = { batch, row: pointed?.row ?? row, column: pointed?.column ?? column };
    corner.replaceChildren(element("b", {}, `matrix ${at.batch}`), `of 0 to ${n - 1}`);
    const paired = Math.min(data.shapes[0][2], data.shapes[1][1]);
    first.fill(at.batch, data.first, (r, c) => (r === at.row ? (c < paired ? "row" : "alone") : ""));
    second.fill(at.batch, data.second, (r, c) => (c === at.column ? (r < paired ? "column" : "alone") : ""));
    product.fill(
      at.batch,
      data.product,
      (r, c) => (r === at.row && c === at.column ? "chosen" : data.fits ? "" : "none"),
    );
    sum.replaceChildren(...written(data, at, paired));
    Object.assign(place.dataset, at);
  });
  const sliders = data.sliders.map((key) => page.follow(key, soon));

  const sides = { n, across: data.shapes[0][2] + columns, down: data.shapes[1][1] + rows };
  const style = Object.entries(sides).map(([name, value]) => `--${name}:${value}`).join(";");
  const colour = `--row:${colours.prediction};--column:${colours.reference}`;
  const picture = element("div", { class: "picture" }, corner, second.holder, first.holder, product.holder);
  place.replaceChildren(element("div", { class: "scene", style: `${style};${colour}` }, picture, sum));
  now();
  page.listen(globalThis, "pointerdown", soon, true); // a slider of another length is a new one: find it in time
});

// The numbers of a tensor by their places.
const reader = (tensor) => (...at) => tensor[at.reduce((offset, index, i) => offset * tensor.shape[i] + index, 0)];

function unpacked(data) {
  const { tensors, ...header } = opened(data);
  const [first, second, terms, product] = tensors.map(reader);
  return { ...header, first, second, terms, product: product ?? null };
}

function matrixOf(name, [n, rows, columns], acts = null, there = true) {
  const entry = (row, column) => {
    const made = element(acts ? "button" : "div", acts ? { class: "entry", type: "button" } : { class: "entry" });
    if (!acts) return made;
    made.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && acts.hover({ row, column }));
    made.addEventListener("pointerleave", () => acts.hover(null));
    made.addEventListener("click", () => acts.pick(row, column));
    return made;
  };
  const entries = Array.from(
    { length: rows },
    (_, row) => Array.from({ length: columns }, (_, column) => entry(row, column)),
  );
  const matrix = element(
    "div",
    { class: "matrix", style: `grid-template-columns:repeat(${columns},var(--cell))` },
    ...entries.flat(),
  );
  const cards = Array.from({ length: n - 1 }, (_, i) => n - 1 - i); // the farthest first
  const pile = element(
    "div",
    { class: "pile" },
    ...cards.map((far) =>
      element("div", {
        class: "card",
        style: `transform:translate(calc(var(--step) * ${far}), calc(var(--step) * ${-far}))`,
      })
    ),
    matrix,
  );
  const size = there ? `: ${n} × ${rows} × ${columns}` : ": none";
  const label = element("div", { class: "name" }, NAMES[name] + size);
  const holder = element(
    "div",
    { class: `holder ${name}` },
    ...(name === "second" ? [] : [pile, label]),
    ...(name === "second" ? [label, pile] : []),
  );

  const fill = (batch, at, kind) => {
    entries.forEach((line, row) =>
      line.forEach((made, column) => {
        const text = at ? String(at(batch, row, column)) : "?";
        if (made.textContent !== text) made.textContent = text;
        made.className = `entry ${kind(row, column)}`;
        if (acts) made.setAttribute("aria-label", `product row ${row}, column ${column}: ${text}`);
      })
    );
    if (acts) return;
    const spoken = entries.map((line) => line.map((made) => made.textContent).join(" ")).join("; ");
    matrix.setAttribute("role", "img");
    matrix.setAttribute("aria-label", `${name} matrix ${batch}, row by row: ${spoken}`);
  };
  return { holder, fill };
}

// The chosen number as its row times its column, number by number.
function written(data, { batch, row, column }, paired) {
  const longest = Math.max(data.shapes[0][2], data.shapes[1][1]);
  const plus = (i) => (i ? " + " : "");
  const factor = (kind, number) => element("span", { class: kind }, number === null ? "?" : String(number));
  const terms = Array.from({ length: longest }, (_, i) => {
    const left = i < data.shapes[0][2] ? data.first(batch, row, i) : null;
    const right = i < data.shapes[1][1] ? data.second(batch, i, column) : null;
    return element("span", { class: "term" }, plus(i), factor("left", left), " × ", factor("right", right));
  });
  const shapes = shapesOf(data);
  const which = element(
    "div",
    { class: "which" },
    `C[${batch}, ${row}, ${column}] = row ${row} of A times column ${column} of B`,
  );
  const line = element("div", { class: "products" }, ...terms);
  if (!data.fits) {
    return [
      shapes,
      which,
      line,
      element("div", { class: "total" }, "= ?"),
      element("div", { class: "which" }, `${longest - paired} without a partner`),
    ];
  }
  const added = Array.from(
    { length: longest },
    (_, i) => element("span", { class: "term" }, `${plus(i) || "= "}${data.terms(batch, row, column, i)}`),
  );
  const total = element("div", { class: "total" }, `= ${data.product(batch, row, column)}`);
  return [shapes, which, line, ...(longest > 1 ? [element("div", {}, ...added)] : []), total];
}

function shapesOf({ shapes: [first, second, product], fits }) {
  const inner = (size) => element("b", {}, String(size));
  return element(
    "div",
    { class: "shapes" },
    `(${first[0]}, ${first[1]}, `,
    inner(first[2]),
    `) @ (${second[0]}, `,
    inner(second[1]),
    `, ${second[2]}) → `,
    fits ? `(${product.join(", ")})` : "no product",
  );
}
