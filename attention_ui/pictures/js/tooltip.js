// One line of words over a picture, kept inside the place of its component.

import { between, element, enlarged } from "./format.js";

export function tooltipOver(place) {
  const box = element("div", { class: "tooltip", role: "status", hidden: "", "data-control": "" });
  return {
    box,
    hide: () => (box.hidden = true),
    // Above the point (x, y) of one of the pictures there.
    show: (text, picture, x, y) => {
      box.hidden = false;
      box.textContent = text;
      const frame = place.getBoundingClientRect();
      const over = picture.getBoundingClientRect();
      const scale = enlarged(place);
      const half = box.offsetWidth / 2;
      box.style.left = `${between(half, (over.left - frame.left) / scale + x, frame.width / scale - half)}px`;
      box.style.top = `${(over.top - frame.top) / scale + y}px`;
    },
  };
}
