// A word moves (chapter 04): the vector of a word, pulled in a plane by the words that it attends to.

import { useEffect, useState } from "preact/hooks";
import type { Figure, Shown } from "../figure";
import { attention, causalMask, type Matrix, product, type Vector } from "../maths";
import {
  Choice,
  colour,
  Edges,
  FAINTEST,
  Handle,
  More,
  measure,
  Options,
  type Placed,
  percent,
  type Role,
  Slider,
  strength,
  strips,
  Text,
  thickness,
  typeset,
  written,
} from "../parts";

interface Props {
  sentences: { words: string[]; X: Matrix }[]; // of each: n words, n vectors (x, y)
  W_Q: Matrix; // (2, d_k)
  W_K: Matrix; // (2, d_k)
  W_V: Matrix; // (2, 2)
  axes: [[string, string], [string, string]]; // what lies left and right, below and above
  centre: Vector; // the plane shows centre ± reach, both ways
  reach: number;
  sentence: number; // which sentence and which of its words come first
  word: number;
  sharpness: number;
  residual: boolean; // whether the old vector is added to what is read
  causal: boolean | null; // whether words see only earlier ones; null: the reader is not asked
}
interface State {
  sentence: number; // which word was chosen
  word: number;
  pointed: { sentence: number; word: number } | null; // which one is shown meanwhile, under the pointer or the focus
  places: Matrix; // of the points, before attention
  sharpness: number;
  residual: boolean;
  causal: boolean;
  show: "before" | "after";
  pulls: boolean; // whether the arrow is drawn as the sum that it is, too
}

/** The state with the word that is pointed at as the chosen one. */
const seen = (state: State): State => ({ ...state, ...state.pointed });

// ---- What is computed ----

const add = (a: Vector, b: Vector): Vector => a.map((x, i) => x + b[i]);
const minus = (a: Vector, b: Vector): Vector => a.map((x, i) => x - b[i]);
const times = (factor: number, a: Vector): Vector => a.map((x) => factor * x);
const length = (a: Vector): number => Math.hypot(...a);

/** A word without the punctuation after it. */
const bare = (word: string): string => word.replace(/[.,;:!?]+$/, "");
const quoted = (word: string): string => `‘${word}’`;
const pair = (a: Vector): string => `(${a.map((x) => written(x)).join(", ")})`;

interface Points {
  names: string[];
  places: Matrix;
  of: number[][]; // the point of each word of each sentence
}

/** One point for each word: a word that comes twice with the same vector is one point. */
function pointsOf({ sentences }: Props): Points {
  const points: Points = { names: [], places: [], of: [] };
  for (const { words, X } of sentences) {
    points.of.push(
      words.map((word, i) => {
        const same = (name: string, j: number) => name === bare(word) && length(minus(points.places[j], X[i])) === 0;
        const found = points.names.findIndex(same);
        if (found >= 0) return found;
        points.places.push(X[i]);
        return points.names.push(bare(word)) - 1;
      }),
    );
  }
  return points;
}

interface Pull {
  j: number; // of the word that pulls
  name: string;
  weight: number;
  pull: Vector; // weight · value
}
interface Move {
  name: string;
  from: Vector;
  to: Vector;
  weights: Vector;
  pulls: Pull[]; // of each word of the sentence
}

/** How each word of a sentence moves. */
function movesOf(props: Props, state: State, sentence: number): Move[] {
  const names = props.sentences[sentence].words.map(bare);
  const X = pointsOf(props).of[sentence].map((point) => state.places[point]);
  const Q = product(X, props.W_Q).map((q) => times(state.sharpness, q));
  const V = product(X, props.W_V);
  const mask = state.causal ? causalMask(X.length, X.length) : undefined;
  const { weights, output } = attention(Q, product(X, props.W_K), V, mask);
  return X.map((from, i) => ({
    name: names[i],
    from,
    to: state.residual ? add(from, output[i]) : output[i],
    weights: weights[i],
    pulls: weights[i].map((weight, j) => ({ j, name: names[j], weight, pull: times(weight, V[j]) })),
  }));
}

/** The chosen word's place in every sentence that has it; −1 where it is missing. */
function readers(props: Props, state: State): number[] {
  const { of } = pointsOf(props);
  const point = of[state.sentence][state.word];
  return of.map((points, sentence) => (sentence === state.sentence ? state.word : points.indexOf(point)));
}

