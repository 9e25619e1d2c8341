// A picture as a file of each format, for what it is used for: its size, and what can be said about it.

import { canvasOf, ready } from "./canvas.js";
import { pngOf } from "./files.js";
import { gifOf, webmOf } from "./film.js";
import { pdfOf } from "./pdf.js";
import { svgOf } from "./svg.js";

const POINTS = 72 / 2.54; // to a centimetre

// The window that a picture is laid out for, and how wide it is then: a letter of 13 pixels in a window of 450 has 7
// points where that is 8.5 cm wide.
export const USES = {
  slide: { label: "Slide", words: "1920 px", width: 924, height: 700, pixels: 1920, film: 1.1 },
  page: { label: "Page", words: "17 cm", width: 924, height: 700, centimetres: 17, pixels: 2008, film: 1.1 },
  column: { label: "Column", words: "8.5 cm", width: 450, height: 700, centimetres: 8.5, pixels: 2008, film: 1.5 },
  screen: { label: "Screen", words: "as it is", film: 1 }, // `film`: pixels of a GIF for one of the window
};

const centimetresOf = ({ centimetres }, points) => `${+(centimetres ?? points / POINTS).toFixed(1)} cm wide`;
const inPixels = ({ width, height }) => `${width.toLocaleString("en")} × ${height.toLocaleString("en")} pixels`;
const imageIn = ({ items }) => (items.some(({ whole }) => whole) ? ["its drawing is an image"] : []);
const blobOf = (content, type) => new Blob([content], { type });

// Each gives the file and what it is like.
export const STILL = {
  png: async (drawing, use) => {
    const canvas = await canvasOf(drawing, (use.pixels ?? 2 * drawing.width) / drawing.width);
    const blob = await pngOf(canvas, use.centimetres && canvas.width / use.centimetres);
    return { blob, words: [inPixels(canvas)] };
  },
  svg: (drawing, use, title) => {
    const size = use.centimetres
      ? { value: use.centimetres, unit: "cm" }
      : { value: use.pixels ?? drawing.width, unit: "px" };
    return {
      blob: blobOf(svgOf(drawing, { size, title }), "image/svg+xml"),
      words: [`${size.value} ${size.unit} wide`],
    };
  },
  pdf: async (drawing, use, title) => {
    const points = use.centimetres ? use.centimetres * POINTS : (use.pixels ?? drawing.width) / 2;
    await ready(drawing, 1);
    const blob = blobOf(await pdfOf(drawing, { points, title }), "application/pdf");
    return { blob, words: [centimetresOf(use, points), ...imageIn(drawing)] };
  },
};

export const FILMS = {
  gif: (sheet, moving, use, how) => gifOf({ sheet, moving }, use.film, how),
  webm: (sheet, moving, use, how) => webmOf({ sheet, moving }, (use.pixels ?? 1600) / sheet.host.clientWidth, how),
};
