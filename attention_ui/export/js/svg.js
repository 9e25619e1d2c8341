// A recording as SVG: shapes are shapes and texts are texts, with their letters in the file.

import { cssOf, enlargedImage } from "./canvas.js";
import { fontsOf } from "./letters.js";
import { short } from "./paint.js";

// As XML takes it, which has no control characters.
const written = (text) =>
  text.replace(/[&<>"]|\p{Cc}/gu, (sign) => (sign < " " ? "\ufffd" : `&#${sign.charCodeAt(0)};`));
const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const attributes = (named) =>
  Object.entries(named).filter(([, value]) => value !== null).map(([name, value]) => ` ${name}="${value}"`).join("");

const rounded = (d) => d.replace(/\d+\.\d{3,}/g, short);

// `size` is how large it is shown, as "8.5cm"; `title` says what it is.
export function svgOf(drawing, { size, title }) {
  const { width, height, ground, items } = drawing;
  const fonts = fontsOf(drawing);
  const faces = fonts.all.map(({ name, font, file }) =>
    `@font-face{font-family:${name};font-weight:${font.weight};font-style:${font.slant};` +
    `src:url(data:font/ttf;base64,${base64(file)})}`
  );
  const clips = clipper();
  const body = items.map((item) => inClips(item, clips)(partOf(item, fonts))).join("\n");
  const [shownWidth, shownHeight] = [size.value, (size.value * height) / width].map((value) =>
    `${short(value)}${size.unit}`
  );
  const frame = { width: shownWidth, height: shownHeight, viewBox: `0 0 ${short(width)} ${short(height)}` };
  return `<svg xmlns="http://www.w3.org/2000/svg"${attributes(frame)}>
<title>${written(title)}</title>
<defs><style>${faces.join("")}text{white-space:pre}</style>${clips.defs()}</defs>
${ground ? `<rect width="100%" height="100%" fill="${cssOf(ground)}"/>` : ""}
${body}
</svg>
`;
}

// Every clip once, by its own text.
function clipper() {
  const known = new Map();
  const idOf = ({ d, matrix }) => {
    const text = `<path${attributes({ d: rounded(d), transform: transformOf(matrix) })}/>`;
    if (!known.has(text)) known.set(text, `clip${known.size}`);
    return known.get(text);
  };
  const defs = () => [...known].map(([text, id]) => `<clipPath id="${id}">${text}</clipPath>`).join("");
  return { idOf, defs };
}

const inClips = ({ clips }, { idOf }) => (text) =>
  clips.reduceRight((inside, clip) => `<g clip-path="url(#${idOf(clip)})">${inside}</g>`, text);

function transformOf([a, b, c, d, e, f]) {
  if (a === 1 && !b && !c && d === 1) return e || f ? `translate(${short(e)} ${short(f)})` : null;
  return `matrix(${[a, b, c, d].map((number) => +number.toFixed(5)).join(" ")} ${short(e)} ${short(f)})`;
}

const opacity = (paint) => (paint && paint.alpha < 0.999 ? +paint.alpha.toFixed(3) : null);
const plain = (paint) => (paint ? `rgb(${paint.colour})` : "none");

const painted = (fill) => ({ fill: plain(fill), "fill-opacity": opacity(fill) });

const stroked = (stroke) =>
  stroke && {
    stroke: plain(stroke),
    "stroke-opacity": opacity(stroke),
    "stroke-width": short(stroke.width),
    "stroke-dasharray": stroke.dash.length ? stroke.dash.map(short).join(" ") : null,
    "stroke-linecap": stroke.cap === "butt" ? null : stroke.cap,
    "stroke-linejoin": stroke.join === "miter" ? null : stroke.join,
  };

function partOf(item, fonts) {
  const transform = transformOf(item.matrix);
  if (item.letters) return textPart(item, fonts, transform);
  if (item.d) {
    const rule = item.rule === "evenodd" ? "evenodd" : null;
    return `<path${
      attributes({ d: rounded(item.d), transform, "fill-rule": rule, ...painted(item.fill), ...stroked(item.stroke) })
    }/>`;
  }
  if (item.whole) return item.whole;
  const [x, y, width, height] = [item.x, item.y, item.width, item.height].map(short);
  const href = enlargedImage(item.image);
  const seen = item.alpha < 0.999 ? +item.alpha.toFixed(3) : null;
  const fitted = { x, y, width, height, transform, opacity: seen, preserveAspectRatio: "none", href };
  return `<image${attributes(fitted)} style="image-rendering:pixelated"/>`;
}

// Numbers of equal width have a place for each letter; else a run stands where its middle or its end is.
function textPart({ text, xs, end, y, anchor, font, fill, halo, ...item }, fonts, transform) {
  const at = font.tabular ? xs : [{ start: xs[0], middle: (xs[0] + end) / 2, end }[anchor]];
  const { name } = fonts.of(font);
  const look = {
    x: at.map(short).join(" "),
    y: short(y),
    transform,
    "font-family": written(`${name}, ${font.family}`),
    "font-size": short(font.size),
    "font-weight": font.weight === 400 ? null : font.weight,
    "font-style": font.slant === "normal" ? null : font.slant,
    textLength: font.tabular || xs.length < 2 ? null : short(end - xs[0]), // also where another font stands in
    "text-anchor": font.tabular || anchor === "start" ? null : anchor,
    ...painted(fill),
    ...(halo ? { ...stroked(halo), "paint-order": "stroke" } : {}),
  };
  return item.text === "" ? "" : `<text${attributes(look)}>${written(text)}</text>`;
}
