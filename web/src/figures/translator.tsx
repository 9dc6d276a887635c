// The translator in the page (chapters 00 and 10): type a sentence, and see where each word of its translation looked.

import type { Asked, Figure, Shown } from "../figure";
import {
  Button,
  Choice,
  colour,
  Field,
  listed,
  Menu,
  measure,
  Options,
  percent,
  type Role,
  Text,
  WeightLine,
  wrapped,
} from "../parts";
import { type Answer, type Likely, type Question, Translator } from "../translator";

type Kind = "cross" | "encoder" | "decoder";
interface Props extends Asked<Answer> {
  examples: string[];
}
interface State {
  text: string;
  prefix: number[]; // ids with which the translation is to begin
  kind: Kind;
  heads: string; // "all", a layer "0", or a layer and a head "0.3"
  row: number; // of the word that is looked at alone, or −1
  kept: boolean; // whether it stays when the pointer leaves
}

// Who looks, and at what: the translation goes the other way.
const KINDS = [
  ["cross", "French looks at English"],
  ["encoder", "English at English"],
  ["decoder", "French at French"],
] as const;
const LOOKER: Record<Kind, string> = { cross: "the decoder", encoder: "the encoder", decoder: "the decoder" };

// ---- What there is to see ----

const allHeads = (answer: Answer, kind: Kind): number[][][][] => answer.weights[kind];

/** Weights (queries, keys) of one head, or the mean of several. */
function weights({ answer }: Props, { kind, heads }: State): number[][] {
  const [layer, head] = heads.split(".").map(Number);
  const found = allHeads(answer, kind)
    .filter((_, i) => heads === "all" || i === layer)
    .flatMap((ofLayer) => (head === undefined ? ofLayer : [ofLayer[head]]));
  if (!found[0]) return [];
  return found[0].map((row, i) => row.map((_, j) => found.reduce((sum, one) => sum + one[i][j], 0) / found.length));
}

interface Word {
  text: string;
  before: string; // "" where it joins what stands before it, or a space
}

/** Find tokens in their text: what of it each is, and what stands before it. */
function words({ text, labels }: Answer["source"]): Word[] {
  let at = 0;
  const plain = text.replaceAll("’", "'");
  return labels.map((label) => {
    const bare = label.replace(/^▁/, "");
    const before = plain.slice(at).match(/^\s*/)?.[0] ?? "";
    const start = at + before.length;
    if (!bare || !plain.startsWith(bare, start)) return { text: label, before: " " };
    at = start + bare.length;
    return { text: text.slice(start, at), before: before && (before.trim() ? "" : before) };
  });
}

interface Side {
  words: Word[];
  hue: Role;
  language: string;
}

/** What is looked at, and who looks: both sentences, or one of them twice. */
function sides({ answer }: Props, { kind }: State): [Side, Side] {
  const english: Side = { words: words(answer.source), hue: "encoder", language: "English" };
  const french: Side = { words: words(answer.target), hue: "decoder", language: "French" };
  if (kind === "encoder") return [english, english];
  if (kind === "cross") return [english, french];
  // Where a token is predicted, the decoder has read those before it, from <s> on.
  const read = [{ text: "<s>", before: "" }, ...french.words.slice(0, -1)];
  return [{ ...french, words: read.map((word, i) => (i === 1 ? { ...word, before: " " } : word)) }, french];
}

const quoted = (text: string): string => `‘${text}’`;
const brief = (text: string): string => (text.length > 60 ? `${text.slice(0, 56).replace(/\s+\S*$/, "")} …` : text);
/** A long sentence's end, which tells it from those that begin alike. */
const ending = (text: string): string => (text.length > 45 ? `… ${text.slice(-30).replace(/^\S*\s+/, "")}` : text);
const isolated = (text: string): string => `\u2068${text}\u2069`;

