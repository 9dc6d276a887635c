// Mask and cache (chapter 08): what a row of the mask sees through the layers, and what a new word leaves as it was.

import type { Figure, Shown } from "../figure";
import { Badge, Choice, colour, measure, Options, Slider, Text, wrapped } from "../parts";

type Mask = "causal" | "window" | "none";
type View = "sees" | "computes";
interface Props {
  words: string[];
  row: number;
  layers: number;
  mask: Mask;
  view: View;
  window: number; // how many words back a window reaches
}
interface State {
  row: number;
  layers: number;
  mask: Mask;
  view: View;
}

const MOST_LAYERS = 4;
const VIEWS = [
  ["sees", "what it sees"],
  ["computes", "what it computes"],
] as const;

// ---- What is computed ----

type Nodes = boolean[][]; // (layers + 1, words): level 0 holds the words, level n what n layers have made of them

function allowed({ window }: Props, { mask }: State, i: number, j: number): boolean {
  if (mask === "none") return true;
  return j <= i && (mask === "causal" || i - j <= window);
}

/** Whether position i of a level is made from position j of the level below: by attention, or by the residual. */
const reads = (props: Props, state: State, i: number, j: number): boolean => i === j || allowed(props, state, i, j);

const indices = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** From which nodes something travels up to the last level of the row, the row's own path included. */
function seen(props: Props, state: State): Nodes {
  const levels: Nodes = [props.words.map((_, j) => j === state.row)];
  for (let level = state.layers; level > 0; level--)
    levels.unshift(props.words.map((_, j) => levels[0].some((is, i) => is && reads(props, state, i, j))));
  return levels;
}

interface Writing {
  computed: Nodes; // what must be computed when the word of the row is new
  read: Nodes; // what is read as it was: its keys and values
}

/** What happens when the word of a row is the newest, and what was computed for the words before it has been kept. */
function writing(props: Props, state: State): Writing {
  const { row, layers } = state;
  const there = indices(row + 1);
  const changed: Nodes = [there.map((j) => j === row)]; // what depends on the new word
  for (let level = 1; level <= layers; level++)
    changed.push(there.map((i) => there.some((j) => changed[level - 1][j] && reads(props, state, i, j))));
  const computed: Nodes = [there.map((j) => j === row)];
  const read: Nodes = [there.map(() => false)];
  for (let level = layers; level > 0; level--) {
    const needed = there.map((j) => computed[0].some((is, i) => is && reads(props, state, i, j)));
    computed.unshift(needed.map((is, j) => is && changed[level - 1][j]));
    read.unshift(needed.map((is, j) => is && !changed[level - 1][j]));
  }
  return { computed, read };
}

/** How many vectors the layers compute: for the word of the row, and for all words up to it. */
function vectors(props: Props, state: State): { now: number; all: number; again: number; allAgain: number } {
  const count = (row: number): number =>
    writing(props, { ...state, row })
      .computed.slice(1)
      .reduce((sum, level) => sum + level.filter(Boolean).length, 0);
  const rows = indices(state.row + 1);
  return {
    now: count(state.row),
    all: rows.reduce((sum, row) => sum + count(row), 0),
    again: state.layers * (state.row + 1),
    allAgain: rows.reduce((sum, row) => sum + state.layers * (row + 1), 0),
  };
}

// ---- In words ----

const many = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

const of = (is: boolean[]): number[] => indices(is.length).filter((i) => is[i]);

const quoted = ({ words }: Props, { row }: State): string => `‘${words[row]}’`;

/** The words for which something has been computed by now. */
const upTo = (props: Props, state: State): string =>
  state.row ? `all ${state.row + 1} words up to ${quoted(props, state)}` : `${quoted(props, state)} alone`;

/** How many words before the new one must be computed again. */
function changedBefore(props: Props, state: State): number {
  const { computed } = writing(props, state);
  return indices(state.row).filter((j) => computed.some((level) => level[j])).length;
}

function title(props: Props, state: State): string {
  const { words } = props;
  const { row, layers, view } = state;
  const who = quoted(props, state);
  if (view === "sees") {
    const found = of(seen(props, state)[0]);
    const ahead = found.filter((j) => j > row).length;
    const where = ahead ? `${ahead} of them ahead of it` : "none ahead of it";
    return `Through ${many(layers, "layer")}, ${who} sees ${found.length} of ${words.length} words, ${where}`;
  }
  if (row === 0) return `${who} is the first word: there is nothing to read yet`;
  const changed = changedBefore(props, state);
  if (changed) return `${who} is new, and ${many(changed, "word")} before it must be computed again`;
  return `${who} is new: its own column is computed, and what came before is read`;
}

