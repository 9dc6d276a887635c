// Hull and corner (chapter 07): phrases of two words read as averages, which stay in the hull; a network leaves it.

import type { Figure, Shown } from "../figure";
import { type Matrix, mix, project, softmax, type Vector } from "../maths";
import {
  Badge,
  Choice,
  colour,
  Handle,
  inPercent,
  measure,
  Options,
  type Role,
  Slider,
  Text,
  wrapped,
  written,
} from "../parts";
import { Arrow, around, type Box, placed } from "./word_moves";

interface Props {
  words: string[]; // two modifiers, then two adjectives; the phrases are their four pairs
  values: Matrix; // (4, 2)
  scores: Vector; // (4): what the one query gives each word; that of the first word is on a slider
  W_1: Matrix; // (2, d_ff)
  b_1: Vector;
  W_2: Matrix; // (d_ff, 2)
  b_2: Vector;
  axes: [[string, string], [string, string]]; // what lies left and right, below and above
  centre: Vector; // the plane shows centre ± reach across, and less up and down
  reach: number;
  target: Vector; // where the first phrase belongs
  network: boolean;
  phrase: number;
}
interface State {
  values: Matrix;
  score: number; // of the first word
  network: boolean;
  phrase: number; // the one that is followed
  all: boolean; // whether the others are drawn, too
}

const PHRASES = [
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
];
const WANTED = ["−", "+", "+", "−"]; // not happy, not sad, very happy, very sad

// ---- What is computed ----

const add = (a: Vector, b: Vector): Vector => a.map((x, i) => x + b[i]);
const minus = (a: Vector, b: Vector): Vector => a.map((x, i) => x - b[i]);
const times = (factor: number, a: Vector): Vector => a.map((x) => factor * x);
const pair = (a: Vector): string => `(${a.map((x) => written(x)).join(", ")})`;

/** Twice the area of a triangle, positive if a → b → c turns left. */
const turn = (a: Vector, b: Vector, c: Vector): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** The corners of the hull of points, anticlockwise: Andrew's monotone chain. */
function hullOf(points: Matrix): Matrix {
  const sites = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (row: Matrix): Matrix => {
    const found: Matrix = [];
    for (const site of row) {
      while (found.length > 1 && turn(found[found.length - 2], found[found.length - 1], site) <= 0) found.pop();
      found.push(site);
    }
    return found.slice(0, -1);
  };
  const corners = [...chain(sites), ...chain([...sites].reverse())];
  return corners.length ? corners : [sites[0]];
}

function inside(point: Vector, corners: Matrix, size: number): boolean {
  if (corners.length > 2) {
    const edges = corners.map((corner, i) => [corner, corners[(i + 1) % corners.length]]);
    return edges.every(([a, b]) => turn(a, b, point) >= -1e-9 * size * size);
  }
  const [start, end] = [corners[0], corners[corners.length - 1]]; // a line: the way through the point is no longer
  const far = (a: Vector, b: Vector): number => Math.hypot(...minus(a, b));
  return far(point, start) + far(point, end) - far(start, end) <= 1e-9 * size;
}

/** Whether two segments have a point in common, up to rounding. */
function meet(a: Vector, b: Vector, c: Vector, d: Vector): boolean {
  const span = (i: number): number => Math.max(a[i], b[i], c[i], d[i]) - Math.min(a[i], b[i], c[i], d[i]);
  const size = Math.max(span(0), span(1), 1e-150) ** 2;
  const turns = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  const flat = turns.map((x) => Math.abs(x) <= 1e-7 * size);
  if (flat.every(Boolean)) {
    // all on one line: they meet where their boxes do
    return [0, 1].every(
      (i) =>
        Math.max(Math.min(a[i], b[i]), Math.min(c[i], d[i])) <=
        Math.min(Math.max(a[i], b[i]), Math.max(c[i], d[i])) + 1e-9,
    );
  }
  return [0, 2].every((i) => flat[i] || flat[i + 1] || turns[i] * turns[i + 1] < 0);
}

