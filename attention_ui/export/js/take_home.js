// A picture of the page as a file: which one, for what, in which colours, as what. All of it happens in the browser.

import { element, windowHeight } from "../../pictures/js/format.js";
import { homeOf, labelOf } from "../../pictures/js/streamlit.js";
import { canvasOf } from "./canvas.js";
import { save, sizeText } from "./files.js";
import { FILMS, STILL, USES } from "./formats.js";
import { recorded } from "./recording.js";
import { MARGIN, picturesOnPage, sheetOf } from "./sheet.js";
import { makesFilms } from "./webm.js";

const NAMES = {
  png: ["PNG", "an image"],
  svg: ["SVG", "to edit"],
  pdf: ["PDF", "for print"],
  gif: ["GIF", "for any slides"],
  webm: ["Video", "WebM, sharper"],
};
const THEMES = { light: { label: "Light" }, dark: { label: "Dark" } };
const HIDDEN = "Videos need https: over plain http, browsers hide what makes them.";
const [AROUND, THUMB] = [26, 96]; // pixels around the preview, and of a small picture

// `kinds` are those of pictures, `themes` the variables of both themes, `name` that of the files.
export function takeHome(place, { kinds, themes, name }) {
  const pictures = picturesOnPage(kinds);
  if (!pictures.length) return place.replaceChildren(element("p", {}, "There is no picture on this page."));
  const ground = getComputedStyle(place).getPropertyValue("--st-background-color").trim();
  const isDark = ground === themes.dark["--st-background-color"];
  const chosen = { picture: 0, use: "slide", theme: isDark ? "dark" : "light", moving: 0 };
  const preview = element("figure", {});
  const films = element("div", { class: "films" });
  const said = element("p", { class: "said", role: "status" });
  let [sheet, rolling] = [null, null];

  const laidOut = (picture = pictures[chosen.picture], use = USES[chosen.use]) => {
    const { width = globalThis.innerWidth, height = windowHeight() } = use;
    const paper = use.width ?? picture.place.clientWidth + 2 * MARGIN;
    return sheetOf(picture, { paper, width, height, theme: themes[chosen.theme] });
  };
  const show = async () => {
    sheet?.close();
    const mine = sheet = laidOut();
    const drawing = recorded(sheet.host);
    const [wide, high] = [preview.clientWidth, preview.clientHeight].map((side) => Math.max(side - AROUND, THUMB));
    const scale = Math.min(wide / drawing.width, high / drawing.height);
    const canvas = await canvasOf(drawing, scale * devicePixelRatio); // a large one would be made small less finely
    canvas.style.width = `${drawing.width * scale}px`;
    if (sheet !== mine) return; // something else was chosen meanwhile
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `Preview: ${USES[chosen.use].label}, ${THEMES[chosen.theme].label}`);
    preview.replaceChildren(canvas);
    offerFilms();
  };
  const choose = (what) => (value) => {
    chosen[what] = value;
    if (what === "picture") chosen.moving = 0;
    said.textContent = "";
    rolling?.abort();
    return show();
  };
  const saved = (format, { blob, words }) => {
    const file = `${name}${chosen.theme === "dark" ? "-dark" : ""}.${format}`;
    save(blob, file);
    said.textContent = `${file}: ${[...words, sizeText(blob.size)].join(", ")}.`;
  };
  const failed = (error) => (said.textContent = `It could not be made: ${error.message}.`);
  const takeStill = async (format) => {
    try {
      saved(format, await STILL[format](recorded(sheet.host), USES[chosen.use], document.title));
    } catch (error) {
      failed(error);
    }
  };
  const takeFilm = async (format) => {
    const [own, moving] = [laidOut(), movingParts(sheet)[chosen.moving]];
    const bar = element("progress", { max: 1, value: 0, "aria-label": `${NAMES[format][0]} is made` });
    rolling = new AbortController();
    const { signal } = rolling;
    films.replaceChildren(bar, button("Cancel", () => rolling.abort()));
    films.querySelector("button").focus();
    try {
      const how = { tell: (share) => (bar.value = share), signal };
      saved(format, { blob: await FILMS[format](own, moving, USES[chosen.use], how), words: [] });
    } catch (error) {
      if (signal.aborted) said.textContent = "Cancelled.";
      else failed(error);
    } finally {
      own.close();
      const asked = films.matches(":focus-within");
      offerFilms();
      if (asked) films.querySelector("button")?.focus();
    }
  };
  const offerFilms = () => {
    const parts = movingParts(sheet);
    const which = parts.map(({ words }, i) => element("option", { value: i }, words));
    const select = element("select", { "aria-label": "What moves" }, ...which);
    select.value = chosen.moving;
    select.onchange = () => (chosen.moving = +select.value);
    const what = parts.length > 1 ? select : element("span", {}, parts[0]?.words ?? "Nothing moves here.");
    const able = makesFilms();
    const made = parts.length ? formats(["gif", ...(able ? ["webm"] : [])], takeFilm) : [];
    films.replaceChildren(
      what,
      element("div", { class: "buttons" }, ...made),
      ...(able ? [] : [element("small", {}, HIDDEN)]),
    );
  };

  const choices = element(
    "div",
    { class: "choices" },
    ...(pictures.length > 1 ? [thumbnails(pictures, laidOut, choose("picture"))] : []),
    radios("For", "use", USES, chosen.use, choose("use")),
    radios("Colours", "theme", THEMES, chosen.theme, choose("theme")),
    group("As it stands", element("div", { class: "buttons" }, ...formats(["png", "svg", "pdf"], takeStill))),
    group("As it moves", films),
  );
  place.replaceChildren(element("div", {}, preview, said), choices);
  show();
  return () => {
    rolling?.abort();
    sheet?.close();
  };
}

