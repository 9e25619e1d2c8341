// A link to copy and its code to photograph; and what the controls on the page are called, for those who hide some.

import { copied } from "../../pictures/js/clipboard.js";
import { element } from "../../pictures/js/format.js";
import { mount } from "../../pictures/js/mount.js";
import { homeOf, labelOf } from "../../pictures/js/streamlit.js";

function showCode(place, link, svg) {
  place.innerHTML = svg; // segno wrote it: numbers and colours, no text of anybody
  place.firstChild?.setAttribute("role", "img");
  place.firstChild?.setAttribute("aria-label", `QR code of the link ${link}`);
}

function labelsOf(keys) {
  const homes = keys.map((key) => [key, homeOf(key)]).filter(([, home]) => home);
  // A container of other controls is none itself.
  const single = homes.filter(([, home]) => !homes.some(([, inner]) => inner !== home && home.contains(inner)));
  single.sort(([, a], [, b]) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  return Object.fromEntries(single.map(([key, home]) => [key, labelOf(home)]).filter(([, label]) => label));
}

export default mount(({ place, data, setStateValue }) => {
  if (!place.firstChild) {
    const field = element("input", { type: "text", readonly: "", "aria-label": "Link to this page" });
    const button = element("button", { type: "button" }, "Copy link");
    const said = element("span", { class: "said", role: "status" });
    button.onclick =
      async () => (said.textContent = (await copied(field)) ? "Copied" : "The link is selected: copy it");
    field.onfocus = () => field.select();
    place.append(element("div", { class: "line" }, field, button, said), element("div", { class: "code" }));
    setStateValue("labels", labelsOf(data.keys));
  }
  const field = place.querySelector("input");
  if (field.value !== data.link) place.querySelector(".said").textContent = "";
  field.value = data.link;
  showCode(place.querySelector(".code"), data.link, data.code);
});
