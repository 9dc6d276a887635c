// Learning (chapter 10): where a translator looks, and what it writes, at some steps of its training.

import type { Figure, Shown } from "../figure";
import { Choice, colour, listed, measure, Options, percent, Slider, Text, WeightLine, wrapped } from "../parts";

interface Look {
  step: number;
  error: number; // of the head's alignment, 0 to 1
  loss: number; // on held-out sentences, nats a token
  written: string[]; // what it writes, for each sentence
  maps: number[][][]; // for each sentence its weights, French × English
}
interface Props {
  sentences: { english: string[]; french: string[] }[];
  looks: Look[];
  floor: number; // the error of linking words by their position
}
interface State {
  look: number;
  sentence: number;
  word: number; // the French word whose lines are drawn alone; −1 for all
}

const clamped = (at: number, n: number): number => Math.max(0, Math.min(n - 1, at));
const lookOf = ({ looks }: Props, { look }: State): Look => looks[clamped(look, looks.length)];
const chosen = ({ sentences }: Props, { sentence }: State) => sentences[clamped(sentence, sentences.length)];
const mapOf = (props: Props, state: State): number[][] =>
  lookOf(props, state).maps[clamped(state.sentence, props.sentences.length)];
const writtenOf = (props: Props, state: State): string =>
  lookOf(props, state).written[clamped(state.sentence, props.sentences.length)];
const steps = (step: number): string => `${step.toLocaleString("en-GB")} step${step === 1 ? "" : "s"}`;

interface Spot {
  text: string;
  x: number; // left edge
  width: number;
}

const [GAP, PLOT, LINE] = [112, 92, 21]; // between the sentences; height of the curve; of a line of text

function inOneLine(words: string[], size: number): Spot[] {
  let left = 0;
  return words.map((text, i) => {
    left += i > 0 && /[\p{L}<]/u.test(text[0]) && !/['’]$/.test(words[i - 1]) ? 0.32 * size : 0;
    const spot = { text, x: left, width: measure(text, size) };
    left += spot.width;
    return spot;
  });
}

interface Layout {
  size: number;
  english: Spot[];
  french: Spot[];
  rows: [number, number]; // baselines
  says: string[];
  plot: number; // top of the curve
  height: number;
}

function layout(props: Props, state: State, width: number): Layout {
  const { english, french } = chosen(props, state);
  const extent = (words: string[], size: number): number => {
    const last = inOneLine(words, size).at(-1);
    return last ? last.x + last.width : 0;
  };
  let size = 26;
  while (size > 13 && Math.max(extent(english, size), extent(french, size)) > width - 8) size--;
  const centred = (words: string[]): Spot[] => {
    const left = (width - extent(words, size)) / 2;
    return inOneLine(words, size).map((spot) => ({ ...spot, x: spot.x + left }));
  };
  const first = 24 + size;
  const rows: [number, number] = [first, first + GAP];
  // as much room for each look, so that nothing moves when another is chosen
  const lines = props.looks.map((look) => said(look.written[clamped(state.sentence, props.sentences.length)], width));
  const most = Math.max(...lines.map((each) => each.length));
  const plot = rows[1] + 34 + LINE * most + 44;
  return {
    size,
    english: centred(english),
    french: centred(french),
    rows,
    says: said(writtenOf(props, state), width),
    plot,
    height: plot + PLOT + 44,
  };
}

const said = (written: string, width: number): string[] => wrapped(`It writes: ${written}`, width, 16);
const middle = ({ x, width }: Spot): number => x + width / 2;

function Word(props: { spot: Spot; y: number; size: number; hue: "encoder" | "decoder" }) {
  const { spot, y, size, hue } = props;
  return (
    <text
      x={spot.x}
      y={y}
      font-size={size}
      font-weight={450}
      fill={colour(hue)}
      stroke={colour("paper")}
      stroke-width={5}
      stroke-linejoin="round"
      style={{ paintOrder: "stroke" }}
    >
      {spot.text}
    </text>
  );
}

function Sentences({ props, state, set, width }: Shown<Props, State>) {
  const { size, english, french, rows, says } = layout(props, state, width);
  const map = mapOf(props, state);
  const alone = state.word >= 0 && state.word < french.length;
  return (
    <g>
      <Text x={0} y={15} size={15} hue="quiet">
        {`After ${steps(lookOf(props, state).step)}`}
      </Text>
      <g pointer-events="none">
        {map.map((row, i) =>
          alone && i !== state.word
            ? null
            : row.map((weight, j) =>
                weight < 0.05 ? null : (
                  <WeightLine
                    key={`${i}-${j}`}
                    x1={middle(english[j])}
                    y1={rows[0] + 9}
                    x2={middle(french[i])}
                    y2={rows[1] - size}
                    weight={weight}
                    curve={16}
                  />
                ),
              ),
        )}
      </g>
      {english.map((spot, j) => (
        <Word key={j} spot={spot} y={rows[0]} size={size} hue="encoder" />
      ))}
      {french.map((spot, i) => (
        <Choice
          key={i}
          label={`${spot.text} looks`}
          chosen={i === state.word}
          choose={() => set({ word: i === state.word ? -1 : i })}
        >
          <rect x={spot.x - 2} y={rows[1] - 30} width={spot.width + 4} height={44} fill="transparent" />
          {i === state.word && (
            <path d={`M${spot.x} ${rows[1] + 8} h${spot.width}`} stroke={colour("decoder")} stroke-width={3} />
          )}
          <Word spot={spot} y={rows[1]} size={size} hue="decoder" />
        </Choice>
      ))}
      {says.map((line, i) => (
        <Text key={line} x={0} y={rows[1] + 40 + LINE * i} size={16}>
          {line}
        </Text>
      ))}
    </g>
  );
}

/** How the error of the head falls; a step can be chosen here, too. */
function Curve({ props, state, set, width }: Shown<Props, State>) {
  const { plot } = layout(props, state, width);
  const { looks, floor } = props;
  const last = looks[looks.length - 1].step || 1;
  const [left, right] = [44, width - 10];
  const x = (step: number): number => left + ((right - left) * step) / last;
  const y = (error: number): number => plot + PLOT * (1 - error);
  const edges = looks.map(({ step }, i) => (i === 0 ? left - 8 : (x(step) + x(looks[i - 1].step)) / 2));
  return (
    <g>
      <Text x={0} y={plot - 14} size={15} hue="quiet">
        Words linked wrongly by this head
      </Text>
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line x1={left} x2={right} y1={y(share)} y2={y(share)} stroke={colour("line")} />
          <Text x={left - 8} y={y(share) + 5} size={14} hue="quiet" anchor="end">
            {percent(share)}
          </Text>
        </g>
      ))}
      <line x1={left} x2={right} y1={y(floor)} y2={y(floor)} stroke={colour("quiet")} stroke-dasharray="5 4" />
      <g style={{ paintOrder: "stroke", stroke: colour("paper"), strokeWidth: 5, strokeLinejoin: "round" }}>
        <Text x={right} y={y(floor) - 6} size={13} hue="quiet" anchor="end">
          first to first, second to second
        </Text>
      </g>
      <g pointer-events="none">
        <polyline
          points={looks.map(({ step, error }) => `${x(step)},${y(error)}`).join(" ")}
          fill="none"
          stroke={colour("weight")}
          stroke-width={3}
          stroke-linejoin="round"
        />
        <circle
          cx={x(lookOf(props, state).step)}
          cy={y(lookOf(props, state).error)}
          r={7}
          fill={colour("weight")}
          stroke={colour("paper")}
          stroke-width={2}
        />
      </g>
      {looks.map((look, i) => (
        <Choice
          key={look.step}
          label={`After ${steps(look.step)}: ${percent(look.error)} linked wrongly`}
          chosen={i === clamped(state.look, looks.length)}
          choose={() => set({ look: i })}
        >
          <rect
            x={edges[i]}
            y={plot}
            width={Math.max(1, (edges[i + 1] ?? right + 8) - edges[i])}
            height={PLOT + 20}
            fill="transparent"
          />
        </Choice>
      ))}
      {[0, last / 2, last].map((step, i) => (
        <Text key={step} x={x(step)} y={plot + PLOT + 20} size={14} hue="quiet" anchor={i === 2 ? "end" : "middle"}>
          {step.toLocaleString("en-GB")}
        </Text>
      ))}
      <Text x={right} y={plot + PLOT + 40} size={14} hue="quiet" anchor="end">
        training steps
      </Text>
    </g>
  );
}

