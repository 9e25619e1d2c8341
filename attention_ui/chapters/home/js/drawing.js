// A small drawing: its shapes come from Python, its colours from the theme, by the names of attention_ui/palette.py.

import { ROLES } from "../../../pictures/js/colours.js";
import { mount } from "../../../pictures/js/mount.js";

export default mount(({ place, data, colours }) => {
  for (const role of ROLES) place.style.setProperty(`--${role}`, colours[role]);
  colours.sequential.forEach((colour, i) => place.style.setProperty(`--shade-${i}`, colour));
  place.innerHTML = data.svg;
});
