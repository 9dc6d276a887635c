// The clock (chapter 06): query and key turn as the sentence moves, and the angle between them stays.

import type { Figure, Shown } from "../figure";
import { dot, rotate, sinusoids, type Vector } from "../maths";
import {
  Badge,
  Choice,
  colour,
  Handle,
  measure,
  Options,
  type Placed,
  type Role,
  Slider,
  Text,
  typeset,
  written,
} from "../parts";

type Way = "rotated" | "added";
interface Props {
  words: string[];
  q: Vector; // d numbers, before they are turned
  k: Vector;
  query: number; // the word whose query it is
  key: number; // the word whose key is shown first
  start: number; // where the sentence begins at first
  furthest: number; // and at most
}
interface State {
  start: number;
  key: number;
  way: Way;
}

const WAYS = [
  ["rotated", "rotated"],
  ["added", "added"],
] as const;

// ---- What is computed ----

/** A query or key at a position, which need not be whole. */
function at(x: Vector, position: number, way: Way): Vector {
  if (way === "rotated") return rotate([x], position)[0];
  return sinusoids(1, x.length, position)[0].map((phi, c) => x[c] + phi);
}

const score = ({ q, k }: Props, i: number, j: number, way: Way): number => dot(at(q, i, way), at(k, j, way));

const pairOf = (x: Vector, p: number): [number, number] => [x[2 * p], x[2 * p + 1]];

/** Degrees clockwise from the top: the first number of a pair is drawn upwards, the second to the right. */
const degrees = ([up, right]: [number, number]): number => ((Math.atan2(right, up) * 180) / Math.PI + 360) % 360;

/** The angle between two directions, 0 to 180. */
const between = (a: number, b: number): number => Math.min(Math.abs(a - b), 360 - Math.abs(a - b));

/** How many degrees a pair turns from one position to the next. */
const speed = (p: number, d: number): number => 180 / Math.PI / 10000 ** ((2 * p) / d);

interface Pair {
  q: [number, number];
  k: [number, number];
  between: number;
  adds: number; // to the score
}

function pairs(props: Props, { start, key, way }: State): Pair[] {
  const q = at(props.q, start + props.query, way);
  const k = at(props.k, start + key, way);
  return Array.from({ length: q.length / 2 }, (_, p) => {
    const [one, other] = [pairOf(q, p), pairOf(k, p)];
    return { q: one, k: other, between: between(degrees(one), degrees(other)), adds: dot(one, other) };
  });
}

const scoreOf = (props: Props, { start, key, way }: State): number =>
  score(props, start + props.query, start + key, way);

// ---- In words ----

const rounded = (x: number): string => `${written(x, x >= 9.95 ? 0 : x >= 0.995 ? 1 : 2)}°`;

const positions = (n: number): string => `${n} position${n === 1 ? "" : "s"}`;

function title(props: Props, state: State): string {
  const { words, query } = props;
  const { start, key, way } = state;
  const [now, before] = [written(scoreOf(props, state)), written(scoreOf(props, { ...state, start: 0 }))];
  if (way === "added") {
    if (start === 0) return `Added instead: ‘${words[query]}’ and ‘${words[key]}’ score ${now}. Now move the sentence`;
    return now === before
      ? `Added instead: here, after ${positions(start)}, the score happens to be ${now} again`
      : `Added instead: move the sentence by ${positions(start)}, and the score goes from ${before} to ${now}`;
  }
  if (start > 0)
    return `Moved by ${positions(start)}: query and key turn. The angles between them stay, and so does the score: ${now}`;
  if (key === query) return `‘${words[query]}’ and its own key: their score is ${now}`;
  return `‘${words[query]}’ and ‘${words[key]}’ stand ${positions(Math.abs(key - query))} apart: their score is ${now}`;
}

/** What the pairs add, as a sum. */
function sum(props: Props, state: State): string {
  const parts = pairs(props, state).map(({ adds }) => adds);
  const all = scoreOf(props, state);
  const fits = (decimals: number): boolean =>
    parts.reduce((sum, x) => sum + Number(x.toFixed(decimals)), 0).toFixed(decimals) === all.toFixed(decimals);
  const exact = [2, 3].find(fits); // so many decimals that what is written adds up
  const decimals = exact ?? 2;
  const [first, ...others] = parts;
  const signed = others.map((x) => `${x < 0 ? "−" : "+"} ${written(Math.abs(x), decimals)}`);
  return `${[written(first, decimals), ...signed].join(" ")} ${exact ? "=" : "≈"} ${written(all, decimals)}`;
}

