// Attention, step by step (chapter 02): a query, its scores, the weights, the weighted values and their sum.

import { useRef } from "preact/hooks";
import type { Figure, Shown } from "../figure";
import { dot, type Mask, type Matrix, mix, softmax, type Vector } from "../maths";
import {
  Badge,
  Button,
  Choice,
  colour,
  Handle,
  inPercent,
  listed,
  measure,
  Options,
  type Placed,
  placeOf,
  type Role,
  strength,
  Text,
  thickness,
  typeset,
  WeightCell,
  WeightLine,
  wrapped,
  written,
} from "../parts";

type Edited = "query" | "keys" | "values";
type Stage = "scores" | "weights" | "values" | "output";
interface Props {
  words: string[]; // n
  outside?: string[]; // m words that only ask, such as a question
  Q: Matrix; // (n + m, d_k)
  K: Matrix; // (n, d_k)
  V: Matrix; // (n, d_v)
  query: number; // the word that asks at first
  mask?: Mask | null; // (n + m, n)
  features?: string[]; // d_k: what the entries of queries and keys stand for
  meanings?: string[]; // d_v: and those of values
}
interface State {
  query: number;
  vector: Vector | null; // its query, where the reader has changed it
  keys: Matrix | null; // all keys and values, where the reader has changed one
  values: Matrix | null;
  edited: Edited; // what can be dragged
  scaled: boolean;
  stage: Stage;
}

const STAGES = [
  ["scores", "Scores"],
  ["weights", "Weights"],
  ["values", "Values"],
  ["output", "Output"],
] as const;
const EDITED = [
  ["query", "query"],
  ["keys", "keys"],
  ["values", "values"],
] as const;
const HAPPENS: Record<Stage, string> = {
  scores: "The query meets each key: entry times entry, added up, is the score.",
  weights: "Softmax turns the scores into weights, which add up to 100 %.",
  values: "Each word hands over its value, times its weight.",
  output: "The sum of the weighted values is the output.",
};
const reached = (state: State, stage: Stage): boolean =>
  STAGES.findIndex(([s]) => s === state.stage) >= STAGES.findIndex(([s]) => s === stage);

// ---- What is computed ----

function computed({ Q, mask, ...props }: Props, { query, vector, keys, values, scaled }: State) {
  const q = vector ?? Q[query];
  const [K, V] = [keys ?? props.K, values ?? props.V];
  const divisor = scaled ? Math.sqrt(q.length) : 1;
  const scores = K.map((key) => dot(q, key) / divisor);
  const allowed = K.map((_, j) => mask?.[query][j] ?? true);
  const weights = softmax(scores, allowed);
  const weighted = V.map((value, j) => value.map((x) => weights[j] * x));
  const told = inPercent(weights).map((x) => `${x} %`);
  return { q, K, V, divisor, scores, allowed, weights, told, weighted, output: mix(weights, V) };
}

const largestIn = (rows: Matrix): number => Math.max(1e-9, ...rows.flat().map(Math.abs));

// ---- In words ----

/** A number with as few decimals as it needs. */
const plain = (x: number, decimals = 2): string => String(Number(x.toFixed(decimals))).replace("-", "−");

const vectorInWords = (x: Vector, decimals = 2): string => `(${x.map((entry) => plain(entry, decimals)).join(", ")})`;

const allWords = ({ words, outside }: Props): string[] => [...words, ...(outside ?? [])];

/** A word in quotes, with its place if it occurs more than once. */
function named(props: Props, i: number): string {
  const words = allWords(props);
  const same = words.filter((word) => word.toLowerCase() === words[i].toLowerCase());
  return `‘${words[i]}’${same.length > 1 ? ` (word ${i + 1})` : ""}`;
}