interface Read {
  name: string;
  words: number[];
  wanted: string;
  weights: Vector;
  before: Vector; // what the query reads
  after: Vector; // with the network, if that is on
}

/** How each phrase is read. */
function reads(props: Props, state: State): Read[] {
  const scores = [state.score, ...props.scores.slice(1)];
  return PHRASES.map((words, i) => {
    const weights = softmax(words.map((word) => scores[word]));
    const before = mix(
      weights,
      words.map((word) => state.values[word]),
    );
    const hidden = add(project(before, props.W_1), props.b_1).map((x) => Math.max(0, x));
    const correction = add(project(hidden, props.W_2), props.b_2);
    return {
      name: words.map((word) => props.words[word]).join(" "),
      words,
      wanted: WANTED[i],
      weights,
      before,
      after: state.network ? add(before, correction) : before,
    };
  });
}

const isParted = (read: Read[]): boolean => !meet(read[1].after, read[2].after, read[0].after, read[3].after);
const isRight = ({ after, wanted }: Read): boolean => (wanted === "+" ? after[0] > 1e-9 : after[0] < -1e-9);
const shapeOf = (corners: Matrix): string => (corners.length === 3 ? "triangle" : "hull");
const quoted = (word: string): string => `‘${word}’`;

// ---- The phrases in words ----

const [LIST_ROW, INDENT, LEAD] = [54, 28, 18];

/** What the signs stand for, above the phrases. */
const signs = ({ all }: State, width: number): string[] =>
  ["+ belongs to a good mood, − to a bad one", ...(all ? ["solid joins both +, dashed both −"] : [])].flatMap((text) =>
    wrapped(text, width, 14),
  );

const listHeight = (state: State, width: number): number =>
  LEAD * signs(state, width).length + 8 + PHRASES.length * LIST_ROW;

function List({ props, state, set, width }: Shown<Props, State>) {
  const lines = signs(state, width);
  return (
    <g>
      {lines.map((line, i) => (
        <Text key={line} x={0} y={14 + LEAD * i} size={14} hue="quiet">
          {line}
        </Text>
      ))}
      {reads(props, state).map((read, i) => {
        const { name, words, wanted, weights, before, after } = read;
        const y = LEAD * lines.length + 8 + i * LIST_ROW;
        const moved = state.network ? `${written(before[0])} → ${written(after[0])}` : written(before[0]);
        return (
          <Choice key={i} label={`Follow ${name}`} chosen={i === state.phrase} choose={() => set({ phrase: i })}>
            <rect
              x={0}
              y={y}
              width={width}
              height={LIST_ROW - 6}
              rx={6}
              fill={i === state.phrase ? colour("surface") : "transparent"}
            />
            <Badge x={14} y={y + 18} letter={wanted} hue="output" />
            <Text x={INDENT + 4} y={y + 23} bold>
              {name}
            </Text>
            <Text x={INDENT + 4} y={y + 42} size={14} hue="quiet">
              {words.map((word, j) => `${inPercent(weights)[j]} % ${props.words[word]}`).join(" + ")}
            </Text>
            <Text x={width - 6} y={y + 23} size={14} hue={isRight(read) ? "quiet" : "ink"} anchor="end">
              {`mood ${moved}: ${isRight(read) ? "right" : "wrong"}`}
            </Text>
          </Choice>
        );
      })}
    </g>
  );
}

// ---- The plane ----

const BACK = "put back";
const SHAPE = 0.74; // the height of the plane, of its width