function describe(props: Props, state: State): string {
  const { words, query, q } = props;
  const { start, key, way } = state;
  const dials = pairs(props, state).map(
    (pair, p) =>
      `pair ${p} turns by ${rounded(speed(p, q.length))} a position: query at ${written(degrees(pair.q), 1)}°, ` +
      `key at ${written(degrees(pair.k), 1)}°, between them ${written(pair.between, 1)}°, which adds ${written(pair.adds)}` +
      (way === "added" ? `, lengths ${written(Math.hypot(...pair.q))} and ${written(Math.hypot(...pair.k))}` : ""),
  );
  const all = words.map(
    (word, j) =>
      `${word} (distance ${written(j - query, 0)}) ${written(score(props, start + query, start + j, way), 3)}`,
  );
  return (
    `The sentence: ${words.join(" ")}. Its first word stands at position ${start}. Positions are ${way}. ` +
    `The query is that of ‘${words[query]}’ at position ${start + query}, the key that of ‘${words[key]}’ ` +
    `at position ${start + key}. Clock hands, clockwise from the top: ${dials.join("; ")}. ` +
    `Score: ${written(scoreOf(props, state), 3)}. Scores with all words: ${all.join("; ")}.`
  );
}

// ---- Where things stand ----

const SIZE = 18;
const REACH = 10; // the least distance that the chart shows
const LETTER = 11; // radius of Q and K at a dial's rim
const [TOLD, TALL, OUT] = [13, 15, 14]; // the label of an angle: its size, its height, and how far from the rim it is
const LARGEST = 56; // radius of a dial
const DOTTED = { "stroke-width": 3, "stroke-linecap": "round", "stroke-dasharray": "0.1 5" } as const; // hands at rest

function sentence({ words }: Props, width: number): { placed: Placed[]; height: number } {
  const placed = typeset(words, SIZE, width - 24, 12, 46, 4, 0.9 * SIZE);
  return { placed, height: placed[placed.length - 1].y + 34 };
}

interface Layout {
  top: number; // of the dials
  columns: number; // of dials
  room: number; // width of one
  cell: number; // and height
  radius: number;
  total: number; // baseline of the sum of what they add
  left: number; // edges of the chart
  right: number;
  up: number;
  bottom: number;
  height: number;
}

/** The dials beside one another, or two by two; the chart under them. */
function layout(props: Props, width: number): Layout {
  const n = props.q.length / 2;
  const top = sentence(props, width).height + 4;
  const columns = width / n >= 164 ? n : 2;
  const room = width / columns;
  const radius = Math.min(LARGEST, Math.floor(room / 2 - OUT - measure("180°", TOLD, true)));
  const cell = 2 * (radius + OUT + TALL) + 48;
  const total = top + Math.ceil(n / columns) * cell + 8;
  const up = total + 92;
  const bottom = up + (columns === 2 ? 190 : 170);
  return { top, columns, room, cell, radius, total, left: 34, right: width - 8, up, bottom, height: bottom + 46 };
}

// ---- What is drawn ----

function Words({ props, state, set, width }: Shown<Props, State>) {
  const { placed } = sentence(props, width);
  return (
    <g>
      {placed.map(({ text, x, y, width: wide }, j) => {
        const [asks, asked] = [j === props.query, j === state.key];
        const middle = x + wide / 2;
        return (
          <Choice key={j} label={`Key of ${text}, word ${j + 1}`} chosen={asked} choose={() => set({ key: j })}>
            <rect x={x - 8} y={y - 22} width={wide + 16} height={50} fill="transparent" />
            {asks && <rect x={x - 7} y={y - 20} width={wide + 14} height={28} rx={14} fill={colour("query")} />}
            {asked && !asks && (
              <rect
                x={x - 7}
                y={y - 20}
                width={wide + 14}
                height={28}
                rx={14}
                fill="none"
                stroke={colour("key")}
                stroke-width={2.5}
              />
            )}
            <Text x={middle} y={y} size={SIZE} anchor="middle" hue={asks ? "paper" : "ink"}>
              {text}
            </Text>
            <Text x={middle} y={y + 25} size={14} anchor="middle" hue="quiet">
              {state.start + j}
            </Text>
            {asks && <Badge x={asked ? middle - 12 : middle} y={y - 33} letter="Q" hue="query" radius={11} />}
            {asked && <Badge x={asks ? middle + 12 : middle} y={y - 33} letter="K" hue="key" radius={11} />}
          </Choice>
        );
      })}
    </g>
  );
}

