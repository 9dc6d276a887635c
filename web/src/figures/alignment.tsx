// Alignment in time (chapter 05): the frames of a sound ask the words of a text, or the words the frames.

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Figure, Shown } from "../figure";
import { attention, type Matrix, type Vector } from "../maths";
import {
  Badge,
  Button,
  Choice,
  colour,
  Handle,
  listed,
  measure,
  Options,
  percent,
  type Role,
  Text,
  typeset,
  WeightLine,
  written,
} from "../parts";
import { say, type Voice } from "../sound";

type Side = "frames" | "words";
interface Props {
  words: string[];
  sounds: Matrix; // (n_words, bands): how each word sounds
  frames: Matrix; // (n_frames, bands): what is heard
  spoken: number[]; // which word each frame says: the right answer, which attention does not see
  seconds: number; // how long a frame lasts
  sharpness: number; // what the queries' part for the sound is multiplied by
  clock?: { words: Matrix; frames: Matrix; sharpness: number }; // the position of each, as a vector
}
interface State {
  asks: Side;
  clock: "without" | "with";
  shuffle: number; // 0: the keys stand in order; otherwise the number of a shuffle
  side: Side; // what is pointed at: a frame or a word …
  at: number; // … and which
  head: number; // seconds of the sound that have been played; −1 in silence
}

// ---- What attention finds ----

