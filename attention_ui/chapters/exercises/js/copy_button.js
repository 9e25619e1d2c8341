// A button that copies a text.

import { copied } from "../../../pictures/js/clipboard.js";
import { mount } from "../../../pictures/js/mount.js";

export default mount(({ place: button, data, listen }) => {
  button.textContent = data.label;
  listen(button, "click", () => press(button, data));
});

async function press(button, data) {
  const box = document.createElement("textarea");
  box.value = data.text;
  box.style.cssText = "position: fixed; top: 0; opacity: 0";
  button.after(box);
  button.textContent = (await copied(box)) ? data.done : data.failed;
  box.remove();
  button.focus();
  setTimeout(() => (button.textContent = data.label), 2500);
}