/** Where each French word looks, in words. */
function told(props: Props, state: State): string {
  const { english, french } = chosen(props, state);
  const map = mapOf(props, state);
  return french
    .map((word, i) => {
      const found = map[i]
        .map((weight, j) => ({ weight, word: english[j] }))
        .filter(({ weight }) => weight >= 0.2)
        .sort((a, b) => b.weight - a.weight)
        .map(({ weight, word: looked }) => `‘${looked}’ ${percent(weight)}`);
      return `‘${word}’ at ${found.length ? listed(found) : "no word with 20 % or more"}`;
    })
    .join("; ");
}

export const learning: Figure<Props, State> = {
  initial: ({ looks }) => ({ look: looks.length - 1, sentence: 0, word: -1 }),
  title({ looks }) {
    const [first, last] = [looks[0], looks[looks.length - 1]];
    return (
      `In ${steps(last.step)} a head learns where to look: ` +
      `of its links, ${percent(last.error)} are wrong, at the start ${percent(first.error)}`
    );
  },
  describe(props, state) {
    const { english, french } = chosen(props, state);
    const alone = state.word >= 0 && state.word < french.length ? ` Drawn alone: ‘${french[state.word]}’.` : "";
    const all = props.looks
      .map(
        ({ step, error, loss, written }) =>
          `${step}: ${percent(error)} of the links wrong, held-out loss ${loss.toFixed(2)}, ` +
          `writes ${written[clamped(state.sentence, props.sentences.length)] || "nothing"}`,
      )
      .join("; ");
    return (
      `${english.join(" ")}, and ${french.join(" ")}; lines from each French word to those that it looks at. ` +
      `After ${steps(lookOf(props, state).step)}: ${told(props, state)}.${alone} By steps: ${all}. ` +
      `Linking words by their position: ${percent(props.floor)} wrong.`
    );
  },
  height: (props, state, width) => layout(props, state, width).height,
  Drawing: (shown) => (
    <g>
      <Sentences {...shown} />
      <Curve {...shown} />
    </g>
  ),
  Controls: ({ props, state, set, id }) => (
    <>
      <Slider
        label="Steps"
        value={clamped(state.look, props.looks.length)}
        low={0}
        high={props.looks.length - 1}
        step={1}
        says={lookOf(props, state).step.toLocaleString("en-GB")}
        set={(look) => set({ look })}
      />
      <Options
        label="Sentence"
        name={`${id}-sentence`}
        options={props.sentences.map(({ english }, i): [string, string] => [
          String(i),
          `${english.slice(0, 3).join(" ")} …`,
        ])}
        value={String(clamped(state.sentence, props.sentences.length))}
        set={(value) => set({ sentence: Number(value), word: -1 })}
      />
    </>
  ),
};
