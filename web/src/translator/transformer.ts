// The course's Transformer, for one sentence and without gradients: course_lib.model, with the caches of course_lib.fast.

import type { File, Tensor } from "./safetensors";

export type Vector = Float32Array;
export type Layer = (x: Vector) => Vector;

export interface Config {
  d_model: number;
  n_heads: number;
  norm: "pre" | "post";
  final_norm: boolean;
  position: string;
  position_mode: string;
  n_encoder_layers: number;
  n_decoder_layers: number;
}

export interface Step {
  logits: Vector; // of the next token, (n_vocab)
  decoder: Vector[][]; // weights of each layer and head, over the tokens so far
  cross: Vector[][]; // over the source
}

export interface Encoding {
  memory: Vector[];
  weights: Vector[][][]; // of each layer, head and token
}

const LAYER_NORM_EPSILON = 1e-5;

/** Refuse what is not known here. */
export function checkModel(kind: string, config: Config): void {
  if (kind !== "transformer") throw new Error(`it is a ${kind}: the page runs only the Transformer`);
  const { position, position_mode: mode } = config;
  if (!["sinusoidal", "none"].includes(position) || mode !== "add")
    throw new Error(`its positions are ${position} (${mode}): the page only adds sinusoidal ones`);
}

export const plus = (x: Vector, y: Vector): Vector => x.map((value, i) => value + y[i]);

export function product({ numbers, shape }: Tensor, x: Vector, bias?: Vector): Vector {
  const [rows, columns] = shape;
  const y = new Float32Array(rows);
  for (let i = 0; i < rows; i++) {
    let sum = bias ? bias[i] : 0;
    const start = i * columns;
    for (let j = 0; j < columns; j++) sum += numbers[start + j] * x[j];
    y[i] = sum;
  }
  return y;
}

export function normalised(x: Vector, gain: Vector, bias: Vector): Vector {
  let [mean, variance] = [0, 0];
  for (const value of x) mean += value / x.length;
  for (const value of x) variance += (value - mean) ** 2 / x.length;
  const scale = 1 / Math.sqrt(variance + LAYER_NORM_EPSILON);
  return x.map((value, i) => (value - mean) * scale * gain[i] + bias[i]);
}

function softmax(scores: Vector): Vector {
  const largest = scores.reduce((a, b) => Math.max(a, b));
  const grown = scores.map((score) => Math.exp(score - largest));
  const total = grown.reduce((a, b) => a + b, 0);
  return grown.map((x) => x / total);
}

/** What one query's heads read, side by side, and the weights of each. */
export function attend(query: Vector, keys: Vector[], values: Vector[], nHeads: number): [Vector, Vector[]] {
  const [dKey, dValue] = [query.length / nHeads, values[0].length / nHeads];
  const read = new Float32Array(values[0].length);
  const weights = Array.from({ length: nHeads }, (_, head) => {
    const scores = new Float32Array(keys.length);
    keys.forEach((key, i) => {
      let sum = 0;
      for (let j = head * dKey; j < (head + 1) * dKey; j++) sum += query[j] * key[j];
      scores[i] = sum / Math.sqrt(dKey);
    });
    const found = softmax(scores);
    values.forEach((value, i) => {
      for (let j = head * dValue; j < (head + 1) * dValue; j++) read[j] += found[i] * value[j];
    });
    return found;
  });
  return [read, weights];
}

export class Transformer {
  private readonly embeddings: { source: Tensor; target: Tensor; output: Tensor };

  constructor(
    private readonly file: File,
    private readonly config: Config,
  ) {
    const { tensors } = file; // of tied matrices one is stored
    const source = tensors["source_embedding.tokens.weight"];
    const target = tensors["target_embedding.tokens.weight"] ?? source;
    this.embeddings = { source, target, output: tensors["output.weight"] ?? target };
  }