const MASK_IN_WORDS: Record<Mask, (props: Props) => string> = {
  causal: () => "causal",
  window: ({ window }) => `causal, ${many(window, "word")} back at most`,
  none: () => "none",
};

const named = ({ words }: Props, found: number[]): string =>
  found.length ? found.map((i) => `${words[i]} (${i})`).join(", ") : "nothing";

function describe(props: Props, state: State): string {
  const { words } = props;
  const { row, layers, mask, view } = state;
  const start =
    `The sentence: ${words.join(" ")}. Mask: ${MASK_IN_WORDS[mask](props)}. Row: ${words[row]} (${row}), which may ` +
    `look at ${named(
      props,
      indices(words.length).filter((j) => allowed(props, state, row, j)),
    )}.`;
  if (view === "sees")
    return `${start} Through ${many(layers, "layer")} it sees ${named(props, of(seen(props, state)[0]))}.`;
  const { computed, read } = writing(props, state);
  const levels = computed.map(
    (level, n) =>
      `${n ? `after layer ${n}` : "words"}: computed ${named(props, of(level))}, read ${named(props, of(read[n]))}`,
  );
  const { now, all, again, allAgain } = vectors(props, state);
  return (
    `${start} It is the newest word. ${levels.join("; ")}. Vectors computed in the layers for this word alone: ` +
    `${now}, without a cache ${again}. For ${upTo(props, state)} together: ${all}, without a cache ${allAgain}.`
  );
}

// ---- Where things stand ----

const [LEVEL, NAMES] = [54, 60]; // pixels between levels, and for their names

interface Layout {
  left: number; // of the map's cells
  top: number;
  cell: number;
  graph: { left: number; top: number; width: number };
  legend: number; // its top
}

const isWide = (width: number): boolean => width >= 600;

function layout({ words }: Props, { layers }: State, width: number): Layout {
  const left = Math.max(...words.map((word, i) => measure(`${word} ${i}`, 15, true))) + 20;
  const cell = isWide(width) ? 24 : Math.min(24, (width - left - 6) / words.length);
  const top = 46;
  const bottom = top + cell * words.length;
  const graph = isWide(width)
    ? { left: left + cell * words.length + 30, top: 0, width: width - left - cell * words.length - 30 }
    : { left: 0, top: bottom + 22, width };
  const under = graph.top + 50 + LEVEL * layers + 66;
  return {
    left,
    top,
    cell,
    graph,
    legend: isWide(width) ? Math.max(bottom + 26, under) : under,
  };
}

const xOf = ({ graph }: Layout, n: number, j: number): number =>
  graph.left + NAMES + ((j + 0.5) * (graph.width - NAMES)) / n;

const yOf = ({ graph }: Layout, { layers }: State, level: number): number => graph.top + 50 + LEVEL * (layers - level);

type Mark = "computed" | "read" | "seen";
interface Line {
  text: string;
  indent: number;
  mark?: Mark;
}

/** What stands under the drawing. */
function legend(props: Props, state: State, width: number): Line[] {
  const lines = (text: string, mark?: Mark): Line[] => {
    const indent = mark ? 56 : 0;
    return wrapped(text, width - indent, 15).map((line, i) => ({
      text: line,
      indent,
      ...(mark && i === 0 ? { mark } : {}),
    }));
  };
  const who = quoted(props, state);
  if (state.view === "sees")
    return [
      ...lines(`something of it reaches the top of ${who}; of what is hollow, nothing does`, "seen"),
      ...lines("A dotted line is the residual connection: a position keeps what it has."),
    ];
  const { now } = vectors(props, state);
  return [
    ...lines(`computed for ${who} alone: its embedding, and ${many(now, "vector")} in the layers`, "computed"),
    ...lines("read from the cache: the keys and values that the next layer needs", "read"),
    ...lines("Hollow is what was computed before, and is not needed now."),
  ];
}

// ---- What is drawn ----

