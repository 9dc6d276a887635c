// A sentence through the Transformer (chapter 09): the parts of a live model, and what each does to every word.

import type { Figure, Shown } from "../figure";
import {
  Choice,
  colour,
  Options,
  type Placed,
  percent,
  type Role,
  Slider,
  strength,
  Text,
  thickness,
  typeset,
  wrapped,
  written,
} from "../parts";

type Side = "encoder" | "decoder";
type Box = "read" | "self" | "cross" | "feed" | "norm" | "output";

interface Stage {
  side: Side;
  box: Box;
  block: number; // −1: in no block
  inputs: number[][]; // shapes, as the model's hooks have seen them
  output: number[];
  rows: { says: string; numbers: number[][] }[]; // some of the numbers of each word: before, after …
  weights: number[][][]; // of each head, (queries, keys); empty where nothing is looked at
  likeliest: [string, number][][]; // of each word, what may come next; empty but for the output
}
interface Props {
  source: string[];
  target: string[]; // what the decoder reads
  predicted: string[]; // and what it is to predict there
  n_heads: number;
  d: number;
  d_ff: number;
  n_blocks: { encoder: number; decoder: number };
  stages: Stage[]; // in the order of computation
  stage: number; // which is shown first, and of what head and words
  head: number;
  word: { encoder: number; decoder: number };
}
interface State {
  stage: number;
  head: number;
  encoder: number; // the word that is looked at, of each sentence
  decoder: number;
}

// ---- What is shown ----

const clamp = (x: number, n: number): number => Math.max(0, Math.min(n - 1, x));
const stageOf = (props: Props, state: State): Stage => props.stages[clamp(state.stage, props.stages.length)];
const sentenceOf = (props: Props, side: Side): string[] => (side === "encoder" ? props.source : props.target);
const wordOf = (props: Props, state: State): number => {
  const { side } = stageOf(props, state);
  return clamp(state[side], sentenceOf(props, side).length);
};
const looks = ({ box }: Stage): boolean => box === "self" || box === "cross";
const keysOf = (props: Props, { side, box }: Stage): string[] =>
  box === "cross" ? props.source : sentenceOf(props, side);
const headOf = (props: Props, state: State): number => clamp(state.head, props.n_heads);
const quoted = (word: string): string => `‘${word}’`;
const shape = (sizes: number[]): string =>
  sizes.map((size) => String(size).replace(/\B(?=(\d{3})+$)/g, ",")).join("\u00a0×\u00a0");

function called(side: Side, box: Box): string {
  if (box === "self") return side === "encoder" ? "Self-attention" : "Masked self-attention";
  return {
    read: "Embedding + position",
    cross: "Cross-attention",
    feed: "Feed-forward",
    norm: "LayerNorm",
    output: "Output",
  }[box];
}

function title(props: Props, state: State): string {
  const stage = stageOf(props, state);
  const words = sentenceOf(props, stage.side);
  const word = wordOf(props, state);
  if (looks(stage)) {
    const row = stage.weights[headOf(props, state)][word];
    const best = row.indexOf(Math.max(...row));
    const key = stage.box === "self" && best === word ? "itself" : quoted(keysOf(props, stage)[best]);
    const who =
      stage.box === "cross"
        ? `To predict ${quoted(props.predicted[word])}, the decoder looks at ${key}`
        : `${quoted(words[word])} looks at ${key}`;
    if (row[best] >= 0.5) return `${who}: ${percent(row[best])} of this head’s weight`;
    return `${who} most, but with only ${percent(row[best])} of this head’s weight`;
  }
  switch (stage.box) {
    case "read":
      return `${words.length} tokens become ${words.length} vectors of ${props.d} numbers`;
    case "feed":
      return `The feed-forward network changes ${quoted(words[word])} by itself, whatever stands beside it`;
    case "norm":
      return `${words.length} tokens went into the ${stage.side}, and ${words.length} vectors come out`;
    default: {
      const [next, share] = stage.likeliest[word][0];
      const read = words.slice(Math.max(0, word - 2), word + 1).join(" ");
      return `After ${quoted(read)} the model expects ${quoted(next)}: ${percent(share)}`;
    }
  }
}

