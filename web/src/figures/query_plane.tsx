// The query in the plane (chapter 03): drag it among the keys, and read what it reads.

import type { Figure, Shown } from "../figure";
import { dot, softmax, type Vector } from "../maths";
import {
  Badge,
  colour,
  Edges,
  Handle,
  inPercent,
  listed,
  measure,
  Options,
  Slider,
  strips,
  Text,
  WeightLine,
  written,
} from "../parts";
import { Arrow } from "./word_moves";

type Score = "dot" | "cosine" | "distance";
interface Props {
  keys: Vector[]; // n points (x, y)
  words: string[]; // of each key
  values: string[]; // what each key stands for
  query?: Vector; // otherwise it begins where it covers no key
  sharpness: number;
  reach: number; // the plane shows −reach … reach
  sharpest?: number; // where the slider ends
  edges?: string[]; // what the plane's left, right, lower and upper edge stand for
  score?: Score;
}
interface State {
  query: Vector;
  sharpness: number;
  score: Score;
}

const SCORES = [
  ["dot", "dot product"],
  ["cosine", "cosine"],
  ["distance", "nearness"],
] as const;

const length = (x: Vector): number => Math.hypot(...x);

function scores({ keys }: Props, { query, score }: State): Vector {
  return keys.map((key) => {
    if (score === "cosine") return dot(query, key) / Math.max(1e-9, length(query) * length(key));
    if (score === "distance") return -(length([query[0] - key[0], query[1] - key[1]]) ** 2) / 2;
    return dot(query, key);
  });
}

const weights = (props: Props, state: State): Vector => softmax(scores(props, state).map((s) => state.sharpness * s));

const largest = (numbers: Vector): number => numbers.indexOf(Math.max(...numbers));

/** Keys from the largest weight to the smallest. */
const ranked = (found: Vector): number[] => found.map((_, i) => i).sort((a, b) => found[b] - found[a]);

/** The part of the plane where key `i` scores highest: a square, cut by one line for each other key. */
function region({ keys, reach }: Props, score: Score, i: number): Vector[] {
  let polygon: Vector[] = [
    [-reach, -reach],
    [reach, -reach],
    [reach, reach],
    [-reach, reach],
  ];
  const line = (key: Vector): [Vector, number] => {
    if (score === "cosine") return [key.map((x) => x / Math.max(1e-9, length(key))), 0];
    return [key, score === "distance" ? -dot(key, key) / 2 : 0];
  };
  const [own, constant] = line(keys[i]);
  keys.forEach((key, j) => {
    if (j === i) return;
    const [other, theirs] = line(key);
    const lead = (q: Vector): number => dot(q, own) + constant - dot(q, other) - theirs;
    polygon = polygon.flatMap((corner, k) => {
      const next = polygon[(k + 1) % polygon.length];
      const [here, there] = [lead(corner), lead(next)];
      const kept = here >= 0 ? [corner] : [];
      if (here >= 0 === there >= 0) return kept;
      const t = here / (here - there);
      return [...kept, [corner[0] + t * (next[0] - corner[0]), corner[1] + t * (next[1] - corner[1])]];
    });
  });
  return polygon;
}

/** A place from which no key is near: one of eight, a third of the way to the edge. */
function farFromKeys({ keys, reach }: Props): Vector {
  const places = Array.from({ length: 8 }, (_, i): Vector => {
    const angle = (Math.PI * (i + 0.5)) / 4;
    return [0.35 * reach * Math.cos(angle), 0.35 * reach * Math.sin(angle)].map((x) => Math.round(100 * x) / 100);
  });
  const nearest = ([x, y]: Vector): number => Math.min(...keys.map((key) => length([key[0] - x, key[1] - y])));
  return places.reduce((best, place) => (nearest(place) > nearest(best) + 1e-9 ? place : best));
}

/** Whether each value is called as its key. */
const isAlike = ({ words, values }: Props): boolean => words.every((word, i) => word === values[i]);

/** What a key and its value are called: once, if all are called alike. */
const pair = (props: Props, i: number): string =>
  isAlike(props) ? props.values[i] : `${props.words[i]} → ${props.values[i]}`;

/** How far along the key with the largest weight the query reaches, and how long that key is: their product is the score. */
function projection(props: Props, state: State): { along: number; long: number; foot: Vector } | undefined {
  const key = props.keys[largest(weights(props, state))];
  const long = length(key);
  if (state.score !== "dot" || long < 1e-6) return undefined;
  const along = dot(state.query, key) / long;
  return { along, long, foot: key.map((x) => (along * x) / long) };
}

