// A translator that runs in the page. It answers as course_lib.figures.page.translator does in Python.

import { readSafetensors } from "./safetensors";
import { type Config, checkModel, type Encoding, type Step, Transformer } from "./transformer";
import { BOS, EOS, PAD, typesetFrench, UNK, Words } from "./words";

export { normalise, typesetFrench, Words } from "./words";

export const [MAX_LENGTH, MOST_TOKENS, N_LIKELIEST] = [120, 50, 5];

export interface Question {
  text: string;
  prefix: number[]; // ids with which the translation is to begin
}

export interface Likely {
  id: number;
  label: string;
  p: number;
}

type Weights = number[][][][]; // of each layer, head, query and key

export interface Answer {
  question: Question;
  tokens: number; // of the source, without </s>
  limit: number; // most tokens that are translated
  unknown: string[];
  source: { text: string; labels: string[] };
  target: { text: string; labels: string[] };
  ids: number[]; // of the target
  steps: Likely[][]; // what was likeliest at each token of the target, and the token itself
  weights: { encoder: Weights; decoder: Weights; cross: Weights };
}

const rounded = (x: number): number => Math.round(x * 1e4) / 1e4;

/** What Translator.save writes of a translator beside its weights. */
interface Description {
  kind: string;
  config: Config;
  source_tokeniser: string;
  target_tokeniser: string | null; // null where it is the source's
}

const tokenisers = ({ source_tokeniser: source, target_tokeniser: target }: Description): Words[] =>
  [source, target ?? source].map(Words.fromJson);

/** Say what of a translator is not known here. */
export function check(description: Description): void {
  checkModel(description.kind, description.config);
  tokenisers(description);
}

export class Translator {
  readonly source: Words;
  readonly target: Words;
  readonly model: Transformer;

  constructor(bytes: Uint8Array) {
    const file = readSafetensors(bytes);
    const description = JSON.parse(file.metadata.course_lib);
    checkModel(description.kind, description.config);
    [this.source, this.target] = tokenisers(description);
    this.model = new Transformer(file, description.config);
  }

  /** The likeliest token at each step, as course_lib.decoding.greedy_search, and what the model computed on the way. */
  greedy(source: number[], prefix: number[] = []): { ids: number[]; steps: Step[]; encoding: Encoding } {
    const encoding = this.model.encode([...source, EOS]);
    const next = this.model.decode(encoding.memory);
    const [ids, steps]: [number[], Step[]] = [[], []];
    while (ids.length < MAX_LENGTH && ids[ids.length - 1] !== EOS) {
      const step = next(ids[ids.length - 1] ?? BOS);
      for (const never of [PAD, BOS]) step.logits[never] = Number.NEGATIVE_INFINITY;
      const best = step.logits.reduce((at, logit, id) => (logit > step.logits[at] ? id : at), EOS);
      ids.push(prefix[ids.length] ?? best);
      steps.push(step);
    }
    return { ids, steps, encoding };
  }

  answer(question: Question): Answer {
    const pieces = this.source.split(question.text);
    const given = this.source.encode(question.text);
    const unknown = [...new Set(pieces.filter((_, i) => given[i] === UNK))];
    const empty = given.length === 0 || given.length > MOST_TOKENS;
    const { ids, steps, encoding } = empty
      ? { ids: [], steps: [], encoding: { memory: [], weights: [] } }
      : this.greedy(given, question.prefix);
    const over = (kind: "decoder" | "cross"): Weights =>
      (steps[0]?.[kind] ?? []).map((heads, layer) =>
        heads.map((_, head) => steps.map((step) => Array.from(step[kind][layer][head], rounded))),
      );
    return {
      question,
      tokens: given.length,
      limit: MOST_TOKENS,
      unknown,
      source: { text: question.text, labels: [...pieces.map((piece) => piece.trim()), "</s>"] },
      target: { text: typesetFrench(this.target.decode(ids)), labels: this.target.labels(ids) },
      ids,
      steps: steps.map((step, i) => this.likeliest(step.logits, ids[i])),
      weights: {
        encoder: encoding.weights.map((heads) => heads.map((rows) => rows.map((row) => Array.from(row, rounded)))),
        decoder: over("decoder"),
        cross: over("cross"),
      },
    };
  }

  private likeliest(logits: Float32Array, chosen: number): Likely[] {
    const largest = logits.reduce((a, b) => Math.max(a, b));
    const total = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
    const ranked = Array.from(logits.keys()).sort((a, b) => logits[b] - logits[a]);
    const best = ranked.slice(0, N_LIKELIEST);
    return (best.includes(chosen) ? best : [...best, chosen]).map((id) => ({
      id,
      label: this.target.labels([id])[0],
      p: rounded(Math.exp(logits[id] - largest) / total),
    }));
  }
}
