// A recording as a PDF of one page: curves and letters; an image only where the page has one.

import { pixelsOf } from "./canvas.js";
import { fontsOf } from "./letters.js";
import { placed, plainPath, short } from "./paint.js";
import { UNITS } from "./outlines.js";

const CAPS = { butt: 0, round: 1, square: 2 };
const JOINS = { miter: 0, round: 1, bevel: 2 };

async function deflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Objects by their numbers, and in the end the whole file.
function pdfFile() {
  const objects = [];
  const coder = new TextEncoder();
  const joined = (...parts) => {
    const pieces = parts.map((part) => (typeof part === "string" ? coder.encode(part) : part));
    const all = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
    pieces.reduce((at, piece) => (all.set(piece, at), at + piece.length), 0);
    return all;
  };
  const add = (content) => objects.push(typeof content === "string" ? coder.encode(content) : content);
  const stream = async (head, content, filter = "/FlateDecode") => {
    const bytes = typeof content === "string" ? coder.encode(content) : content;
    const packed = filter === "/FlateDecode" ? await deflated(bytes) : bytes;
    return add(joined(`<< ${head} /Filter ${filter} /Length ${packed.length} >>\nstream\n`, packed, "\nendstream"));
  };
  const whole = (root, info) => {
    let file = joined("%PDF-1.6\n%\u00e2\u00e3\u00cf\u00d3\n");
    const places = objects.map((object, i) => {
      const at = file.length;
      file = joined(file, `${i + 1} 0 obj\n`, object, "\nendobj\n");
      return `${String(at).padStart(10, "0")} 00000 n \n`;
    });
    const count = objects.length + 1;
    const trailer =
      `trailer\n<< /Size ${count} /Root ${root} 0 R /Info ${info} 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
    return joined(file, `xref\n0 ${count}\n0000000000 65535 f \n${places.join("")}`, trailer);
  };
  return { add, stream, whole };
}

const hex = (number, digits = 4) => number.toString(16).padStart(digits, "0");
const unicode = (text) => Array.from({ length: text.length }, (_, i) => hex(text.charCodeAt(i))).join("");
const share = (colour) => colour.map((part) => +(part / 255).toFixed(4)).join(" ");

// `points` is how wide the page is, 72 to an inch.
export async function pdfOf(drawing, { points, title }) {
  const { width, height, ground, items } = drawing;
  const [file, fonts, scale] = [pdfFile(), fontsOf(drawing), points / width];
  const seen = new Map(); // graphics states, by how much is seen through
  const state = (alpha) => {
    const key = alpha.toFixed(3);
    if (!seen.has(key)) seen.set(key, `G${seen.size}`);
    return `/${seen.get(key)} gs`;
  };
  const images = await Promise.all(
    items.map((item) => (item.image || item.whole ? imageObject(file, item, scale, ground) : null)),
  );
  const content = [`${[scale, 0, 0, -scale, 0, height * scale].map((n) => +n.toFixed(5)).join(" ")} cm`];
  if (ground) content.push(`${share(ground.colour)} rg 0 0 ${short(width)} ${short(height)} re f`);
  items.forEach((item, i) => {
    const part = item.letters
      ? textWords(item, fonts, state)
      : item.d
      ? shapeWords(item, state)
      : imageWords(item, i, state);
    const cuts = item.clips.map(({ d, matrix }) => `${pathWords(d, matrix)} W n`);
    content.push("q", ...cuts, part, "Q");
  });
  const faces = await Promise.all(fonts.all.map((face) => fontObject(file, face)));
  const resources = [
    `/Font << ${fonts.all.map(({ name }, i) => `/${name} ${faces[i]} 0 R`).join(" ")} >>`,
    `/ExtGState << ${[...seen].map(([alpha, name]) => `/${name} << /ca ${alpha} /CA ${alpha} >>`).join(" ")} >>`,
    `/XObject << ${images.flatMap((object, i) => (object ? [`/I${i} ${object} 0 R`] : [])).join(" ")} >>`,
  ];
  const stream = await file.stream("", content.join("\n"));
  const parent = stream + 2;
  const box = [points, height * scale].map((side) => side.toFixed(2)).join(" ");
  const page = file.add(
    `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 ${box}] /Contents ${stream} 0 R /Resources << ${
      resources.join(" ")
    } >> >>`,
  );
  file.add(`<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`);
  const info = file.add(`<< /Title <feff${unicode(title)}> /Creator (Attention Lab) >>`);
  return file.whole(file.add(`<< /Type /Catalog /Pages ${parent} 0 R >>`), info);
}

// A path in the numbers of the page.
function pathWords(d, matrix) {
  const at = (numbers) => {
    const pairs = Array.from(
      { length: numbers.length / 2 },
      (_, i) => placed(matrix, numbers[2 * i], numbers[2 * i + 1]),
    );
    return pairs.flat().map(short).join(" ");
  };
  const signs = { M: "m", L: "l", C: "c" };
  return plainPath(d).map(([name, ...numbers]) => (name === "Z" ? "h" : `${at(numbers)} ${signs[name]}`)).join(" ");
}

function strokeWords(stroke, state) {
  const dash = `[${stroke.dash.map(short).join(" ")}] 0 d`;
  return [
    state(stroke.alpha),
    `${share(stroke.colour)} RG ${short(stroke.width)} w ${dash}`,
    `${CAPS[stroke.cap] ?? 0} J ${JOINS[stroke.join] ?? 0} j`,
  ].join(" ");
}

const matrixWords = (matrix) => `${matrix.map((number) => +number.toFixed(5)).join(" ")} cm`;

function shapeWords({ d, matrix, fill, rule, stroke }, state) {
  const path = pathWords(d, [1, 0, 0, 1, 0, 0]);
  const parts = [matrixWords(matrix)];
  if (fill) parts.push(`${state(fill.alpha)} ${share(fill.colour)} rg`, path, rule === "evenodd" ? "f*" : "f");
  if (stroke) parts.push(strokeWords(stroke, state), path, "S");
  return parts.join("\n");
}

// Letters by their numbers, each moved from where its font would put it to where the page has it.
function textWords({ letters, xs, end, y, font, fill, halo, matrix }, fonts, state) {
  const { name, glyphs } = fonts.of(font);
  const shown = letters.map((letter, i) => {
    const { number, advance } = glyphs.get(letter);
    const moves = (advance / UNITS) * font.size - ((xs[i + 1] ?? end) - xs[i]);
    return `<${hex(number)}> ${short((1000 * moves) / font.size)}`;
  });
  const run = `BT /${name} ${short(font.size)} Tf 1 0 0 -1 ${short(xs[0])} ${short(y)} Tm`;
  const words = `[${shown.join(" ")}] TJ ET`;
  const parts = [matrixWords(matrix)];
  if (halo) parts.push(strokeWords(halo, state), `${run} 1 Tr ${words}`);
  parts.push(`${state(fill.alpha)} ${share(fill.colour)} rg ${run} 0 Tr ${words}`);
  return parts.join("\n");
}

const imageWords = ({ x, y, width, height, alpha, matrix }, i, state) =>
  `${matrixWords(matrix)} ${state(alpha)} ${[width, 0, 0, -height, x, y + height].map(short).join(" ")} cm /I${i} Do`;

async function imageObject(file, item, scale, ground) {
  const { jpeg, pixels, width, height } = await pixelsOf(item, scale, ground);
  const head = (space) =>
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /${space} /BitsPerComponent 8`;
  if (jpeg) return file.stream(head("DeviceRGB"), jpeg, "/DCTDecode");
  const colours = pixels.filter((_, i) => i % 4 < 3);
  const mask = pixels.filter((_, i) => i % 4 === 3);
  if (mask.every((alpha) => alpha === 255)) return file.stream(head("DeviceRGB"), colours);
  const masked = await file.stream(head("DeviceGray"), mask);
  return file.stream(`${head("DeviceRGB")} /SMask ${masked} 0 R`, colours);
}