function Plane({
  props,
  state,
  set,
  id,
  side,
  left,
  top,
}: Shown<Props, State> & Record<"side" | "left" | "top", number>) {
  const { centre, reach } = props;
  const tall = SHAPE * side;
  const pixel = (place: Vector): Vector => {
    const [x, y] = times(side / (2 * reach), minus(place, centre));
    return [side / 2 + x, tall / 2 - y];
  };
  const placeAt = (x: number, y: number): Vector =>
    add(centre, times((2 * reach) / side, [x - left - side / 2, top + tall / 2 - y]));
  const within = (value: number, i: number): number => {
    const far = i ? SHAPE * reach : reach;
    return Math.round(100 * Math.max(centre[i] - far, Math.min(centre[i] + far, value))) / 100;
  };
  const drag = (word: number, to: Vector) =>
    set({ values: state.values.map((value, i) => (i === word ? to.map(within) : value)) });
  const points = (places: Matrix): string => places.map((place) => pixel(place).join(",")).join(" ");

  const read = reads(props, state);
  const corners = hullOf(state.values);
  const origin = pixel([0, 0]);
  const target = pixel(props.target);
  const home = read[0].after;
  const isDrawn = (i: number): boolean => state.all || i === state.phrase;
  const away = isDrawn(0) && Math.hypot(...minus(home, props.target)) > reach / 12;
  const moved = state.values.some((value, i) => Math.hypot(...minus(value, props.values[i])) > 0);
  const back: Box = {
    x: side / 2 - measure(BACK, 14) / 2 - 8,
    y: tall - 32,
    width: measure(BACK, 14) + 16,
    height: 30,
  };
  const [[sad, happy], [, denied]] = props.axes;
  const belongs = [quoted(read[0].name), "belongs here"];
  const broad = Math.max(...belongs.map((text) => measure(text, 14)));
  const there: Box = {
    x: Math.max(6, Math.min(side - broad - 6, target[0] - broad / 2)),
    y: target[1] > 60 ? target[1] - 52 : target[1] + 14,
    width: broad,
    height: 36,
  };
  const ends: Box[] = [
    { x: 0, y: tall - 24, width: measure(sad, 13) + 30, height: 24 },
    { x: side - measure(happy, 13) - 30, y: tall - 24, width: measure(happy, 13) + 30, height: 24 },
    { x: origin[0], y: 0, width: measure(denied, 13) + 24, height: 22 },
    ...(away ? [there] : []),
  ];
  const line = (a: Vector, b: Vector): Box[] =>
    Array.from({ length: 15 }, (_, n) => (n + 0.5) / 15).map((t) =>
      around(add(times(1 - t, pixel(a)), times(t, pixel(b))), 5),
    );
  const segments: [Read, Read, string][] = state.all
    ? [
        [read[1], read[2], "+"],
        [read[0], read[3], "−"],
      ]
    : [];
  const labels = placed(
    [
      ...read.flatMap(({ name, after }, i) =>
        isDrawn(i) ? [{ text: name, at: pixel(after), hue: "output" as Role, bold: i === state.phrase }] : [],
      ),
      ...props.words.map((text, i) => ({ text, at: pixel(state.values[i]), hue: "value" as Role, bold: true })),
    ],
    [...ends, back],
    [
      ...read.flatMap(({ after }, i) => (isDrawn(i) ? [around(pixel(after), 11)] : [])),
      ...corners.flatMap((corner, i) => line(corner, corners[(i + 1) % corners.length])),
      ...state.values.map((value) => around(pixel(value), 11)),
      ...segments.flatMap(([a, b]) => line(a.after, b.after)),
      ...(away ? [around(target, 13), ...(state.all ? [] : line(home, props.target))] : []),
    ],
    side,
    tall,
  );
  const followed = read[state.phrase];

  return (
    <g transform={`translate(${left} ${top})`}>
      <clipPath id={`${id}-plane`}>
        <rect width={side} height={tall} rx={8} />
      </clipPath>
      <rect width={side} height={tall} rx={8} fill={colour("surface")} />
      <path d={`M0 ${origin[1]}H${side}M${origin[0]} 0V${tall}`} stroke={colour("line")} stroke-width={1.5} />
      <g clip-path={`url(#${id}-plane)`}>
        <polygon points={points(corners)} fill={colour("value")} opacity={0.14} />
        <polygon points={points(corners)} fill="none" stroke={colour("value")} stroke-width={1.5} />
        <polyline
          points={points(followed.words.map((word) => state.values[word]))}
          fill="none"
          stroke={colour("value")}
          stroke-width={3}
          stroke-dasharray="2 5"
        />
        {segments.map(([a, b, sign]) => (
          <polyline
            key={sign}
            points={points([a.after, b.after])}
            fill="none"
            stroke={colour("output")}
            stroke-width={2.2}
            stroke-dasharray={sign === "−" ? "8 6" : "none"}
          />
        ))}
        {state.network &&
          read.map(({ before, after }, i) =>
            isDrawn(i) ? (
              <g key={i}>
                <circle cx={pixel(before)[0]} cy={pixel(before)[1]} r={3.5} fill={colour("ink")} />
                <Arrow
                  from={pixel(before)}
                  to={pixel(after)}
                  hue={i === state.phrase ? "ink" : "quiet"}
                  thick={i === state.phrase ? 2.4 : 1.2}
                />
              </g>
            ) : null,
          )}
        {away && !state.all && <Arrow from={pixel(home)} to={target} hue="ink" thick={2} before={14} />}
        {away && (
          <circle
            cx={target[0]}
            cy={target[1]}
            r={12}
            fill="none"
            stroke={colour("ink")}
            stroke-width={2}
            stroke-dasharray="4 4"
          />
        )}
      </g>
      <Text x={8} y={tall - 9} size={13} hue="quiet">
        {`← ${sad}`}
      </Text>
      <Text x={side - 8} y={tall - 9} size={13} hue="quiet" anchor="end">
        {`${happy} →`}
      </Text>
      <Text x={origin[0] + 6} y={16} size={13} hue="quiet">
        {`↑ ${denied}`}
      </Text>
      {away &&
        belongs.map((text, i) => (
          <Text key={text} x={there.x} y={there.y + 14 + 18 * i} size={14}>
            {text}
          </Text>
        ))}
      {state.values.map((value, i) => {
        const [x, y] = pixel(value);
        return (
          <Handle
            key={i}
            label={`Value of ${props.words[i]}`}
            says={`at ${pair(value)}`}
            move={(x, y) => drag(i, placeAt(x, y))}
            nudge={(dx, dy) => drag(i, add(value, times(reach / 50, [dx, dy])))}
          >
            <circle cx={x} cy={y} r={22} fill="transparent" />
            <Badge x={x} y={y} letter="V" hue="value" />
          </Handle>
        );
      })}
      {moved && (
        <Choice label="Put the words back" chosen={false} choose={() => set({ values: props.values })}>
          <rect x={back.x} y={back.y} width={back.width} height={back.height} fill="transparent" />
          <g text-decoration="underline">
            <Text x={side / 2} y={tall - 10} size={14} anchor="middle">
              {BACK}
            </Text>
          </g>
        </Choice>
      )}
      <g pointer-events="none" clip-path={`url(#${id}-plane)`}>
        {read.map(({ after, wanted }, i) =>
          isDrawn(i) ? <Badge key={i} x={pixel(after)[0]} y={pixel(after)[1]} letter={wanted} hue="output" /> : null,
        )}
      </g>
      <g
        pointer-events="none"
        style={{ paintOrder: "stroke", stroke: colour("surface"), strokeWidth: 4, strokeLinejoin: "round" }}
      >
        {labels.map(({ text, x, y, hue, bold }, i) => (
          <Text key={i} x={x + 1} y={y + 13} size={14} hue={hue} bold={bold ?? false}>
            {text}
          </Text>
        ))}
      </g>
    </g>
  );
}

