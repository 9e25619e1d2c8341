// A film as WebM: the browser's own encoder makes the frames, and here they are put into a file.

const CODECS = [["vp09.00.40.08", "V_VP9"], ["vp8", "V_VP8"]];
const KEY_EVERY = 30; // frames
const CLUSTER = 2000; // milliseconds of a group of frames, which begins with a whole one

// Where a page comes over plain http from another machine, browsers hide their encoder.
export const makesFilms = () => typeof VideoEncoder !== "undefined";

const bytesOf = (number, length) =>
  Array.from({ length }, (_, i) => Math.floor(number / 256 ** (length - 1 - i)) % 256);

function joinedBytes(parts) {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

// An element of EBML: its id, the size of its content in eight bytes, its content.
const ebml = (id, ...content) => {
  const body = joinedBytes(content);
  const name = id.toString(16);
  const sized = [0x01, ...bytesOf(body.length, 7)];
  return joinedBytes([bytesOf(id, name.length / 2), sized, body]);
};
const whole = (id, number, length = 4) => ebml(id, bytesOf(number, length));
const ascii = (id, text) => ebml(id, [...text].map((sign) => sign.charCodeAt(0)));
const real = (id, number) => ebml(id, new Uint8Array(new Float64Array([number]).buffer).reverse());

// A film of this size: `add` takes a canvas, when it is shown and for how long; `blob` waits for the encoder.
export async function webmFile(width, height, bitrate) {
  const config = { width, height, bitrate, latencyMode: "quality" };
  const able = await Promise.all(CODECS.map(([codec]) => VideoEncoder.isConfigSupported({ ...config, codec })));
  const [codec, name] = CODECS[able.findIndex(({ supported }) => supported)] ?? CODECS[1];
  const blocks = [];
  let [failed, count, end] = [null, 0, 0];
  const output = (chunk) => {
    const data = new Uint8Array(chunk.byteLength);
    chunk.copyTo(data);
    blocks.push({ data, at: Math.round(chunk.timestamp / 1000), key: chunk.type === "key" });
  };
  const encoder = new VideoEncoder({ output, error: (error) => (failed = error) });
  encoder.configure({ ...config, codec });
  const add = async (canvas, at, milliseconds) => {
    if (failed) throw failed;
    const frame = new VideoFrame(canvas, { timestamp: 1000 * at, duration: 1000 * milliseconds });
    encoder.encode(frame, { keyFrame: count++ % KEY_EVERY === 0 });
    frame.close();
    end = at + milliseconds;
    while (encoder.encodeQueueSize > 4) await new Promise((done) => setTimeout(done, 5));
  };
  const blob = async () => {
    await encoder.flush();
    encoder.close();
    return new Blob([fileOf(blocks, { name, width, height, end })], { type: "video/webm" });
  };
  return { add, blob, stop: () => encoder.state !== "closed" && encoder.close() };
}

function fileOf(blocks, { name, width, height, end }) {
  const head = ebml(
    0x1a45dfa3,
    whole(0x4286, 1, 1),
    whole(0x42f7, 1, 1),
    whole(0x42f2, 4, 1),
    whole(0x42f3, 8, 1),
    ascii(0x4282, "webm"),
    whole(0x4287, 4, 1),
    whole(0x4285, 2, 1),
  );
  const info = ebml(
    0x1549a966,
    whole(0x2ad7b1, 1_000_000),
    ascii(0x4d80, "Attention Lab"),
    ascii(0x5741, "Attention Lab"),
    real(0x4489, end),
  );
  const video = ebml(0xe0, whole(0xb0, width, 2), whole(0xba, height, 2));
  const track = ebml(0xae, whole(0xd7, 1, 1), whole(0x73c5, 1, 1), whole(0x83, 1, 1), ascii(0x86, name), video);
  const clusters = [];
  for (const block of blocks) {
    const started = clusters.at(-1);
    if (!started || (block.key && block.at - started.at >= CLUSTER)) clusters.push({ at: block.at, blocks: [block] });
    else started.blocks.push(block);
  }
  const written = clusters.map(({ at, blocks: inside }) =>
    ebml(
      0x1f43b675,
      whole(0xe7, at),
      ...inside.map((block) => ebml(0xa3, [0x81, ...bytesOf(block.at - at, 2), block.key ? 0x80 : 0], block.data)),
    )
  );
  // Where each group begins, so that a player can go to any moment: each place has as many bytes as it will need.
  const before = [info, ebml(0x1654ae6b, track)];
  const cuesAt = (first) => {
    let at = first;
    const points = clusters.map((cluster, i) => {
      const position = ebml(0xb7, whole(0xf7, 1, 1), whole(0xf1, at, 8));
      at += written[i].length;
      return ebml(0xbb, whole(0xb3, cluster.at), position);
    });
    return ebml(0x1c53bb6b, ...points);
  };
  const size = before.reduce((sum, part) => sum + part.length, 0);
  const cues = cuesAt(size + cuesAt(0).length);
  return joinedBytes([head, ebml(0x18538067, ...before, cues, ...written)]);
}