function title(props: Props, state: State): string {
  const { scores, weights, told, allowed } = computed(props, state);
  const asks = named(props, state.query);
  const seen = allowed.flatMap((may, j) => (may ? [j] : []));
  if (!seen.length) return `${asks} may look at no word, so its output is zero`;
  if (state.stage === "scores") {
    const top = Math.max(...seen.map((j) => scores[j]));
    const best = seen.filter((j) => scores[j] > top - 0.005).map((j) => named(props, j));
    return `${listed(best)} ${best.length > 1 ? "fit" : "fits"} the query of ${asks} best: score ${written(top)}`;
  }
  const top = Math.max(...weights);
  const best = weights.indexOf(top);
  const at = (j: number): string => (j === state.query ? "itself" : named(props, j));
  const close = seen.filter((j) => weights[j] > 0.85 * top);
  if (seen.length === 1) return `${asks} may look only at ${at(best)}`;
  if (close.length === seen.length) return `${asks} looks about equally at all ${seen.length} words that it may see`;
  if (close.length > 3) return `${asks} looks about equally at ${close.length} words`;
  if (close.length > 1) return `${asks} looks about equally at ${listed(close.map((j) => `${at(j)} (${told[j]})`))}`;
  if (top > 0.95) return `${asks} looks almost only at ${at(best)} (${told[best]})`;
  if (top > 0.5) return `${asks} looks mostly at ${at(best)} (${told[best]})`;
  return `${asks} looks more at ${at(best)} than at any other word (${told[best]})`;
}

/** What the columns stand for, in words. */
const columns = ({ features, meanings }: Props): string =>
  (features ? `Entries of queries and keys: ${listed(features)}. ` : "") +
  (meanings ? `Entries of values: ${listed(meanings)}. ` : "");

function describe(props: Props, state: State): string {
  const { q, K, V, divisor, scores, allowed, told, weighted, output } = computed(props, state);
  const each = (say: (j: number) => string): string =>
    props.words.map((_, j) => `${named(props, j)} ${allowed[j] ? say(j) : "is masked"}`).join("; ");
  const said = [
    `${columns(props)}The words: ${props.words.join(" ")}. ${props.outside?.length ? `Asking from outside: ${props.outside.join(" ")}. ` : ""}The query of ${named(props, state.query)} is ${vectorInWords(q)}. ` +
      `Scores, the dot product of query and key${divisor === 1 ? "" : ` divided by ${plain(divisor)}`}: ` +
      `${each((j) => `with key ${vectorInWords(K[j])} scores ${written(scores[j])}`)}.`,
    `Weights: ${each((j) => told[j])}.`,
    `Values times weights: ${each((j) => `${vectorInWords(V[j])} becomes ${vectorInWords(weighted[j])}`)}.`,
    `Output, their sum: ${vectorInWords(output)}.`,
  ];
  return said.filter((_, i) => reached(state, STAGES[i][0])).join(" ");
}

// ---- Where things stand ----

const HEIGHT = 32; // of a cell
const [SIGN, NARROW_SIGN] = [22, 16]; // room for × and =
const PERCENT = 52; // room for a cell and a number
const NAME = 16; // height of the name of a column

interface Asking extends Placed {
  size: number;
}

const FROM_OUTSIDE = "Asking from outside:";
const OUTSIDE = 18; // size of a word that only asks

/** Words that only ask, in lines of their own above the sentence. */
function outsideOf({ outside = [] }: Props, width: number): { placed: Asking[]; label: number; height: number } {
  if (!outside.length) return { placed: [], label: 0, height: 0 };
  const wide = measure(FROM_OUTSIDE, 15) + 18;
  const set = typeset(outside, OUTSIDE, width - wide - 8, wide, 24, 2, 26);
  const last = Math.max(...set.map((word) => word.x + word.width));
  const label = Math.max(0, (width - last - 8) / 2); // in the middle, as the sentence is
  const placed = set.map((word) => ({ ...word, x: word.x + label, size: OUTSIDE }));
  return { placed, label, height: 40 + 2 * OUTSIDE * placed[placed.length - 1].line };
}

/** Words in the middle: in one line with arcs above it, if there is room. */
function sentence(props: Props, width: number) {
  const outside = outsideOf(props, width);
  const top = outside.height;
  const set = (size: number, y: number) => typeset(props.words, size, width - 16, 8, y, 2, 0.55 * size);
  const size = [28, 24, 21, 18].find((s) => set(s, 0).every(({ line }) => line === 0));
  const arcs = size ? 58 : 0;
  const words = set(size ?? 18, top + (size ? arcs + size : 20));
  const last = words[words.length - 1];
  const shift = size ? (width - last.x - last.width) / 2 - 4 : 0;
  const inside = words.map((word): Asking => ({ ...word, x: word.x + shift, size: size ?? 18 }));
  return {
    placed: [...inside, ...outside.placed],
    label: outside.label,
    top,
    arcs,
    height: size ? top + arcs + 1.7 * size : last.y + 24,
  };
}

