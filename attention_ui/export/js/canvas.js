// A recording on a canvas.

import { fontText, widthIn } from "./texts.js";

export const cssOf = ({ colour, alpha }) => `rgba(${colour.join(",")},${+alpha.toFixed(4)})`;

// So many pixels of the canvas for one of the sheet.
export function paintOn(context, { width, height, ground, items }, scale) {
  const at = ([a, b, c, d, e, f]) =>
    context.setTransform(a * scale, b * scale, c * scale, d * scale, e * scale, f * scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  if (ground) {
    context.fillStyle = cssOf(ground);
    context.fillRect(0, 0, width, height);
  }
  for (const item of items) {
    context.save();
    for (const clip of item.clips) {
      at(clip.matrix);
      context.clip(new Path2D(clip.d));
    }
    at(item.matrix);
    if (item.letters) paintText(context, item);
    else if (item.d) paintShape(context, item);
    else paintImage(context, item);
    context.restore();
  }
}

function paintShape(context, { d, fill, rule, stroke }) {
  const path = new Path2D(d);
  if (fill) {
    context.fillStyle = cssOf(fill);
    context.fill(path, rule ?? "nonzero");
  }
  if (stroke) {
    strokeWith(context, stroke);
    context.stroke(path);
  }
}

function strokeWith(context, stroke) {
  context.strokeStyle = cssOf(stroke);
  context.lineWidth = stroke.width;
  context.lineCap = stroke.cap;
  context.lineJoin = stroke.join;
  context.setLineDash(stroke.dash);
}

// In one go where the canvas sets the letters as the page does, else letter by letter, as numbers of equal width.
function paintText(context, { text, letters, xs, end, y, font, fill, halo }) {
  context.font = fontText(font);
  context.textRendering = "geometricPrecision"; // as on the sheet: not rounded to whole pixels
  const whole = Math.abs(widthIn(font, text) - (end - xs[0])) < 0.35;
  const pieces = whole ? [[text, xs[0]]] : letters.map((letter, i) => [letter, xs[i]]);
  if (halo) {
    strokeWith(context, halo);
    pieces.forEach(([piece, x]) => context.strokeText(piece, x, y));
  }
  context.fillStyle = cssOf(fill);
  pieces.forEach(([piece, x]) => context.fillText(piece, x, y));
}

function paintImage(context, { image, pixels, x, y, width, height, alpha }) {
  context.globalAlpha = alpha;
  context.imageSmoothingEnabled = !image;
  context.drawImage(image ?? pixels, x, y, width, height);
}

// Drawings that stay whole are painted by the browser, so many pixels for one of the sheet; they are ready after that.
export async function ready({ items }, scale) {
  await Promise.all(
    items.filter(({ whole }) => whole).map(async (item) => {
      const picture = new Image(Math.round(item.width * scale), Math.round(item.height * scale));
      picture.src = `data:image/svg+xml,${encodeURIComponent(item.whole)}`;
      await picture.decode();
      item.pixels = picture;
    }),
  );
}

// The recording as a canvas of its own.
export async function canvasOf(drawing, scale) {
  await ready(drawing, scale);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: Math.round(drawing.width * scale), height: Math.round(drawing.height * scale) });
  paintOn(canvas.getContext("2d"), drawing, scale);
  return canvas;
}

const LEAST = 600; // pixels: programs that smooth what they enlarge leave cells sharp that are large already

// The cells of a heatmap as squares of pixels.
function enlargedCanvas(image) {
  const times = Math.max(1, Math.ceil(LEAST / Math.max(image.width, image.height)));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width * times, image.height * times];
  const context = canvas.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

export const enlargedImage = (image) => enlargedCanvas(image).toDataURL();

const DENSE = 300 / 72; // pixels of a drawing that stays whole, for a point of a page

// The pixels of a heatmap; a drawing that stays whole as a JPEG, once it is ready.
export async function pixelsOf({ image, pixels, width, height }, scale, ground) {
  if (image) {
    const canvas = enlargedCanvas(image);
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return { pixels: data, width: canvas.width, height: canvas.height };
  }
  const canvas = new OffscreenCanvas(Math.round(width * scale * DENSE), Math.round(height * scale * DENSE));
  const context = canvas.getContext("2d");
  context.fillStyle = ground ? cssOf(ground) : "#fff"; // a JPEG cannot be seen through
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(pixels, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
  return { jpeg: new Uint8Array(await blob.arrayBuffer()), width: canvas.width, height: canvas.height };
}
