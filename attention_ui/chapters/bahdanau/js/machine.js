// The machine: what was read, the decoder's state, scores, weights as bands into the context, what may come next, what
// was written.

import { rampOf, shadeOf } from "../../../pictures/js/colours.js";
import {
  between,
  digits,
  drawnFormula,
  element,
  set,
  sizeOf,
  weightText,
  windowHeight,
} from "../../../pictures/js/format.js";

const ROW = 20; // of the output distribution
const BOX = 28; // height of a symbol's box
const STRIP = 16; // height of a strip of numbers
export const ABOVE = 326; // pixels of the screen above the picture: what is left is for the bands
const WIDE = 560; // from this width on, the names of the rows stand to the left of them

// Where everything is, from the width of the picture: names to the left on a wide screen, above the rows on a narrow
// one.
function machineLayout(trace, width) {
  const wide = width >= WIDE;
  const left = wide ? 190 : 0;
  const label = wide ? 0 : 22; // room above a row
  const cell = Math.min(72, (width - left - 2) / trace.read.length);
  const read = wide ? 2 : 18;
  const gap = windowHeight() < 800 ? 14 : 20;
  const state = read + BOX + gap + label;
  const scores = state + STRIP + gap + label;
  const numbers = scores + 40 + 17 + label;
  const below = STRIP + 22 + trace.top * ROW + 4 + BOX + 4; // from the context on
  const bands = wide ? between(70, windowHeight() - ABOVE - below - numbers - 6, 118) : 90;
  const context = numbers + 6 + bands;
  const next = context + STRIP + (wide ? 22 : 56);
  const written = next + trace.top * ROW + 4 + label;
  const start = wide ? left : (width - cell * trace.read.length) / 2;
  const side = Math.min(36, (width - left - 2) / trace.written.length);
  return {
    wide,
    left,
    width,
    cell,
    start,
    side,
    read,
    state,
    scores,
    scoresEnd: scores + 40,
    numbers,
    bands: numbers + 6,
    context,
    next,
    written,
    broad: between(34, wide ? 2 * cell : cell, 96),
  };
}