/** Left edges of the columns, and heights. On a narrow page the values stand under the keys. */
function layout(props: Props, state: State, width: number) {
  const { words, Q, K, V } = props;
  const label = 6 + Math.max(...words.map((word) => measure(word, 15, true)), measure("query", 15, true) + 28);
  const cell = (rows: Matrix, decimals: number, least: number): number =>
    Math.max(least, 5 + Math.max(...rows.flat().map((x) => measure(plain(x, decimals), 13, true))));
  const valueCell = cell(V, 2, 34);
  const values = (valueCell + 44) * V[0].length + 2 * SIGN;
  const fixed = label + cell([...Q, ...K], 2, 34) * K[0].length + 52 + PERCENT + values;
  const wide = width >= fixed + 50;
  const room = wide ? width : Math.min(width, 420);
  const narrowKey = Math.min(cell([...Q, ...K], 1, 26), (room - label - 42 - PERCENT) / K[0].length);
  const keyCell = wide ? cell([...Q, ...K], 2, 34) : narrowKey;
  const score = label + keyCell * K[0].length + (wide ? 52 : 42); // right edge
  const line = wide ? Math.min(210, width - fixed) : room - score - PERCENT;
  const weight = score + line;
  const value = weight + PERCENT + SIGN;
  const narrowLabel = 6 + Math.max(...words.map((word) => measure(word, 15)));
  const parts = room - narrowLabel - measure("100 %", 13) - 6 - 2 * NARROW_SIGN; // on a narrow page: of a value, and of its product
  const narrowCell = Math.min(38, parts / (2 * V[0].length));
  const sumCell = wide ? 44 : narrowCell;
  const sum = wide ? value + valueCell * V[0].length + SIGN : room - sumCell * V[0].length;
  const signed = V.flat().some((x) => x < 0);
  const widest = `${signed ? "−" : ""}${Math.trunc(largestIn(V))}.00`; // of a product, which is no larger than a value
  const decimals = wide || measure(widest, 13, true) + 4 <= sumCell ? 2 : 1;
  const row = wide ? 40 : 38;
  const { height } = sentence(props, width);
  const names = nameLines(props.features, keyCell);
  const meanings = nameLines(props.meanings, wide ? valueCell : sumCell);
  const query = height + (wide ? 24 : 66) + names * NAME;
  const keys = query + HEIGHT + 68 + (wide ? Math.max(0, meanings - 1) * NAME : 0);
  const block = words.length * row;
  const valuesTop = wide ? keys : keys + block + 48 + meanings * NAME;
  const output = valuesTop + block + 8;
  const end = sum + sumCell * V[0].length;
  const bottom = wide || reached(state, "values") ? output + HEIGHT : keys + block;
  const legend = [...Q, ...K, ...V].flat().some((x) => x <= 0) ? 26 : 0;
  const sign = wide ? SIGN : NARROW_SIGN;
  const left = wide ? value : sum - sign - sumCell * V[0].length; // of the values
  return {
    ...{
      wide,
      end,
      label,
      keyCell,
      score,
      weight,
      value: left,
      valueCell: wide ? valueCell : sumCell,
      sum,
      sumCell,
      sign,
      decimals,
      row,
    },
    ...{ query, keys, valuesTop, output, legend, bottom: bottom + 6, height: bottom + 6 + legend },
  };
}

/** In how many lines the names of columns stand: one if there is room, else one under the other, in steps. */
function nameLines(names: string[] | undefined, cell: number): number {
  if (!names) return 0;
  return names.every((name) => measure(name, 13) <= cell - 2) ? 1 : names.length;
}

// ---- What is drawn ----

/** What the columns of a vector stand for, above them; names that are too wide rise in steps, each with its leader. */
function Names({ names, x, y, cell }: { names: string[] | undefined; x: number; y: number; cell: number }) {
  const lines = nameLines(names, cell);
  return (
    <g>
      {names?.map((name, i) => {
        const middle = x + (i + 0.5) * cell;
        const up = lines === 1 ? 0 : (lines - 1 - i) * NAME;
        return (
          <g key={name}>
            {up > 0 && <path d={`M${middle} ${y - 1} V${y - up + 1}`} stroke={colour("line")} />}
            <Text
              x={lines === 1 ? middle : middle - 4}
              y={y - up - 3}
              size={13}
              hue="quiet"
              anchor={lines === 1 ? "middle" : "start"}
            >
              {name}
            </Text>
          </g>
        );
      })}
    </g>
  );
}