/** An order of 0 … n − 1 in which each has another place: the same one for the same number, and for 0 none. */
function permutation(n: number, number: number): number[] {
  const order = Array.from({ length: n }, (_, i) => i);
  if (number === 0) return order;
  const prime = 2 ** 31 - 1;
  let random = number;
  for (let i = n - 1; i > 0; i--) {
    random = (random * 16807) % prime;
    const j = Math.floor((random / prime) * i); // never i itself, so all are in one cycle
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

interface Found {
  order: { words: number[]; frames: number[] }; // in which they stand
  weight(word: number, frame: number): number;
  output: Vector; // of each query: the number of a word, or a time in seconds
  right: Vector; // what it should be
}

function find(props: Props, { asks, clock, shuffle }: State): Found {
  const { frames, sounds, spoken } = props;
  const rows = { words: sounds, frames };
  const answers: Side = asks === "frames" ? "words" : "frames";
  const timed = clock === "with" ? props.clock : undefined;
  const Q = rows[asks].map((x, i) => [
    ...x.map((y) => props.sharpness * y),
    ...(timed ? timed[asks][i].map((y) => timed.sharpness * y) : []),
  ]);
  const K = rows[answers].map((x, i) => [...x, ...(timed?.[answers][i] ?? [])]);
  const V = rows[answers].map((_, i) => [answers === "words" ? i : (i + 0.5) * props.seconds]);
  const order = permutation(K.length, shuffle);
  const place = order.map((_, i) => order.indexOf(i));
  const { weights, output } = attention(
    Q,
    order.map((i) => K[i]),
    order.map((i) => V[i]),
  );
  const inOrder = permutation(Q.length, 0);
  return {
    order: asks === "frames" ? { frames: inOrder, words: order } : { frames: order, words: inOrder },
    weight: (word, frame) => (asks === "frames" ? weights[frame][place[word]] : weights[word][place[frame]]),
    output: output.map(([x]) => x),
    right: asks === "frames" ? spoken : middles(props),
  };
}

const otherThan = (side: Side): Side => (side === "frames" ? "words" : "frames");

/** The stretches of frames that say the same word: first frame, the frame after the last, word. */
function runs(spoken: number[]): [number, number, number][] {
  const starts = spoken.flatMap((word, t) => (t === 0 || word !== spoken[t - 1] ? [t] : []));
  return starts.map((from, i) => [from, starts[i + 1] ?? spoken.length, spoken[from]]);
}

/** When each word is said, in seconds: the middle. */
const middles = ({ words, spoken, seconds }: Props): Vector =>
  words.map((_, word) => {
    const said = spoken.flatMap((other, t) => (other === word ? [(t + 0.5) * seconds] : []));
    return said.reduce((sum, time) => sum + time, 0) / said.length;
  });

const capital = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());

/** A word as it is spoken of: one that occurs again says which of them it is. */
function called({ words }: Props, word: number): string {
  const same = words.flatMap((other, i) => (isSame(other, words[word]) ? [i] : []));
  const nth = ["first", "second", "third"][same.indexOf(word)] ?? `${same.indexOf(word) + 1}th`;
  return same.length > 1 ? `the ${nth} ‘${words[word]}’` : `‘${words[word]}’`;
}

const wordAt = ({ spoken }: Props, { side, at }: State): number => (side === "words" ? at : spoken[at]);
const timeOf = ({ seconds }: Props, frame: number): string => `${written((frame + 0.5) * seconds)} s`;
const answer = ({ asks }: State, output: number): string =>
  asks === "frames" ? written(output, 1) : `${written(output)} s`;

/** The weight of what is pointed at, on all words for which `counts` is true, or on all their frames. */
function share(props: Props, { asks, at }: State, found: Found, counts: (word: number) => boolean): number {
  const own =
    asks === "frames"
      ? props.words.map((_, word) => (counts(word) ? found.weight(word, at) : 0))
      : props.spoken.map((word, frame) => (counts(word) ? found.weight(at, frame) : 0));
  return own.reduce((sum, weight) => sum + weight, 0);
}

function title(props: Props, state: State): string {
  const { words, spoken, seconds } = props;
  const { asks, side, at } = state;
  if (state.shuffle) return `The ${otherThan(asks)} change places, the lines go along, and no output changes`;
  const found = find(props, state);
  const word = wordAt(props, state);
  const name = called(props, word);
  if (side !== asks) {
    const alike = `is read by the ${asks} that sound like it`;
    return `${side === "words" ? `${capital(name)}` : "This frame"} ${alike}${state.clock === "with" ? " and come about when it does" : ", wherever they are"}`;
  }
  const isAlike = (other: number): boolean => isSame(words[other], words[word]);
  const output = answer(state, found.output[at]);
  if (share(props, state, found, (other) => other === word) > 0.6) {
    if (words.filter((_, i) => isAlike(i)).length > 1) {
      const many = words.filter((_, i) => isAlike(i)).length;
      return `With positions, the ${many === 2 ? "two " : ""}‘${words[word].toLowerCase()}’ come apart`;
    }
    return asks === "frames"
      ? `A frame of ${name} finds the word by its sound: nobody told it where to look`
      : `The word ${name} finds its frames by their sound, and with them the time, ${output}`;
  }
  if (share(props, state, found, isAlike) > 0.6) {
    // the average of several right answers is a place of its own, where another word may stand
    const there = asks === "frames" ? Math.round(found.output[at]) : spoken[Math.floor(found.output[at] / seconds)];
    const all = `${words.filter((_, i) => isAlike(i)).length === 2 ? "both" : "every"} ‘${words[word].toLowerCase()}’`;
    const instead = isAlike(there)
      ? "in between"
      : `${asks === "frames" ? "the number" : "the time"} of ‘${words[there]}’`;
    return `${asks === "frames" ? `A frame of ${name}` : capital(name)} reads ${all}, so its output is ${output}: ${instead}`;
  }
  return `Sound and position do not agree, and the weight of ${side === "words" ? name : "this frame"} is spread`;
}

function describe(props: Props, state: State): string {
  const { words, spoken, seconds } = props;
  const { asks, side, at } = state;
  const found = find(props, state);
  const { weight, output, right, order } = found;
  const sum = side === asks ? average(props, state, found) : "";
  const times = runs(spoken).map(
    ([from, to, word]) => `${words[word]} from ${written(from * seconds, 1)} to ${written(to * seconds, 1)} seconds`,
  );
  const keys = otherThan(asks);
  const setting =
    `The ${asks} are the queries, the ${keys} the keys and values; they match by sound` +
    `${state.clock === "with" ? " and by position" : ""}. ` +
    (state.shuffle
      ? `The ${keys} are shuffled${keys === "words" ? `: ${order.words.map((i) => words[i]).join(", ")}` : ""}. `
      : "");
  const ofWords = (frame: number): string[] =>
    words.map((_, word) => `${called(props, word)} ${percent(weight(word, frame))}`);
  const ofFrames = (word: number): string[] =>
    runs(spoken).map(([from, to, other]) => {
      const sum = spoken.slice(from, to).reduce((total, _, t) => total + weight(word, from + t), 0);
      return `the frames of ${called(props, other)} ${percent(asks === "words" ? sum : sum / (to - from))}`;
    });
  const pointed =
    side === "frames"
      ? `The frame at ${timeOf(props, at)}, which says ${called(props, spoken[at])},`
      : capital(called(props, at));
  const rows = listed(side === "frames" ? ofWords(at) : ofFrames(at));
  const reading =
    side === asks
      ? `${pointed} reads ${rows}. Its output is ${answer(state, output[at])}${sum && ` (${sum})`}; right is ${answer(state, right[at])}.` +
        (state.clock === "with"
          ? ` Without positions it was ${answer(state, find(props, { ...state, clock: "without" }).output[at])}.`
          : "")
      : `${pointed} is read by ${rows}${side === "words" ? ", on average" : ""}.`;
  return `A sound of ${written(spoken.length * seconds, 1)} seconds says: ${listed(times)}. ${setting}${reading}`;
}

// ---- Where things are ----

const [LABELS, ROW] = [14, 19];

function layout({ words, spoken, frames, seconds }: Props, width: number) {
  const isWide = width >= 560;
  const size = isWide ? 15 : 13;
  const margin =
    Math.max(...words.map((word, i) => measure(`${i} ${word}`, size)), measure("sound", size, true) + 27) + 10;
  const room = width - margin - 4;
  const inOneLine = typeset(words, 1, Number.POSITIVE_INFINITY, 0, 0);
  const last = inOneLine[inOneLine.length - 1];
  const big = Math.max(14, Math.min(28, room / (last.x + last.width + 0.1)));
  const lines =
    typeset(words, big, room, 0, 0).reduce((most, { line }) => Math.max(most, line + 1), 1) + (last.line > 0 ? 1 : 0);
  const sentence = LABELS + 4 + big; // baseline of its first line
  const strip = sentence + (lines - 1) * 1.5 * big + (isWide ? 120 : 96);
  const band = isWide ? 8 : 7;
  const below = strip + band * frames[0].length;
  const plane = below + (isWide ? 86 : 98);
  const bottom = plane + ROW * words.length;
  return {
    isWide,
    size,
    margin,
    room,
    big,
    sentence,
    strip,
    band,
    below,
    plane,
    bottom,
    height: bottom + 28,
    step: room / spoken.length,
    x: (time: number): number => margin + (room * time) / (seconds * spoken.length),
    row: (number: number): number => plane + (number + 0.5) * ROW,
  };
}

/** The words as a sentence in the order in which they stand, by their own numbers. */
function placed(props: Props, found: Found, width: number) {
  const { big, sentence, margin, room } = layout(props, width);
  const set = typeset(
    found.order.words.map((word) => props.words[word]),
    big,
    room,
    margin,
    sentence,
  );
  const rows = set.map(({ line }) => set.filter((other) => other.line === line));
  return props.words.map((_, word) => {
    const place = found.order.words.indexOf(word);
    const last = rows[place][rows[place].length - 1];
    return { ...set[place], x: set[place].x + (margin + room - last.x - last.width) / 2 };
  });
}

// ---- What is drawn ----

function Drawing(shown: Shown<Props, State>) {
  const found = find(shown.props, shown.state);
  return (
    <g>
      <Lines {...shown} found={found} />
      <Sentence {...shown} found={found} />
      <Sound {...shown} found={found} />
      <Outputs {...shown} found={found} />
    </g>
  );
}

type Parts = Shown<Props, State> & { found: Found };

const hueOf = (side: Side, { asks }: State): Role => (side === asks ? "query" : "key");

function Label({ text, side, y, state, size }: { text: string; side: Side; y: number; state: State; size: number }) {
  const hue = hueOf(side, state);
  return (
    <g>
      <Badge x={11} y={y - size * 0.33} letter={hue === "query" ? "Q" : "K"} hue={hue} />
      <Text x={27} y={y} size={size} hue={hue} bold>
        {text}
      </Text>
    </g>
  );
}

/** All weights in grey, and those of what is pointed at. */
function Lines({ props, state, width, found }: Parts) {
  const { strip, step, margin, big } = layout(props, width);
  const words = placed(props, found, width);
  const all = props.words.flatMap((_, word) =>
    props.spoken.map((_, frame) => ({ word, frame, weight: found.weight(word, frame) })),
  );
  // a word shares its weight among many frames: its lines are drawn relative to the heaviest
  const largest = state.asks === "frames" ? 1 : Math.max(...all.map(({ weight }) => weight));
  const line = ({ word, frame, weight }: (typeof all)[0], widest: number, aside = false) => {
    const { x, y, width: wide } = words[word];
    return (
      <WeightLine
        key={`${word} ${frame}`}
        x1={x + wide / 2}
        y1={y + big * 0.36}
        x2={margin + (found.order.frames.indexOf(frame) + 0.5) * step}
        y2={strip - 3}
        weight={weight / largest}
        widest={widest}
        aside={aside}
        curve={1}
      />
    );
  };
  const isPointedAt = ({ word, frame }: (typeof all)[0]): boolean =>
    state.at === (state.side === "words" ? word : frame);
  const drawn = all.filter(({ weight }) => weight / largest >= 0.04);
  return (
    <g>
      <g>{drawn.filter((one) => !isPointedAt(one)).map((one) => line(one, 3, true))}</g>
      <g>{drawn.filter(isPointedAt).map((one) => line(one, 9))}</g>
    </g>
  );
}

function Sentence({ props, state, set, width, found }: Parts) {
  const { big, sentence, size } = layout(props, width);
  return (
    <g>
      <Label text="text" side="words" y={sentence} state={state} size={size} />
      {placed(props, found, width).map(({ text, x, y, width: wide }, word) => {
        const isPointedAt = state.side === "words" && state.at === word;
        const read = state.side === "frames" ? found.weight(word, state.at) : 0;
        const asked = state.asks === "frames" && read >= 0.095;
        return (
          <Choice
            key={word}
            label={`${text}, word ${word}`}
            chosen={isPointedAt}
            hover
            choose={() => set({ side: "words", at: word })}
          >
            <g class="cf-moves" style={{ transform: `translate(${x}px, ${y}px)` }}>
              <rect x={-0.16 * big} y={-0.35 * big - 22} width={wide + 0.32 * big} height={44} fill="transparent" />
              <rect
                x={-3}
                y={-0.92 * big}
                width={wide + 6}
                height={1.24 * big}
                rx={4}
                fill={colour(isPointedAt ? hueOf("words", state) : "weight")}
                opacity={isPointedAt ? (state.asks === "words" ? 1 : 0.2) : 0.45 * (state.asks === "frames" ? read : 0)}
              />
              <Text
                x={0}
                y={0}
                size={big}
                hue={isPointedAt ? (state.asks === "words" ? "paper" : hueOf("words", state)) : "ink"}
              >
                {text}
              </Text>
              {asked && (
                <Text x={wide / 2} y={-1.02 * big - 1} size={13} hue="weight" anchor="middle" bold>
                  {percent(read)}
                </Text>
              )}
            </g>
          </Choice>
        );
      })}
    </g>
  );
}

/** The bands of a frame; they are not drawn anew while another frame is pointed at. */
function Bands({
  frame,
  hue,
  y,
  width,
  height,
}: {
  frame: Vector;
  hue: Role;
  y: number;
  width: number;
  height: number;
}) {
  return useMemo(
    () => (
      <g>
        {frame.map((loud, b) => (
          <rect
            key={b}
            y={y + (frame.length - 1 - b) * height}
            width={width}
            height={height}
            fill={colour(hue)}
            opacity={Math.round(100 * Math.max(0, Math.min(1, 0.5 + loud / 2.6))) / 100}
            shape-rendering="crispEdges"
          />
        ))}
      </g>
    ),
    [frame, hue, y, width, height],
  );
}

/** The frames as a spectrogram: loud is dark, low is below. */
function Sound({ props, state, set, width, found, id }: Parts) {
  const { strip, band, below, step, margin, size, room } = layout(props, width);
  const { frames, spoken, seconds } = props;
  const order = found.order.frames;
  const hue = hueOf("frames", state);
  const pointed = state.side === "frames" ? state.at : -1;
  const read = spoken.map((_, frame) => (state.side === "words" ? found.weight(state.at, frame) : 0));
  const largest = Math.max(...read);
  const lit = (frame: number): number => (largest > 0 ? read[frame] / largest : frame === pointed ? 1 : 0.75);
  const choose = (place: number) =>
    set({ side: "frames", at: order[Math.max(0, Math.min(order.length - 1, Math.floor(place)))] });
  const here = pointed < 0 ? -1 : order.indexOf(pointed);
  const playhead = state.head < 0 ? -1 : margin + (state.head / seconds) * step;
  return (
    <g>
      <Label text="sound" side="frames" y={(strip + below) / 2} state={state} size={size} />
      <Text x={margin - 8} y={strip + 10} size={13} hue="quiet" anchor="end">
        high
      </Text>
      <Text x={margin - 8} y={below - 1} size={13} hue="quiet" anchor="end">
        low
      </Text>
      <clipPath id={`${id}-sound`}>
        <rect x={margin} y={strip} width={room} height={below - strip} rx={4} />
      </clipPath>
      <Handle
        label="Frame of the sound"
        says={pointed < 0 ? "none" : `at ${timeOf(props, pointed)}, ‘${props.words[spoken[pointed]]}’`}
        move={(x) => choose((x - margin) / step)}
        nudge={(dx, dy) => choose(Math.max(0, here) + dx + dy)}
      >
        <rect x={margin} y={strip} width={room} height={below - strip} rx={4} fill={colour("surface")} />
        <g clip-path={`url(#${id}-sound)`}>
          {frames.map((frame, t) => (
            <g
              key={t}
              class="cf-moves"
              opacity={0.5 + 0.5 * lit(t)}
              style={{ transform: `translateX(${margin + order.indexOf(t) * step}px)` }}
            >
              <Bands frame={frame} hue={hue} y={strip} width={step} height={band} />
            </g>
          ))}
        </g>
        {order.map((t, place) => (
          <rect
            key={t}
            x={margin + place * step}
            y={strip}
            width={step}
            height={below - strip}
            fill="transparent"
            onPointerEnter={() => choose(place)}
          />
        ))}
        {here >= 0 && (
          <rect
            x={margin + here * step - 1}
            y={strip - 3}
            width={step + 2}
            height={below - strip + 6}
            rx={3}
            fill="none"
            stroke={colour("ink")}
            stroke-width={2}
            pointer-events="none"
          />
        )}
      </Handle>
      {playhead >= 0 && (
        <path
          d={`M${playhead} ${strip - 8} V${below + 8}`}
          stroke={colour("ink")}
          stroke-width={2}
          pointer-events="none"
        />
      )}
      <Shares {...{ props, state, width, found, set, id }} />
    </g>
  );
}

/** Below the sound: the time of a frame, or the weight of a word on each stretch of frames. */
function Shares({ props, state, width, found }: Parts) {
  const { below, step, margin, x } = layout(props, width);
  if (state.side === "frames") {
    const place = margin + (found.order.frames.indexOf(state.at) + 0.5) * step;
    return (
      <Text x={Math.min(place, width - 20)} y={below + 19} size={13} anchor="middle" bold>
        {timeOf(props, state.at)}
      </Text>
    );
  }
  if (state.asks === "frames" || state.shuffle) return null;
  return (
    <g>
      {runs(props.spoken).map(([from, to]) => {
        const sum = props.spoken.slice(from, to).reduce((total, _, t) => total + found.weight(state.at, from + t), 0);
        if (sum < 0.095) return null;
        const middle = x(((from + to) / 2) * props.seconds);
        return (
          <Text key={from} x={Math.min(middle, width - 16)} y={below + 19} size={13} hue="weight" anchor="middle" bold>
            {percent(sum)}
          </Text>
        );
      })}
    </g>
  );
}

const isHalf = (weight: number): boolean => Math.abs(weight - 0.5) < 0.02;
const factor = (weight: number): string => (isHalf(weight) ? "½" : written(weight));

/**
 * How an output comes about that is the average of several values: "½ × 0 + ½ × 4 = 2.0"; "" where one value has nearly
 * all the weight, or too many have some. Of the frames of a word the mean time counts.
 */
function average(props: Props, state: State, found: Found): string {
  const { words, spoken, seconds } = props;
  const parts =
    state.asks === "frames"
      ? words.map((_, word) => ({ weight: found.weight(word, state.at), value: word }))
      : runs(spoken).map(([from, to]) => {
          const frames = Array.from({ length: to - from }, (_, t) => from + t);
          const weight = frames.reduce((sum, t) => sum + found.weight(state.at, t), 0);
          const sum = frames.reduce((total, t) => total + found.weight(state.at, t) * (t + 0.5) * seconds, 0);
          return { weight, value: sum / weight };
        });
  const told = parts.filter(({ weight }) => weight >= 0.095);
  if (told.length < 2 || told.length > 3) return "";
  const output = found.output[state.at];
  const sum = told.reduce((total, { weight, value }) => total + (isHalf(weight) ? 0.5 : weight) * value, 0);
  const near = state.asks === "frames" ? 0.05 : 0.02;
  const value = (x: number): string => (state.asks === "frames" ? String(x) : written(x));
  const terms = told.map((part) => `${factor(part.weight)} × ${value(part.value)}`);
  return `${terms.join(" + ")} ${Math.abs(sum - output) < near ? "=" : "≈"} ${answer(state, output)}`;
}

const far = (dx: number, dy: number): boolean => Math.hypot(dx, dy) > 14; // seen beside a dot

/** From dot to dot, with a head. */
function arrow(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const long = Math.hypot(to.x - from.x, to.y - from.y);
  const [dx, dy] = [(to.x - from.x) / long, (to.y - from.y) / long];
  const [x, y] = [to.x - 9 * dx, to.y - 9 * dy];
  const wing = (side: number): string => `M${x} ${y} l${-6 * dx - side * 4 * dy} ${-6 * dy + side * 4 * dx}`;
  return `M${from.x + 6 * dx} ${from.y + 6 * dy} L${x} ${y} ${wing(1)} ${wing(-1)}`;
}

/** What the queries read, beside what is right: words by number downwards, time to the right. */
function Outputs({ props, state, width, found }: Parts) {
  const { words, spoken, seconds } = props;
  const { isWide, size, margin, room, step, below, plane, bottom, x, row } = layout(props, width);
  const dots = found.output.map((output, i) =>
    state.asks === "frames"
      ? { x: x((i + 0.5) * seconds), y: row(output), rightX: x((i + 0.5) * seconds), rightY: row(found.right[i]) }
      : { x: x(output), y: row(i), rightX: x(found.right[i]), rightY: row(i) },
  );
  const pointed = state.side === state.asks ? dots[state.at] : undefined;
  // where there are several right answers, the line joins them, and the output is seen to lie between
  const word = wordAt(props, state);
  const alike = words.flatMap((other, i) => (isSame(other, words[word]) ? [i] : []));
  // what positions have moved: the output of the frame that is pointed at, or those of all words that are alike
  const moved = !pointed || state.clock === "without" ? [] : state.asks === "frames" ? [state.at] : alike;
  const before = moved.length ? find(props, { ...state, clock: "without" }).output : [];
  const earlier = moved
    .map((i) => ({
      from: state.asks === "frames" ? { x: dots[i].x, y: row(before[i]) } : { x: x(before[i]), y: row(i) },
      to: dots[i],
    }))
    .filter(({ from, to }) => far(from.x - to.x, from.y - to.y));
  const between = (dot: (typeof dots)[0]): string =>
    state.clock === "with" || alike.length < 2
      ? `M${dot.rightX} ${dot.rightY} L${dot.x} ${dot.y}`
      : state.asks === "frames"
        ? `M${dot.x} ${row(Math.min(...alike))} V${row(Math.max(...alike))}`
        : `M${x(Math.min(...alike.map((i) => middles(props)[i])))} ${dot.y} H${x(Math.max(...alike.map((i) => middles(props)[i])))}`;
  const says = pointed ? average(props, state, found) || answer(state, found.output[state.at]) : "";
  const half = measure(says, size, true) / 2;
  const saysAt = pointed ? Math.max(margin + half + 4, Math.min(width - 2 - half, pointed.x)) : 0;
  const long = spoken.length * seconds;
  const tick = long > 6 ? Math.ceil(long / 6) : 0.5;
  const ticks = Array.from({ length: Math.floor(long / tick + 1e-6) + 1 }, (_, i) => i * tick);
  const small = Math.min(4, 0.32 * step); // radius of a dot: the large one leaves room for those beside it
  const keyed = below + (isWide ? 45 : 66); // height of the legend
  const numbers = state.asks === "frames"; // of the words are the values; otherwise the times of the frames
  const truth = numbers ? "true word" : "true time";
  const legend = width - 4 - measure("answer", size) - measure(truth, size) - 48;
  // the bar on which the answer should lie is named, where it lies apart from it
  const apart = pointed && numbers ? pointed.rightY - pointed.y : 0;
  const end = runs(spoken).find(([from, to]) => from <= state.at && state.at < to);
  const wide = measure(truth, size) + 8;
  const bar =
    end && (apart > 12 || apart < -45)
      ? x(end[1] * seconds) + wide < width
        ? { x: x(end[1] * seconds) + 8, anchor: "start" as const }
        : { x: x(end[0] * seconds) - 8, anchor: "end" as const }
      : undefined;
  return (
    <g>
      <Badge x={11} y={numbers ? below + 45 : bottom + 15} letter="V" hue="value" />
      <Text x={27} y={(numbers ? below + 45 : bottom + 15) + size * 0.33} size={size} hue="value" bold>
        value
      </Text>
      <Badge x={margin + 11} y={below + 45} letter="O" hue="output" />
      <Text x={margin + 27} y={below + 45 + size * 0.33} size={size} hue="output" bold>
        {numbers ? "output: which word?" : "output: when?"}
      </Text>
      <circle cx={legend + 4} cy={keyed} r={4} fill={colour("output")} />
      <Text x={legend + 13} y={keyed + size * 0.33} size={size} hue="quiet">
        answer
      </Text>
      <rect
        x={width - 4 - measure(truth, size) - 24}
        y={keyed - 4}
        width={18}
        height={8}
        rx={2}
        fill={colour("line")}
      />
      <Text x={width - 4} y={keyed + size * 0.33} size={size} hue="quiet" anchor="end">
        {truth}
      </Text>
      {ticks.map((time) => (
        <g key={time}>
          <path d={`M${x(time)} ${plane} V${bottom + 4}`} stroke={colour("line")} />
          <Text
            x={x(time)}
            y={bottom + 19}
            size={13}
            hue={numbers ? "quiet" : "value"}
            anchor={time === 0 ? "start" : x(time) > width - 14 ? "end" : "middle"}
          >
            {`${written(time, tick % 1 ? 1 : 0)}${time === 0 ? " s" : ""}`}
          </Text>
        </g>
      ))}
      {words.map((word, i) => (
        <g key={i}>
          <Text x={margin - 8} y={row(i) + size * 0.33} size={size} anchor="end">
            <tspan fill={colour(numbers ? "value" : "quiet")} font-weight={numbers ? 600 : 400}>
              {i}
            </tspan>
            {` ${word}`}
          </Text>
          <path d={`M${margin} ${row(i)} H${margin + room}`} stroke={colour("line")} />
        </g>
      ))}
      {runs(spoken).map(([from, to, word]) => (
        <rect
          key={from}
          x={x(from * seconds)}
          y={row(word) - 5}
          width={x(to * seconds) - x(from * seconds)}
          height={10}
          rx={2}
          fill={colour("line")}
        />
      ))}
      {dots.map((dot, i) => (
        <circle
          key={i}
          cx={dot.x}
          cy={dot.y}
          r={small}
          fill={colour("output")}
          stroke={colour("paper")}
          stroke-width={1}
        />
      ))}
      {pointed && (
        <g>
          {far(pointed.rightX - pointed.x, pointed.rightY - pointed.y) && (
            <path
              d={between(pointed)}
              fill="none"
              stroke={colour("output")}
              stroke-width={1.5}
              stroke-dasharray="2 3"
            />
          )}
          {earlier.map(({ from, to }) => (
            <g key={`${from.x} ${from.y}`} fill="none" stroke={colour("output")} stroke-width={1.5}>
              <circle cx={from.x} cy={from.y} r={6} fill={colour("paper")} stroke-dasharray="3 2" />
              <path d={arrow(from, to)} />
            </g>
          ))}
          <circle
            cx={pointed.x}
            cy={pointed.y}
            r={small + 3}
            fill={colour("output")}
            stroke={colour("paper")}
            stroke-width={1.5}
          />
          {bar && (
            <g style={{ paintOrder: "stroke", stroke: colour("paper"), strokeWidth: 5 }}>
              <Text x={bar.x} y={pointed.rightY + size * 0.33} size={size} hue="quiet" anchor={bar.anchor}>
                {truth}
              </Text>
            </g>
          )}
          <rect
            x={saysAt - half - 5}
            y={pointed.y - 29}
            width={2 * half + 10}
            height={20}
            rx={5}
            fill={colour("paper")}
            opacity={0.92}
          />
          <Text x={saysAt} y={pointed.y - 13} size={size} hue="output" anchor="middle" bold>
            {says}
          </Text>
        </g>
      )}
    </g>
  );
}

// ---- Sound, and the other controls ----

function Play({ props, state, set }: Shown<Props, State>) {
  const context = useRef<AudioContext | null>(null);
  const voice = useRef<Voice | null>(null);
  const stop = () => {
    voice.current?.stop();
    voice.current = null;
    set({ head: -1 });
  };
  useEffect(
    () => () => {
      voice.current = null;
      context.current?.close();
    },
    [],
  );
  const play = () => {
    context.current ??= new AudioContext();
    const clock = context.current;
    clock.resume();
    const order = find(props, state).order.frames;
    const spoken = order.map((t) => props.spoken[t]);
    const own = say(clock, order.map((t) => props.frames[t]), spoken, props.seconds); // biome-ignore format: one line says it
    voice.current = own;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const follow = () => {
      if (voice.current !== own) return;
      const head = clock.currentTime - own.starts;
      if (clock.currentTime >= own.ends) return stop();
      if (head >= 0 && !isStill) set({ head, side: "frames", at: order[Math.floor(head / props.seconds)] });
      requestAnimationFrame(follow);
    };
    set({ head: 0 });
    follow();
  };
  const isMute = typeof document !== "undefined" && typeof AudioContext === "undefined";
  return <Button label={state.head < 0 ? "▶ Play" : "■ Stop"} press={state.head < 0 ? play : stop} disabled={isMute} />;
}

const SIDES = [
  ["frames", "frames"],
  ["words", "words"],
] as const;
const CLOCKS = [
  ["without", "off"],
  ["with", "on"],
] as const;

function Controls(shown: Shown<Props, State>) {
  const { props, state, set, id } = shown;
  return (
    <>
      <Play {...shown} />
      <Options
        label="Who asks"
        name={`${id}-asks`}
        options={SIDES}
        value={state.asks}
        set={(asks) =>
          set({
            asks,
            shuffle: 0,
            side: asks,
            at: asks === "words" ? wordAt(props, state) : firstFrame(props, wordAt(props, state)),
          })
        }
      />
      {props.clock && (
        <Options
          label="Positions"
          name={`${id}-clock`}
          options={CLOCKS}
          value={state.clock}
          set={(clock) => set({ clock })}
        />
      )}
      <Button
        label={state.shuffle ? "Put in order" : "Shuffle keys and values"}
        press={() => set({ shuffle: state.shuffle ? 0 : 1 + Math.floor(1e6 * Math.random()) })}
      />
    </>
  );
}

const firstFrame = ({ spoken }: Props, word: number): number => spoken.indexOf(word);

export const alignment: Figure<Props, State> = {
  initial: (props) => {
    const { words } = props;
    const again = words.findIndex((word, i) => words.slice(0, i).some((other) => isSame(word, other)));
    return {
      asks: "frames",
      clock: "without",
      shuffle: 0,
      side: "frames",
      at: firstFrame(props, Math.max(0, again)),
      head: -1,
    };
  },
  title,
  describe,
  height: (props, _, width) => layout(props, width).height,
  Drawing,
  Controls,
};