/** What goes in and comes out, in shapes. */
function shapes(stage: Stage): string {
  const [first, second] = stage.inputs.map(shape);
  const read = stage.box === "cross" ? `queries from ${first}, keys and values from ${second}` : first;
  return `${stage.box === "read" ? `${first} tokens` : read} → ${shape(stage.output)}`;
}

function place(props: Props, state: State): string {
  const { side, box, block } = stageOf(props, state);
  const blocks = block < 0 ? side : `${side}, block ${block + 1} of ${props.n_blocks[side]}`;
  return `${called(side, box)} (${blocks})`;
}

function describe(props: Props, state: State): string {
  const stage = stageOf(props, state);
  const words = sentenceOf(props, stage.side);
  const word = wordOf(props, state);
  const tower = (side: Side): string => {
    const inside = props.stages.filter((each) => each.side === side && each.block === 0);
    const after = props.stages.filter((each) => each.side === side && each.block < 0);
    const parts = inside.map((each) => `${called(side, each.box)} ${shape(each.output)}`).join(", ");
    const others = after.map((each) => `${called(side, each.box)} ${shape(each.output)}`).join(", ");
    return `The ${side} reads ${quoted(sentenceOf(props, side).join(" "))}. ${props.n_blocks[side]} blocks of ${parts}. Outside the blocks: ${others}.`;
  };
  const told = [
    `A Transformer of width ${props.d}, ${props.n_heads} heads, ${props.d_ff} numbers inside a feed-forward network.`,
    tower("encoder"),
    tower("decoder"),
    "Before each attention and feed-forward network stands a LayerNorm, after it the old vector is added. Cross-attention has its keys and values from the encoder.",
    `Shown: step ${clamp(state.stage, props.stages.length) + 1} of ${props.stages.length}, ${place(props, state)}: ${shapes(stage)}.`,
  ];
  if (stage.side === "decoder")
    told.push(`The decoder reads ${quoted(words[word])}, to predict ${quoted(props.predicted[word])}.`);
  if (looks(stage)) {
    const keys = keysOf(props, stage);
    const row = stage.weights[headOf(props, state)][word];
    const shares = row
      .map((weight, j) => ({ weight, j }))
      .filter(({ weight }) => weight >= 0.005)
      .map(({ weight, j }) => `${quoted(keys[j])} ${percent(weight)}`);
    told.push(`Head ${headOf(props, state) + 1}: weights of ${quoted(words[word])}: ${shares.join(", ")}.`);
  }
  if (stage.likeliest.length)
    told.push(
      `Likeliest next: ${stage.likeliest[word].map(([next, share]) => `${quoted(next)} ${percent(share)}`).join(", ")}.`,
    );
  const bars = stage.rows.map(({ says, numbers }) => `${says} up to ${written(largest([numbers[word]]), 1)}`);
  told.push(`Bars of ${stage.rows[0].numbers[word].length} of its numbers: ${bars.join(", ")}.`);
  return told.join(" ");
}

const largest = (rows: number[][]): number => Math.max(1e-9, ...rows.flat().map(Math.abs));

// ---- The architecture ----

const [BOX, THIN, BAND, RING, SIDE, CHANNEL] = [38, 24, 6, 7, 13, 34]; // pixels
const WORDS = 14;

interface Part {
  box: Box;
  top: number;
  height: number;
}
interface Tower {
  side: Side;
  x: number; // its middle
  wide: number; // of a box
  parts: Part[];
  frame: { top: number; bottom: number };
  shapes: { y: number; says: string }[];
  top: number;
  words: Placed[];
}