/** What keeps the reader from a translation, or spoils it, as a sentence. */
function trouble({ answer, waiting }: Props, { text }: State): string {
  if (!text.trim()) return "Type an English sentence, or choose one.";
  if (waiting === "long") return "There is no answer yet. Is the kernel busy, or has it stopped?";
  if (waiting) return "One moment: the translator is at work …";
  if (answer.tokens === 0) return "There is nothing to read in this text.";
  if (answer.tokens > answer.limit)
    return `This text has ${answer.tokens} tokens; here the translator takes up to ${answer.limit}.`;
  if (answer.unknown.length === 0) return "";
  const some = answer.unknown.slice(0, 4).map((word) => quoted(isolated(word.slice(0, 20))));
  const more = answer.unknown.length - some.length;
  return `The translator does not know ${listed(more > 0 ? [...some, `${more} more`] : some)}: it reads <unk> instead.`;
}

const isThere = ({ answer }: Props, { text }: State): boolean => Boolean(text.trim()) && answer.ids.length > 0;

/** The keys that have a share of at least 20 %, the largest first. */
const mostly = (row: number[], keys: Word[]): string[] =>
  row
    .map((weight, i) => [weight, keys[i]?.text] as const)
    .filter(([weight]) => weight >= 0.2)
    .sort(([a], [b]) => b - a)
    .slice(0, 2)
    .map(([, text]) => quoted(text));

const isWord = (text: string): boolean => /^\p{L}{2,}$/u.test(text);

/** Two neighbours in French whose English words stand the other way round. */
function crossing(found: number[][], keys: Word[], queries: Word[]): [string, string] | undefined {
  const best = found.map((row) => row.indexOf(Math.max(...row)));
  const j = best.findIndex(
    (at, i) =>
      at === best[i + 1] + 1 &&
      Math.min(found[i][at], found[i + 1][at - 1]) > 0.5 &&
      [keys[at], keys[at - 1], queries[i], queries[i + 1]].every((word) => isWord(word.text)),
  );
  if (j < 0) return undefined;
  return [`${keys[best[j + 1]].text} ${keys[best[j]].text}`, `${queries[j].text} ${queries[j + 1].text}`];
}

/** Of one head: the words that give nearly all their weight to another, by the word that gets it. */
function lookers(found: number[][], keys: Word[], queries: Word[]): string {
  const groups = new Map<number, string[]>();
  found.forEach((row, i) => {
    const at = row.indexOf(Math.max(...row));
    if (at === i || row[at] < 0.9 || !isWord(queries[i].text) || !isWord(keys[at].text)) return;
    groups.set(at, [...(groups.get(at) ?? []), quoted(queries[i].text)]);
  });
  const told = [...groups].slice(0, 2).map(([at, who], n) => {
    const verb = n > 0 ? "" : who.length > 1 ? " look" : " looks";
    return `${listed(who)}${verb} at ${quoted(keys[at].text)}`;
  });
  return told.join(", ");
}

// ---- Words as sentences ----

interface Placed {
  text: string;
  x: number;
  y: number;
  width: number;
}
interface Set {
  placed: Placed[];
  height: number;
}

function shortened(text: string, size: number, width: number): string {
  const characters = [...text];
  while (characters.length > 1 && measure(`${characters.join("")}…`, size) > width) characters.pop();
  return `${characters.join("")}…`;
}

/** Typeset a sentence from (0, y) on; what is joined, also by a no-break space, stays on one line. */
function set(sentence: Word[], size: number, width: number, y: number, leading: number): Set {
  const placed: Placed[] = [];
  let [left, line, first] = [0, 0, 0]; // `first` is the first token of those that stay together
  sentence.forEach(({ text, before }, i) => {
    const shown = measure(text, size) > width ? shortened(text, size, width) : text;
    const wide = measure(shown, size);
    left += before && i > 0 ? (before === " " ? 0.3 : 0.18) * size : 0;
    if (before === " ") first = i;
    if (left + wide > width && left > 0) {
      const together = placed.slice(first);
      const back = together[0]?.x ?? left;
      if (back > 0) {
        line++;
        left -= back;
        for (const one of together) [one.x, one.y] = [one.x - back, y + line * leading];
      } else [left, line] = [0, line + 1];
    }
    placed.push({ text: shown, x: left, y: y + line * leading, width: wide });
    left += wide;
  });
  return { placed, height: line * leading };
}

