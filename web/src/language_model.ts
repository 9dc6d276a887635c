// The language model of chapter 08, for one sentence and without gradients: course_lib.model.DecoderOnlyTransformer with
// one head, norms before each sublayer, added sinusoidal positions, and one matrix for embeddings and outputs.

import { sinusoids } from "./maths";
import { widened } from "./translator/safetensors";
import { attend, type Layer, normalised, plus, product, type Vector } from "./translator/transformer";

export interface Shape {
  d: number;
  hidden: number; // width of the feed-forward networks
  blocks: number;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The bytes that base64 stands for. (V8 alone has no atob.) */
function bytesOf(text: string): Uint8Array {
  const sixOf = new Uint8Array(128);
  for (let i = 0; i < LETTERS.length; i++) sixOf[LETTERS.charCodeAt(i)] = i;
  const letters = text.replace(/=+$/, "");
  const bytes = new Uint8Array(Math.floor((letters.length * 3) / 4));
  let [held, bits, at] = [0, 0, 0];
  for (let i = 0; i < letters.length; i++) {
    held = (held << 6) | sixOf[letters.charCodeAt(i)];
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
    held &= (1 << bits) - 1;
  }
  return bytes;
}

/** Numbers in half precision, from base64. */
function numbersOf(text: string): Vector {
  const view = new DataView(bytesOf(text).buffer);
  const numbers = new Float32Array(view.byteLength / 2);
  for (let i = 0; i < numbers.length; i++) numbers[i] = widened(view.getUint16(2 * i, true));
  return numbers;
}

interface Block {
  before: Layer;
  Q: Layer;
  K: Layer;
  V: Layer;
  O: Layer;
  feedForward: Layer;
}

export class LanguageModel {
  private readonly embeddings: Vector;
  private readonly blocks: Block[];
  private readonly norm: Layer;

  /** Numbers come in the order of the model's state: embeddings, the blocks, the last norm. */
  constructor(
    weights: string,
    private readonly shape: Shape,
    private readonly vocabulary: number,
    private readonly causal: boolean,
  ) {
    const numbers = numbersOf(weights);
    const { d, hidden } = shape;
    let taken = 0;
    const take = (n: number): Vector => {
      taken += n;
      return numbers.subarray(taken - n, taken);
    };
    const linear = (rows: number, columns: number): Layer => {
      const [matrix, bias] = [{ shape: [rows, columns], numbers: take(rows * columns) }, take(rows)];
      return (x) => product(matrix, x, bias);
    };
    const norm = (): Layer => {
      const [gain, bias] = [take(d), take(d)];
      return (x) => normalised(x, gain, bias);
    };
    this.embeddings = take(vocabulary * d);
    this.blocks = Array.from({ length: shape.blocks }, () => {
      const [Q, K, V, O] = [linear(d, d), linear(d, d), linear(d, d), linear(d, d)];
      const before = norm();
      const [inner, outer] = [linear(hidden, d), linear(d, hidden)];
      const between = norm();
      const feedForward: Layer = (x) => outer(inner(between(x)).map((value) => Math.max(0, value)));
      return { before, Q, K, V, O, feedForward };
    });
    this.norm = norm();
    if (taken !== numbers.length) throw new Error(`${numbers.length} weights: this shape has ${taken}`);
  }

  /** Logits of the token that comes after these. */
  next(ids: number[]): Vector {
    const { d } = this.shape;
    const phi = sinusoids(ids.length, d);
    let xs: Vector[] = ids.map((id, i) =>
      this.embeddings.slice(id * d, (id + 1) * d).map((value, j) => value * Math.sqrt(d) + phi[i][j]),
    );
    for (const { before, Q, K, V, O, feedForward } of this.blocks) {
      const normed = xs.map(before);
      const [keys, values] = [normed.map(K), normed.map(V)];
      xs = xs.map((x, i) => {
        const seen = this.causal ? i + 1 : xs.length;
        const [read] = attend(Q(normed[i]), keys.slice(0, seen), values.slice(0, seen), 1);
        const y = plus(x, O(read));
        return plus(y, feedForward(y));
      });
    }
    const matrix = { shape: [this.vocabulary, d], numbers: this.embeddings };
    return product(matrix, this.norm(xs[xs.length - 1]));
  }
}