const DEGREE = Math.PI / 180;

type Point = [number, number];

/** What lies so far from a place, in a direction that is told in degrees clockwise from the top. */
const towards = ([x, y]: Point, angle: number, far: number): Point => [
  x + far * Math.sin(angle * DEGREE),
  y - far * Math.cos(angle * DEGREE),
];

/** The hand of a dial, and a thin line from its end to its letter, if that stands aside. */
function Hand(props: { from: Point; to: Point; letter: Point; hue: Role; thick: number }) {
  const { from, to, letter, hue, thick } = props;
  return (
    <g stroke={colour(hue)} stroke-linecap="round">
      <line x1={to[0]} y1={to[1]} x2={letter[0]} y2={letter[1]} stroke-width={1.5} stroke-dasharray="1 4" />
      <line x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} stroke-width={thick} />
    </g>
  );
}

/** The longest that any pair can be. */
function reachOf({ q, k }: Props): number {
  const lengths = [q, k].flatMap((x) => Array.from({ length: x.length / 2 }, (_, p) => Math.hypot(...pairOf(x, p))));
  return Math.max(...lengths) + 1; // a position that is added has length 1
}

/**
 * One pair of query and key as two hands, with their letters at the rim. Turned, all hands are equally long, for turning
 * keeps lengths; what is added changes them, and then they are drawn.
 */
function Dial({ props, state, set, width, p }: Shown<Props, State> & { p: number }) {
  const { top, columns, room, cell, radius } = layout(props, width);
  const centre: Point = [room * ((p % columns) + 0.5), top + cell * Math.floor(p / columns) + radius + OUT + TALL];
  const [x, y] = centre;
  const full = radius - LETTER - 2;
  const long = (pair: [number, number]): number => {
    const size = Math.hypot(...pair);
    if (size < 1e-9) return 0;
    return state.way === "rotated" ? full : (full * size) / reachOf(props);
  };
  const hand = (pair: [number, number]): Point => towards(centre, degrees(pair), long(pair));
  const now = pairs(props, state)[p];
  const first = pairs(props, { ...state, start: 0 })[p];
  const [a, b] = [degrees(now.q), degrees(now.k)];
  const turn = ((b - a + 540) % 360) - 180; // from the query to the key, the shorter way
  const way = turn < 0 ? -1 : 1;
  const middle = a + turn / 2;
  // letters of hands that nearly meet stand beside one another
  const apart = Math.max(Math.abs(turn) / 2, Math.asin((LETTER + 1) / radius) / DEGREE);
  const [q, k] = [middle - way * apart, middle + way * apart].map((angle) => towards(centre, angle, radius));
  const open = 0.62 * radius;
  const [from, to] = [a, b].map((angle) => towards(centre, angle, open).join(" "));
  const arc = `A${open} ${open} 0 0 ${way > 0 ? 1 : 0} ${to}`;
  const told = `${written(now.between, now.between < 9.95 ? 1 : 0)}°`;
  const [dx, dy] = towards([0, 0], middle, 1);
  const label = towards(
    centre,
    middle,
    radius + OUT + (Math.abs(dx) * measure(told, TOLD, true)) / 2 + (Math.abs(dy) * TALL) / 2,
  );
  const marks = Array.from({ length: 12 }, (_, hour) =>
    [radius - 4, radius - 1].map((far) => towards(centre, 30 * hour, far).join(" ")).join(" L"),
  )
    .map((line) => `M${line}`)
    .join(" ");
  const leader = [0.75 * open, radius + OUT - 3].map((far) => towards(centre, middle, far).join(" "));
  const isHandle = p === Math.min(1, props.q.length / 2 - 1);
  const badge = <Badge x={q[0]} y={q[1]} letter="Q" hue="query" radius={LETTER} />;
  const omega = speed(p, props.q.length);
  const move = (left: number, below: number): void => {
    const pointed = degrees([y - below, left - x]) - degrees(pairOf(props.q, p));
    const turns = Array.from({ length: 9 }, (_, m) => (pointed + 360 * (m - 4)) / omega - props.query);
    const nearest = turns.reduce((best, one) =>
      Math.abs(one - state.start) < Math.abs(best - state.start) ? one : best,
    );
    set({ start: Math.max(0, Math.min(props.furthest, Math.round(nearest))) });
  };
  const nudge = (dx: number, dy: number): void =>
    set({ start: Math.max(0, Math.min(props.furthest, state.start + dx + dy)) });
  return (
    <g>
      <circle cx={x} cy={y} r={radius} fill={colour("surface")} stroke={colour("line")} stroke-width={1.5} />
      <path d={marks} stroke={colour("faint")} />
      {state.start > 0 &&
        (["k", "q"] as const).map((side) => {
          const [left, up] = hand(first[side]);
          return (
            <line
              key={side}
              x1={x}
              y1={y}
              x2={left}
              y2={up}
              stroke={colour(side === "q" ? "query" : "key")}
              {...DOTTED}
            />
          );
        })}
      {now.between > 0.5 && (
        <g>
          <path d={`M${x} ${y} L${from} ${arc} Z`} fill={colour("ink")} opacity={0.16} />
          <path d={`M${from} ${arc}`} fill="none" stroke={colour("ink")} stroke-width={1.5} />
        </g>
      )}
      <path d={`M${leader.join(" L")}`} stroke={colour("quiet")} />
      <Hand from={centre} to={hand(now.k)} letter={k} hue="key" thick={4 + 4 * Math.max(0, 1 - now.between / 3)} />
      <Hand from={centre} to={hand(now.q)} letter={q} hue="query" thick={4} />
      <circle cx={x} cy={y} r={4} fill={colour("ink")} />
      <Badge x={k[0]} y={k[1]} letter="K" hue="key" radius={LETTER} />
      {isHandle ? (
        <Handle label="Query, to be turned" says={`the sentence begins at ${state.start}`} move={move} nudge={nudge}>
          <circle cx={q[0]} cy={q[1]} r={22} fill="transparent" />
          <circle cx={q[0]} cy={q[1]} r={LETTER + 3} fill="none" stroke={colour("query")} stroke-dasharray="3 2" />
          {badge}
        </Handle>
      ) : (
        badge
      )}
      <Text x={label[0]} y={label[1] + 0.35 * TOLD} size={TOLD} anchor="middle" bold>
        {told}
      </Text>
      <Text x={x} y={y + radius + OUT + TALL + 10} size={14} anchor="middle" bold>
        {`adds ${written(now.adds)}`}
      </Text>
      <Text x={x} y={y + radius + OUT + TALL + 28} size={13} anchor="middle" hue="quiet">
        {`turns ${rounded(omega)} a position`}
      </Text>
    </g>
  );
}