interface Layout {
  size: number;
  columns: boolean; // where a line is too short for a sentence: words under one another, both languages side by side
  keys: Set;
  queries: Set;
  below: string[]; // the translation, where it is not among the two
  note: string[]; // above the sentences
  bottom: number; // of what is below the second
  choices: number; // of what else could stand at a place: how many in a line
  height: number;
}

const [NOTE, CHOICE, LARGEST, SMALLEST, ROW] = [22, 34, 28, 18, 27];
const FAINTEST = 0.05; // a weight that is drawn where the lines of all words are

/** How a sentence is introduced: the one that is looked at, and the one that looks. */
const LABELS: Record<Kind, [string, string]> = {
  cross: ["English, which the encoder reads", "French, as the decoder writes it"],
  encoder: ["English, which the encoder reads", "English again: each word gathers from those above"],
  decoder: ["What the decoder has read", "French, as the decoder writes it"],
};
const COLUMNS: Record<Kind, [string, string]> = {
  cross: ["English", "French"],
  encoder: ["English", "English again"],
  decoder: ["Read so far", "French"],
};

/** Typeset a sentence as a column from `y` on: its words end at `edge` (left of it), or begin there. */
function column(sentence: Word[], edge: number, left: boolean, widest: number, y: number): Set {
  const placed = sentence.map(({ text }, i) => {
    const shown = measure(text, SMALLEST) > widest ? shortened(text, SMALLEST, widest) : text;
    const width = measure(shown, SMALLEST);
    return { text: shown, x: left ? edge - width : edge, y: y + i * ROW, width };
  });
  return { placed, height: (sentence.length - 1) * ROW };
}

function layout(props: Props, state: State, width: number): Layout {
  const there = isThere(props, state);
  const [looked, looking] = sides(props, state);
  const wide = width >= 560;
  const longest = Math.max(
    ...[looked, looking].map((side) => measure(side.words.map(({ before, text }) => before + text).join(""), LARGEST)),
  );
  const size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor((LARGEST * 0.94 * width) / longest)));
  const columns = [looked, looking].some((side) => set(side.words, size, width, 0, 1).height > 0);
  const found = trouble(props, state) || (there && !columns ? LABELS[state.kind][0] : "");
  const note = found ? wrapped(found, width, 15) : [];
  const gap = Math.max(wide ? 160 : 105, 62 + 4 * looking.words.length);
  let first = note.length * NOTE + size * 1.15;
  let keys = set(looked.words, size, width, first, 0);
  let queries = set(looking.words, size, width, first + gap, 0);
  let bottom = first + gap + 36;
  if (columns) {
    first += 24;
    const widest = Math.max(measure(COLUMNS[state.kind][0], 15), 0.35 * width);
    const edge = Math.min(widest, Math.max(...looked.words.map(({ text }) => measure(text, SMALLEST)), 80)) + 3;
    keys = column(looked.words, edge, true, widest, first);
    queries = column(looking.words, Math.min(width - widest, edge + 260), false, widest, first);
    bottom = first + Math.max(keys.height, queries.height) + 26;
  }
  const below = state.kind === "encoder" ? wrapped(props.answer.target.text, width, size) : [];
  const [choices, row] = [wide ? 5 : 2, openRow(props, state)];
  const nLikely = row < 0 ? 0 : Math.max(...props.answer.steps.map((likely) => likely.length));
  const lines = there && !below.length ? longestOffer(props, state, width) : 0;
  const rest = below.length ? 12 + below.length * 1.9 * size : 26 + lines * 20 + Math.ceil(nLikely / choices) * CHOICE;
  const height = there ? bottom + rest : note.length * NOTE + 8;
  return { size, columns, keys, queries, below, note, bottom, choices, height };
}

// ---- Drawing ----

