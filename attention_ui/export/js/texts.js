// Texts as runs of letters, each where the browser has put it.

import { colourFrom, moved, NONE } from "./paint.js";

const measure = new OffscreenCanvas(1, 1).getContext("2d");
const splitter = globalThis.Intl.Segmenter ? new Intl.Segmenter(undefined, { granularity: "grapheme" }) : null;

// Scripts from right to left, and those whose letters change their shapes beside each other: Hebrew to Malayalam, Thai
// to Burmese. Such a text stays whole.
const JOINED = /[\u0590-\u0d7f\u0e00-\u109f]/;

// A text as letters with the marks on them, and where each begins.
export function lettersOf(text) {
  if (JOINED.test(text)) return [{ letter: text, index: 0 }];
  if (splitter) return [...splitter.segment(text)].map(({ segment, index }) => ({ letter: segment, index }));
  let index = 0;
  return Array.from(text, (letter) => ({ letter, index: (index += letter.length) - letter.length }));
}

export const fontOf = (style) => ({
  size: parseFloat(style.fontSize),
  family: style.fontFamily,
  weight: +style.fontWeight || 400,
  slant: style.fontStyle === "normal" ? "normal" : "italic",
  tabular: style.fontVariantNumeric.includes("tabular"),
});

export const fontText = ({ size, family, weight, slant }) => `${slant} ${weight} ${size}px ${family}`;

export function widthIn(font, text) {
  measure.font = fontText(font);
  measure.textRendering = "geometricPrecision";
  return measure.measureText(text).width;
}

// How far the font reaches above and below the line of letters.
export function reachOf(font) {
  measure.font = fontText(font);
  const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = measure.measureText("x");
  return { up, down };
}

// A run: its letters, the place of each and the end of the last, and how it is painted.
function runOf(letters, xs, end, y, more) {
  const blank = letters.findIndex((letter) => letter.trim());
  const [shown, places] = [letters.slice(blank), xs.slice(blank)];
  const run = { text: shown.join(""), letters: shown, y, anchor: "start", halo: null, ...more };
  if (places[0] > end) return { ...run, xs: [end], end: places[0] }; // from right to left
  return { ...run, xs: places, end };
}

// The lines of a text in HTML.
export function textItems(node, { style, alpha, clips, left, top }) {
  const fill = colourFrom(style.webkitTextFillColor ?? style.color, alpha);
  if (!fill || !node.data.trim()) return [];
  const range = document.createRange();
  const lines = [];
  for (const { letter, index } of lettersOf(node.data)) {
    range.setStart(node, index);
    range.setEnd(node, index + letter.length);
    const rect = [...range.getClientRects()].at(-1);
    if (!rect?.width) continue; // a space that is not shown
    const line = lines.at(-1);
    const isNext = line && Math.abs(line.rect.top - rect.top) < 1;
    if (isNext) line.parts.push({ letter, rect });
    else lines.push({ rect, parts: [{ letter, rect }] });
  }
  const font = fontOf(style);
  const { up, down } = reachOf(font);
  const anchor = { center: "middle", right: "end", end: "end" }[style.textAlign] ?? "start";
  return lines.flatMap(({ rect, parts }) => {
    const shown = trimmed(parts);
    if (!shown.length) return [];
    const y = rect.top - top + (rect.height - up - down) / 2 + up;
    const letters = shown.map(({ letter }) => letter.replace(/\s/, " "));
    const end = shown.at(-1).rect.right - left;
    const run = runOf(letters, shown.map((part) => part.rect.left - left), end, y, {
      fill,
      font,
      anchor,
      matrix: moved(0, 0),
      clips,
    });
    return [run, ...decorations(run, style)];
  });
}

function trimmed(parts) {
  const isBlank = ({ letter }) => !letter.trim();
  const [first, last] = [parts.findIndex((part) => !isBlank(part)), parts.findLastIndex((part) => !isBlank(part))];
  return first < 0 ? [] : parts.slice(first, last + 1);
}

function decorations({ xs, end, y, font, fill, matrix, clips }, style) {
  const lines = { "underline": 0.14, "line-through": -0.28 }; // of the size, below the line of letters
  const offset = parseFloat(style.textUnderlineOffset) || 0;
  return Object.entries(lines).filter(([name]) => style.textDecorationLine.includes(name)).map(([name, by]) => {
    const at = y + by * font.size + (name === "underline" ? offset : 0);
    const stroke = { ...fill, width: Math.max(1, font.size / 16), dash: NONE, cap: "butt", join: "miter" };
    return { d: `M${xs[0]},${at}H${end}`, fill: null, stroke, matrix, clips };
  });
}

// What stands in a field.
export function fieldItems(node, { style, alpha, clips, left, top }) {
  const fill = colourFrom(style.color, alpha);
  if (!node.value || !fill || !["number", "text"].includes(node.type)) return [];
  const font = fontOf(style);
  const { up, down } = reachOf(font);
  const rect = node.getBoundingClientRect();
  const wide = widthIn(font, node.value);
  const centred = style.textAlign === "center";
  const start = centred ? (rect.left + rect.right - wide) / 2 : rect.left + parseFloat(style.paddingLeft);
  const letters = lettersOf(node.value).map(({ letter }) => letter);
  const xs = letters.map((_, i) => start - left + widthIn(font, letters.slice(0, i).join("")));
  const y = (rect.top + rect.bottom + up - down) / 2 - top;
  const anchor = centred ? "middle" : "start";
  return [runOf(letters, xs, start + wide - left, y, { fill, font, anchor, matrix: moved(0, 0), clips })];
}

// The runs of a text in SVG: a new one where its style or its line changes.
export function drawnTextItems(text, { matrix, alphaOf, haloOf, clips }) {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const count = text.getNumberOfChars();
  const runs = [];
  let before = 0; // letters of the text that were drawn
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const start = before;
    before += node.data.length;
    const found = lettersOf(node.data).filter(({ index }) => start + index < count);
    const style = getComputedStyle(node.parentElement);
    const fill = colourFrom(style.fill, alphaOf(node.parentElement) * style.fillOpacity);
    if (!found.length || !node.data.trim() || !fill) continue;
    const places = found.map(({ index }) => text.getStartPositionOfChar(start + index));
    const end = text.getEndPositionOfChar(Math.min(count, before) - 1).x;
    const more = { fill, font: fontOf(style), anchor: style.textAnchor, halo: haloOf(style), matrix, clips };
    runs.push(runOf(found.map(({ letter }) => letter), places.map(({ x }) => x), end, places[0].y, more));
  }
  return runs;
}