const strongest = ({ pulls }: Move): Pull => pulls.reduce((a, b) => (length(b.pull) > length(a.pull) ? b : a));

/** What a word is called in its new place. */
function called(move: Move): string {
  const by = strongest(move).name;
  return by === move.name ? `${by}, after` : `${move.name} with ${by}`;
}

/** What happens to a word: a phrase to follow it. */
function finding(move: Move, reach: number): string {
  const most = strongest(move);
  if (length(minus(move.to, move.from)) < reach / 50) return "hardly moves";
  if (most.name === move.name) return "is moved most by itself";
  return `is moved most by ${quoted(most.name)}`;
}

/** The chosen word's move in each sentence that has the word, the chosen sentence first. */
function tracks(props: Props, state: State) {
  return readers(props, state)
    .map((word, sentence) => ({ word, sentence }))
    .filter(({ word }) => word >= 0)
    .sort((a, b) => Number(b.sentence === state.sentence) - Number(a.sentence === state.sentence))
    .map(({ word, sentence }) => {
      const move = movesOf(props, state, sentence)[word];
      return { sentence, move, says: finding(move, props.reach) };
    });
}

// ---- The sentences ----

const SIZE = 20;
const ARCS = 46; // room above a line of words
const LEADING = (SIZE + ARCS) / SIZE;
const ROW = 26;

interface Line {
  words: Placed[];
  bottom: number;
}

/** The sentences under one another, typeset. */
function lines({ sentences }: Props, width: number): Line[] {
  let top = 0;
  return sentences.map(({ words }) => {
    const placed = typeset(words, SIZE, width, 0, top + ARCS + SIZE - 4, LEADING);
    top = placed[placed.length - 1].y + 10;
    return { words: placed, bottom: top };
  });
}

const middle = (word: Placed): number => word.x + measure(bare(word.text), SIZE) / 2;

/** From the word that reads to a word that it reads, over the words between; to itself, a loop. */
function Arc({ from, to, weight }: { from: Placed; to: Placed; weight: number }) {
  if (weight < 0.005) return null;
  const [x1, x2] = [middle(from), middle(to)];
  const wide = from === to ? 12 : 0;
  const [y1, y2] = [from.y - SIZE + 1, to.y - SIZE + 1];
  const top = Math.min(y1, y2) - Math.min(ARCS + 6, 24 + 0.2 * Math.abs(x2 - x1));
  return (
    <path
      d={`M${x1} ${y1} C${x1 - wide} ${top} ${x2 + wide} ${top} ${x2} ${y2}`}
      fill="none"
      stroke={colour("weight")}
      stroke-linecap="round"
      stroke-width={thickness(weight, 8)}
      opacity={strength(weight)}
    />
  );
}

function Sentences({ props, state, set, width }: Shown<Props, State>) {
  const reading = readers(props, state);
  return (
    <g>
      {lines(props, width).map(({ words }, sentence) => {
        const reader = reading[sentence];
        const here = sentence === state.sentence;
        const weights = reader < 0 ? [] : movesOf(props, state, sentence)[reader].weights;
        return (
          <g key={sentence}>
            {weights.map((weight, j) => (
              <Arc key={j} from={words[reader]} to={words[j]} weight={weight} />
            ))}
            {words.map((word, i) => {
              const chosen = i === reader;
              return (
                <Choice
                  key={i}
                  label={`${bare(word.text)}, in ${props.sentences[sentence].words.join(" ")}`}
                  chosen={here && chosen}
                  choose={() => set({ sentence, word: i, pointed: null })}
                  point={(on) => set({ pointed: on ? { sentence, word: i } : null })}
                >
                  <rect x={word.x - 4} y={word.y - 30} width={word.width + 8} height={44} fill="transparent" />
                  {chosen && (
                    <rect
                      x={word.x - 1}
                      y={word.y + 5}
                      width={measure(bare(word.text), SIZE) + 2}
                      height={3}
                      rx={1.5}
                      fill={colour("output")}
                      opacity={here ? 1 : FAINTEST}
                    />
                  )}
                  <Text x={word.x} y={word.y} size={SIZE} hue={here ? "ink" : "quiet"}>
                    {word.text}
                  </Text>
                </Choice>
              );
            })}
          </g>
        );
      })}
    </g>
  );
}