function Sentence(props: { side: Side; set: Set; size: number; weights: number[] | undefined }) {
  const { side, size } = props;
  return (
    <g>
      {props.set.placed.map((word, i) => (
        <g key={i}>
          <rect
            x={word.x - 3}
            y={word.y - size}
            width={word.width + 6}
            height={1.35 * size}
            rx={4}
            fill={colour("weight")}
            opacity={0.28 * (props.weights?.[i] ?? 0)}
          />
          <Token
            word={word}
            size={size}
            hue={side.words[i].text.startsWith("<") ? "quiet" : side.hue}
            halo={!(props.weights && props.weights[i] > 0.05)}
          />
        </g>
      ))}
    </g>
  );
}

/** A word that is legible on lines, too. */
function Token(props: { word: Placed; size: number; hue: Role; bold?: boolean; halo?: boolean }) {
  const { word, size, hue, bold = false, halo = true } = props;
  return (
    <text
      x={word.x}
      y={word.y}
      font-size={size}
      font-weight={bold ? 650 : 450}
      fill={colour(hue)}
      stroke={colour("paper")}
      stroke-width={halo ? 5 : 0}
      stroke-linejoin="round"
      style={{ paintOrder: "stroke", unicodeBidi: "plaintext" }}
    >
      {word.text}
    </text>
  );
}

/** When a word arrives: those that were there before do not come again. */
const arrives = (props: Props, i: number) => ({
  class: "cf-arrives",
  style: { animationDelay: `${Math.max(0, i - props.answer.question.prefix.length + 1) * 70}ms` },
});

function Sentences({ props, state, set: change, width }: Shown<Props, State>) {
  const { keys, queries, size, columns, below, bottom } = layout(props, state, width);
  const [looked, looking] = sides(props, state);
  const [left, right] = [keys.placed, queries.placed].map(([{ x, width: wide }]) => ({ start: x, end: x + wide }));
  const found = weights(props, state);
  const alone = state.row >= 0 && state.row < found.length;
  const forced = state.kind === "encoder" ? 0 : state.prefix.length;
  return (
    <g>
      {columns ? (
        <g>
          <Text x={left.end} y={keys.placed[0].y - 28} size={15} hue="quiet" anchor="end">
            {COLUMNS[state.kind][0]}
          </Text>
          <Text x={right.start} y={keys.placed[0].y - 28} size={15} hue="quiet">
            {COLUMNS[state.kind][1]}
          </Text>
        </g>
      ) : (
        <Text x={0} y={bottom - 6} size={15} hue="quiet">
          {LABELS[state.kind][1]}
        </Text>
      )}
      {state.prefix.length > 0 && (
        <Choice label="Undo the choice" chosen={false} choose={() => change({ prefix: [], row: -1, kept: false })}>
          <Text x={width} y={bottom - 6} size={15} hue="focus" anchor="end" bold>
            Undo the choice
          </Text>
        </Choice>
      )}
      {below.map((line, i) => (
        <Text key={i} x={0} y={bottom + (i + 0.85) * 1.6 * size} size={size} hue="decoder">
          {line}
        </Text>
      ))}
      {found.map((row, i) => (
        <g key={i} opacity={alone && i !== state.row ? 0 : 1} class="cf-moves">
          <g {...(state.kind === "encoder" ? {} : arrives(props, i))} key={`${props.answer.ids.join()} ${i}`}>
            {row.map((weight, j) => {
              const [to, from] = [keys.placed[j], queries.placed[i]];
              if (weight < (alone ? 0.005 : FAINTEST) || !to || !from) return null;
              if (columns) {
                const [x1, x2] = [left.end + 8, right.start - 8];
                const [y1, y2] = [to.y, from.y].map((y) => y - 0.32 * size);
                return <WeightLine key={j} x1={x1} y1={y1} x2={x2} y2={y2} weight={weight} widest={7} across />;
              }
              return (
                <WeightLine
                  key={j}
                  x1={to.x + to.width / 2}
                  y1={to.y + 9}
                  x2={from.x + from.width / 2}
                  y2={from.y - size - 2}
                  weight={weight}
                  widest={7}
                  curve={14}
                />
              );
            })}
          </g>
        </g>
      ))}
      <Sentence side={looked} set={keys} size={size} weights={alone ? found[state.row] : undefined} />
      {queries.placed.map((word, i) => (
        <g {...(state.kind === "encoder" ? {} : arrives(props, i))} key={`${props.answer.ids.join()} ${i}`}>
          <Choice
            label={`${word.text}, ${percent(Math.max(...found[i]))} of it from ${looked.words[found[i].indexOf(Math.max(...found[i]))].text}`}
            chosen={i === state.row}
            choose={() => change({ row: i, kept: !(state.kept && i === state.row) })}
            point={(inside) => state.kept || change({ row: inside ? i : -1 })}
            holds
          >
            <rect
              x={word.x - 4}
              y={word.y - (columns ? 1.05 : 1.5) * size}
              width={columns ? width - word.x + 4 : word.width + 8}
              height={columns ? ROW : 2.1 * size}
              fill="transparent"
            />
            {(i === state.row || i < forced) && (
              <line
                x1={word.x}
                x2={word.x + word.width}
                y1={word.y + 7}
                y2={word.y + 7}
                stroke={colour(i === state.row ? "decoder" : "faint")}
                stroke-width={i === state.row ? 3 : 2}
                stroke-dasharray={i === forced - 1 ? "3 3" : "none"}
              />
            )}
            <Token
              word={word}
              size={size}
              hue={looking.words[i].text.startsWith("<") ? "quiet" : looking.hue}
              bold={i === state.row}
            />
          </Choice>
        </g>
      ))}
    </g>
  );
}