export function machinePanel(trace, colours, tooltip) {
  const svg = element("svg", { class: "machine", role: "img", tabindex: 0 });
  const back = element("g");
  const [bands, scores, numbers] = [
    trace.read.map(() => element("path", { class: "band", stroke: colours.prediction })),
    trace.read.map(() => element("rect", { class: "score", fill: colours.points })),
    trace.read.map(() => element("text", { class: "weight", "text-anchor": "middle" })),
  ];
  const ramp = rampOf(colours.diverging);
  const [state, context] = [numberStrip(trace.states, ramp), numberStrip(trace.contexts, ramp)];
  const bars = Array.from({ length: trace.top }, () => barOf(colours));
  const boxes = trace.written.map((symbol, t) => symbolBox(symbol, trace.right && trace.right[t] !== symbol));
  svg.append(
    back,
    ...scores,
    ...bands,
    ...numbers,
    state.group,
    context.group,
    ...bars.flatMap(({ parts }) => parts),
    ...boxes.flatMap(({ parts }) => parts),
  );
  const panel = { svg, at: null };
  let at = null; // the layout
  let toScore = null;
  const middle = (i) => at.start + (i + 0.5) * at.cell;

  panel.resize = () => {
    at = machineLayout(trace, sizeOf(svg).width);
    const { start, cell, left, width } = at;
    panel.at = (x, y) => {
      for (const [name, strip] of [["s", state], ["c", context]]) {
        const i = strip.at(x, y);
        if (i !== null) return { name, strip, i };
      }
      const inside = y < at.context && x >= start && x < start + cell * trace.read.length;
      return inside ? { i: Math.floor((x - start) / cell) } : null;
    };
    const [low, high] = [Math.min(0, ...trace.scores), Math.max(0, ...trace.scores)];
    toScore = (score) => at.scoresEnd - ((score - low) / (high - low || 1)) * (at.scoresEnd - at.scores);
    state.resize(left, at.state, width - left);
    context.resize(left, at.context, width - left);
    bars.forEach((bar, i) => bar.resize(at, i));
    boxes.forEach((box, t) => box.resize(at, t));
    svg.style.height = `${at.written + BOX + 4}px`;
    back.replaceChildren(...machineMarks(trace, at, toScore(0)));
  };

  // Between two symbols the bands swing over; at rest every number is torch's own.
  panel.draw = ({ before, after, share, frame }) => {
    const size = trace.read.length;
    const mixed = (list, count, i) => list[before * count + i] * (1 - share) + list[after * count + i] * share;
    const weights = trace.read.map((_, i) => mixed(trace.weights, size, i));
    const most = weights.indexOf(Math.max(...weights));
    const { left, width, cell, broad, bands: top, context: foot } = at;
    // the bands come together side by side: they sum to 1
    let joined = between(left, middle(most) - broad / 2, width - broad);
    weights.forEach((weight, i) => {
      const thick = weight * broad;
      const [from, to, bend] = [middle(i), joined + thick / 2, (top + foot) / 2];
      joined += thick;
      bands[i].setAttribute(
        "d",
        `M${from.toFixed(2)},${top}C${from.toFixed(2)},${bend} ${to.toFixed(2)},${bend} ${to.toFixed(2)},${foot}`,
      );
      bands[i].setAttribute("stroke-width", thick.toFixed(4));
      numbers[i].textContent = weight >= 0.005 && (cell >= 36 || i === most) ? weight.toFixed(2) : "";
      set(numbers[i], { x: between(left + 14, middle(i), width - 14), y: at.numbers });
      const [zero, score] = [toScore(0), toScore(mixed(trace.scores, size, i))];
      sized(scores[i], middle(i) - cell * 0.3, Math.min(zero, score), cell * 0.6, Math.max(1, Math.abs(score - zero)));
      scores[i].classList.toggle("most", i === most);
    });
    state.draw((i) => mixed(trace.states, state.count, i));
    context.draw((i) => mixed(trace.contexts, context.count, i));
    bars.forEach((bar, i) =>
      bar.tell(trace.symbols[trace.which[frame * trace.top + i]], trace.chances[frame * trace.top + i])
    );
    boxes.forEach((box, t) => box.tell(t - frame));
  };

  panel.words = (frame) => {
    const size = trace.read.length;
    const row = [...trace.weights.subarray(frame * size, (frame + 1) * size)].map((weight, i) => ({ weight, i })).sort((
      a,
      b,
    ) => b.weight - a.weight);
    const looked = row.slice(0, 3).map(({ weight, i }) => `${trace.read[i]} at place ${i + 1} ${weightText(weight)}`);
    const next = Array.from(
      { length: trace.top },
      (_, i) =>
        `${trace.symbols[trace.which[frame * trace.top + i]]} ${weightText(trace.chances[frame * trace.top + i])}`,
    );
    return `Reads ${trace.read.join("")}. Writing ${trace.captions[frame]}. Largest weights: ${
      looked.join(", ")
    }. Probabilities: ${next.join(", ")}. Written so far: ${trace.written.slice(0, frame + 1).join("")}.`;
  };

  panel.tell = ({ name, strip, i }, frame) => {
    if (strip) return tooltip.show(strip.words(name, i, frame), svg, ...strip.over(i));
    const which = frame * trace.read.length + i;
    return tooltip.show(
      `${trace.read[i]} at place ${i + 1} · score ${digits(trace.scores[which])} · weight ${
        weightText(trace.weights[which])
      }`,
      svg,
      middle(i),
      at.read,
    );
  };
  return panel;
}

