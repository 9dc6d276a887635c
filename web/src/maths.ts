// The formulas of course_lib.functional, on arrays of rows. Tests compare them with Python on random inputs.

export type Vector = number[];
export type Matrix = number[][];
export type Mask = boolean[][]; // true where attention is allowed

export const dot = (a: Vector, b: Vector): number => a.reduce((sum, x, i) => sum + x * b[i], 0);

/** Vector times matrix: (d) · (d, e) → (e). */
export const project = (x: Vector, W: Matrix): Vector =>
  W[0].map((_, j) => x.reduce((sum, y, i) => sum + y * W[i][j], 0));

/** Matrix product (n, d) · (d, e) → (n, e). */
export const product = (X: Matrix, W: Matrix): Matrix => X.map((x) => project(x, W));

/** exp(x) / Σ exp(x), stable; what is not allowed gets 0, and a row with nothing allowed is all zeros. */
export function softmax(scores: Vector, allowed?: boolean[]): Vector {
  const largest = Math.max(...scores.filter((_, i) => allowed?.[i] ?? true));
  const grown = scores.map((score, i) => ((allowed?.[i] ?? true) ? Math.exp(score - largest) : 0));
  const total = grown.reduce((sum, x) => sum + x, 0);
  return grown.map((x) => (total > 0 ? x / total : 0));
}

/** Σ weights · values: (n) · (n, d_v) → (d_v). */
export const mix = (weights: Vector, values: Matrix): Vector => project(weights, values);

export interface Attention {
  scores: Matrix; // (L_q, L_k), divided by √d_k
  weights: Matrix; // (L_q, L_k)
  output: Matrix; // (L_q, d_v)
}

/** Scaled dot-product attention, softmax(Q·Kᵀ / √d_k) · V. */
export function attention(Q: Matrix, K: Matrix, V: Matrix, mask?: Mask): Attention {
  const scores = Q.map((q) => K.map((k) => dot(q, k) / Math.sqrt(q.length)));
  const weights = scores.map((row, i) => softmax(row, mask?.[i]));
  return { scores, weights, output: weights.map((row) => mix(row, V)) };
}

/** Causal mask (L_q, L_k): query i, the last of which is at the last key, sees no later key. */
export const causalMask = (nQueries: number, nKeys: number): Mask =>
  Array.from({ length: nQueries }, (_, i) => Array.from({ length: nKeys }, (_, j) => j <= i + nKeys - nQueries));

/** Sinusoidal encoding (L, d), sines and cosines in turn, of the positions from `first` on. */
export const sinusoids = (length: number, d: number, first = 0, base = 10000): Matrix =>
  Array.from({ length }, (_, i) =>
    Array.from({ length: d }, (_, j) => {
      const angle = (first + i) * base ** (-(j - (j % 2)) / d);
      return j % 2 ? Math.cos(angle) : Math.sin(angle);
    }),
  );

/** Rotary positions (L, d): the pairs of columns of row i are turned by the angles of position `first` + i. */
export const rotate = (X: Matrix, first = 0): Matrix =>
  X.map((x, i) =>
    x.map((value, c) => {
      const angle = (first + i) / 10000 ** ((c - (c % 2)) / x.length);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      return c % 2 ? x[c - 1] * sin + value * cos : value * cos - x[c + 1] * sin;
    }),
  );