/** The new vector as a sum: the old one, and what it reads. */
function Sum({ props, state, width }: Shown<Props, State>) {
  const move = movesOf(props, state, state.sentence)[state.word];
  const whole = measure(`${called(move)} = ${move.name} + shares of the values`, 15, true);
  const shares = whole <= width ? "shares of the " : "";
  const left =
    Math.max(...props.sentences.flatMap(({ words }) => words.map((word) => measure(bare(word), 15, true)))) + 8;
  return (
    <g>
      <Text x={0} y={16} hue="quiet">
        <tspan font-weight={600} fill={colour("output")}>
          {called(move)}
        </tspan>
        {state.residual ? ` = ${move.name} + ${shares}` : ` = ${shares}`}
        <tspan font-weight={600} fill={colour("value")}>
          values
        </tspan>
      </Text>
      {move.pulls.map(({ j, name, weight }) => (
        <g key={j} transform={`translate(0 ${28 + j * ROW})`}>
          <Text x={left - 8} y={15} hue="value" anchor="end" bold={j === strongest(move).j}>
            {name}
          </Text>
          <rect
            x={left}
            width={(width - left - 44) * weight}
            height={20}
            rx={2}
            fill={colour("weight")}
            opacity={0.75}
          />
          <Text x={left + (width - left - 44) * weight + 6} y={15}>
            {weight >= 0.005 ? percent(weight) : weight > 0 && "< 1 %"}
          </Text>
        </g>
      ))}
    </g>
  );
}

// ---- The plane ----

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));
export const around = ([x, y]: Vector, radius: number): Box => ({
  x: x - radius,
  y: y - radius,
  width: 2 * radius,
  height: 2 * radius,
});

export interface Label {
  text: string;
  at: Vector; // what it names, in pixels
  hue: Role;
  bold?: boolean;
  spare?: boolean; // left out where there is no room
}
interface PlacedLabel extends Label, Box {
  far: boolean; // so far from what it names that a line joins them
}

const HIGH = 17; // of a label

/** Where the middle of a label may be, around what it names: nearer places first. */
const AROUND = [1, 1.9, 2.8].flatMap((ring) =>
  [
    [1, 0],
    [-1, 0],
    [0, -1],
    [0, 1],
    [0.8, -0.9],
    [-0.8, -0.9],
    [0.8, 0.9],
    [-0.8, 0.9],
    [1, -1.8],
    [-1, -1.8],
    [1, 1.8],
    [-1, 1.8],
  ].map(([dx, dy]) => ({ dx, dy: dy * ring, wide: ring })),
);

/** Put each label beside what it names: never on another label, and on as little else as can be; the first ones first. */
export function placed(labels: Label[], words: Box[], marks: Box[], side: number, tall = side): PlacedLabel[] {
  const taken = [...words];
  return labels.flatMap((label) => {
    const [width, height] = [measure(label.text, 14, label.bold) + 4, HIGH];
    const tried = AROUND.map(({ dx, dy, wide }, rank) => {
      const x = label.at[0] + dx * (width / 2 + 9 + 12 * (wide - 1)) - width / 2;
      const y = label.at[1] + dy * HIGH - height / 2;
      const box = {
        x: Math.max(2, Math.min(side - width - 2, x)),
        y: Math.max(2, Math.min(tall - height - 2, y)),
        width,
        height,
      };
      const covers = (others: Box[]): number => others.reduce((sum, other) => sum + overlap(box, other), 0);
      return { box, far: wide > 1, on: covers(taken), cost: 40 * covers(taken) + covers(marks) + 1.5 * rank };
    });
    const { box, far, on, cost } = tried.reduce((a, b) => (b.cost < a.cost ? b : a));
    if (label.spare && (on > 0 || cost > 60)) return [];
    taken.push(box);
    return [{ ...label, ...box, far }];
  });
}

/** An arrow with its head, from one place to another, in pixels; it ends before the dot that stands there. */
export function Arrow(props: { from: Vector; to: Vector; hue: Role; thick: number; before?: number }) {
  const { from, hue, thick, before = 0 } = props;
  const way = minus(props.to, from);
  const far = length(way) - before;
  if (far < 2) return null;
  const unit = times(1 / length(way), way);
  const to = add(from, times(far, unit));
  const head = Math.min(0.7 * far, 5 + 2 * thick);
  const neck = add(to, times(-head, unit));
  const across = times(0.55 * head, [-unit[1], unit[0]]);
  const corners = [to, add(neck, across), minus(neck, across)];
  return (
    <g>
      <line x1={from[0]} y1={from[1]} x2={neck[0]} y2={neck[1]} stroke={colour(hue)} stroke-width={thick} />
      <polygon points={corners.map((corner) => corner.join(",")).join(" ")} fill={colour(hue)} />
    </g>
  );
}