function Rows({ props, state, set, width }: Shown<Props, State>) {
  const { words } = props;
  const { row, view } = state;
  const { left, top, cell } = layout(props, state, width);
  return (
    <g>
      <Text x={0} y={16} hue="quiet">
        One layer: who may look at whom
      </Text>
      {words.map((_, j) => (
        <Text key={j} x={left + cell * (j + 0.5)} y={top - 6} size={13} hue="quiet" anchor="middle">
          {j}
        </Text>
      ))}
      {words.map((word, i) => (
        <Choice key={i} label={`Row of ${word}, position ${i}`} chosen={i === row} choose={() => set({ row: i })}>
          <rect x={0} y={top + cell * i} width={left + cell * words.length} height={cell} fill="transparent" />
          <Text
            x={left - 8}
            y={top + cell * (i + 0.5) + 5}
            anchor="end"
            bold={i === row}
            hue={view === "sees" || i <= row ? "ink" : "quiet"}
          >
            {word} <tspan fill={colour("quiet")}>{i}</tspan>
          </Text>
          {words.map((_, j) => {
            const there = view === "sees" || (i <= row && j <= row);
            return (
              <g key={j}>
                <rect
                  x={left + cell * j}
                  y={top + cell * i}
                  width={cell}
                  height={cell}
                  fill={colour("paper")}
                  stroke={colour("line")}
                />
                {there && allowed(props, state, i, j) && (
                  <rect
                    x={left + cell * j + 1.5}
                    y={top + cell * i + 1.5}
                    width={cell - 3}
                    height={cell - 3}
                    fill={colour(i === row ? "query" : "faint")}
                    opacity={i === row ? 1 : 0.45}
                  />
                )}
              </g>
            );
          })}
        </Choice>
      ))}
      <rect
        x={left - 1}
        y={top + cell * row - 1}
        width={cell * words.length + 2}
        height={cell + 2}
        fill="none"
        stroke={colour("query")}
        stroke-width={2.5}
        pointer-events="none"
      />
    </g>
  );
}

function Sign({ x, y, mark }: { x: number; y: number; mark: Mark }) {
  if (mark === "seen") return <circle cx={x} cy={y} r={9} fill={colour("query")} />;
  if (mark === "computed") return <rect x={x - 10} y={y - 10} width={20} height={20} rx={3} fill={colour("output")} />;
  return (
    <g>
      <path d={`M${x} ${y - 10} A10 10 0 0 0 ${x} ${y + 10} Z`} fill={colour("key")} />
      <path d={`M${x} ${y - 10} A10 10 0 0 1 ${x} ${y + 10} Z`} fill={colour("value")} />
    </g>
  );
}

function Graph({ props, state, set, width }: Shown<Props, State>) {
  const { words } = props;
  const { row, layers, view } = state;
  const here = layout(props, state, width);
  const x = (j: number): number => xOf(here, words.length, j);
  const y = (level: number): number => yOf(here, state, level);
  const step = (here.graph.width - NAMES) / words.length;
  const crowded = words.some((word) => measure(word, 14, true) > step - 4);
  const reached = seen(props, state);
  const { computed, read } = writing(props, state);
  const isThere = (j: number): boolean => view === "sees" || j <= row;
  const starts = (level: number, i: number): boolean => (view === "sees" ? reached : computed)[level][i] ?? false;
  const markOf = (level: number, j: number): Mark | undefined => {
    if (view === "sees") return reached[level][j] ? "seen" : undefined;
    return computed[level][j] ? "computed" : read[level][j] ? "read" : undefined;
  };
  const lines = indices(layers).flatMap((level) =>
    words.flatMap((_, i) =>
      words.flatMap((_word, j) => {
        if (!isThere(i) || !isThere(j) || !reads(props, state, i, j)) return [];
        return [{ level, i, j, used: starts(level + 1, i), alone: !allowed(props, state, i, j) }];
      }),
    ),
  );
  return (
    <g>
      <Text x={here.graph.left} y={here.graph.top + 16} hue="quiet">
        {view === "sees" ? "All layers: what reaches the top" : "All layers, when the word is new"}
      </Text>
      {indices(layers + 1).map((level) => (
        <Text key={level} x={here.graph.left} y={y(level) + 5} size={14} hue="quiet">
          {level ? `layer ${level}` : "words"}
        </Text>
      ))}
      <g pointer-events="none">
        {lines
          .sort((a, b) => Number(a.used) - Number(b.used))
          .map(({ level, i, j, used, alone }) => (
            <line
              key={`${level}-${i}-${j}`}
              x1={x(j)}
              y1={y(level)}
              x2={x(i)}
              y2={y(level + 1)}
              stroke={colour(!used ? "line" : view === "sees" ? "query" : read[level][j] ? "key" : "output")}
              stroke-width={used ? 2 : 1}
              stroke-dasharray={alone ? "2 4" : "none"}
            />
          ))}
      </g>
      {words.map((word, j) => (
        <Choice key={j} label={`Column of ${word}, position ${j}`} chosen={j === row} choose={() => set({ row: j })}>
          <rect x={x(j) - step / 2} y={y(layers) - 16} width={step} height={LEVEL * layers + 66} fill="transparent" />
          {indices(layers + 1).map((level) => {
            const mark = markOf(level, j);
            if (mark) return <Sign key={level} x={x(j)} y={y(level)} mark={mark} />;
            return (
              <circle
                key={level}
                cx={x(j)}
                cy={y(level)}
                r={isThere(j) ? 5 : 2}
                fill={colour("paper")}
                stroke={colour(isThere(j) ? "faint" : "line")}
                stroke-width={1.5}
              />
            );
          })}
          <Text
            x={x(j)}
            y={y(0) + 28 + (crowded && j % 2 ? 17 : 0)}
            size={14}
            anchor="middle"
            bold={j === row}
            hue={isThere(j) ? "ink" : "quiet"}
          >
            {word}
          </Text>
        </Choice>
      ))}
    </g>
  );
}

