// A voice made of frames: a buzz, as of vocal cords, through one filter for each frequency band (a channel vocoder).

import type { Matrix } from "./maths";

const [LOWEST, HIGHEST] = [250, 4000]; // Hz, middles of the first and the last band
const [HIGH, LOW] = [138, 104]; // Hz, the pitch at the beginning and at the end
const QUIET = 0.035;

/** Middle frequencies of n bands, each by the same factor above the one before. */
export const bands = (n: number): number[] =>
  Array.from({ length: n }, (_, b) => LOWEST * (HIGHEST / LOWEST) ** (b / Math.max(1, n - 1)));

export interface Voice {
  starts: number; // when it begins and ends, by the context's clock
  ends: number;
  stop(): void;
}

/**
 * Say frames (n, bands), each of so many seconds: a band is loud at +1 and soft at −1. A new word, where `spoken` changes,
 * begins a little higher, after a short gap.
 */
export function say(context: BaseAudioContext, frames: Matrix, spoken: number[], seconds: number): Voice {
  const starts = context.currentTime + 0.05;
  const ends = starts + frames.length * seconds;
  const middle = (t: number): number => starts + (t + 0.5) * seconds;

  const cords = context.createOscillator();
  cords.type = "sawtooth";
  const out = context.createGain();
  out.gain.setValueAtTime(0, starts);
  spoken.forEach((word, t) => {
    if (t > 0 && word === spoken[t - 1]) return;
    const [begins, pitch] = [starts + t * seconds, HIGH + ((LOW - HIGH) * t) / frames.length];
    cords.frequency.setValueAtTime(pitch * 1.08, begins);
    cords.frequency.setTargetAtTime(pitch * 0.94, begins, 0.15);
    out.gain.setTargetAtTime(0, begins - 0.03, 0.008);
    out.gain.setTargetAtTime(QUIET, begins, 0.012);
  });
  out.gain.setTargetAtTime(0, ends - 0.04, 0.01);
  out.connect(context.destination);

  const middles = bands(frames[0].length);
  const spacing = middles.length > 1 ? middles[1] / middles[0] : 2;
  const Q = Math.sqrt(spacing) / (spacing - 1);
  middles.forEach((frequency, b) => {
    const filter = () => new BiquadFilterNode(context, { type: "bandpass", frequency, Q });
    const gain = context.createGain();
    const loudness = (t: number): number => Math.sqrt(frequency / LOWEST) * 10 ** (0.6 * frames[t][b]); // ±1 is ±12 dB
    gain.gain.setValueAtTime(loudness(0), starts);
    frames.forEach((_, t) => {
      gain.gain.linearRampToValueAtTime(loudness(t), middle(t));
    });
    cords.connect(filter()).connect(filter()).connect(gain).connect(out);
  });
  cords.start(starts);
  cords.stop(ends + 0.05);
  return {
    starts,
    ends,
    stop() {
      out.gain.cancelScheduledValues(0);
      out.gain.setTargetAtTime(0, context.currentTime, 0.004); // at once, and without a click
      cords.stop(context.currentTime + 0.03);
    },
  };
}