type Point = [number, number];
type Box = [number, number, number, number]; // left, top, right, bottom

/** Whether the straight line from one point to another meets a box. */
function meets([x1, y1]: Point, [x2, y2]: Point, [left, top, right, bottom]: Box): boolean {
  let [from, to] = [0, 1];
  for (const [start, step, low, high] of [
    [x1, x2 - x1, left, right],
    [y1, y2 - y1, top, bottom],
  ]) {
    if (step === 0) {
      if (start < low || start > high) return false;
      continue;
    }
    const [a, b] = [(low - start) / step, (high - start) / step];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to;
}

const overlap = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** Where the keys' words stand, left edge and baseline: beside their badges, off other badges, words and the query's lines. */
function besideKeys(words: string[], at: Point[], query: Point, lines: [Point, Point][], side: number): Point[] {
  const taken: Box[] = [];
  return at.map(([x, y], i) => {
    const wide = measure(words[i], 15, true);
    const places: Point[] = [
      [x + 16, y + 5],
      [x - 16 - wide, y + 5],
      [x - wide / 2, y - 20],
      [x - wide / 2, y + 30],
    ];
    const fitting = places.map(
      ([left, base]): Point => [
        Math.min(Math.max(MARGIN, left), side - MARGIN - wide),
        Math.min(Math.max(18, base), side - MARGIN),
      ],
    );
    const boxes = fitting.map(([left, base]): Box => [left - 2, base - 13, left + wide + 2, base + 4]);
    const cost = boxes.map((box, k) => {
      const near: Box = [box[0] - 12, box[1] - 12, box[2] + 12, box[3] + 12];
      const covered = [...at, query].filter((point, j) => j !== i && meets(point, point, near)).length;
      const crossed = lines.filter(([from, to]) => meets(from, to, box)).length;
      const written = taken.filter((other) => overlap(box, other)).length;
      const moved = Math.abs(fitting[k][0] - places[k][0]) + Math.abs(fitting[k][1] - places[k][1]);
      return 3 * (covered + written) + crossed + (moved > 3 ? 4 : 0);
    });
    const best = cost.indexOf(Math.min(...cost));
    taken.push(boxes[best]);
    return fitting[best];
  });
}

const isWide = (width: number): boolean => width >= 560;
const sideOf = (width: number): number => (isWide(width) ? Math.min(400, 0.55 * width) : width);
const [ROW, MARGIN] = [34, 8];

/** Whether a point lies in a polygon. */
const inside = ([x, y]: Point, polygon: Point[]): boolean =>
  polygon.reduce<boolean>((is, [x1, y1], i) => {
    const [x2, y2] = polygon[(i + 1) % polygon.length];
    return y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1) ? !is : is;
  }, false);

const LABEL = 14;

interface Label {
  lines: string[];
  x: number; // middle
  y: number; // top
}

/** Where a region can be named, in its inside and off all that is taken; nowhere, where it is too narrow. */
function within(texts: string[][], polygon: Point[], taken: Box[], lines: [Point, Point][]): Label | undefined {
  const [xs, ys] = [0, 1].map((axis) => polygon.map((corner) => corner[axis]));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const heart: Point = [(left + right) / 2, (top + bottom) / 2];
  for (const text of texts) {
    const wide = Math.max(...text.map((line) => measure(line, LABEL, true))) + 12;
    const high = text.length * (LABEL + 4) + 8;
    let best: { cost: number; x: number; y: number } | undefined;
    for (let x = left + wide / 2; x <= right - wide / 2; x += 8)
      for (let y = top + 6; y <= bottom - high - 6; y += 8) {
        const box: Box = [x - wide / 2, y, x + wide / 2, y + high];
        const corners: Point[] = [
          [box[0], box[1]],
          [box[2], box[1]],
          [box[2], box[3]],
          [box[0], box[3]],
        ];
        if (!corners.every((corner) => inside(corner, polygon)) || taken.some((other) => overlap(box, other))) continue;
        const crossed = lines.filter(([from, to]) => meets(from, to, box)).length;
        const cost = 60 * crossed + Math.hypot(x - heart[0], y + high / 2 - heart[1]);
        if (!best || cost < best.cost) best = { cost, x, y };
      }
    if (best) return { lines: text, x: best.x, y: best.y + 4 };
  }
  return undefined;
}

const TICKS = 26; // of the plane's lower and left edge, which the numbers take