/** One of the two stacks, from its foot at 0 upwards. */
function tower(props: Props, side: Side, x: number, wide: number): Tower {
  const parts: Part[] = [];
  const says: Tower["shapes"] = [];
  const out = (box: Box): string => {
    const found = props.stages.find((each) => each.side === side && each.box === box);
    return found ? shape(found.output) : "";
  };
  const put = (box: Box, bottom: number): number => {
    const height = box === "norm" ? THIN : BOX;
    parts.push({ box, top: bottom - height, height });
    return bottom - height;
  };
  let y = put("read", -14);
  says.push({ y: y - 8, says: out("read") });
  const bottom = y - 26;
  y = bottom - 16;
  const inside: Box[] = side === "encoder" ? ["self", "feed"] : ["self", "cross", "feed"];
  for (const box of inside) {
    y = put(box, y - BAND) - 13; // the ring's middle
    if (box !== "feed") says.push({ y: y - 10, says: out(box) });
    y -= RING + 20;
  }
  const top = y + 14;
  says.push({ y: top - 8, says: out("feed") });
  y = put("norm", top - 26);
  says.push({ y: y - 8, says: out("norm") });
  if (side === "decoder") {
    y = put("output", y - 26);
    says.push({ y: y - 8, says: out("output") });
  }
  const words = typeset(sentenceOf(props, side), WORDS, wide + 2 * SIDE, x - wide / 2 - SIDE, 16, 1.25);
  return { side, x, wide, parts, frame: { top, bottom }, shapes: says, top: y - 24, words };
}

interface Plan {
  beside: boolean; // whether the words of a stage stand beside the architecture
  towers: [Tower, Tower];
  base: number; // where the towers stand
  height: number; // of the architecture
  left: number; // of the panel
  top: number;
  width: number;
}

const LEGEND = 24;

function plan(props: Props, width: number): Plan {
  const beside = width >= 600;
  const whole = beside ? 350 : width;
  const wide = (whole - 4 * SIDE - CHANNEL) / 2;
  const towers: [Tower, Tower] = [
    tower(props, "encoder", SIDE + wide / 2, wide),
    tower(props, "decoder", whole - SIDE - wide / 2, wide),
  ];
  const base = -Math.min(...towers.map(({ top }) => top));
  const height = base + Math.max(...towers.flatMap(({ words }) => words.map(({ y }) => y))) + 12 + LEGEND;
  return {
    ...{ beside, towers, base, height },
    ...(beside ? { left: whole + 30, top: 0, width: width - whole - 30 } : { left: 0, top: height + 22, width }),
  };
}

function Line({ path, hue = "faint", thick = 1.5 }: { path: string; hue?: Role; thick?: number }) {
  return <path d={path} fill="none" stroke={colour(hue)} stroke-width={thick} stroke-linejoin="round" />;
}

