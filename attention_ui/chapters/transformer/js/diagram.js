// The block diagram: encoder left, decoder right, from what is read or written upwards. A block is a button.

import { arrowOf, between, element, set } from "../../../pictures/js/format.js";

const NARROW_DIAGRAM = 420;
const FOOT = 50; // below the columns: what goes in
const TOP = 56; // above them: their names, and what comes out

export function diagramPanel(data, choose) {
  const svg = element("svg", {
    class: "diagram",
    role: "group",
    "aria-label": `The ${data.blocks.length} blocks of the Transformer: encoder left, decoder right`,
  });
  const back = element("g", { "aria-hidden": "true" });
  const signs = data.blocks.map((block, i) => blockSign(block, i));
  svg.append(back, ...signs.map(({ group }) => group));
  const sides = ["encoder", "decoder"].map((side) =>
    data.blocks.map((block, i) => ({ ...block, i })).filter((block) => block.side === side)
  );
  const panel = { svg };

  const walk = (i, event) => {
    const column = sides.findIndex((side) => side.some((block) => block.i === i));
    const row = sides[column].findIndex((block) => block.i === i);
    const arrow = arrowOf(event);
    if (!arrow) return null;
    const [down, right] = arrow;
    const side = sides[between(0, column + right, 1)];
    return side[between(0, row - down, side.length - 1)].i;
  };
  signs.forEach(({ group }, i) => {
    group.addEventListener("click", () => choose(i, true));
    group.addEventListener("keydown", (event) => {
      const next = event.key === "Enter" || event.key === " " ? i : walk(i, event);
      if (next === null) return;
      event.preventDefault();
      signs[next].group.focus();
      choose(next);
    });
  });

  panel.resize = (width, room) => {
    const narrow = width < NARROW_DIAGRAM;
    const [edge, gutter] = narrow ? [12, 26] : [26, 46];
    const wide = (width - 2 * edge - gutter) / 2;
    const most = Math.max(...sides.map((side) => side.length));
    const pitch = between(23, (room - TOP - FOOT) / most, 46);
    const high = pitch - Math.min(12, pitch / 4);
    const bottom = TOP + most * pitch;
    svg.style.height = `${bottom + FOOT}px`;
    const boxes = [];
    sides.forEach((side, column) =>
      side.forEach(({ i }, row) => {
        boxes[i] = {
          x: edge + column * (wide + gutter),
          y: bottom - (row + 1) * pitch + (pitch - high) / 2,
          wide,
          high,
        };
        signs[i].put(boxes[i]);
      })
    );
    back.replaceChildren(
      ...layerFrames(sides, boxes),
      ...wires(data, sides, boxes, edge, gutter),
      ...ends(data, sides, boxes, bottom),
    );
  };
  panel.light = (chosen, feeding) =>
    signs.forEach(({ group }, i) => {
      group.classList.toggle("feeding", feeding.includes(i));
      group.setAttribute("aria-pressed", i === chosen);
      group.setAttribute("tabindex", i === chosen ? 0 : -1);
    });
  return panel;
}

function blockSign({ title, side, layer, tensors }, i) {
  const kind = title.includes("ttention")
    ? "attending"
    : ["Add & norm", "Add", "Norm"].includes(title)
    ? "around"
    : "plain";
  const rect = element("rect", { rx: 7 });
  const text = element("text", { "text-anchor": "middle" }, title);
  const where = layer === null ? side : `${side}, layer ${layer + 1}`;
  const group = element(
    "g",
    {
      class: `block ${kind}`,
      role: "button",
      "aria-label": `${title}, ${where}`,
      "data-block": i,
      "data-name": tensors[0],
    },
    rect,
    text,
  );
  const put = ({ x, y, wide, high }) => {
    set(rect, { x: x.toFixed(1), y: y.toFixed(1), width: wide.toFixed(1), height: high.toFixed(1) });
    set(text, { x: (x + wide / 2).toFixed(1), y: (y + high / 2 + 5).toFixed(1) });
    group.classList.toggle("tight", wide < 150);
  };
  return { group, put };
}

// A frame around the blocks of each layer, where there is more than one.
function layerFrames(sides, boxes) {
  return sides.flatMap((side) => {
    const layers = [...new Set(side.map((block) => block.layer))].filter((layer) => layer !== null);
    if (layers.length < 2) return [];
    return layers.map((layer) => {
      const inside = side.filter((block) => block.layer === layer).map(({ i }) => boxes[i]);
      const [first, last] = [inside[0], inside.at(-1)];
      return element("rect", {
        class: "layer",
        rx: 9,
        x: first.x - 5,
        y: last.y - 3,
        width: first.wide + 10,
        height: first.y + first.high - last.y + 6,
      });
    });
  });
}

const line = (path, arrow = true) => element("path", { class: arrow ? "wire arrow" : "wire", d: path });
const tip = (x, y, dx, dy) =>
  element("path", { class: "tip", d: dx ? `M${x},${y}l${-6 * dx},-4v8z` : `M${x},${y}l-4,${6 * -dy}h8z` });

// From block to block, around the parts, and from the encoder to every cross-attention.
function wires(data, sides, boxes, edge, gutter) {
  const made = [];
  sides.forEach((side, column) =>
    side.forEach(({ i, skips }, row) => {
      const { x, y, wide, high } = boxes[i];
      const middle = x + wide / 2;
      if (row) made.push(line(`M${middle},${boxes[side[row - 1].i].y}V${y + high}`), tip(middle, y + high, 0, -1));
      if (!skips) return;
      const from = boxes[side[row - skips + 1].i];
      const start = from.y + from.high + (boxes[side[0].i].y - boxes[side[1].i].y - high) / 2;
      const [out, sign] = column ? [x + wide + edge * 0.6, -1] : [x - edge * 0.6, 1];
      const side1 = column ? x + wide : x;
      made.push(line(`M${middle},${start}H${out}V${y + high / 2}H${side1}`), tip(side1, y + high / 2, sign, 0));
    })
  );
  const top = boxes[sides[0].at(-1).i];
  const middle = top.x + top.wide / 2;
  const turn = top.x + top.wide + gutter * 0.45;
  const crossed = sides[1].filter((block) => block.title === "Cross-attention").map(({ i }) => boxes[i]);
  const heights = crossed.map(({ y, high }) => y + high / 2);
  const turns = [top.y - 12, ...heights];
  made.push(line(`M${middle},${top.y}V${top.y - 12}H${turn}M${turn},${Math.min(...turns)}V${Math.max(...turns)}`));
  crossed.forEach(({ x }, i) => made.push(line(`M${turn},${heights[i]}H${x}`), tip(x, heights[i], 1, 0)));
  return made;
}

// The names of the two halves, what goes into each, and what comes out.
function ends(data, sides, boxes, bottom) {
  const words = (box, y, text, kind = "ends") =>
    element("text", { class: kind, x: box.x + box.wide / 2, y, "text-anchor": "middle" }, text);
  const [encoder, decoder] = sides.map((side) => boxes[side[0].i]);
  const top = boxes[sides[1].at(-1).i];
  const fit = (symbols) =>
    (symbols.length > 9 ? [...symbols.slice(0, 5), "…", ...symbols.slice(-2)] : symbols).join("\u2002");
  return [
    words(encoder, bottom + 20, "Encoder reads", "half"),
    words(encoder, bottom + 42, fit(data.read)),
    words(decoder, bottom + 20, "Decoder has written", "half"),
    words(decoder, bottom + 42, fit(data.before)),
    words(top, top.y - 36, "Decoder writes", "half"),
    words(top, top.y - 14, fit(data.written)),
  ];
}