/** Probability that is left for words which are not shown, if there is much of it. */
function spread(likely: Likely[]): string {
  const rest = 1 - likely.reduce((sum, { p }) => sum + p, 0);
  return rest < 0.015 ? "" : ` Many other words share ${percent(rest)}.`;
}

const share = (p: number): string => (p < 0.001 ? "< 0.1 %" : p < 0.01 ? `${(100 * p).toFixed(1)} %` : percent(p));

/** The word of its own that had the least probability when it was written. */
function leastSure({ question, steps, ids, target }: Answer): number {
  const sure = steps.map((likely, i) =>
    i >= question.prefix.length && /^\p{L}/u.test(target.labels[i])
      ? (likely.find(({ id }) => id === ids[i])?.p ?? 1)
      : 2,
  );
  return sure.indexOf(Math.min(...sure));
}

/** The place whose other words are shown: the one looked at, or the least sure one, if something else was possible. */
function openRow({ answer }: Props, { row }: State): number {
  if (answer.steps[row]) return row;
  const least = leastSure(answer);
  const [first, second] = [...(answer.steps[least] ?? [])].map(({ p }) => p).sort((a, b) => b - a);
  return first < 0.8 || second >= 0.05 ? least : -1;
}

/** What is said where no other word was likely. */
function sure(answer: Answer): string {
  const least = leastSure(answer);
  const p = answer.steps[least]?.find(({ id }) => id === answer.ids[least])?.p ?? 1;
  return `The decoder gave each word ${Math.floor(100 * p)} % or more. Choose one to see what else it considered.`;
}

/** What is said above the other words of a place: the one looked at, or the one that it was least sure of. */
function offer(answer: Answer, row: number, looked: boolean): string {
  const word = quoted(words(answer.target)[row].text);
  const what = looked ? `Likeliest at ${word}.` : `The decoder was least sure of ${word}.`;
  return `${what} Choose another, and it goes on from there.${spread(answer.steps[row])}`;
}

/** Lines of what is said there: as many for every place that can be looked at, so that the figure keeps its height. */
function longestOffer(props: Props, state: State, width: number): number {
  const { answer } = props;
  const row = openRow(props, state);
  if (row < 0) return wrapped(sure(answer), width, 15).length;
  return Math.max(...answer.steps.map((_, i) => wrapped(offer(answer, i, i === state.row), width, 15).length));
}

