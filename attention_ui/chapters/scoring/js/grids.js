// Matrices in a row whose cells tell what they are and where they come from. Every text is torch's, made in Python.

import { arrowOf, element } from "../../../pictures/js/format.js";
import { mount } from "../../../pictures/js/mount.js";

export default mount((page) => {
  const { place, data, state, colours } = page;
  const { focused } = state; // before it is drawn anew
  const [below, above] = [colours.diverging[2], colours.diverging[8]]; // 0, the background, is between them
  place.style.cssText = `--below:${below};--above:${above};--mark:${colours.prediction};--warn:${colours.prediction}`;
  place.className = `grids ${data.dense ? "dense" : ""} ${data.wide ? "wide" : ""}`;
  const tip = element("div", { class: "tip", role: "status", "data-control": "" }, data.tip);
  const cells = {}; // by the name of a grid: rows of <td>
  const tell = (grid, row, column) => {
    Object.values(cells).flat(2).forEach((cell) => cell.classList.remove("source"));
    tip.textContent = grid ? grid.tips[row][column] : data.tip;
    if (!grid) return;
    const own = { row, column };
    for (const [name, axis, by] of grid.sources) {
      const source = cells[name] ?? [];
      const lit = axis === "row" ? (source[own[by]] ?? []) : source.map((line) => line[own[by]]).filter(Boolean);
      lit.forEach((cell) => cell.classList.add("source"));
    }
  };
  const acts = {
    tell,
    pick: (grid, row, column) => grid.picks && page.setTriggerValue("pick", [grid.name, row, column]),
    focus: (at) => (state.focused = at),
  };
  const steps = data.grids.map((grid) => {
    const { table, lines } = tableOf(grid, data, acts);
    cells[grid.name] = lines;
    const sign = grid.sign ? [element("div", { class: "sign", "aria-hidden": "true" }, grid.sign)] : [];
    const titled = element("div", {}, element("div", { class: "name" }, grid.title), table);
    return element("div", { class: "step" }, ...sign, titled);
  });
  const had = focused && place.getRootNode().activeElement?.closest?.("table");
  place.replaceChildren(element("div", { class: "flow", role: "group", "aria-label": data.alt }, ...steps), tip);
  if (had) cells[focused.name]?.[focused.row]?.[focused.column]?.focus();
});

function tableOf(grid, data, acts) {
  const { query, key } = data.chosen;
  const row = (i) => (grid.marks.includes("query") && i === query) || (grid.marks.includes("key") && i === key);
  const column = (j) => grid.marks.includes("key column") && j === key;
  const kind = (name, on) => [grid.faded.includes(name) ? "faded" : "", on ? "on" : ""].join(" ");
  const heads = grid.columns.map((name, j) => element("th", { scope: "col", class: kind(name, column(j)) }, name));
  const lines = grid.texts.map((texts, i) => texts.map((text, j) => cellOf(grid, text, i, j, row(i), column(j))));
  listen(grid, lines, acts);
  const rows = lines.map((line, i) => {
    const flag = grid.flagged.includes(i) ? "flag" : "";
    const sum = grid.sums.length ? [element("td", { class: `sum ${flag}` }, grid.sums[i])] : [];
    return element(
      "tr",
      {},
      element("th", { scope: "row", class: `row ${kind(grid.rows[i], row(i))}` }, grid.rows[i]),
      ...line,
      ...sum,
    );
  });
  const table = element(
    "table",
    { "aria-label": grid.title, "data-name": grid.name },
    element("tr", {}, element("td", { class: "corner" }), ...heads),
    ...rows,
  );
  return { table, lines };
}

function cellOf(grid, text, i, j, row, column) {
  const masked = grid.masked.length > 0 && grid.masked[i][j];
  const chosen = row && column;
  const classes = [
    grid.picks && "pick",
    masked && "masked",
    grid.flagged.includes(i) && "flag",
    chosen ? "chosen" : row ? "lit" : column && "lit down",
  ];
  const made = element("td", { class: classes.filter(Boolean).join(" "), "aria-label": grid.tips[i][j] }, text);
  made.style.setProperty("--shade", Math.abs(grid.shades[i][j]));
  if (grid.shades[i][j] < 0) made.classList.add("below");
  return made;
}

// The pointer or the arrow keys move from cell to cell; a click, Enter or the space bar choose one.
function listen(grid, lines, { tell, pick, focus }) {
  lines.forEach((line, i) =>
    line.forEach((cell, j) => {
      cell.tabIndex = i || j ? -1 : 0; // one stop of the Tab key for each grid
      cell.addEventListener("pointerenter", () => tell(grid, i, j));
      cell.addEventListener("pointerleave", () => tell(null));
      cell.addEventListener("focus", () => (focus({ name: grid.name, row: i, column: j }), tell(grid, i, j)));
      cell.addEventListener("blur", () => tell(null));
      cell.addEventListener("click", () => pick(grid, i, j));
      cell.addEventListener("keydown", (event) => {
        const arrow = arrowOf(event);
        if (arrow) lines[i + arrow[0]]?.[j + arrow[1]]?.focus();
        else if (event.key === "Enter" || event.key === " ") pick(grid, i, j);
        else return;
        event.preventDefault();
      });
    })
  );
}
