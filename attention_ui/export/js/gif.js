// An animated GIF: one palette for all frames, and of each frame only what is new.

const NOTHING_NEW = 255; // the number of the colour that shows what was there before
const DEPTH = 6; // bits of red, of green and of blue by which colours are told apart
const CELLS = 1 << (3 * DEPTH);
const cellOf = (data, i) =>
  ((data[i] >> (8 - DEPTH)) << (2 * DEPTH)) | ((data[i + 1] >> (8 - DEPTH)) << DEPTH) | (data[i + 2] >> (8 - DEPTH));
const coloursOfCell = (cell) =>
  [2 * DEPTH, DEPTH, 0].map((shift) => (((cell >> shift) & ((1 << DEPTH) - 1)) * 255) / ((1 << DEPTH) - 1));

// 255 colours for these images, each as many as its pixels deserve (median cut).
export function paletteOf(images) {
  const [counts, sums] = [new Uint32Array(CELLS), new Float64Array(3 * CELLS)];
  for (const { data } of images) {
    for (let i = 0; i < data.length; i += 4) {
      const cell = cellOf(data, i);
      counts[cell]++;
      for (let part = 0; part < 3; part++) sums[3 * cell + part] += data[i + part];
    }
  }
  const cells = [...counts.keys()].filter((cell) => counts[cell]);
  const colours = cells.map((cell) => ({
    count: counts[cell],
    at: [0, 1, 2].map((i) => sums[3 * cell + i] / counts[cell]),
  }));
  const boxes = [boxFor(colours)];
  while (boxes.length < NOTHING_NEW) {
    const widest = boxes.reduce((best, box, i) => (box.merit > boxes[best].merit ? i : best), 0);
    if (!boxes[widest].merit) break;
    boxes.splice(widest, 1, ...halves(boxes[widest]));
  }
  return boxes.map(({ colours: inside }) => {
    const all = inside.reduce((sum, { count }) => sum + count, 0);
    return [0, 1, 2].map((i) => Math.round(inside.reduce((sum, { count, at }) => sum + count * at[i], 0) / all));
  });
}

function boxFor(colours) {
  const spans = [0, 1, 2].map((i) => {
    const values = colours.map(({ at }) => at[i]);
    return values.reduce((most, value) => Math.max(most, value), 0) -
      values.reduce((least, value) => Math.min(least, value), 255);
  });
  const axis = spans.indexOf(Math.max(...spans));
  const count = colours.reduce((sum, colour) => sum + colour.count, 0);
  // rare colours count too
  return { colours, axis, merit: colours.length > 1 ? spans[axis] ** 2 * Math.sqrt(count) : 0 };
}

function halves({ colours, axis }) {
  const sorted = colours.toSorted((one, other) => one.at[axis] - other.at[axis]);
  const half = sorted.reduce((sum, { count }) => sum + count, 0) / 2;
  let [at, sum] = [0, 0];
  while (at < sorted.length - 1 && sum + sorted[at].count / 2 < half) sum += sorted[at++].count;
  const cut = Math.max(1, at);
  return [boxFor(sorted.slice(0, cut)), boxFor(sorted.slice(cut))];
}

// A function from an image to the numbers of its colours.
export function indexing(palette) {
  const known = new Int16Array(CELLS).fill(-1);
  const nearest = (cell) => {
    const colours = coloursOfCell(cell);
    const far = (colour) => colour.reduce((sum, part, i) => sum + (part - colours[i]) ** 2, 0);
    let best = 0;
    for (let i = 1; i < palette.length; i++) if (far(palette[i]) < far(palette[best])) best = i;
    return best;
  };
  return ({ data }) => {
    const indices = new Uint8Array(data.length / 4);
    for (let i = 0; i < indices.length; i++) {
      const cell = cellOf(data, 4 * i);
      if (known[cell] < 0) known[cell] = nearest(cell);
      indices[i] = known[cell];
    }
    return indices;
  };
}

const u16le = (number) => [number & 255, number >> 8];

// The file, frame by frame: `add` takes the numbers of a frame's colours and its milliseconds.
export function gifFile(width, height, palette) {
  const table = Array.from({ length: 256 }, (_, i) => palette[i] ?? [0, 0, 0]).flat();
  const head = [..."GIF89a"].map((sign) => sign.charCodeAt(0));
  const forever = [0x21, 0xff, 11, ...[..."NETSCAPE2.0"].map((sign) => sign.charCodeAt(0)), 3, 1, 0, 0, 0];
  const parts = [Uint8Array.from([...head, ...u16le(width), ...u16le(height), 0xf7, 0, 0, ...table, ...forever])];
  let before = null;
  const add = (indices, milliseconds) => {
    const [left, top, right, bottom] = before ? changed(before, indices, width) : [0, 0, width, height];
    const [wide, high] = [Math.max(1, right - left), Math.max(1, bottom - top)];
    const inside = new Uint8Array(wide * high);
    for (let y = 0; y < high; y++) {
      for (let x = 0; x < wide; x++) {
        const at = (top + y) * width + left + x;
        inside[y * wide + x] = before?.[at] === indices[at] ? NOTHING_NEW : indices[at];
      }
    }
    const control = [0x21, 0xf9, 4, 0x05, ...u16le(Math.round(milliseconds / 10)), NOTHING_NEW, 0];
    parts.push(Uint8Array.from([...control, 0x2c, ...[left, top, wide, high].flatMap(u16le), 0]), packed(inside));
    before = indices;
  };
  return { add, blob: () => new Blob([...parts, Uint8Array.of(0x3b)], { type: "image/gif" }) };
}

// The rectangle in which two frames differ: left, top, right, bottom.
function changed(before, now, width) {
  let [left, top, right, bottom] = [width, Infinity, 0, 0];
  for (let i = 0; i < now.length; i++) {
    if (before[i] === now[i]) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = y + 1;
  }
  return right ? [left, top, right, bottom] : [0, 0, 1, 1];
}

const [CLEAR, END, MOST_CODES] = [256, 257, 4096];

// Numbers of colours in the codes of LZW, in blocks of 255 bytes.
function packed(indices) {
  const bytes = [8];
  const block = [];
  let [bits, count] = [0, 0];
  const flush = () => block.length && bytes.push(block.length, ...block.splice(0));
  const write = (code, size) => {
    bits |= code << count;
    for (count += size; count >= 8; count -= 8) {
      block.push(bits & 255);
      bits >>>= 8;
      if (block.length === 255) flush();
    }
  };
  const codes = new Int16Array(MOST_CODES * 256);
  let [next, size] = [END + 1, 9];
  write(CLEAR, size);
  let prefix = indices[0];
  for (let i = 1; i < indices.length; i++) {
    const key = (prefix << 8) | indices[i];
    if (codes[key]) {
      prefix = codes[key];
      continue;
    }
    write(prefix, size);
    if (next < MOST_CODES) {
      if (next === 1 << size) size++;
      codes[key] = next++;
    } else {
      write(CLEAR, size);
      codes.fill(0);
      [next, size] = [END + 1, 9];
    }
    prefix = indices[i];
  }
  write(prefix, size);
  if (next === 1 << size && size < 12) size++;
  write(END, size);
  if (count) block.push(bits & 255);
  flush();
  bytes.push(0);
  return Uint8Array.from(bytes);
}
