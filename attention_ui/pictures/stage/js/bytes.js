// Open what Python packed (attention_ui/pictures/stage/packing.py): a header in JSON, then the bytes of the tensors.

function opened(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { header, body: bytes.slice(4 + length).buffer }; // a copy, so that float32 is aligned
}