// ---- The whole ----

const isWide = (width: number): boolean => width >= 560;

function layout(state: State, width: number) {
  if (!isWide(width))
    return {
      side: width,
      column: width,
      left: 0,
      top: 0,
      list: SHAPE * width + 16,
      height: SHAPE * width + 16 + listHeight(state, width),
    };
  const side = Math.min(440, 0.6 * width);
  return {
    side,
    column: width - side - 20,
    left: width - side,
    top: 0,
    list: 4,
    height: Math.max(SHAPE * side, 4 + listHeight(state, width - side - 20)),
  };
}

export const hull: Figure<Props, State> = {
  initial: ({ values, scores, network, phrase }) => ({ values, score: scores[0], network, phrase, all: network }),
  title(props, state) {
    const read = reads(props, state);
    const corners = hullOf(state.values);
    const leaves = read.some(({ after }) => !inside(after, corners, props.reach));
    const shape = shapeOf(corners);
    if (!state.all) {
      const [followed, at] = [read[state.phrase], `the ${shape} of the words`];
      if (state.network) {
        return inside(followed.after, corners, props.reach)
          ? `With the network, ${quoted(followed.name)} is still in ${at}`
          : `The network takes ${quoted(followed.name)} out of ${at}`;
      }
      if (state.phrase === 0 && !inside(props.target, corners, props.reach))
        return `${quoted(followed.name)} belongs outside ${at}, and averages stay inside`;
      return `${quoted(followed.name)} is an average, and stays in ${at}`;
    }
    const parted = isParted(read) ? "a line parts + from −" : "no line parts + from −";
    if (!state.network) return `Averages stay in the ${shape} of their words, and ${parted}`;
    return `${leaves ? `The network leaves the ${shape}` : "The network moves the phrases"}, and ${parted}`;
  },
  describe(props, state) {
    const [[left, right], [below, above]] = props.axes;
    const read = reads(props, state);
    const corners = hullOf(state.values);
    const where = (place: Vector): string =>
      inside(place, corners, props.reach) ? "inside the hull" : "outside the hull";
    const told = read.map((one) => {
      const weights = one.words.map((word, j) => `${inPercent(one.weights)[j]} % ${props.words[word]}`).join(" + ");
      const after = state.network ? ` The network takes it to ${pair(one.after)}, ${where(one.after)}.` : "";
      return `${quoted(one.name)}, which is ${one.wanted}: ${weights} at ${pair(one.before)}, ${where(one.before)}.${after}`;
    });
    const words = props.words.map((word, i) => `${word} at ${pair(state.values[i])}`);
    return (
      `A plane from ${left} to ${right}, and from ${below} (down) to ${above} (up). Values: ${words.join(", ")}; ` +
      `their hull has ${corners.length} corners. The score of ${props.words[0]} is ${written(state.score, 1)}. ` +
      `${told.join(" ")} The segment from + to + ${isParted(read) ? "does not meet" : "meets"} the segment from − to −. ` +
      `${quoted(read[0].name)} belongs at ${pair(props.target)}. The phrase that is followed${state.all ? "" : ", and the only one that is drawn"}: ${quoted(read[state.phrase].name)}.`
    );
  },
  height: (_props, state, width) => layout(state, width).height,
  Drawing(shown) {
    const { side, column, left, top, list } = layout(shown.state, shown.width);
    return (
      <g>
        <g transform={`translate(0 ${list})`}>
          <List {...shown} width={column} />
        </g>
        <Plane {...shown} side={side} left={left} top={top} />
      </g>
    );
  },
  Controls: ({ props, state, set, id }) => (
    <>
      <Options
        label="Network"
        name={`${id}-network`}
        options={[
          ["off", "off"],
          ["on", "on"],
        ]}
        value={state.network ? "on" : "off"}
        set={(network) => set({ network: network === "on" })}
      />
      <Options
        label="Phrases"
        name={`${id}-all`}
        options={[
          ["one", "one"],
          ["all", "all four"],
        ]}
        value={state.all ? "all" : "one"}
        set={(all) => set({ all: all === "all" })}
      />
      <Slider
        label={`Score of ${props.words[0]}`}
        value={state.score}
        low={-4}
        high={4}
        step={0.1}
        set={(score) => set({ score })}
      />
    </>
  ),
};
