// The fonts of a recording: of each only the letters that are in it, with their outlines.

import { outlinesOf } from "./outlines.js";
import { fontFile } from "./truetype.js";

const known = new Map(); // outlines, by font and letter: painted once in a visit

const faceOf = ({ family, weight, slant }) => `${slant} ${weight} ${family}`;

// By face: a short name, the letters with their outlines and their numbers, and the file.
export function fontsOf({ items }) {
  const faces = new Map();
  for (const { letters, font } of items.filter((item) => item.letters)) {
    const name = faceOf(font);
    if (!faces.has(name)) faces.set(name, { name: `lab${faces.size}`, font, glyphs: new Map() });
    const { glyphs } = faces.get(name);
    for (const letter of letters) {
      if (!glyphs.has(letter)) {
        glyphs.set(letter, { letter, number: glyphs.size + 1, ...outlineOf(letter, font, name) });
      }
    }
  }
  for (const face of faces.values()) face.file = fontFile([...face.glyphs.values()], face.name);
  return { of: (font) => faces.get(faceOf(font)), all: [...faces.values()] };
}

function outlineOf(letter, font, face) {
  const key = `${face} ${letter}`;
  if (!known.has(key)) known.set(key, outlinesOf(letter, font));
  return known.get(key);
}