/** Whole numbers along the lower and the left edge, inside: even ones are written, where nothing else is. */
function Ticks({ side, reach, taken }: { side: number; reach: number; taken: Box[] }) {
  const far = Math.floor(reach);
  const all = Array.from({ length: 2 * far + 1 }, (_, i) => i - far);
  const at = (n: number): number => (side * (n + reach)) / (2 * reach);
  const words = all
    .filter((n) => n % 2 === 0 && at(n) > TICKS && at(n) < side - TICKS)
    .flatMap((n): [string, number, number][] => [
      [written(n, 0), at(n) - measure(written(n, 0), 13) / 2, side - 10],
      [written(n, 0), 10, side - at(n) + 5],
    ])
    .filter(([word, left, base]) => {
      const box: Box = [left - 2, base - 12, left + measure(word, 13) + 2, base + 3];
      return !taken.some((other) => overlap(box, other));
    });
  return (
    <g style={{ paintOrder: "stroke", stroke: colour("surface"), strokeWidth: 3, strokeLinejoin: "round" }}>
      <path
        d={all.map((n) => `M${at(n)} ${side} v-6 M0 ${at(n)} h6`).join(" ")}
        style={{ stroke: colour("quiet"), strokeWidth: 1.2 }}
      />
      {words.map(([word, left, base]) => (
        <Text key={`${left} ${base}`} x={left} y={base} size={13} hue="quiet">
          {word}
        </Text>
      ))}
    </g>
  );
}

