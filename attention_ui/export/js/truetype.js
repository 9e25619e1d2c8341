// A font file of a few letters, as TrueType has it: enough for a PDF, and for a browser that opens an SVG.

import { UNITS } from "./outlines.js";

const [ASCENT, DESCENT] = [1600, -500];
const [ON_LINE, SHORT_X, SHORT_Y, SAME_OR_PLUS_X, SAME_OR_PLUS_Y] = [1, 2, 4, 16, 32];

const u16 = (number) => [(number >> 8) & 255, number & 255];
const u32 = (number) => [(number >>> 24) & 255, (number >>> 16) & 255, (number >>> 8) & 255, number & 255];
const words = (...numbers) => numbers.flatMap(u16);
const zeros = (count) => Array.from({ length: count }, () => 0);

// `letters` have contours, an advance, and the character that they stand for; glyph 0 is for what is missing.
export function fontFile(letters, name) {
  const glyphs = [{ contours: [], advance: UNITS / 2 }, ...letters];
  const shapes = glyphs.map(({ contours }) => glyphBytes(contours));
  const starts = shapes.reduce((all, shape) => [...all, all.at(-1) + shape.length], [0]);
  const box = extentOf(glyphs.flatMap(({ contours }) => contours.flat()));
  const widest = Math.max(...glyphs.map(({ advance }) => advance));
  const most = (count) => Math.max(0, ...glyphs.map(count));
  const points = most(({ contours }) => contours.flat().length);
  const tables = {
    "OS/2": os2(letters),
    cmap: cmap(letters),
    glyf: shapes.flat(),
    head: words(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, UNITS, ...zeros(8), ...box, 0, 8, 2, 1, 0),
    hhea: words(1, 0, ASCENT, DESCENT, 0, widest, box[0], 0, box[2], 1, ...zeros(7), glyphs.length),
    hmtx: glyphs.flatMap(({ contours, advance }) => words(advance, extentOf(contours.flat())[0])),
    loca: starts.flatMap(u32),
    maxp: words(1, 0, glyphs.length, points, most(({ contours }) => contours.length), 0, 0, 1, ...zeros(8)),
    name: names(name),
    post: words(3, 0, 0, 0, -150, 100, ...zeros(10)),
  };
  return assembled(tables);
}

function extentOf(points) {
  if (!points.length) return [0, 0, 0, 0];
  const [xs, ys] = [0, 1].map((i) => points.map((point) => point[i]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

// One letter: where its lines end, and every point as a step from the one before.
function glyphBytes(contours) {
  if (!contours.length) return [];
  let end = -1;
  const ends = contours.map((contour) => (end += contour.length));
  let before = [0, 0];
  const [flags, xs, ys] = [[], [], []];
  const step = (by, bytes, short, plus) => {
    if (Math.abs(by) > 255) return bytes.push(...u16(by)), 0;
    if (by === 0) return plus;
    bytes.push(Math.abs(by));
    return by > 0 ? short | plus : short;
  };
  for (const point of contours.flat()) {
    const across = step(point[0] - before[0], xs, SHORT_X, SAME_OR_PLUS_X);
    flags.push(ON_LINE | across | step(point[1] - before[1], ys, SHORT_Y, SAME_OR_PLUS_Y));
    before = point;
  }
  const bytes = [
    ...words(contours.length, ...extentOf(contours.flat())),
    ...words(...ends),
    ...u16(0),
    ...flags,
    ...xs,
    ...ys,
  ];
  while (bytes.length % 4) bytes.push(0);
  return bytes;
}

// Which glyph shows which character; a letter of several characters is found by its number alone, as in a PDF.
function cmap(letters) {
  const single = letters.map(({ letter }, i) => [[...letter], i + 1]).filter(([signs]) => signs.length === 1);
  const groups = single.map(([[sign], glyph]) => [sign.codePointAt(0), glyph]).sort(([one], [other]) => one - other);
  const coded = groups.flatMap(([code, glyph]) => [...u32(code), ...u32(code), ...u32(glyph)]);
  const table = [...words(12, 0), ...u32(16 + coded.length), ...u32(0), ...u32(groups.length), ...coded];
  return [...words(0, 1, 3, 10), ...u32(12), ...table];
}

function os2(letters) {
  const codes = letters.map(({ letter }) => Math.min(letter.codePointAt(0), 0xffff));
  const shape = [650, 600, 0, 75, 650, 600, 0, 350, 50, 250]; // of small letters, and of a stroke through them
  const heights = [ASCENT, DESCENT, 0, ASCENT, -DESCENT, 0, 1, 0, 0, 1000, 1350, 0, 32, 0];
  const reach = [Math.min(...codes), Math.max(...codes)];
  return words(4, UNITS / 2, 400, 5, 0, ...shape, 0, ...zeros(13), 0x2020, 0x2020, 64, ...reach, ...heights);
}

// Its family, its style, its whole name and its name in PostScript.
function names(name) {
  const all = [[1, name], [2, "Regular"], [4, name], [6, name]];
  let at = 0;
  const records = all.flatMap(([id, text]) => {
    const record = words(3, 1, 0x409, id, 2 * text.length, at);
    at += 2 * text.length;
    return record;
  });
  const texts = all.flatMap(([, text]) => [...text].flatMap((sign) => u16(sign.charCodeAt(0))));
  return [...words(0, all.length, 6 + records.length), ...records, ...texts];
}

const sumOf = (bytes) => {
  let sum = 0;
  for (let i = 0; i < bytes.length; i += 4) {
    sum =
      (sum + ((bytes[i] << 24) | ((bytes[i + 1] ?? 0) << 16) | ((bytes[i + 2] ?? 0) << 8) | (bytes[i + 3] ?? 0))) >>> 0;
  }
  return sum;
};

function assembled(tables) {
  const entries = Object.entries(tables);
  const power = 2 ** Math.floor(Math.log2(entries.length));
  const head = [...u32(0x10000), ...words(entries.length, 16 * power, Math.log2(power), 16 * (entries.length - power))];
  let at = head.length + 16 * entries.length;
  const [records, body] = [[], []];
  const places = {};
  for (const [tag, bytes] of entries) {
    places[tag] = at;
    records.push(...[...tag].map((sign) => sign.charCodeAt(0)), ...u32(sumOf(bytes)), ...u32(at), ...u32(bytes.length));
    const padded = [...bytes, ...zeros((4 - (bytes.length % 4)) % 4)];
    body.push(padded);
    at += padded.length;
  }
  const file = Uint8Array.from([...head, ...records, ...body.flat()]);
  file.set(u32((0xb1b0afba - sumOf(file)) >>> 0), places.head + 8);
  return file;
}