function Stack({ shown, of }: { shown: Shown<Props, State>; of: Tower }) {
  const { props, state, set } = shown;
  const { side, x, wide, parts, frame, words } = of;
  const stage = stageOf(props, state);
  const out = side === "encoder" ? -1 : 1; // where the old vector passes by
  const aside = x + out * (wide / 2 + 7);
  const find = (box: Box): number => {
    const block = Math.max(0, stage.block);
    const index = props.stages.findIndex(
      (each) => each.side === side && each.box === box && (each.block < 0 || each.block === block),
    );
    return index >= 0 ? index : props.stages.findIndex((each) => each.side === side && each.box === box);
  };
  return (
    <g>
      <rect
        {...{ x: x - wide / 2 - SIDE + 1, y: frame.top, width: wide + 2 * SIDE - 2, height: frame.bottom - frame.top }}
        rx={9}
        fill={colour("surface")}
        stroke={colour(side)}
        stroke-width={1.5}
      />
      <Line path={`M${x} -2 V${of.top + 6}`} />
      {side === "decoder" && <path d={`M${x - 4} ${of.top + 12} h8 l-4 -8 z`} fill={colour("faint")} />}
      {parts.map(({ box, top, height }) => {
        const here = stage.side === side && stage.box === box;
        const inside = ["self", "cross", "feed"].includes(box);
        const ring = top - 13;
        const lines = wrapped(called(side, box), wide - 8, 14);
        return (
          <g key={box}>
            {inside && (
              <g>
                <Line
                  path={`M${x} ${top + height + BAND + 8} H${aside} V${ring} H${x + out * RING}`}
                  hue={here ? "ink" : "faint"}
                />
                <circle cx={x} cy={ring} r={RING} fill={colour("paper")} stroke={colour("ink")} />
                <path d={`M${x - 4} ${ring} h8 M${x} ${ring - 4} v8`} stroke={colour("ink")} />
                <rect x={x - wide / 2} y={top + height} width={wide} height={BAND} fill={colour("faint")} />
              </g>
            )}
            <Choice label={`${called(side, box)}, ${side}`} chosen={here} choose={() => set({ stage: find(box) })}>
              <rect x={x - wide / 2} y={top} width={wide} height={height} rx={5} fill={colour("paper")} />
              <rect
                {...{ x: x - wide / 2, y: top, width: wide, height, rx: 5 }}
                fill={colour(here ? side : "paper")}
                fill-opacity={here ? 0.25 : 1}
                stroke={colour(here ? side : "faint")}
                stroke-width={here ? 2.5 : 1.5}
              />
              {lines.map((line, i) => (
                <Text
                  key={line}
                  x={x}
                  y={top + height / 2 + 5 + 16 * (i - (lines.length - 1) / 2)}
                  size={14}
                  anchor="middle"
                  bold={here}
                >
                  {line}
                </Text>
              ))}
            </Choice>
          </g>
        );
      })}
      {of.shapes.map(({ y, says }) => (
        <Text key={y} x={x - 10 * out} y={y} size={13} hue="quiet" anchor={out < 0 ? "start" : "end"}>
          {says}
        </Text>
      ))}
      <Text
        x={x + out * (wide / 2 + SIDE - 3)}
        y={frame.bottom + 15}
        size={14}
        hue={side}
        anchor={out < 0 ? "start" : "end"}
        bold
      >
        {`× ${props.n_blocks[side]}`}
      </Text>
      {words.map((word, i) => (
        <Text key={i} x={word.x} y={word.y} size={WORDS} hue={side}>
          {word.text}
        </Text>
      ))}
    </g>
  );
}

function Architecture(shown: Shown<Props, State>) {
  const { towers, base, height } = plan(shown.props, shown.width);
  const [encoder, decoder] = towers;
  const cross = decoder.parts.find(({ box }) => box === "cross");
  const turn = (encoder.x + decoder.x) / 2;
  const enters = (cross?.top ?? 0) + BOX / 2;
  return (
    <g>
      <g transform={`translate(0 ${base})`}>
        <Stack shown={shown} of={encoder} />
        <Stack shown={shown} of={decoder} />
        <Line
          path={`M${encoder.x} ${encoder.top + 12} V${encoder.top} H${turn} V${enters} H${decoder.x - decoder.wide / 2 - 8}`}
          hue="encoder"
          thick={2.5}
        />
        <path d={`M${decoder.x - decoder.wide / 2 - 9} ${enters - 5} v10 l9 -5 z`} fill={colour("encoder")} />
        <Text x={encoder.x - encoder.wide / 2 - SIDE} y={encoder.top - 25} size={13} hue="quiet">
          keys and values
        </Text>
        <Text x={encoder.x - encoder.wide / 2 - SIDE} y={encoder.top - 9} size={13} hue="quiet">
          for the decoder
        </Text>
      </g>
      <rect x={0} y={height - 12} width={20} height={BAND} fill={colour("faint")} />
      <Text x={26} y={height - 5} size={13} hue="quiet">
        LayerNorm
      </Text>
      <g transform={`translate(107 ${height - 9})`}>
        <circle r={RING} fill={colour("paper")} stroke={colour("ink")} />
        <path d="M-4 0 h8 M0 -4 v8" stroke={colour("ink")} />
      </g>
      <Text x={120} y={height - 5} size={13} hue="quiet">
        the old vector is added
      </Text>
    </g>
  );
}