function machineMarks(trace, at, zero) {
  const { wide, start, cell } = at;
  // Name and gloss: two lines to the left, or one above.
  const word = (y, above, name, gloss) =>
    wide
      ? [
        element("text", { class: "word name", x: 0, y: y - 3 }, ...drawnFormula(name)),
        element("text", { class: "word", x: 0, y: y + 15 }, ...drawnFormula(gloss)),
      ]
      : [element("text", { class: "word name", x: 0, y: above - 7 }, ...drawnFormula(name))];
  const boxes = trace.read.flatMap((character, i) => [
    ...(cell >= 14
      ? [element("rect", { class: "box", x: start + i * cell + 1, y: at.read, width: cell - 2, height: BOX, rx: 4 })]
      : []),
    element(
      "text",
      { class: "symbol", x: start + (i + 0.5) * cell, y: at.read + 21, "text-anchor": "middle" },
      character,
    ),
  ]);
  return [
    ...word(at.read + 12, at.read, "It reads", "a state h_{i} for each symbol"),
    ...word(at.state + 7, at.state, "Decoder state s_{t−1}", numbersIn(trace.states)),
    ...word(at.scores + 17, at.scores, "Scores e_{t,i} = a(s_{t−1}, h_{i})", "high: h_{i} fits the state"),
    ...word(
      (at.bands + at.context) / 2 - 8,
      at.numbers - 15,
      "Weights α_{t} = softmax(e_{t})",
      "a band is as thick as its α",
    ),
    ...word(at.context + 7, at.context + 38, "Context c_{t} = Σ α_{t,i} h_{i}", numbersIn(trace.contexts)),
    ...word(at.next + 28, at.next - 10, "Next symbol", "its probability"),
    ...word(at.written + 12, at.written, "It writes", "the likeliest symbol"),
    ...(wide ? trace.read.map((_, i) => wireDown(start + (i + 0.5) * cell, at)) : []),
    ...boxes,
    element("line", { class: "zero", x1: start, x2: start + cell * trace.read.length, y1: zero, y2: zero }),
  ];
}

const numbersIn = ({ shape }) => `${shape[1]} numbers, −1 to 1`;

// From a symbol read down to its score, past the decoder's state: both go into it.
const wireDown = (x, at) => element("line", { class: "wire", x1: x, x2: x, y1: at.read + BOX, y2: at.scores });

// A row of a tensor (frames, count) with numbers from -1 to 1 as a strip of shades, white at 0.
function numberStrip(tensor, ramp) {
  const count = tensor.shape[1];
  const rects = Array.from({ length: count }, () => element("rect"));
  const frame = element("rect", { class: "frame" });
  let [left, top, wide] = [0, 0, 0];
  return {
    count,
    group: element("g", { class: "strip" }, ...rects, frame),
    resize: (x, y, width) => {
      [left, top, wide] = [x, y, width];
      rects.forEach((rect, i) => sized(rect, x + (i * width) / count, y, width / count + 0.4, STRIP));
      sized(frame, x + 0.5, y, width - 1, STRIP);
    },
    draw: (value) => rects.forEach((rect, i) => rect.setAttribute("fill", shadeOf(ramp, (value(i) + 1) / 2))),
    at: (x, y) => {
      const inside = y >= top && y < top + STRIP && x >= left && x < left + wide;
      return inside ? Math.min(count - 1, Math.floor(((x - left) / wide) * count)) : null;
    },
    words: (name, i, t) => `number ${i + 1} of ${name}: ${digits(tensor[t * count + i])}`,
    over: (i) => [left + ((i + 0.5) * wide) / count, top],
  };
}

const sized = (rect, x, y, width, height) => set(rect, { x, y, width, height });

// One symbol of the output distribution: its sign, a bar, and its probability.
function barOf(colours) {
  const name = element("text", { class: "symbol", "text-anchor": "end" });
  const bar = element("rect", { class: "chance", fill: colours.reference, rx: 2 });
  const number = element("text", { class: "number" });
  let [from, room, y] = [0, 0, 0];
  return {
    parts: [bar, name, number],
    resize: ({ left, width, next }, i) => {
      [from, y] = [left + 40, next + i * ROW];
      room = width - from - 62;
      set(name, { x: from - 8, y: y + 5 });
      number.setAttribute("y", y + 5);
    },
    tell: (symbol, chance) => {
      const long = Math.max(1, chance * room);
      name.textContent = symbol;
      sized(bar, from, y - 8, long, ROW - 7);
      number.setAttribute("x", from + long + 8);
      number.textContent = weightText(chance);
    },
  };
}

// A written symbol: to come, just now, or done; a wrong one is dashed.
function symbolBox(symbol, wrong) {
  const box = element("rect", { class: `box${wrong ? " wrong" : ""}`, rx: 4 });
  const text = element("text", { class: "symbol", "text-anchor": "middle" }, symbol === "end" ? "∎" : symbol);
  return {
    parts: [box, text],
    resize: ({ left, side, written }, t) => {
      sized(box, left + t * side + 1, written, Math.max(1, side - 2), BOX);
      set(text, { x: left + (t + 0.5) * side, y: written + 21 });
    },
    tell: (ahead) => {
      for (const part of [box, text]) {
        part.classList.toggle("ahead", ahead > 0);
        part.classList.toggle("now", ahead === 0);
      }
    },
  };
}