function Plane({ props, state, set, width, id }: Shown<Props, State>) {
  const side = sideOf(width);
  const { reach } = props;
  const { above } = strips(props.edges, side);
  const x = (value: number): number => (side * (value + reach)) / (2 * reach);
  const y = (value: number): number => (side * (reach - value)) / (2 * reach);
  const found = weights(props, state);
  const winner = largest(found);
  const held = (value: number): number => Math.round(100 * Math.max(-reach, Math.min(reach, value))) / 100;
  const [qx, qy] = state.query;
  const query: Point = [x(qx), y(qy)];
  const at = props.keys.map((key): Point => [x(key[0]), y(key[1])]);
  const around = ([left, top]: Point, far: number): Box => [left - far, top - far, left + far, top + far];
  const regions = props.keys.map((_, i) =>
    region(props, state.score, i).map((corner): Point => [x(corner[0]), y(corner[1])]),
  );
  const centre: Point = [x(0), y(0)];
  const reached = projection(props, state);
  const foot: Point | undefined = reached && [x(reached.foot[0]), y(reached.foot[1])];
  const lines: [Point, Point][] = [
    ...at.flatMap((place, i): [Point, Point][] => (found[i] > 0.02 ? [[query, place]] : [])),
    ...(state.score === "dot" ? [...at, query].map((place): [Point, Point] => [centre, place]) : []),
    ...(foot ? [[query, foot] as [Point, Point]] : []),
  ];
  const beside = besideKeys(props.words, at, query, lines, side);
  const named = beside.map(
    ([left, base], i): Box => [left - 4, base - 15, left + measure(props.words[i], 15, true) + 4, base + 6],
  );
  const taken = [around(query, 18), ...at.map((place) => around(place, 14)), ...named];
  const name = props.words[winner];
  const shadow: [Point, Point][] = foot ? [[centre, foot]] : [];
  const crossings = ([left, base]: Point): number =>
    [...lines, ...shadow].filter(([from, to]) => meets(from, to, [left - 4, base - 13, left + 11, base + 4])).length;
  // the zero, beside its cross where nothing else is
  const zero = Array.from({ length: 12 }, (_, hour) => (hour * Math.PI) / 6)
    .map((angle): Point => [x(0) + 17 * Math.cos(angle) - 4, y(0) + 17 * Math.sin(angle) + 5])
    .sort((one, other) => crossings(one) - crossings(other))
    .find(([left, base]) => {
      const box: Box = [left - 1, base - 11, left + 8, base + 2];
      const isTaken = (place: Point, far: number): boolean => overlap(box, around(place, far));
      return (
        !isTaken(query, 16) && !at.some((place) => isTaken(place, 12)) && !named.some((other) => overlap(box, other))
      );
    });
  const label = within(
    [
      [`${name} scores highest here`],
      [`${name} scores`, "highest here"],
      [name, "scores", "highest", "here"],
      [`${name} wins`],
    ],
    regions[winner],
    [
      ...taken,
      [x(0) - 20, y(0) - 6, x(0) + 6, y(0) + 20],
      ...(props.edges ? [[0, side - TICKS, side, side] as Box, [0, 0, TICKS, side] as Box] : []),
    ],
    lines,
  );
  return (
    <g transform={`translate(0 ${above})`}>
      <clipPath id={`${id}-plane`}>
        <rect width={side} height={side} rx={8} />
      </clipPath>
      {props.edges && <Edges edges={props.edges} side={side} />}
      <g clip-path={`url(#${id}-plane)`}>
        <rect width={side} height={side} fill={colour("surface")} />
        <polygon
          points={regions[winner].map((corner) => corner.join(",")).join(" ")}
          fill={colour("key")}
          opacity={0.14}
        />
        {regions.map((polygon, i) => (
          <polygon
            key={i}
            points={polygon.map((corner) => corner.join(",")).join(" ")}
            fill="none"
            stroke={colour("line")}
            stroke-width={1.5}
          />
        ))}
        {state.score !== "distance" && (
          <g>
            <path d={`M${x(0) - 5} ${y(0)} h10 M${x(0)} ${y(0) - 5} v10`} stroke={colour("quiet")} stroke-width={1.5} />
            {zero && (
              <g style={{ paintOrder: "stroke", stroke: colour("surface"), strokeWidth: 4, strokeLinejoin: "round" }}>
                <Text x={zero[0]} y={zero[1]} size={13} hue="quiet">
                  0
                </Text>
              </g>
            )}
          </g>
        )}
        {props.keys.map((key, i) => (
          <WeightLine key={i} x1={x(qx)} y1={y(qy)} x2={x(key[0])} y2={y(key[1])} weight={found[i]} widest={10} />
        ))}
        {state.score === "dot" && (
          <g>
            {at.map((place, i) => (
              <Arrow key={i} from={centre} to={place} hue="key" thick={i === winner ? 2.5 : 1.2} before={12} />
            ))}
            <Arrow from={centre} to={query} hue="query" thick={2.5} before={15} />
            {foot && (
              <g stroke={colour("query")}>
                <path d={`M${query.join(" ")} L${foot.join(" ")}`} stroke-width={1.5} stroke-dasharray="4 4" />
                <path
                  d={`M${centre.join(" ")} L${foot.join(" ")}`}
                  stroke-width={7}
                  stroke-linecap="round"
                  opacity={0.8}
                />
              </g>
            )}
          </g>
        )}
      </g>
      {props.edges && <Ticks side={side} reach={reach} taken={taken} />}
      {label && (
        <g class="cf-moves" style={{ transform: `translate(${label.x}px, ${label.y}px)` }} pointer-events="none">
          {label.lines.map((line, i) => (
            <g
              key={line}
              style={{ paintOrder: "stroke", stroke: colour("surface"), strokeWidth: 3, strokeLinejoin: "round" }}
            >
              <Text x={0} y={LABEL + i * (LABEL + 4)} size={LABEL} hue="key" anchor="middle" bold>
                {line}
              </Text>
            </g>
          ))}
        </g>
      )}
      {props.keys.map((key, i) => (
        <Badge key={i} x={x(key[0])} y={y(key[1])} letter="K" hue="key" />
      ))}
      <g style={{ paintOrder: "stroke", strokeWidth: 4, strokeLinejoin: "round" }}>
        {beside.map(([left, base], i) => (
          <g key={i} stroke={i === winner ? "none" : colour("surface")}>
            <Text x={left} y={base} bold={i === winner}>
              {props.words[i]}
            </Text>
          </g>
        ))}
      </g>
      <Handle
        label="Query"
        says={`at ${written(qx)}, ${written(qy)}`}
        move={(left, top) =>
          set({ query: [held((2 * reach * left) / side - reach), held(reach - (2 * reach * (top - above)) / side)] })
        }
        nudge={(dx, dy) => set({ query: [held(qx + (dx * reach) / 50), held(qy + (dy * reach) / 50)] })}
      >
        <circle cx={x(qx)} cy={y(qy)} r={24} fill="transparent" />
        <Badge x={x(qx)} y={y(qy)} letter="Q" hue="query" radius={14} />
      </Handle>
    </g>
  );
}

