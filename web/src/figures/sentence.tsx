// A sentence with attention: a word and the words that it looks at, joined by arcs as thick as the weights.

import type { Figure, Shown } from "../figure";
import type { Vector } from "../maths";
import {
  Badge,
  Choice,
  colour,
  Options,
  type Placed,
  percent,
  Slider,
  strength,
  Text,
  thickness,
  typeset,
} from "../parts";

interface Sentence {
  name: string; // what the control calls it
  words: string[];
  weights: (Vector | null)[]; // for each word its weights on all words; null for a word that does not look
  word: number; // which looks first
}
interface Props {
  sentences: Sentence[];
  sentence: number; // which is shown first
  label: string; // of the control, if there are several
  control: "slider" | "options" | "none"; // none: all sentences, under one another
}
interface State {
  sentence: number;
  word: number; // −1: the sentence's own
}

const SIZE = 18;
const [MARGIN, BELOW] = [6, 34]; // beside and below the words
const TOLD = 0.05; // from which weight on it is written
const REST = 22; // height of a line about all others
const [HIGHEST, HIGHEST_OF_SEVERAL, LOOP] = [130, 52, 30]; // how far arcs rise: in one line, in several, onto itself
const NOTHING = <g />;
const HALO = { paintOrder: "stroke", stroke: colour("paper"), strokeWidth: 5, strokeLinejoin: "round" } as const; // where lines pass

const current = ({ sentences }: Props, { sentence }: State): Sentence =>
  sentences[Math.max(0, Math.min(sentences.length - 1, sentence))];

function lookerOf(props: Props, state: State): number {
  const { word, weights } = current(props, state);
  return weights[state.word] ? state.word : word;
}

const rowOf = (props: Props, state: State): Vector =>
  current(props, state).weights[lookerOf(props, state)] ?? current(props, state).words.map(() => 0);

/** A word in quotes, with its place where the sentence has it twice. */
function quoted(words: string[], i: number): string {
  const twice = words.filter((word) => word === words[i]).length > 1;
  return `‘${words[i]}’${twice ? ` (word ${i + 1})` : ""}`;
}

const places = (n: number): string => `${n} word${n === 1 ? "" : "s"}`;

/** Where a word looks, as a sentence. */
function finding(words: string[], looker: number, row: Vector): string {
  const best = row.indexOf(Math.max(...row));
  const who = quoted(words, looker);
  const [far, share] = [looker - best, percent(row[best])];
  const where = far === 0 ? "itself" : `${quoted(words, best)}, ${places(Math.abs(far))} ${far > 0 ? "back" : "ahead"}`;
  if (row[best] >= 0.5) return `${who} looks at ${where}: ${share} of its weight`;
  return `${who} spreads its weight; most, ${share}, goes to ${where}`;
}

/** What the words have together whose weights are not written. */
function others(row: Vector): string {
  const few = row.filter((weight) => weight < TOLD);
  const all = row.reduce((sum, weight) => sum + weight, 0);
  const written = row.reduce((sum, weight) => sum + (weight < TOLD ? 0 : Math.round(100 * weight)), 0);
  const share = Math.round(100 * all) - written; // so that all that is written adds up
  if (share < 1) return "";
  const which =
    few.length === row.length ? places(few.length) : `${few.length} other word${few.length === 1 ? "" : "s"}`;
  return `${which} ${few.length === 1 ? "has" : "share"} ${share} %`;
}

interface Layout {
  placed: Placed[];
  height: number;
  n_lines: number;
}

const middle = ({ x, width }: Placed): number => x + width / 2;

/** How high an arc rises that spans so many pixels. */
const rise = (span: number, most: number): number => Math.min(most, 16 + 0.22 * Math.abs(span));

function linesOf(words: string[], width: number): { placed: Placed[]; n_lines: number } {
  const placed = typeset(words, SIZE, width - 2 * MARGIN, MARGIN, 0, 1, 0.42 * SIZE);
  return { placed, n_lines: 1 + Math.max(...placed.map(({ line }) => line)) };
}

