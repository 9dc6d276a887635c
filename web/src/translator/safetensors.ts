// Files of weights: a length, a header of that length as JSON, and the numbers. github.com/huggingface/safetensors

export interface Tensor {
  shape: number[];
  numbers: Float32Array;
}

export interface File {
  metadata: Record<string, string>;
  tensors: Record<string, Tensor>;
}

/** Half precision to single: a sign, five bits of exponent, ten of fraction. */
export function widened(half: number): number {
  const [sign, exponent, fraction] = [half & 0x8000 ? -1 : 1, (half >> 10) & 31, half & 0x3ff];
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}

export function readSafetensors(bytes: Uint8Array): File {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  const { __metadata__: metadata = {}, ...entries } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start)));
  const tensors: File["tensors"] = {};
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries<Record<string, never>>(entries)) {
    if (dtype !== "F16" && dtype !== "F32") throw new Error(`${name} is stored as ${dtype}: only F16 and F32 are read`);
    const [first, end] = [start + offsets[0], start + offsets[1]];
    const numbers = new Float32Array((end - first) / (dtype === "F16" ? 2 : 4));
    if (dtype === "F32") for (let i = 0; i < numbers.length; i++) numbers[i] = view.getFloat32(first + 4 * i, true);
    else for (let i = 0; i < numbers.length; i++) numbers[i] = widened(view.getUint16(first + 2 * i, true));
    tensors[name] = { shape, numbers };
  }
  return { metadata, tensors };
}
