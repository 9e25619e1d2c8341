// What stands in a part of the page, as a list of shapes, texts and images where the browser has put them. PNG, SVG,
// PDF and films are made of this list alone, so that they cannot differ.
//
// Every item has a matrix from its own numbers to the sheet's pixels, and clips: paths that it is cut by.

import { colourFrom, NONE, placed } from "./paint.js";
import { boxItems } from "./boxes.js";
import { drawnItems, isMasked, maskedItem } from "./drawn.js";
import { MARGIN } from "./sheet.js";
import { textItems } from "./texts.js";

const NOT_SEEN = "style, script, defs, clipPath, pattern";

// The list, and how large the sheet is.
export function recorded(host) {
  const frame = host.getBoundingClientRect();
  const ground = colourFrom(getComputedStyle(host).backgroundColor);
  const items = [];
  const context = { left: frame.left, top: frame.top, alpha: 1, clips: NONE, root: host.shadowRoot };
  for (const child of host.shadowRoot.children) record(child, context, items);
  // Words at the right may reach beyond the sheet.
  const ends = items.filter(({ letters }) => letters).map(({ matrix, end, y }) => placed(matrix, end, y)[0] + MARGIN);
  return { width: Math.ceil(Math.max(frame.width, ...ends)), height: Math.ceil(frame.height), ground, items };
}

function record(node, context, items) {
  if (node.matches(NOT_SEEN)) return;
  const style = getComputedStyle(node);
  if (style.display === "none") return;
  const alpha = context.alpha * style.opacity;
  if (!alpha) return;
  const inner = { ...context, alpha, style };
  if (node instanceof SVGElement) return recordDrawn(node, inner, items);
  const { own, clips } = boxItems(node, inner);
  if (style.visibility !== "hidden") items.push(...own);
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) {
      if (style.visibility !== "hidden") items.push(...textItems(child, { ...inner, clips }));
    } else if (child.nodeType === Node.ELEMENT_NODE) record(child, { ...context, alpha, clips }, items);
  }
}

function recordDrawn(node, context, items) {
  if (node.localName === "svg" && isMasked(node)) return items.push(maskedItem(node, context));
  const { own, clips } = drawnItems(node, context);
  if (context.style.visibility !== "hidden") items.push(...own);
  if (node.localName === "text") return items.length;
  for (const child of node.children) record(child, { ...context, clips }, items);
  return items.length;
}