// ---- One part, and what it does to the words ----

const [SIZE, LEADING, BETWEEN, BARS, LABEL] = [16, 1.7, 104, 62, 62];

interface Inner {
  heading: string[];
  shapes: string[];
  keys: Placed[]; // baselines from the panel's top
  queries: Placed[];
  note: number; // baseline of what is to be predicted, or where it would stand
  rows: number; // top of the bars
  height: number;
}

function inner(props: Props, state: State, width: number): Inner {
  const stage = stageOf(props, state);
  const heading = wrapped(place(props, state), width, 16.5);
  const told = wrapped(shapes(stage), width, 14);
  let y = 18 + 21 * (heading.length - 1) + 10 + 19 * told.length;
  const line = (words: string[], baseline: number) =>
    typeset(words, SIZE, width - 10, 5, baseline, LEADING, 0.5 * SIZE);
  const lowest = (placed: Placed[]) => Math.max(...placed.map((word) => word.y));
  const keys = looks(stage) ? line(keysOf(props, stage), y + 42) : [];
  if (keys.length) y = lowest(keys) + BETWEEN - 32;
  const queries = line(sentenceOf(props, stage.side), y + 32);
  const note = lowest(queries) + 27;
  const rows = note + 12;
  const bars = BARS * stage.rows.length + 8 + (stage.likeliest.length ? 26 * stage.likeliest[0].length + 34 : 0);
  return { heading, shapes: told, keys, queries, note, rows, height: rows + bars + 24 };
}

const middle = (word: Placed): number => word.x + word.width / 2;

function Panel({ props, state, set, width }: Shown<Props, State>) {
  const stage = stageOf(props, state);
  const word = wordOf(props, state);
  const at = inner(props, state, width);
  const weights = looks(stage) ? stage.weights[headOf(props, state)] : [];
  const row = weights[word] ?? [];
  const masked = (j: number): boolean => stage.side === "decoder" && stage.box === "self" && j > word;
  const keySide: Side = stage.box === "cross" ? "encoder" : stage.side;
  return (
    <g>
      {at.heading.map((line, i) => (
        <Text key={line} x={0} y={18 + 21 * i} size={16.5} bold>
          {line}
        </Text>
      ))}
      {at.shapes.map((line, i) => (
        <Text key={line} x={0} y={18 + 21 * (at.heading.length - 1) + 22 + 19 * i} size={14} hue="quiet">
          {line}
        </Text>
      ))}
      <g fill="none" stroke-linecap="round" pointer-events="none">
        {weights.map((of, i) =>
          of.map((weight, j) => {
            if (weight < (i === word ? 0.02 : 0.1)) return null;
            const [from, to] = [at.queries[i], at.keys[j]];
            const [x1, y1, x2, y2] = [middle(from), from.y - SIZE - 2, middle(to), to.y + 7];
            const bend = (y1 + y2) / 2;
            return (
              <path
                key={`${i}-${j}`}
                d={`M${x1} ${y1} C${x1} ${bend} ${x2} ${bend} ${x2} ${y2}`}
                stroke={colour(i === word ? "weight" : "line")}
                stroke-width={i === word ? thickness(weight, 8) : 1}
                opacity={i === word ? strength(weight) : 1}
              />
            );
          }),
        )}
      </g>
      {at.keys.map((key, j) => (
        <g key={j}>
          <Text x={key.x} y={key.y} size={SIZE} hue={masked(j) ? "quiet" : keySide} opacity={masked(j) ? 0.7 : 1}>
            {key.text}
          </Text>
          {row[j] >= 0.05 && (
            <Text x={middle(key)} y={key.y - SIZE - 3} size={13} hue="weight" anchor="middle" bold>
              {percent(row[j])}
            </Text>
          )}
        </g>
      ))}
      {at.queries.map((each, i) => (
        <Choice
          key={i}
          label={`${each.text}, word ${i + 1} of the ${stage.side}`}
          chosen={i === word}
          choose={() => set(stage.side === "encoder" ? { encoder: i } : { decoder: i })}
          hover
        >
          <rect
            {...{ x: each.x - 3, y: each.y - SIZE, width: each.width + 6, height: SIZE + 7, rx: 6 }}
            fill={i === word ? colour("query") : "transparent"}
          />
          <Text x={each.x} y={each.y} size={SIZE} hue={i === word ? "paper" : stage.side}>
            {each.text}
          </Text>
        </Choice>
      ))}
      {stage.side === "decoder" && (
        <Text x={0} y={at.note} size={14} hue="quiet">
          {`reads ${quoted(props.target[word])}, to predict ${quoted(props.predicted[word])}`}
        </Text>
      )}
      <Vectors stage={stage} word={word} width={width} top={at.rows} d={props.d} />
    </g>
  );
}