/** How much room the arcs need above a line: as much for all sentences, so that the words stay where they are. */
function highest({ sentences }: Props, width: number): number {
  const rises = sentences.flatMap(({ words, weights }) => {
    const { placed, n_lines } = linesOf(words, width);
    if (n_lines > 1) return [];
    return weights.flatMap((row, from) =>
      (row ?? []).map((weight, to) =>
        weight < 0.005 || to === from ? LOOP : rise(middle(placed[to]) - middle(placed[from]), HIGHEST),
      ),
    );
  });
  return Math.max(LOOP, ...rises);
}

function layoutOf(props: Props, words: string[], width: number): Layout {
  const { placed, n_lines } = linesOf(words, width);
  const alone = { ...props, sentences: props.sentences.filter((each) => each.words === words) };
  const above = n_lines > 1 ? HIGHEST_OF_SEVERAL : highest(props.control === "none" ? alone : props, width);
  const top = above + SIZE + 12;
  const leading = SIZE + above + BELOW + 14;
  return {
    placed: placed.map((word) => ({ ...word, y: top + word.line * leading })),
    n_lines,
    height: top + (n_lines - 1) * leading + BELOW + REST,
  };
}

/** From the word that looks to one that it looks at: an arc above them, or a line from one row of words to another. */
function pathOf(from: Placed, to: Placed, n_lines: number): string {
  const [a, b] = [middle(from), middle(to)];
  const [above, most] = [SIZE + 2, n_lines > 1 ? HIGHEST_OF_SEVERAL : HIGHEST];
  if (from.line === to.line) {
    const y = from.y - above;
    if (a === b) return `M${a - 9} ${y} C${a - 22} ${y - 34} ${a + 22} ${y - 34} ${a + 9} ${y}`;
    const up = (4 / 3) * rise(a - b, most);
    const lean = 0.18 * (b - a);
    return `M${a} ${y} C${a + lean} ${y - up} ${b - lean} ${y - up} ${b} ${y}`;
  }
  const back = to.line < from.line; // then it ends under the word
  const [y1, y2] = back ? [from.y - above, to.y + 10] : [from.y + 10, to.y - above];
  const bend = (y1 - y2) / 2;
  return `M${a} ${y1} C${a} ${y1 - bend} ${b} ${y2 + bend} ${b} ${y2}`;
}

function Words({ props, state, set, width }: Shown<Props, State>) {
  const { words, weights } = current(props, state);
  const looker = lookerOf(props, state);
  const row = rowOf(props, state);
  const { placed, n_lines, height } = layoutOf(props, words, width);
  const told = row[looker] >= TOLD; // beside the badge, then
  const order = row.map((_, i) => i).sort((a, b) => row[a] - row[b]);
  return (
    <g>
      <g fill="none" stroke={colour("weight")} stroke-linecap="round" pointer-events="none">
        {order.map((i) =>
          row[i] < 0.005 ? null : (
            <path
              key={i}
              d={pathOf(placed[looker], placed[i], n_lines)}
              stroke-width={thickness(row[i], 12)}
              opacity={strength(row[i])}
            />
          ),
        )}
      </g>
      {placed.map((word, i) => {
        const looks = i === looker;
        const frame = { x: word.x - 4, y: word.y - SIZE - 1, width: word.width + 8, height: SIZE + 9, rx: 6 };
        const shown = (
          <g>
            <rect x={frame.x} y={word.y - 31} width={frame.width} height={46} fill="transparent" />
            <rect {...frame} fill={colour("weight")} opacity={0.28 * row[i]} />
            {looks && <rect {...frame} fill="none" stroke={colour("query")} stroke-width={2} />}
            <g style={row[i] < TOLD ? HALO : {}}>
              <Text x={word.x} y={word.y} size={SIZE}>
                {word.text}
              </Text>
            </g>
            {row[i] >= TOLD && (
              <Text
                x={middle(word) + (looks ? 13 : 0)}
                y={word.line < placed[looker].line ? word.y - SIZE - 6 : word.y + 24}
                size={13}
                hue="weight"
                anchor="middle"
                bold
              >
                {percent(row[i])}
              </Text>
            )}
          </g>
        );
        if (!weights[i]) return <g key={i}>{shown}</g>;
        return (
          <Choice key={i} label={`${quoted(words, i)} looks`} chosen={looks} choose={() => set({ word: i })} hover>
            {shown}
          </Choice>
        );
      })}
      <Badge x={middle(placed[looker]) - (told ? 17 : 0)} y={placed[looker].y + 20} letter="Q" hue="query" />
      <Text x={MARGIN} y={height - 6} size={14} hue="quiet">
        {others(row)}
      </Text>
    </g>
  );
}

