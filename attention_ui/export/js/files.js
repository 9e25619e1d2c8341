// Files that a browser saves, and a PNG that knows how large it is on paper.

export function save(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // once it has surely been read
}

const AFTER_HEADER = 33; // bytes: the signature and the first chunk, which says how large the picture is

// `perCentimetre` pixels: a program that sets the picture into a page asks for that.
export async function pngOf(canvas, perCentimetre) {
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!perCentimetre) return blob;
  const perMetre = Math.round(100 * perCentimetre);
  const chunk = new DataView(new ArrayBuffer(21));
  [9, 0x70485973, perMetre, perMetre].forEach((number, i) => chunk.setUint32(4 * i, number));
  chunk.setUint8(16, 1); // per metre
  chunk.setUint32(17, checked(new Uint8Array(chunk.buffer, 4, 13)));
  return new Blob([blob.slice(0, AFTER_HEADER), chunk.buffer, blob.slice(AFTER_HEADER)], { type: "image/png" });
}

// The sum by which a PNG checks its chunks (CRC-32).
function checked(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

const STEPS = [["MB", 1e6], ["kB", 1e3], ["bytes", 1]];

// 187 kB
export function sizeText(bytes) {
  const [unit, step] = STEPS.find(([, least]) => bytes >= least) ?? STEPS[2];
  return `${+(bytes / step).toPrecision(bytes < 1e4 ? 2 : 3)} ${unit}`;
}