function Reading({ props, state, width }: Shown<Props, State>) {
  const found = weights(props, state);
  const told = inPercent(found);
  const side = sideOf(width);
  const { above, below } = strips(props.edges, side);
  const [left, top] = isWide(width) ? [side + 28, above + 6] : [0, above + side + below + 16];
  const names = Math.max(...props.values.map((_, i) => measure(pair(props, i), 15, true))) + 10;
  const room = (isWide(width) ? width - side - 28 : width) - names - 52;
  return (
    <g>
      <Text x={left} y={top + 14} size={15} hue="quiet">
        The query reads
      </Text>
      {ranked(found).map((i, row) => {
        const y = top + 30 + row * ROW;
        return (
          <g key={i} class="cf-moves" style={{ transform: `translateY(${y}px)` }}>
            <rect
              x={left + names}
              y={2}
              width={Math.max(1, room * found[i])}
              height={20}
              rx={2}
              fill={colour("weight")}
              opacity={0.75}
            />
            <Text x={left} y={17}>
              {isAlike(props) ? "" : <tspan fill={colour("key")}>{`${props.words[i]} → `}</tspan>}
              <tspan fill={colour("value")} font-weight={600}>
                {props.values[i]}
              </tspan>
            </Text>
            <Text x={left + names + room * found[i] + 7} y={17} hue="ink">
              {`${told[i]} %`}
            </Text>
          </g>
        );
      })}
      {scoreOf(props, state).map((line, i) => (
        <Text key={line} x={left} y={top + 52 + ROW * props.keys.length + 19 * i} size={14} hue={i ? "quiet" : "ink"}>
          {line}
        </Text>
      ))}
    </g>
  );
}

/** The largest score as a product, and where its factors are in the plane. */
function scoreOf(props: Props, state: State): string[] {
  const reached = projection(props, state);
  if (!reached) return [];
  const { along, long } = reached;
  return [
    `${props.words[largest(weights(props, state))]}’s score: ${written(along)} × ${written(long)} = ${written(along * long)}`,
    "the query’s shadow × the key’s length",
  ];
}

/** What left, right, down and up mean, in words. */
const edges = ({ edges: named }: Props): string =>
  named ? `Left is ${named[0]}, right ${named[1]}, down ${named[2]}, up ${named[3]}. ` : "";

export const queryPlane: Figure<Props, State> = {
  initial: (props) => ({
    query: props.query ?? farFromKeys(props),
    sharpness: props.sharpness,
    score: props.score ?? "dot",
  }),
  title(props, state) {
    const found = weights(props, state);
    const best = largest(found);
    if (found[best] > 0.95) return `The query reads ${props.values[best]}, and almost nothing else`;
    const [first, ...others] = ranked(found);
    const tied = others.filter((i) => found[first] - found[i] < 0.05);
    const named = (keys: number[]): string => listed(keys.map((i) => props.values[i]));
    if (tied.length) return `The query cannot decide between ${named([first, ...tied])}`;
    const heard = others.filter((i, rank) => rank === 0 || found[i] >= 0.1);
    return `The query reads ${props.values[first]} most, then ${named(heard)}`;
  },
  describe(props, state) {
    const found = weights(props, state);
    const scored = SCORES.find(([score]) => score === state.score)?.[1];
    const told = inPercent(found);
    const rows = ranked(found).map((i) => `${props.words[i]} ${told[i]} %, whose value is ${props.values[i]}`);
    return (
      `${props.keys.length} keys in a plane, and a query at ${written(state.query[0])}, ${written(state.query[1])}. ` +
      `${edges(props)}Shaded is where ${props.words[largest(found)]} scores highest. Scores are by ${scored}, sharpness ${written(state.sharpness, 1)}. Weights: ${rows.join("; ")}.` +
      scoreOf(props, state)
        .slice(0, 1)
        .map((line) => ` ${line}.`)
        .join("")
    );
  },
  height: (props, _, width) => {
    const side = sideOf(width);
    const { above, below } = strips(props.edges, side);
    const rows = 36 + ROW * props.keys.length + 44;
    return isWide(width) ? above + Math.max(side + below, 6 + rows) : above + side + below + 16 + rows;
  },
  Drawing: (shown) => (
    <g>
      <Reading {...shown} />
      <Plane {...shown} />
    </g>
  ),
  Controls: ({ props, state, set, id }) => (
    <>
      <Slider
        label="Sharpness β"
        value={state.sharpness}
        low={0}
        high={props.sharpest ?? 10}
        step={0.1}
        set={(sharpness) => set({ sharpness })}
      />
      <Options
        label="Score"
        name={`${id}-score`}
        options={SCORES}
        value={state.score}
        set={(score) => set({ score })}
      />
    </>
  ),
};