/** What a framed number is, and an empty cell. */
function Legend({ props, at }: Part) {
  if (!at.legend) return null;
  const y = at.bottom + 14;
  const signed = [...props.Q, ...props.K, ...props.V].flat().some((x) => x < 0);
  const zero = signed ? 212 : 106;
  return (
    <g>
      <rect x={1} y={y - 9} width={18} height={18} rx={4} fill={colour("ink")} opacity={0.3} />
      <Text x={26} y={y + 5} size={13} hue="quiet">
        above zero
      </Text>
      {signed && (
        <g>
          <rect
            x={107}
            y={y - 8}
            width={16}
            height={16}
            rx={4}
            fill="none"
            stroke={colour("quiet")}
            stroke-width={2.5}
          />
          <Text x={130} y={y + 5} size={13} hue="quiet">
            below zero
          </Text>
        </g>
      )}
      <rect x={zero} y={y - 9} width={18} height={18} rx={4} fill={colour("paper")} stroke={colour("line")} />
      <Text x={zero + 25} y={y + 5} size={13} hue="quiet">
        empty: 0
      </Text>
    </g>
  );
}

type Part = Shown<Props, State> & { found: ReturnType<typeof computed>; at: ReturnType<typeof layout> };

/** A vector as cells with their numbers. The colour stops half-way, so that a number can be read on it.

Zero is an empty cell; a number that only rounds to zero is written. */
function Cells(props: {
  x: number;
  y: number;
  cell: number;
  numbers: Vector;
  hue: Role;
  largest: number;
  decimals?: number;
  full?: boolean; // zeros are written, too, and all of it bold
}) {
  const { x, y, cell, numbers, hue, largest, decimals = 2, full = false } = props;
  return (
    <g>
      {numbers.map((number, i) => {
        const size = Math.min(1, Math.abs(number) / largest);
        const box = { x: x + i * cell + 1, y, width: cell - 2, height: HEIGHT, rx: 4 };
        return (
          <g key={i}>
            <rect {...box} fill={colour("paper")} stroke={colour("line")} />
            {number > 0 && <rect {...box} fill={colour(hue)} opacity={0.5 * size} />}
            {number < 0 && (
              <rect {...box} fill="none" stroke={colour(hue)} stroke-width={2.5} opacity={0.2 + 0.8 * size} />
            )}
            {(full || number !== 0) && (
              <Text x={x + (i + 0.5) * cell} y={y + 21} size={13} anchor="middle" bold={full}>
                {number !== 0 && plain(number, decimals) === "0" ? (0).toFixed(decimals) : plain(number, decimals)}
              </Text>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** What a column holds, and how it comes about. */
function Heading(props: { x: number; y: number; says: string; how: string; now: boolean }) {
  return (
    <g>
      <Text x={props.x} y={props.y - 17} anchor="end" bold={props.now}>
        {props.says}
      </Text>
      <Text x={props.x} y={props.y} size={13} anchor="end" hue="quiet">
        {props.how}
      </Text>
    </g>
  );
}

/** The sentence, in which a word is chosen to ask; arcs, or bars under the words, are the weights. */
function Sentence({ props, state, set, found, width }: Part) {
  const { placed, label, top, arcs } = sentence(props, width);
  const middle = ({ x, width }: { x: number; width: number }): number => x + width / 2;
  const asker = placed[state.query];
  const asks = middle(asker);
  const n = props.words.length;
  const weights = found.weights.map((weight) => (reached(state, "weights") && weight >= 0.005 ? weight : 0));
  const arc = ({ size, ...word }: Asking): string => {
    const [to, y] = [middle(word), top + arcs + 0.12 * size];
    if (state.query >= n) return `M${asks} ${asker.y + 9} C${asks} ${y - 30} ${to} ${asker.y + 40} ${to} ${y}`;
    if (to === asks) return `M${to - 6} ${y} A15 15 0 1 1 ${to + 6} ${y}`;
    const high = y - Math.min(76, 30 + 0.3 * Math.abs(to - asks));
    return `M${asks} ${y} C${asks} ${high} ${to} ${high} ${to} ${y}`;
  };
  return (
    <g>
      {placed.length > n && (
        <Text x={label} y={placed[n].y} size={15} hue="quiet">
          {FROM_OUTSIDE}
        </Text>
      )}
      {placed.map((word, j) => {
        const { size } = word;
        const box = { x: word.x - 6, y: word.y - size, width: word.width + 12, height: 1.38 * size, rx: 7 };
        const [chosen, outside] = [j === state.query, j >= n];
        return (
          <g key={j}>
            {outside ? null : arcs > 0 ? (
              <path
                d={arc(word)}
                fill="none"
                stroke={colour("weight")}
                stroke-width={thickness(weights[j], 12)}
                opacity={strength(weights[j])}
              />
            ) : (
              <rect
                x={word.x}
                y={word.y + 9}
                width={word.width}
                height={6}
                fill={colour("weight")}
                opacity={weights[j]}
              />
            )}
            <Choice
              label={`Query of ${named(props, j)}`}
              chosen={chosen}
              choose={() => set({ query: j, vector: null })}
            >
              <rect {...box} y={word.y - 0.35 * size - 22} height={44} fill="transparent" />
              <rect {...box} fill={chosen ? colour("query") : "transparent"} />
              {outside && !chosen && <rect {...box} fill="none" stroke={colour("query")} stroke-width={1.5} />}
              <Text
                x={word.x}
                y={word.y}
                size={size}
                hue={chosen ? "paper" : (found.allowed[j] ?? true) ? "ink" : "quiet"}
              >
                {word.text}
              </Text>
            </Choice>
          </g>
        );
      })}
    </g>
  );
}

/** What makes the entries of a vector draggable, up and down. */
function Grips(props: {
  x: number;
  y: number;
  cell: number;
  numbers: Vector;
  hue: Role;
  largest: number; // of those that were given; the reader may go twice as far
  name: string;
  arrows?: boolean;
  change: (numbers: Vector) => void;
}) {
  const { x, y, cell, numbers, hue, largest, arrows = false } = props;
  const grip = useRef({ y: 0, entry: 0 }); // where the pointer took hold, and of what number
  const step = largest >= 2 ? 0.1 : 0.01;
  const change = (i: number, to: number): void => {
    const within = Math.max(-2 * largest, Math.min(2 * largest, to));
    const entry = Number((step * Math.round(within / step)).toFixed(2));
    props.change(numbers.map((number, j) => (j === i ? entry : number)));
  };
  const over = arrows ? 14 : 2; // how far the handle reaches beyond its cell
  return (
    <g>
      {numbers.map((entry, i) => {
        const left = x + i * cell;
        return (
          <g
            key={i}
            onPointerDown={(event) => {
              grip.current = { y: placeOf(event)[1], entry };
            }}
          >
            <Handle
              label={`${props.name}, entry ${i + 1}`}
              says={plain(entry)}
              move={(_, to) => change(i, grip.current.entry + ((grip.current.y - to) * largest) / 80)}
              nudge={(_, up) => change(i, entry + up * step)}
            >
              <g style={{ cursor: "ns-resize" }} fill={colour(hue)}>
                <rect x={left} y={y - over} width={cell} height={HEIGHT + 2 * over} fill="transparent" />
                {arrows ? (
                  <g>
                    <path d={`M${left + cell / 2 - 6} ${y - 4} h12 l-6 -7 z`} />
                    <path d={`M${left + cell / 2 - 6} ${y + HEIGHT + 4} h12 l-6 7 z`} />
                  </g>
                ) : (
                  <rect
                    {...{ x: left + 1, y, width: cell - 2, height: HEIGHT, rx: 4, fill: "none", stroke: colour(hue) }}
                    stroke-dasharray="3 2"
                  />
                )}
              </g>
            </Handle>
          </g>
        );
      })}
    </g>
  );
}

/** The query. */
function Query({ props, state, set, found, at }: Part) {
  const { q } = found;
  const largest = largestIn(props.Q);
  const middle = at.query + HEIGHT / 2;
  const happens = at.wide ? [HAPPENS[state.stage]] : wrapped(HAPPENS[state.stage], at.end, 15);
  return (
    <g>
      {happens.map((line, i) => (
        <Text
          key={line}
          x={at.wide ? at.label + q.length * at.keyCell + 28 : 0}
          y={
            at.wide
              ? middle + 5
              : at.query - 33 - nameLines(props.features, at.keyCell) * NAME - 19 * (happens.length - 1 - i)
          }
          hue="quiet"
        >
          {line}
        </Text>
      ))}
      <Badge x={11} y={middle} letter="Q" hue="query" />
      <Text x={28} y={middle + 5} hue="query" bold>
        query
      </Text>
      <Names names={props.features} x={at.label} y={at.query - (state.edited === "query" ? 14 : 0)} cell={at.keyCell} />
      <Cells
        x={at.label}
        y={at.query}
        cell={at.keyCell}
        numbers={q}
        hue="query"
        largest={largest}
        decimals={at.wide ? 2 : 1}
        full
      />
      {state.edited === "query" && (
        <Grips
          {...{ x: at.label, y: at.query, cell: at.keyCell, numbers: q, hue: "query", largest, name: "Query" }}
          arrows
          change={(vector) => set({ vector })}
        />
      )}
    </g>
  );
}

/** Every word's key, its score, and its weight. */
function Keys({ props, state, set, found, at }: Part) {
  const { K, allowed, scores, weights, told, divisor } = found;
  const largest = largestIn(props.K);
  const best = Math.max(...scores.filter((_, j) => allowed[j]));
  const head = at.keys - 12;
  const weighed = reached(state, "weights");
  return (
    <g>
      <Badge x={11} y={head - 5} letter="K" hue="key" />
      <Text x={28} y={head} hue="key" bold>
        keys
      </Text>
      <Heading
        x={at.score}
        y={head}
        says="score"
        how={divisor === 1 ? "q · k" : `q · k ÷ ${plain(divisor)}`}
        now={state.stage === "scores"}
      />
      {weighed && (
        <Heading x={at.weight + PERCENT} y={head} says="weight" how="softmax" now={state.stage === "weights"} />
      )}
      {props.words.map((word, j) => {
        const y = at.keys + j * at.row;
        const middle = y + HEIGHT / 2;
        return (
          <g key={j}>
            <Text x={0} y={middle + 5} hue={allowed[j] ? "ink" : "quiet"}>
              {word}
            </Text>
            <Cells
              x={at.label}
              y={y}
              cell={at.keyCell}
              numbers={K[j]}
              hue="key"
              largest={largest}
              decimals={at.wide ? 2 : 1}
            />
            {state.edited === "keys" && (
              <Grips
                {...{ x: at.label, y, cell: at.keyCell, numbers: K[j], hue: "key", largest }}
                name={`Key of ${named(props, j)}`}
                change={(key) => set({ keys: K.map((row, l) => (l === j ? key : row)) })}
              />
            )}
            {allowed[j] ? (
              <Text x={at.score} y={middle + 5} anchor="end" bold={scores[j] === best}>
                {written(scores[j])}
              </Text>
            ) : (
              <Text x={at.label + at.keyCell * K[j].length + 10} y={middle + 5} hue="quiet">
                masked
              </Text>
            )}
            {weighed && allowed[j] && (
              <g>
                {at.weight - at.score > 20 && (
                  <WeightLine
                    x1={at.score + 8}
                    y1={middle}
                    x2={at.weight - 4}
                    y2={middle}
                    weight={weights[j]}
                    widest={Math.min(18, 0.6 * (at.weight - at.score - 8))}
                  />
                )}
                <WeightCell x={at.weight} y={middle - 9} width={16} height={18} weight={weights[j]} />
                <Text x={at.weight + PERCENT} y={middle + 5} anchor="end" bold={scores[j] === best}>
                  {told[j]}
                </Text>
              </g>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** Every word's value, times its weight, and the sum of all. */
function Values({ props, state, set, found, at }: Part) {
  if (!reached(state, "values")) return null;
  const { V } = found;
  const largest = largestIn(props.V);
  const lifted = nameLines(props.meanings, at.valueCell) * NAME;
  const left = at.wide ? at.value : 0;
  const head = at.valuesTop - 12 - lifted;
  const middle = at.output + HEIGHT / 2;
  return (
    <g>
      <Badge x={left + 11} y={head - 5} letter="V" hue="value" />
      <Text x={left + 28} y={head} hue="value" bold>
        values
      </Text>
      <Text x={at.end} y={head} anchor="end" bold={state.stage === "values"}>
        weight × value
      </Text>
      <Names names={props.meanings} x={at.value} y={at.valuesTop - 2} cell={at.valueCell} />
      {props.words.map((word, j) => (
        <g key={j}>
          {!at.wide && (
            <Text x={0} y={at.valuesTop + j * at.row + 21} hue={found.allowed[j] ? "ink" : "quiet"}>
              {word}
            </Text>
          )}
          <Product {...{ at, found, j }} value={V[j]} largest={largest} />
          <Cells
            x={at.sum}
            y={at.valuesTop + j * at.row}
            cell={at.sumCell}
            numbers={found.weighted[j]}
            hue="value"
            largest={largest}
            decimals={at.decimals}
          />
          {state.edited === "values" && (
            <Grips
              {...{ y: at.valuesTop + j * at.row, numbers: V[j], hue: "value", largest }}
              x={at.value}
              cell={at.valueCell}
              name={`Value of ${named(props, j)}`}
              change={(value) => set({ values: V.map((row, l) => (l === j ? value : row)) })}
            />
          )}
        </g>
      ))}
      {reached(state, "output") && (
        <g>
          <path d={`M${at.sum} ${at.output - 5} H${at.end}`} stroke={colour("ink")} stroke-width={2} />
          <Badge x={at.sum - 78} y={middle} letter="O" hue="output" />
          <Text x={at.sum - 12} y={middle + 5} anchor="end" hue="output" bold>
            output
          </Text>
          <Cells
            x={at.sum}
            y={at.output}
            cell={at.sumCell}
            numbers={found.output}
            hue="output"
            largest={largest}
            decimals={at.decimals}
            full
          />
        </g>
      )}
    </g>
  );
}

/** A weight times a value equals; on a wide page the weight stands in its own column, just before. */
function Product(props: { at: Part["at"]; found: Part["found"]; j: number; value: Vector; largest: number }) {
  const { at, found, j, value, largest } = props;
  const y = at.valuesTop + j * at.row;
  return (
    <g>
      {!at.wide && (
        <Text x={at.value - at.sign - 1} y={y + 21} size={13} anchor="end" hue="weight" bold>
          {found.allowed[j] && found.told[j]}
        </Text>
      )}
      {found.allowed[j] && (
        <Text x={at.value - at.sign / 2} y={y + 21} anchor="middle" hue="quiet">
          ×
        </Text>
      )}
      <Cells
        x={at.value}
        y={y}
        cell={at.valueCell}
        numbers={value}
        hue="value"
        largest={largest}
        decimals={at.wide ? 2 : 1}
      />
      <Text x={at.sum - at.sign / 2} y={y + 21} anchor="middle" hue="quiet">
        {found.allowed[j] && "="}
      </Text>
    </g>
  );
}

export const attentionSteps: Figure<Props, State> = {
  initial: ({ query }) => ({
    ...{ query, vector: null, keys: null, values: null },
    ...{ edited: "query", scaled: true, stage: "output" },
  }),
  title,
  describe,
  height: (props, state, width) => layout(props, state, width).height,
  Drawing(shown) {
    const part: Part = {
      ...shown,
      found: computed(shown.props, shown.state),
      at: layout(shown.props, shown.state, shown.width),
    };
    return (
      <g>
        <Sentence {...part} />
        <Keys {...part} />
        <Values {...part} />
        <Query {...part} />
        <Legend {...part} />
      </g>
    );
  },
  Above: ({ state, set, id }) => (
    <Options
      label="Step"
      name={`${id}-stage`}
      options={STAGES}
      value={state.stage}
      set={(stage) => set({ stage })}
      quiet
    />
  ),
  Controls: ({ state, set, id }) => (
    <>
      <Options
        label="Drag"
        name={`${id}-edited`}
        options={EDITED}
        value={state.edited}
        set={(edited) =>
          set(edited === "values" && !reached(state, "values") ? { edited, stage: "output" } : { edited })
        }
      />
      <label class="cf-control">
        <input
          type="checkbox"
          checked={state.scaled}
          onChange={(event) => set({ scaled: event.currentTarget.checked })}
        />
        <span>
          scaled by √d<sub>k</sub>
        </span>
      </label>
      <Button
        label="Reset numbers"
        press={() => set({ vector: null, keys: null, values: null })}
        disabled={!state.vector && !state.keys && !state.values}
      />
    </>
  ),
};