// A font with its letters' outlines, their widths, and which text they stand for, so that it can be searched and
// copied.
async function fontObject(file, { name, glyphs, file: bytes }) {
  const all = [...glyphs.values()];
  const data = await file.stream(`/Length1 ${bytes.length}`, bytes);
  const thousandth = 1000 / UNITS;
  const descriptor = file.add(
    `<< /Type /FontDescriptor /FontName /AAAAAA+${name} /Flags 4 /FontBBox [-500 -500 2000 1500] /ItalicAngle 0 ` +
      `/Ascent 780 /Descent -250 /CapHeight 660 /StemV 80 /FontFile2 ${data} 0 R >>`,
  );
  const widths = all.map(({ advance }) => short(advance * thousandth)).join(" ");
  const inside = file.add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+${name} /CIDSystemInfo << /Registry (Adobe) /Ordering ` +
      `(Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R /DW 1000 /W [1 [${widths}]] /CIDToGIDMap /Identity >>`,
  );
  const texts = await file.stream("", textsOf(all));
  return file.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+${name} /Encoding /Identity-H /DescendantFonts [${inside} 0 R] ` +
      `/ToUnicode ${texts} 0 R >>`,
  );
}

// In pieces of a hundred, which is as many as a reader has to take at once.
function textsOf(glyphs) {
  const lines = glyphs.map(({ letter, number }) => `<${hex(number)}> <${unicode(letter)}>`);
  const pieces = Array.from({ length: Math.ceil(lines.length / 100) }, (_, i) => lines.slice(100 * i, 100 * i + 100));
  const told = pieces.map((piece) => `${piece.length} beginbfchar\n${piece.join("\n")}\nendbfchar`).join("\n");
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Adobe-Identity-UCS def
/CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange
${told}
endcmap CMapName currentdict /CMap defineresource pop end end`;
}