/** What else could have stood at a place, each with its probability. */
function Alternatives({ props, state, set: change, width }: Shown<Props, State>) {
  const { bottom, choices } = layout(props, state, width);
  const { answer } = props;
  if (state.kind === "encoder") return <g />;
  const row = openRow(props, state);
  if (row < 0)
    return (
      <g>
        {wrapped(sure(answer), width, 15).map((line, i) => (
          <Text key={i} x={0} y={bottom + 28 + i * 20} size={15}>
            {line}
          </Text>
        ))}
      </g>
    );
  const heading = wrapped(offer(answer, row, row === state.row), width, 15);
  const likely: Likely[] = answer.steps[row];
  const room = (width - (choices - 1) * 8) / choices;
  const top = bottom + 24 + heading.length * 20;
  return (
    <g>
      {heading.map((line, i) => (
        <Text key={i} x={0} y={bottom + 28 + i * 20} size={15}>
          {line}
        </Text>
      ))}
      {likely.map(({ id, label, p }, i) => {
        const chosen = id === answer.ids[row];
        const [x, y] = [(i % choices) * (room + 8), top + Math.floor(i / choices) * CHOICE];
        return (
          <Choice
            key={i}
            label={`${label}, ${share(p)}`}
            chosen={chosen}
            choose={() => chosen || change({ prefix: [...answer.ids.slice(0, row), id], kept: true })}
          >
            <rect
              x={x + 0.5}
              y={y}
              width={room - 1}
              height={28}
              rx={4}
              fill={colour("surface")}
              stroke={colour(chosen ? "decoder" : "line")}
              stroke-width={chosen ? 2 : 1}
            />
            <rect
              x={x + 1}
              y={y + 1}
              width={Math.max(1, (room - 2) * p)}
              height={26}
              rx={3}
              fill={colour("weight")}
              opacity={0.22}
            />
            <Text x={x + 8} y={y + 19} size={15} bold={chosen}>
              {measure(label, 15) > room - 68 ? shortened(label, 15, room - 68) : label}
            </Text>
            <Text x={x + room - 8} y={y + 19} size={14} hue="quiet" anchor="end">
              {share(p)}
            </Text>
          </Choice>
        );
      })}
    </g>
  );
}

function Drawing(shown: Shown<Props, State>) {
  const { props, state, width } = shown;
  const { note } = layout(props, state, width);
  return (
    <g>
      {note.map((line, i) => (
        <Text key={i} x={0} y={15 + i * NOTE} size={15} hue={trouble(props, state) ? "ink" : "quiet"}>
          {line}
        </Text>
      ))}
      {isThere(props, state) && (
        <g opacity={props.waiting ? 0.5 : 1}>
          <Sentences {...shown} />
          <Alternatives {...shown} />
        </g>
      )}
    </g>
  );
}

/** A layer's heads, and their mean, as options. */
const options = (heads: number[][][], layer: number): [string, [string, string][]] => [
  `Layer ${layer + 1}`,
  [
    [`${layer}`, `layer ${layer + 1}, mean`],
    ...heads.map((_, head): [string, string] => [`${layer}.${head}`, `layer ${layer + 1}, head ${head + 1}`]),
  ],
];

const typed = (text: string): Partial<State> => ({ text, prefix: [], row: -1, kept: false });

function Controls({ props, state, set: change, id }: Shown<Props, State>) {
  const layers = allHeads(props.answer, state.kind);
  const kinds = KINDS.filter(([kind]) => props.answer.ids.length === 0 || allHeads(props.answer, kind).length > 0);
  return (
    <>
      <div class="cf-control cf-chips">
        {props.examples.map((example) => (
          <Button
            key={example}
            label={ending(example)}
            press={() => change(typed(example))}
            chosen={example === state.text}
          />
        ))}
      </div>
      {kinds.length > 1 && (
        <Options
          label="Attention"
          name={`${id}-kind`}
          options={kinds}
          value={state.kind}
          set={(kind) => change({ kind, row: -1, kept: false })}
        />
      )}
      {layers.length * (layers[0]?.length ?? 0) > 1 && (
        <Menu
          label="Heads"
          groups={[["Every layer", [["all", "mean of all heads"]]], ...layers.map(options)]}
          value={state.heads}
          set={(heads) => change({ heads })}
        />
      )}
    </>
  );
}