// What can be filmed: a run that is played, and sliders.
function movingParts(sheet) {
  const wordsOf = (key) => labelOf(homeOf(key)) ?? homeOf(key)?.querySelector("label")?.textContent;
  const run = sheet.played() ? [{ key: null, ...sheet.played(), words: "The run, once" }] : [];
  const sliders = sheet.sliders.map((key) => ({ key, ...sheet.ends(key), words: wordsOf(key) }));
  return [...run, ...sliders].filter(({ last }) => last > 0);
}

function button(words, act) {
  const made = element("button", { type: "button" }, ...[words].flat());
  made.onclick = act;
  return made;
}

const formats = (all, take) =>
  all.map((format) => {
    const [label, words] = NAMES[format];
    return button([element("b", {}, label), element("small", {}, words)], () => take(format));
  });

const group = (legend, ...parts) => element("fieldset", {}, element("legend", {}, legend), ...parts);

function radios(legend, what, options, value, choose) {
  const made = Object.entries(options).map(([id, { label, words }]) => {
    const input = element("input", {
      type: "radio",
      name: `take-${what}`,
      value: id,
      checked: id === value ? "" : null,
    });
    input.onchange = () => choose(id);
    const small = words ? [element("small", {}, words)] : [];
    return element("label", {}, input, element("span", {}, label, ...small));
  });
  return group(legend, element("div", { class: "buttons" }, ...made));
}

// The pictures of the page in small, as they stand on it.
function thumbnails(pictures, laidOut, choose) {
  const options = Object.fromEntries(pictures.map((_, i) => [i, { label: "" }]));
  const made = radios("Picture", "picture", options, "0", (i) => choose(+i));
  made.classList.add("thumbs");
  pictures.forEach(async (picture, i) => {
    const sheet = laidOut(picture, USES.screen);
    const drawing = recorded(sheet.host);
    sheet.close();
    const canvas = await canvasOf(drawing, (2 * THUMB) / drawing.width);
    made.querySelectorAll("input")[i].setAttribute("aria-label", `Picture ${i + 1} of ${pictures.length}`);
    made.querySelectorAll("span")[i].append(canvas);
  });
  return made;
}
