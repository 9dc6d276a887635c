// What a figure is made of. One that needs no kernel is a pure function of its props and its state.

import type { VNode } from "preact";

/** What a component of a figure gets. */
export interface Shown<P, S> {
  props: P; // what Python gave; never changed
  state: S; // what the reader has set
  set(change: Partial<S>): void;
  width: number; // of the drawing, in pixels of the page: 300 to 760
  id: string; // for ids inside the SVG: unique in the page
}

export interface Figure<P, S> {
  /** The state in which it is shown first, and stored: its most telling one. */
  initial(props: P): S;
  /** The finding, as a sentence. It may follow the state. */
  title(props: P, state: S): string;
  /** All that the drawing says, in words, for whoever does not see it. */
  describe(props: P, state: S): string;
  /** Height of the drawing at a width. */
  height(props: P, state: S, width: number): number;
  /** Contents of the <svg>. */
  Drawing(shown: Shown<P, S>): VNode;
  /** Inputs that it cannot do without, as HTML: one compact line above the drawing. */
  Above?(shown: Shown<P, S>): VNode;
  /** All other inputs, below the drawing, which comes first. The still shows inputs asleep. */
  Controls?(shown: Shown<P, S>): VNode;
  /** A second drawing, below the inputs, of what they are about: there is nothing in it to point at. */
  rest?: { height(props: P, state: S, width: number): number; Drawing(shown: Shown<P, S>): VNode };
  /**
   * What it asks in a state, as JSON, of whoever can compute it: Python in JupyterLab, its own engine in a static page.
   * The props then hold the last `answer`, which repeats its question; in a still, Python has put it there.
   */
  question?(props: P, state: S): unknown;
  /** Get ready to answer questions in the page, from a file that the page holds. */
  engine?(file: Uint8Array): (question: never) => unknown;
}

/** What the host adds to the props of a figure that asks. */
export interface Asked<A> {
  answer: A;
  waiting?: "" | "a moment" | "long"; // since the last question
}

// biome-ignore lint/suspicious/noExplicitAny: a registry holds figures of all kinds
export type AnyFigure = Figure<any, any>;
