// What moves in a picture, frame by frame: a slider from end to end and back, or a run that is played once.

import { paintOn, ready } from "./canvas.js";
import { gifFile, indexing, paletteOf } from "./gif.js";
import { recorded } from "./recording.js";
import { webmFile } from "./webm.js";

const DRAG = 3000; // milliseconds from one end of a slider to the other
const [SHORTEST, LONGEST] = [1500, 12_000]; // milliseconds of a run
const REST = [600, 1800]; // milliseconds at the end of a slider, and of a run
const FEW = 16; // positions of a slider: with fewer it goes from one to the next
const SAMPLES = 5; // frames that the palette of a GIF is made for

// When each frame is shown: a list of positions with their milliseconds.
export function framesOf({ last, rate, step = 0 }, perSecond) {
  const time = rate ? Math.min(LONGEST, Math.max(SHORTEST, (1000 * last) / rate)) : DRAG;
  const many = Math.max(2, Math.round((time * perSecond) / 1000));
  const count = rate || last / step >= FEW ? many : Math.round(last / step);
  const near = (at) => (step ? step * Math.round(at / step) : at); // a slider stands nowhere else
  const there = Array.from(
    { length: count + 1 },
    (_, i) => ({ at: near((last * i) / count), milliseconds: time / count }),
  );
  const hold = (frame) => ({ ...frame, milliseconds: REST[rate ? 1 : 0] });
  if (rate) return [...there.slice(0, -1), hold(there.at(-1))];
  return [hold(there[0]), ...there.slice(1, -1), hold(there.at(-1)), ...there.slice(1, -1).toReversed()];
}

const pause = () => new Promise((done) => setTimeout(done));

// Paints a frame on a canvas that is as large as the largest of some frames.
async function painter({ sheet, moving }, frames, scale) {
  if (moving.key !== null) sheet.show(moving);
  const draw = (at) => {
    sheet.go(at, moving.key);
    return recorded(sheet.host);
  };
  const half = moving.rate ? frames.length - 1 : frames.length / 2; // where it is at the other end
  const some = Array.from({ length: SAMPLES }, (_, i) => draw(frames[Math.floor((half * i) / (SAMPLES - 1))].at));
  const even = (side) => 2 * Math.ceil((side * scale) / 2); // as encoders want it
  const [width, height] = ["width", "height"].map((side) => even(Math.max(...some.map((drawing) => drawing[side]))));
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const paint = async (drawing) => {
    await ready(drawing, scale);
    paintOn(context, { ...drawing, width: width / scale, height: height / scale }, scale);
  };
  return { canvas, context, some, paint, frame: (at) => paint(draw(at)) };
}

// `tell` hears how much is done, from 0 to 1; `signal` stops it.
export async function gifOf(picture, scale, { tell, signal }) {
  const frames = framesOf(picture.moving, 20);
  const { canvas: { width, height }, context, some, paint, frame } = await painter(picture, frames, scale);
  const pixels = () => context.getImageData(0, 0, width, height);
  const samples = [];
  for (const drawing of some) {
    await paint(drawing);
    samples.push(pixels());
  }
  const palette = paletteOf(samples);
  const [index, file, known] = [indexing(palette), gifFile(width, height, palette), new Map()];
  for (const [i, { at, milliseconds }] of frames.entries()) {
    signal.throwIfAborted();
    if (!known.has(at)) { // on its way back a slider comes by once more; a run does not
      if (picture.moving.rate) known.clear();
      await frame(at);
      known.set(at, index(pixels()));
    }
    file.add(known.get(at), milliseconds);
    tell((i + 1) / frames.length);
    await pause();
  }
  return file.blob();
}

export async function webmOf(picture, scale, { tell, signal }) {
  const frames = framesOf(picture.moving, 30);
  const { canvas, frame } = await painter(picture, frames, scale);
  const file = await webmFile(canvas.width, canvas.height, 4 * canvas.width * canvas.height);
  let time = 0;
  try {
    for (const [i, { at, milliseconds }] of frames.entries()) {
      signal.throwIfAborted();
      await frame(at);
      await file.add(canvas, time, milliseconds);
      time += milliseconds;
      tell((i + 1) / frames.length);
      await pause();
    }
    return await file.blob();
  } finally {
    file.stop();
  }
}