/** From 0, before, to 1, after, in less than a second; at once for whoever wants no movement. */
function useGlide(target: number): number {
  const [at, setAt] = useState(target);
  useEffect(() => {
    if (at === target) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return setAt(target);
    let begun: number | undefined;
    let frame = requestAnimationFrame(function step(now: number) {
      begun ??= now;
      const t = Math.min(1, (now - begun) / 800);
      setAt(at + (target - at) * t * t * (3 - 2 * t));
      if (t < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [target]);
  return at;
}

/** What lies left, right, below and above. */
const edgesOf = ({ axes: [across, up] }: Props): string[] => [...across, ...up];

const BACK = "put back";
const [THICK, DOT] = [4, 7]; // of the arrow from what a word was to what it became, and of the dot there

function Plane({
  props,
  state,
  set,
  id,
  side,
  left,
  top,
}: Shown<Props, State> & Record<"side" | "left" | "top", number>) {
  const after = useGlide(state.show === "after" ? 1 : 0);
  const { centre, reach } = props;
  const pixel = (place: Vector): Vector => {
    const [x, y] = times(side / (2 * reach), minus(place, centre));
    return [side / 2 + x, side / 2 - y];
  };
  const placeAt = (x: number, y: number): Vector =>
    add(centre, times((2 * reach) / side, [x - left - side / 2, top + side / 2 - y]));
  const within = (value: number, i: number): number =>
    Math.round(100 * Math.max(centre[i] - reach, Math.min(centre[i] + reach, value))) / 100;
  const drag = (point: number, to: Vector) =>
    set({ places: state.places.map((place, i) => (i === point ? to.map(within) : place)) });

  const { names, of, places } = pointsOf(props);
  const moved = state.places.some((place, i) => length(minus(place, places[i])) > 0);
  const back: Box = { x: side - measure(BACK, 14) - 18, y: side - 32, width: measure(BACK, 14) + 16, height: 30 };
  const moves = movesOf(props, state, state.sentence);
  const all = tracks(props, state); // one for each sentence that has the word, the chosen one first
  const [{ move }] = all;
  const chosen = of[state.sentence][state.word];
  const isHere = (point: number): boolean => of[state.sentence].includes(point);
  // where each point stands now: only the other words of the chosen sentence move
  const now = state.places.map((place, point) => {
    const word = of[state.sentence].indexOf(point);
    return pixel(point === chosen || word < 0 ? place : add(place, times(after, minus(moves[word].to, place))));
  });
  const chain = [pixel(state.residual ? move.from : [0, 0])];
  let end = state.residual ? move.from : [0, 0];
  for (const { pull } of state.pulls ? move.pulls : []) {
    end = add(end, pull);
    chain.push(pixel(end));
  }
  const from = pixel(move.from);

  const origin = pixel([0, 0]);
  const path = (a: Vector, b: Vector): Box[] =>
    [0.15, 0.3, 0.45, 0.6, 0.75, 0.9].map((t) => around(add(times(1 - t, a), times(t, b)), 6));
  const others = names.map((text, point) => ({ text, point })).filter(({ point }) => point !== chosen);
  const labels = placed(
    [
      ...all.map((track, i) => ({
        text: called(track.move),
        at: pixel(track.move.to),
        hue: "output" as Role,
        bold: i === 0,
      })),
      { text: move.name, at: from, hue: "ink" as Role, bold: true },
      ...others
        .filter(({ point }) => isHere(point))
        .map(({ text, point }) => ({ text, at: now[point], hue: "ink" as Role })),
      ...others
        .filter(({ point }) => !isHere(point))
        .map(({ text, point }) => ({ text, at: now[point], hue: "quiet" as Role, spare: true })),
      ...chain.slice(1).flatMap((place, k) =>
        length(minus(place, chain[k])) < 34
          ? []
          : [
              {
                text: `+ ${move.pulls[k].name}`,
                at: times(0.5, add(chain[k], place)),
                hue: "value" as Role,
                spare: true,
              },
            ],
      ),
    ],
    moved ? [back] : [],
    [
      ...now.map((place) => around(place, 9)),
      ...state.places.map((place) => around(pixel(place), 6)),
      ...all.map((track) => around(pixel(track.move.to), DOT + 1)),
      ...chain.slice(1).flatMap((place, k) => path(chain[k], place)),
      ...all.flatMap((track) => path(from, pixel(track.move.to))),
    ],
    side,
  );

  return (
    <g transform={`translate(${left} ${top})`}>
      <clipPath id={`${id}-plane`}>
        <rect width={side} height={side} rx={8} />
      </clipPath>
      <rect width={side} height={side} rx={8} fill={colour("surface")} />
      <path d={`M0 ${origin[1]}H${side}M${origin[0]} 0V${side}`} stroke={colour("line")} stroke-width={1.5} />
      <Edges edges={edgesOf(props)} side={side} />
      <g clip-path={`url(#${id}-plane)`}>
        {state.places.map((place, point) =>
          point === chosen || after === 0 ? null : (
            <line
              key={point}
              x1={pixel(place)[0]}
              y1={pixel(place)[1]}
              x2={now[point][0]}
              y2={now[point][1]}
              stroke={colour("faint")}
              stroke-dasharray="2 3"
              opacity={after}
            />
          ),
        )}
        {[...all].reverse().map((track) => {
          const to = pixel(track.move.to);
          const isOwn = track.sentence === state.sentence;
          return (
            <g key={track.sentence} opacity={isOwn ? 1 : FAINTEST}>
              <Arrow from={from} to={to} hue="output" thick={isOwn && state.pulls ? 1.5 : THICK} before={DOT + 1} />
            </g>
          );
        })}
        {chain.slice(1).map((place, k) => (
          <Arrow
            key={k}
            from={chain[k]}
            to={place}
            hue="value"
            thick={3}
            before={k === chain.length - 2 ? DOT + 1 : 0}
          />
        ))}
      </g>
      <g stroke={colour("faint")} pointer-events="none">
        {labels
          .filter(({ far }) => far)
          .map(({ at, x, y, width, height }, i) => (
            <line
              key={i}
              x1={at[0]}
              y1={at[1]}
              x2={Math.max(x, Math.min(x + width, at[0]))}
              y2={Math.max(y, Math.min(y + height, at[1]))}
            />
          ))}
      </g>
      <g style={{ paintOrder: "stroke", stroke: colour("surface"), strokeWidth: 4, strokeLinejoin: "round" }}>
        {labels.map(({ text, x, y, hue, bold }, i) => (
          <Text key={i} x={x + 2} y={y + 13} size={14} hue={hue} bold={bold ?? false}>
            {text}
          </Text>
        ))}
      </g>
      {state.places.map((place, point) => {
        const [x, y] = pixel(place);
        return (
          <Handle
            key={point}
            label={`Vector of ${names[point]}`}
            says={`at ${pair(place)}`}
            move={(x, y) => drag(point, placeAt(x, y))}
            nudge={(dx, dy) => drag(point, add(place, times(reach / 50, [dx, dy])))}
          >
            <circle cx={x} cy={y} r={22} fill="transparent" />
            <circle cx={x} cy={y} r={4} fill={colour("surface")} stroke={colour("faint")} stroke-width={1.5} />
          </Handle>
        );
      })}
      {moved && (
        <Choice label="Put the vectors back" chosen={false} choose={() => set({ places })}>
          <rect x={back.x} y={back.y} width={back.width} height={back.height} fill="transparent" />
          <g text-decoration="underline">
            <Text x={side - 10} y={side - 10} size={14} anchor="end">
              {BACK}
            </Text>
          </g>
        </Choice>
      )}
      <g pointer-events="none">
        {now.map(([x, y], point) => (
          <circle
            key={point}
            cx={x}
            cy={y}
            r={point === chosen ? DOT : 5}
            fill={colour(isHere(point) ? "ink" : "faint")}
          />
        ))}
        {[...all].reverse().map((track) => {
          const [x, y] = pixel(track.move.to);
          const r = track.sentence === state.sentence ? DOT : DOT - 2;
          return <circle key={track.sentence} cx={x} cy={y} r={r} fill={colour("output")} />;
        })}
      </g>
    </g>
  );
}

// ---- The whole ----

const isWide = (width: number): boolean => width >= 560;
const sideOf = (width: number): number => (isWide(width) ? Math.min(400, 0.55 * width) : width);

function layout(props: Props, width: number) {
  const side = sideOf(width);
  const { above, below } = strips(edgesOf(props), side);
  const plane = above + side + below;
  const column = isWide(width) ? width - side - 28 : width;
  const sentences = lines(props, column);
  const words = sentences[sentences.length - 1].bottom;
  const rows = 34 + ROW * Math.max(...props.sentences.map(({ words }) => words.length));
  if (isWide(width)) {
    return {
      side,
      column,
      left: width - side,
      top: above,
      sum: words + 24,
      height: Math.max(plane, words + 24 + rows),
    };
  }
  const sum = words + 6 + plane + 14;
  return { side, column, left: 0, top: words + 6 + above, sum, height: sum + rows };
}

export const wordMoves: Figure<Props, State> = {
  initial: (props) => ({
    sentence: props.sentence,
    word: props.word,
    pointed: null,
    places: pointsOf(props).places,
    sharpness: props.sharpness,
    residual: props.residual,
    causal: props.causal ?? false,
    show: "before",
    pulls: true,
  }),
  title(props, own) {
    const state = seen(own);
    const [{ move, says }, ...others] = tracks(props, state);
    const other = others.find((track) => track.says !== says);
    return `${quoted(move.name)} ${says}${other ? `; in another sentence, ${other.says.replace(/^is moved most /, "")}` : ""}`;
  },
  describe(props, own) {
    const state = seen(own);
    const [[left, right], [below, above]] = props.axes;
    const told = tracks(props, state).map(({ sentence, move }) => {
      const pulls = move.pulls.map(({ name, weight, pull }) => `${name} ${percent(weight)}, which gives ${pair(pull)}`);
      return (
        `In ${quoted(props.sentences[sentence].words.join(" "))}, ${quoted(move.name)} at ${pair(move.from)} attends to: ` +
        `${pulls.join("; ")}. ${state.residual ? "With its old vector, the" : "The"} sum is ${pair(move.to)}.`
      );
    });
    const all = movesOf(props, state, state.sentence).map(
      ({ name, from, to }) => `${name} from ${pair(from)} to ${pair(to)}`,
    );
    return (
      `A plane from ${left} to ${right}, and from ${below} (down) to ${above} (up). ${told.join(" ")} ` +
      `Sharpness ${written(state.sharpness, 1)}${state.causal ? ", words see only earlier words" : ""}. ` +
      `All words move: ${all.join("; ")}. They are drawn ${state.show} the move.`
    );
  },
  height: (props, _, width) => layout(props, width).height,
  Drawing(given) {
    const shown = { ...given, state: seen(given.state) };
    const { side, column, left, top, sum } = layout(shown.props, shown.width);
    return (
      <g>
        <Sentences {...shown} width={column} />
        <g transform={`translate(0 ${sum})`}>
          <Sum {...shown} width={column} />
        </g>
        <Plane {...shown} side={side} left={left} top={top} />
      </g>
    );
  },
  Controls: ({ props, state, set, id }) => (
    <>
      <Options
        label="The other words"
        name={`${id}-show`}
        options={[
          ["before", "before"],
          ["after", "after"],
        ]}
        value={state.show}
        set={(show) => set({ show })}
      />
      <More>
        <Slider
          label="Sharpness"
          value={state.sharpness}
          low={0}
          high={4}
          step={0.1}
          set={(sharpness) => set({ sharpness })}
        />
        <Options
          label="Its own vector is"
          name={`${id}-residual`}
          options={[
            ["kept", "kept"],
            ["dropped", "dropped"],
          ]}
          value={state.residual ? "kept" : "dropped"}
          set={(old) => set({ residual: old === "kept" })}
        />
        {props.causal !== null && (
          <Options
            label="It sees"
            name={`${id}-causal`}
            options={[
              ["all", "all words"],
              ["earlier", "earlier words"],
            ]}
            value={state.causal ? "earlier" : "all"}
            set={(seen) => set({ causal: seen === "earlier" })}
          />
        )}
        <label class="cf-control">
          <input
            type="checkbox"
            checked={state.pulls}
            onChange={(event) => set({ pulls: event.currentTarget.checked })}
          />
          <span>the pull of each word</span>
        </label>
      </More>
    </>
  ),
};