/** The range of scores over all that can be shown, so that the chart does not jump. */
function range(props: Props, way: Way, far: number): [number, number] {
  const found: number[] = [];
  for (let start = 0; start <= props.furthest; start += way === "added" ? 2 : props.furthest + 1)
    for (let distance = -far; distance <= far; distance += 0.5)
      found.push(score(props, start + props.query, start + props.query + distance, way));
  return [Math.min(0, Math.floor(Math.min(...found))), Math.ceil(Math.max(...found))];
}

function Chart({ props, state, set, width }: Shown<Props, State>) {
  const { left, right, up, bottom, total } = layout(props, width);
  const { words, query } = props;
  const far = Math.max(REACH, words.length);
  const [low, high] = range(props, state.way, far);
  const x = (distance: number): number => left + ((right - left) * (distance + far)) / (2 * far);
  const y = (value: number): number => bottom - ((bottom - up) * (value - low)) / (high - low);
  const curve = (start: number): string =>
    Array.from({ length: 8 * far + 1 }, (_, n) => n / 4 - far)
      .map((distance) => `${x(distance)},${y(score(props, start + query, start + query + distance, state.way))}`)
      .join(" ");
  const now = scoreOf(props, state);
  const chosen = x(state.key - query);
  const step = high - low > 8 ? 4 : high - low > 4 ? 2 : 1;
  const ticks = Array.from({ length: 40 }, (_, n) => step * (n - 20)).filter((tick) => tick >= low && tick <= high);
  const label = `${words[state.key]}: ${written(now)}`;
  const wide = measure(label, 15, true);
  // beside its dot, where neither the curve nor another dot is
  const heights = Array.from({ length: 16 * far + 1 }, (_, n) => n / 8 - far).map((distance) => ({
    x: x(distance),
    y: y(score(props, state.start + query, state.start + query + distance, state.way)),
  }));
  const places = [chosen + 12, chosen - 12 - wide, chosen - wide / 2].flatMap((wanted, side) => {
    const from = Math.min(right - wide, Math.max(left, wanted));
    const over = heights.filter((point) => point.x > from - 9 && point.x < from + wide + 9).map((point) => point.y);
    const [above, below] = [Math.min(...over) - 11, Math.max(...over) + 24];
    return [
      ...(above > up - 14 ? [{ x: from, y: Math.min(above, y(now) + 5) }] : []),
      ...(below < bottom - 4 && side < 2 ? [{ x: from, y: Math.max(below, y(now) + 5) }] : []),
    ];
  });
  const told = places.reduce((best, place) => (Math.abs(place.y - y(now)) < Math.abs(best.y - y(now)) ? place : best), {
    x: Math.min(right - wide, Math.max(left, chosen + 12)),
    y: up - 8,
  });
  return (
    <g>
      <Text x={0} y={total} size={14}>
        {`together ${sum(props, state)}`}
      </Text>
      {state.start > 0 && (
        <g>
          {(["query", "key"] as const).map((hue, i) => (
            <path key={hue} d={`M2 ${total + 16 + 7 * i} h26`} stroke={colour(hue)} {...DOTTED} />
          ))}
          <Text x={36} y={total + 24} size={13} hue="quiet">
            where they are if the sentence begins at 0
          </Text>
        </g>
      )}
      <Text x={left} y={up - 26} size={15} hue="quiet">
        Score of this query with each key
      </Text>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} stroke={colour("line")} />
          <Text x={left - 8} y={y(tick) + 5} size={14} hue="quiet" anchor="end">
            {written(tick, 0)}
          </Text>
        </g>
      ))}
      <line x1={chosen} x2={chosen} y1={y(now)} y2={bottom} stroke={colour("key")} stroke-dasharray="3 3" />
      {state.way === "added" && state.start > 0 && (
        <polyline points={curve(0)} fill="none" stroke={colour("faint")} stroke-width={2} stroke-dasharray="3 4" />
      )}
      <polyline points={curve(state.start)} fill="none" stroke={colour("ink")} stroke-width={2.5} />
      {words.map((word, j) => (
        <Choice
          key={`${j}-${word}`}
          label={`Distance ${written(j - query, 0)}: ${word}`}
          chosen={j === state.key}
          choose={() => set({ key: j })}
        >
          <circle
            cx={x(j - query)}
            cy={y(score(props, state.start + query, state.start + j, state.way))}
            r={j === state.key ? 8 : 5.5}
            fill={colour("key")}
            stroke={colour("paper")}
            stroke-width={1.5}
          />
        </Choice>
      ))}
      <g style={{ paintOrder: "stroke", stroke: colour("paper"), strokeWidth: 4, strokeLinejoin: "round" }}>
        <Text x={told.x} y={told.y} size={15} bold>
          {label}
        </Text>
      </g>
      {[-far, -5, 0, 5, far].map((distance) => (
        <Text
          key={distance}
          x={x(distance)}
          y={bottom + 19}
          size={14}
          hue="quiet"
          anchor={distance === -far ? "start" : distance === far ? "end" : "middle"}
        >
          {written(distance, 0)}
        </Text>
      ))}
      <Text x={(left + right) / 2} y={bottom + 39} size={14} hue="quiet" anchor="middle">
        distance: positions before (−) or after
      </Text>
    </g>
  );
}

export const clock: Figure<Props, State> = {
  initial: ({ start, key }) => ({ start, key, way: "rotated" }),
  title,
  describe,
  height: (props, _, width) => layout(props, width).height,
  Drawing: (shown) => (
    <g>
      <Words {...shown} />
      {Array.from({ length: shown.props.q.length / 2 }, (_, p) => (
        <Dial key={p} {...shown} p={p} />
      ))}
      <Chart {...shown} />
    </g>
  ),
  Controls: ({ props, state, set, id }) => (
    <>
      <Slider
        label="The sentence begins at"
        value={state.start}
        low={0}
        high={props.furthest}
        step={1}
        set={(start) => set({ start })}
      />
      <Options label="Positions are" name={`${id}-way`} options={WAYS} value={state.way} set={(way) => set({ way })} />
    </>
  ),
};
