// Two averages as balance points under their bars, which follow the slider. Torch made every number for every tilt.

import { axisMarks, scaleOf } from "../../../pictures/js/axes.js";
import { between, digits, element, set, sizeOf } from "../../../pictures/js/format.js";
import { mount } from "../../../pictures/js/mount.js";
import { opened } from "../../../pictures/js/packing.js";

const BELOW = 34; // pixels under the bars, for the balance points

export default mount((page) => {
  const { place, colours } = page;
  const { tensors: [values, weights, averages], slider: key, low, step, x, y } = opened(page.data);
  const [frames, batches, count] = weights.shape;
  const roles = [colours.reference, colours.prediction];
  const svg = element("svg", { class: "plot", role: "img", tabindex: 0 });
  const back = element("g");
  const bars = roles.map((fill) => element("path", { fill }));
  const points = roles.map((fill) => element("path", { class: "balance", fill }));
  const numbers = roles.map(() => element("text", { class: "number", "text-anchor": "middle" }));
  const words = element("p", { class: "words" });
  svg.append(back, ...bars, ...points, ...numbers);
  let scale = null;

  const { now, soon } = page.drawing(() => {
    if (!scale) return false;
    const frame = between(0, Math.round((slider.position() ?? -low) / step), frames - 1);
    const told = roles.map((_, batch) => digits(averages[frame * batches + batch], 4));
    bars.forEach((bar, batch) => bar.setAttribute("d", barsOf(frame, batch)));
    points.forEach((point, batch) => {
      const at = scale.toX(averages[frame * batches + batch]);
      const base = scale.toY(0) + 2;
      point.setAttribute("d", `M${at},${base}l9,14h-18z`);
      set(numbers[batch], { x: at, y: base + 31 });
      numbers[batch].textContent = told[batch];
    });
    words.replaceChildren(...sentence(told));
    svg.setAttribute("aria-label", `Two weighted averages of ten values: ${told.join(" and ")}.`);
    Object.assign(place.dataset, { frame, averages: told.join(",") });
    return true;
  });
  const slider = page.follow(key, soon);

  const barsOf = (frame, batch) =>
    Array.from({ length: count }, (_, i) => {
      const [value, weight] = [values[batch * count + i], weights[(frame * batches + batch) * count + i]];
      const [left, right] = [scale.toX(value - 0.35), scale.toX(value + 0.35)];
      return `M${left.toFixed(1)},${scale.toY(0)}V${scale.toY(weight).toFixed(2)}H${right.toFixed(1)}V${scale.toY(0)}Z`;
    }).join("");

  place.replaceChildren(svg, words);
  page.resized(() => {
    const { width, height } = sizeOf(svg);
    const area = { left: 58, right: width - 12, top: 8, bottom: height - 44 };
    scale = { toX: scaleOf(x, area.left, area.right).to, toY: scaleOf(y, area.bottom - BELOW, area.top).to };
    back.replaceChildren(...axisMarks({ x, y }, scale, area));
    now();
  });
});

function sentence([first, second]) {
  const bold = (text) => element("b", {}, text);
  return ["weights (2, 1, 10) @ values (2, 10, 1) → averages (2, 1, 1): ", bold(first), " and ", bold(second)];
}