function Legend({ props, state, width }: Shown<Props, State>) {
  const top = layout(props, state, width).legend;
  return (
    <g>
      {legend(props, state, width).map(({ text, indent, mark }, i) => {
        const y = top + 18 + 26 * i;
        return (
          <g key={text}>
            {mark === "read" ? (
              <g>
                <Badge x={12} y={y - 5} letter="K" hue="key" />
                <Badge x={36} y={y - 5} letter="V" hue="value" />
              </g>
            ) : (
              mark && <Sign x={24} y={y - 5} mark={mark} />
            )}
            <Text x={indent} y={y}>
              {text}
            </Text>
          </g>
        );
      })}
    </g>
  );
}

const [BAR, TITLE] = [26, 30]; // height of a bar and of what stands above both

const barsHeight = ({ view }: State): number => (view === "computes" ? TITLE + 2 * BAR : 0);

/** What a cache saves: all that has been computed, with it and without. */
function Bars({ props, state, width }: Shown<Props, State>) {
  if (state.view !== "computes") return <g />;
  const top = layout(props, state, width).legend + 26 * legend(props, state, width).length;
  const { now, all, allAgain } = vectors(props, state);
  const left = measure("without", 15) + 12;
  const room = width - left - 44;
  // with a causal mask every word has cost as much as this one
  const words = state.row + 1;
  const product = words > 1 && all === words * now ? `= ${words} words × ${now}` : "";
  const fits = room * (1 - all / allAgain) + 44 > measure(`${all}${product}`, 15, true) + 24;
  const rows: [string, number, "output" | "faint", string][] = [
    ["cache", all, "output", fits ? product : ""],
    ["without", allAgain, "faint", ""],
  ];
  return (
    <g>
      <Text x={0} y={top + 20} hue="quiet">
        {`Vectors computed for ${upTo(props, state)}`}
      </Text>
      {rows.map(([name, n, hue, product], i) => {
        const y = top + TITLE + BAR * i;
        const long = (room * n) / allAgain;
        return (
          <g key={name}>
            <Text x={0} y={y + 16}>
              {name}
            </Text>
            <rect class="cf-moves" x={left} y={y + 2} width={long} height={BAR - 8} rx={2} fill={colour(hue)} />
            <Text x={left + long + 7} y={y + 16} bold>
              {n}
            </Text>
            {product && (
              <Text x={left + long + 12 + measure(String(n), 15, true)} y={y + 16} hue="quiet">
                {product}
              </Text>
            )}
          </g>
        );
      })}
    </g>
  );
}

export const maskAndCache: Figure<Props, State> = {
  initial: ({ row, layers, mask, view }) => ({ row, layers, mask, view }),
  title,
  describe,
  height: (props, state, width) =>
    layout(props, state, width).legend + 26 * legend(props, state, width).length + 6 + barsHeight(state),
  Drawing: (shown) => (
    <g>
      <Rows {...shown} />
      <Graph {...shown} />
      <Legend {...shown} />
      <Bars {...shown} />
    </g>
  ),
  Controls: ({ props, state, set, id }) => (
    <>
      <Options label="Show" name={`${id}-view`} options={VIEWS} value={state.view} set={(view) => set({ view })} />
      <Options
        label="Mask"
        name={`${id}-mask`}
        options={
          [
            ["causal", "causal"],
            ["window", `${many(props.window, "word")} back`],
            ["none", "none"],
          ] as [Mask, string][]
        }
        value={state.mask}
        set={(mask) => set({ mask })}
      />
      <Slider
        label="Layers"
        value={state.layers}
        low={1}
        high={MOST_LAYERS}
        step={1}
        set={(layers) => set({ layers })}
      />
    </>
  ),
};
