// Open what Python packed (attention_ui/pictures/packing.py): a header in JSON, then the tensors.

const KINDS = { float32: Float32Array, int32: Int32Array, uint8: Uint8Array, uint16: Uint16Array };

// The header's entries, and the tensors as typed arrays that know their shape.
export function opened(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const body = bytes.slice(4 + length).buffer; // a copy, so that every tensor is aligned
  let at = 0;
  const tensors = header.tensors.map(({ kind, shape }) => {
    const numbers = new KINDS[kind](body, at, shape.reduce((product, side) => product * side, 1));
    at += 4 * Math.ceil(numbers.byteLength / 4);
    return Object.assign(numbers, { shape });
  });
  return { ...header, tensors };
}
