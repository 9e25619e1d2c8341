// A page that was taken home: the components that were on the screen, each by its own script, with sliders of the
// browser.

import { opened } from "../../pictures/js/packing.js";
import { element } from "../../pictures/js/format.js";
import { classOf } from "../../pictures/js/streamlit.js";

const SERVED = () => {}; // nobody is told

async function unzipped(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A slider where pictures look for Streamlit's; they see its value as an attribute.
function sliderOf({ key, label, position, texts }) {
  const input = element("input", { type: "range", id: key, min: 0, max: texts.length - 1, value: position });
  const output = element("output", { for: key });
  const words = element("label", { for: key });
  words.innerHTML = label; // made by marked_up in living.py, which lets no tag of a visitor through
  const say = () => {
    output.textContent = texts[input.value];
    input.setAttribute("aria-valuetext", texts[input.value]);
    input.setAttribute("value", input.value);
  };
  input.addEventListener("input", say);
  say();
  return element("div", { class: `slider ${classOf(key)}` }, words, output, input);
}

function homeFor({ key }, { html, css }) {
  const home = element("div", { class: classOf(key) });
  const shadow = home.attachShadow({ mode: "open" });
  shadow.innerHTML = `<style>${css}</style>${html}`; // ours, see KINDS in attention_ui/component.py
  return home;
}

export async function live(place, text, kinds) {
  const { parts, sliders, tensors } = opened(await unzipped(text));
  const numbers = tensors[Symbol.iterator]();
  const begun = parts.map((part) => {
    const kind = kinds[part.kind];
    const [made, data] = [kind.make(), part.data ?? numbers.next().value];
    const slider = sliders.find(({ before }) => before === part.key);
    if (slider) place.append(sliderOf(slider));
    const home = homeFor(part, kind);
    if (part.kind === "update") home.hidden = true;
    place.append(home);
    return () =>
      made({ data, parentElement: home.shadowRoot, setTriggerValue: SERVED, setStateValue: SERVED, alone: true });
  });
  const draw = () => begun.forEach((each) => each());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
}
