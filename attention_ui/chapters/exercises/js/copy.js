// A button that copies a text. Without a safe origin (plain http in a classroom) the browser has no clipboard for
// pages, so the old way through a text box has to do.

import { mount } from "../../../pictures/js/mount.js";

export default mount(({ place: button, data, listen }) => {
  button.textContent = data.label;
  listen(button, "click", () => press(button, data));
});

async function press(button, data) {
  const done = (await byClipboard(data.text)) || bySelection(button, data.text);
  button.textContent = done ? data.done : data.failed;
  setTimeout(() => (button.textContent = data.label), 2500);
}

async function byClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function bySelection(button, text) {
  const box = document.createElement("textarea");
  box.value = text;
  box.style.cssText = "position: fixed; top: 0; opacity: 0";
  button.after(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  button.focus();
  return done;
}