function Vectors(props: { stage: Stage; word: number; width: number; top: number; d: number }) {
  const { stage, word, width, top, d } = props;
  const reach = largest(stage.rows.map(({ numbers }) => numbers[word]));
  const n = stage.rows[0].numbers[word].length;
  const bar = (width - LABEL) / n;
  const below = top + BARS * stage.rows.length + 18;
  return (
    <g>
      {stage.rows.map(({ says, numbers }, r) => {
        const zero = top + BARS * (r + 0.5);
        return (
          <g key={says}>
            <Text x={0} y={zero + 5} size={14} bold={r > 0 && r === stage.rows.length - 1}>
              {says}
            </Text>
            <path d={`M${LABEL} ${zero} H${width}`} stroke={colour("line")} />
            {numbers[word].map((x, i) => {
              const tall = (0.46 * BARS * Math.abs(x)) / reach;
              return (
                <rect
                  key={i}
                  x={LABEL + i * bar + 0.1 * bar}
                  y={x > 0 ? zero - tall : zero}
                  width={0.8 * bar}
                  height={tall}
                  fill={colour(stage.side)}
                />
              );
            })}
          </g>
        );
      })}
      <Text x={LABEL} y={below} size={13} hue="quiet">
        {`${n} of its ${d} numbers, up and down from 0`}
      </Text>
      {(stage.likeliest[word] ?? []).map(([next, share], i) => {
        const y = below + 24 + 26 * i;
        return (
          <g key={next}>
            <Text x={110} y={y + 5} size={15} anchor="end" hue="decoder">
              {next}
            </Text>
            <rect x={118} y={y - 9} width={Math.max(1, (width - 174) * share)} height={18} fill={colour("output")} />
            <Text x={124 + (width - 174) * share} y={y + 5} size={14}>
              {percent(share)}
            </Text>
          </g>
        );
      })}
    </g>
  );
}

export const through: Figure<Props, State> = {
  initial: ({ stage, head, word }) => ({ stage, head, ...word }),
  title,
  describe,
  height(props, state, width) {
    const at = plan(props, width);
    return Math.max(at.height, at.top + inner(props, state, at.width).height) + 4;
  },
  Drawing(shown) {
    const at = plan(shown.props, shown.width);
    return (
      <g>
        <Architecture {...shown} />
        <g transform={`translate(${at.left} ${at.top})`}>
          <Panel {...shown} width={at.width} />
        </g>
      </g>
    );
  },
  Above: ({ props, state, set }) => (
    <Slider
      label="Step"
      value={clamp(state.stage, props.stages.length)}
      low={0}
      high={props.stages.length - 1}
      step={1}
      says={`${clamp(state.stage, props.stages.length) + 1} of ${props.stages.length}`}
      set={(stage) => set({ stage })}
    />
  ),
  Controls: ({ props, state, set, id }) => (
    <Options
      label="Head"
      name={`${id}-head`}
      options={Array.from({ length: props.n_heads }, (_, h): [string, string] => [String(h), String(h + 1)])}
      value={String(headOf(props, state))}
      set={(head) => set({ head: Number(head) })}
    />
  ),
};