  encode(ids: number[]): Encoding {
    const weights: Vector[][][] = [];
    let xs = ids.map((id, position) => this.embed(this.embeddings.source, id, position));
    for (let i = 0; i < this.config.n_encoder_layers; i++) {
      const block = `encoder.${i}`;
      const { before, after } = this.around(`${block}.around_attention`);
      const [Q, K, V, O] = this.projections(`${block}.attention`);
      const normed = xs.map(before);
      const [keys, values] = [normed.map(K), normed.map(V)];
      const found = normed.map((x) => attend(Q(x), keys, values, this.config.n_heads));
      xs = xs.map((x, j) => after(plus(x, O(found[j][0]))));
      xs = xs.map(this.feedForward(block));
      weights.push(found[0][1].map((_, head) => found.map(([, ofHeads]) => ofHeads[head])));
    }
    return { memory: xs.map(this.finalNorm("encoder_norm")), weights };
  }

  /** Start a translation; the function returned takes the last token and says what may come next. */
  decode(memory: Vector[]): (id: number) => Step {
    const { n_heads: nHeads, n_decoder_layers: nLayers } = this.config;
    const blocks = Array.from({ length: nLayers }, (_, i) => {
      const name = `decoder.${i}`;
      const [own, cross] = [this.projections(`${name}.self_attention`), this.projections(`${name}.cross_attention`)];
      return {
        own,
        cross,
        aroundOwn: this.around(`${name}.around_self_attention`),
        aroundCross: this.around(`${name}.around_cross_attention`),
        feedForward: this.feedForward(name),
        keys: [] as Vector[],
        values: [] as Vector[],
        sourceKeys: memory.map(cross[1]),
        sourceValues: memory.map(cross[2]),
      };
    });
    const finalNorm = this.finalNorm("decoder_norm");
    let position = 0;
    return (id) => {
      let x = this.embed(this.embeddings.target, id, position++);
      const step: Omit<Step, "logits"> = { decoder: [], cross: [] };
      for (const block of blocks) {
        const normed = block.aroundOwn.before(x);
        const [ownQ, ownK, ownV, ownO] = block.own;
        block.keys.push(ownK(normed));
        block.values.push(ownV(normed));
        const [own, ownWeights] = attend(ownQ(normed), block.keys, block.values, nHeads);
        x = block.aroundOwn.after(plus(x, ownO(own)));
        const [crossQ, , , crossO] = block.cross;
        const query = crossQ(block.aroundCross.before(x));
        const [read, crossWeights] = attend(query, block.sourceKeys, block.sourceValues, nHeads);
        x = block.aroundCross.after(plus(x, crossO(read)));
        x = block.feedForward(x);
        step.decoder.push(ownWeights);
        step.cross.push(crossWeights);
      }
      return { ...step, logits: product(this.embeddings.output, finalNorm(x)) };
    };
  }

  private embed({ numbers, shape }: Tensor, id: number, position: number): Vector {
    const d = shape[1];
    const x = numbers.slice(id * d, (id + 1) * d).map((value) => value * Math.sqrt(d));
    if (this.config.position === "none") return x;
    return x.map((value, j) => {
      const angle = position / 10000 ** ((j - (j % 2)) / d);
      return value + (j % 2 ? Math.cos(angle) : Math.sin(angle));
    });
  }

  private linear(name: string): Layer {
    const { [`${name}.weight`]: weight, [`${name}.bias`]: bias } = this.file.tensors;
    return (x) => product(weight, x, bias.numbers);
  }

  private norm(name: string): Layer {
    const { [`${name}.weight`]: gain, [`${name}.bias`]: bias } = this.file.tensors;
    return (x) => normalised(x, gain.numbers, bias.numbers);
  }

  private finalNorm = (name: string): Layer => (this.config.final_norm ? this.norm(name) : (x) => x);

  private projections = (name: string): Layer[] => ["Q", "K", "V", "O"].map((part) => this.linear(`${name}.W_${part}`));

  /** The norm of a sublayer, before what it wraps or after the sum. */
  private around(name: string): { before: Layer; after: Layer } {
    const [norm, nothing] = [this.norm(`${name}.norm`), (x: Vector) => x];
    return this.config.norm === "pre" ? { before: norm, after: nothing } : { before: nothing, after: norm };
  }

  private feedForward(block: string): Layer {
    const { before, after } = this.around(`${block}.around_feed_forward`);
    const [inner, outer] = [this.linear(`${block}.feed_forward.W_1`), this.linear(`${block}.feed_forward.W_2`)];
    return (x) => {
      const hidden = inner(before(x)).map((value) => Math.max(0, value));
      return after(plus(x, outer(hidden)));
    };
  }
}