/** Another sentence: the chosen word stays chosen where the words are the same. */
function changed(props: Props, state: State, sentence: number): State {
  const same = props.sentences[sentence].words.join(" ") === current(props, state).words.join(" ");
  return { sentence, word: same ? lookerOf(props, state) : -1 };
}

/** A sentence and its weights in words. */
function told(props: Props, state: State): string {
  const { words, name } = current(props, state);
  const row = rowOf(props, state);
  const weights = row
    .map((weight, i) => ({ weight, i }))
    .filter(({ weight }) => weight >= 0.005)
    .sort((a, b) => b.weight - a.weight)
    .map(({ weight, i }) => `${quoted(words, i)} ${percent(weight)}`);
  const which = props.sentences.length > 1 ? ` (${[props.label, name].filter(Boolean).join(": ")})` : "";
  return `A sentence${which}: ${words.join(" ")}. Weights of ${quoted(words, lookerOf(props, state))}: ${weights.join(", ")}.`;
}

/** The states that are drawn: the chosen one, or all. */
const drawn = (props: Props, state: State): State[] =>
  props.control === "none" ? props.sentences.map((_, sentence) => ({ sentence, word: -1 })) : [state];

const heightOf = (props: Props, state: State, width: number): number =>
  layoutOf(props, current(props, state).words, width).height;

function Sentences(shown: Shown<Props, State>) {
  const { props, state, width } = shown;
  let top = 0;
  return (
    <g>
      {drawn(props, state).map((each, i) => {
        const y = top;
        top += heightOf(props, each, width);
        return (
          <g key={i} transform={`translate(0 ${y})`}>
            <Words {...shown} state={each} />
          </g>
        );
      })}
    </g>
  );
}

export const sentence: Figure<Props, State> = {
  initial: ({ sentence }) => ({ sentence, word: -1 }),
  title: (props, state) =>
    drawn(props, state)
      .map((each) => finding(current(props, each).words, lookerOf(props, each), rowOf(props, each)))
      .join("; "),
  describe: (props, state) =>
    drawn(props, state)
      .map((each) => told(props, each))
      .join(" "),
  height: (props, state, width) => drawn(props, state).reduce((sum, each) => sum + heightOf(props, each, width), 0),
  Drawing: (shown) => <Sentences {...shown} />,
  Controls: ({ props, state, set, id }) =>
    // one sentence needs none
    props.sentences.length < 2 || props.control === "none" ? (
      NOTHING
    ) : props.control === "slider" ? (
      <Slider
        label={props.label}
        value={state.sentence}
        low={0}
        high={props.sentences.length - 1}
        step={1}
        says={current(props, state).name}
        set={(value) => set(changed(props, state, value))}
      />
    ) : (
      <Options
        label={props.label}
        name={`${id}-sentence`}
        options={props.sentences.map(({ name }, i): [string, string] => [String(i), name])}
        value={String(state.sentence)}
        set={(value) => set(changed(props, state, Number(value)))}
      />
    ),
};