export const translator: Figure<Props, State> = {
  initial: ({ answer }) => ({ ...answer.question, kind: "cross", heads: "all", row: -1, kept: false }),
  title(props, state) {
    if (!isThere(props, state)) return "A sentence, its translation, and where each word looked";
    const [looked, looking] = sides(props, state);
    const found = weights(props, state);
    const { answer } = props;
    if (found[state.row]) {
      const what = quoted(looking.words[state.row].text);
      const verb = state.kind === "encoder" ? "encode" : "write";
      const where = mostly(found[state.row], looked.words);
      const looks = where.length ? `looks mostly at ${listed(where)}` : "looks at many words a little";
      return `To ${verb} ${what}, ${LOOKER[state.kind]} ${looks}`;
    }
    const turned = state.kind === "cross" && crossing(found, looked.words, looking.words);
    if (turned) return `${quoted(turned[0])} becomes ${quoted(turned[1])}, and the lines cross`;
    const alone = state.kind === "encoder" && state.heads.includes(".") && lookers(found, looked.words, looking.words);
    if (alone) return alone;
    return `${quoted(brief(answer.source.text))} becomes ${quoted(brief(answer.target.text))}`;
  },
  describe(props, state) {
    const note = trouble(props, state);
    if (!isThere(props, state)) return note;
    const [looked, looking] = sides(props, state);
    const found = weights(props, state);
    const { source, target, steps } = props.answer;
    const heads =
      state.heads === "all"
        ? "the mean of all heads"
        : state.heads
            .split(".")
            .map((n, i) => `${i ? "head" : "layer"} ${Number(n) + 1}`)
            .join(", ");
    const largest = (row: number[]): string => {
      const at = row.indexOf(Math.max(...row));
      return `${looked.words[at]?.text} ${percent(row[at])}`;
    };
    const rows = found[state.row]
      ? `${looking.words[state.row].text} looks at ${found[state.row]
          .map((weight, i) => [weight, looked.words[i]?.text] as const)
          .filter(([weight]) => weight >= 0.005)
          .map(([weight, text]) => `${text} ${percent(weight)}`)
          .join(", ")}`
      : found.map((row, i) => `${looking.words[i].text}: ${largest(row)}`).join("; ");
    const row = openRow(props, state);
    const chosen = state.kind !== "encoder" && steps[row];
    const likely = chosen
      ? ` ${row === state.row ? "Likeliest there" : `The decoder was least sure of ${target.labels[row]}`}: ` +
        `${chosen.map(({ label, p }) => `${label} ${share(p)}`).join(", ")}.${spread(chosen)}` +
        `${row < state.prefix.length ? " It was told what to write there." : ""}`
      : state.kind === "encoder"
        ? ""
        : ` ${sure(props.answer)}`;
    return (
      `${note}${note && " "}English: ${source.text} French: ${target.text} ` +
      `Attention: ${KINDS.find(([kind]) => kind === state.kind)?.[1]}, ${heads}. ` +
      `${found[state.row] ? "" : "The largest weight of each word: "}${rows}.${likely}`
    );
  },
  height: (props, state, width) => layout(props, state, width).height,
  Drawing,
  Above: ({ state, set: change }) => <Field label="English" value={state.text} set={(text) => change(typed(text))} />,
  Controls,
  question: (_, { text, prefix }): Question | null => (text.trim() ? { text, prefix } : null),
  engine: (file) => {
    const translator = new Translator(file);
    return (question: Question) => translator.answer(question);
  },
};
