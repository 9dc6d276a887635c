// The writer (chapter 08): a small language model writes word by word, and a temperature decides how boldly it chooses.

import type { Figure, Shown } from "../figure";
import { LanguageModel, type Shape } from "../language_model";
import { softmax, type Vector } from "../maths";
import {
  Button,
  Choice,
  colour,
  inPercent,
  measure,
  Options,
  type Role,
  Slider,
  Text,
  typeset,
  wrapped,
  written,
} from "../parts";
import { BOS, EOS, typesetFrench, Words } from "../translator/words";

interface Props extends Shape {
  models: { name: string; causal: boolean; weights: string }[]; // half-precision numbers in base64
  vocabulary: string[];
  most: number; // tokens that are written
  model: number; // what is shown first
  temperature: number;
  draw: number;
  step: number;
}
interface State {
  model: string; // its number: options are words
  temperature: number;
  draw: number; // the same chances for the same number
  step: number; // of the word whose rivals are shown
  given: number[]; // tokens that the reader has chosen; the rest is written after them
}

const [HOTTEST, STEP] = [2, 0.1];
const [N_BARS, ROW, SIZE, APART] = [10, 26, 19, 14]; // pixels between the candidates and all others
const NEVER = [0, 1, 3, 4, 5]; // padding, start, unknown word, marks for spaces

// ---- What is computed ----

const loaded = new WeakMap<Props, LanguageModel[]>();

function modelOf(props: Props, { model }: State): LanguageModel {
  let found = loaded.get(props);
  if (!found) {
    found = props.models.map(
      ({ weights, causal }) => new LanguageModel(weights, props, props.vocabulary.length, causal),
    );
    loaded.set(props, found);
  }
  return found[Number(model)];
}

/** A number from 0 to 1 that looks drawn: the same for the same two numbers. */
function chance(draw: number, step: number): number {
  let t = (Math.imul(draw + 1, 0x9e3779b1) + Math.imul(step + 1, 0x85ebca6b)) >>> 0;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

interface Step {
  p: Vector; // of each token of the vocabulary, at the temperature
  order: number[]; // tokens from the likeliest to the least; the same at every temperature
  chosen: number;
}

/** softmax(z / T); at T = 0 all on the largest. */
function atTemperature(logits: Vector, temperature: number): Vector {
  if (temperature > 0) return softmax(logits.map((logit) => logit / temperature));
  const best = logits.indexOf(Math.max(...logits));
  return logits.map((_, id) => (id === best ? 1 : 0));
}

/** The token whose share of the line from 0 to 1 has a point in it; shares lie from the likeliest on. */
function drawn({ p, order }: Omit<Step, "chosen">, point: number): number {
  let sum = 0;
  for (const id of order) {
    sum += p[id];
    if (sum > point) return id;
  }
  return order[0];
}

let last: { props: Props; key: string; steps: Step[] } | undefined;

/** All that is written. */
function stepsOf(props: Props, state: State): Step[] {
  const key = JSON.stringify([state.model, state.temperature, state.draw, state.given]);
  if (last?.props === props && last.key === key) return last.steps;
  const model = modelOf(props, state);
  const ids = [BOS];
  const steps: Step[] = [];
  while (steps.length < props.most && ids[ids.length - 1] !== EOS) {
    const logits = Array.from(model.next(ids));
    for (const id of NEVER) logits[id] = Number.NEGATIVE_INFINITY;
    const p = atTemperature(logits, state.temperature);
    const order = logits.map((_, id) => id).sort((a, b) => logits[b] - logits[a]);
    const chosen = state.given[steps.length] ?? drawn({ p, order }, chance(state.draw, steps.length));
    steps.push({ p, order, chosen });
    ids.push(chosen);
  }
  last = { props, key, steps };
  return steps;
}

const stepOf = (steps: Step[], { step }: State): number => Math.max(0, Math.min(step, steps.length - 1));

// ---- In words ----

const label = ({ vocabulary }: Props, id: number): string =>
  id === EOS ? "(end)" : vocabulary[id].trim().replace("'", "’");

function textOf(props: Props, steps: Step[]): string {
  const ids = steps.map(({ chosen }) => chosen);
  const text = typesetFrench(new Words(props.vocabulary, false).decode(ids));
  return ids[ids.length - 1] === EOS ? text : `${text} …`;
}

const degree = ({ temperature }: State): string => written(temperature, 1);

/** What the bars are about. */
function heading(props: Props, state: State): string {
  const steps = stepsOf(props, state);
  const step = stepOf(steps, state);
  if (step === 0) return "Which word comes first?";
  return `After ‘${textOf(props, steps.slice(0, step)).replace(/ …$/, "")}’, which word?`;
}

/** The tokens that have bars: the likeliest, and the one that was chosen. */
function barsOf({ order, chosen }: Step): number[] {
  const best = order.slice(0, N_BARS);
  return best.includes(chosen) ? best : [...best.slice(0, N_BARS - 1), chosen];
}

const rest = (step: Step): number => Math.max(0, 1 - barsOf(step).reduce((sum, id) => sum + step.p[id], 0));

/** The shares of the tokens that have bars, and of all others, as they are written: in tenths of a per cent, 100 in all. */
const sharesOf = (step: Step): string[] =>
  inPercent([...barsOf(step).map((id) => step.p[id]), rest(step)].map((p) => 10 * p)).map(
    (tenths) => `${written(tenths / 10, 1)} %`,
  );

const nOthers = ({ vocabulary }: Props): number => vocabulary.length - NEVER.length - N_BARS;

function title(props: Props, state: State): string {
  const text = textOf(props, stepsOf(props, state));
  const { name } = props.models[Number(state.model)];
  if (props.models.length > 1) return `Trained ${name}, it writes: ‘${text}’`;
  if (state.temperature === 0) return `Temperature 0 always takes the likeliest word: ‘${text}’`;
  return `At temperature ${degree(state)} it writes: ‘${text}’`;
}

function describe(props: Props, state: State): string {
  const steps = stepsOf(props, state);
  const at = stepOf(steps, state);
  const step = steps[at];
  const shares = sharesOf(step);
  const bars = barsOf(step).map((id, i) => `${label(props, id)} ${shares[i]}`);
  const { name } = props.models[Number(state.model)];
  return (
    `A language model${props.models.length > 1 ? `, trained ${name},` : ""} writes at temperature ${degree(state)}: ` +
    `${steps.map(({ chosen }) => label(props, chosen)).join(" ")}. Word ${at + 1}: ${bars.join("; ")}; ` +
    `all ${nOthers(props)} others ${shares[shares.length - 1]}. Chosen: ${label(props, step.chosen)}` +
    `${at < state.given.length ? ", by you" : ""}.`
  );
}

// ---- Where things stand ----

function layout(props: Props, state: State, width: number) {
  const labels = stepsOf(props, state).map(({ chosen }) => label(props, chosen));
  const placed = typeset(labels, SIZE, width - 16, 8, 24, 2, 18);
  const lines = wrapped(heading(props, state), width, 15);
  const top = placed[placed.length - 1].y + 46;
  return { placed, lines, top, bars: top + 20 * lines.length };
}

// ---- What is drawn ----

function Sentence({ props, state, set, width }: Shown<Props, State>) {
  const steps = stepsOf(props, state);
  const { placed } = layout(props, state, width);
  const now = stepOf(steps, state);
  return (
    <g>
      {placed.map(({ text, x, y, width: wide }, i) => (
        <Choice key={i} label={`Word ${i + 1}: ${text}`} chosen={i === now} choose={() => set({ step: i })}>
          <rect x={x - 7} y={y - 27} width={wide + 14} height={42} fill="transparent" />
          <rect
            x={x - 7}
            y={y - 21}
            width={wide + 14}
            height={30}
            rx={15}
            fill={i === now ? colour("output") : colour("surface")}
            stroke={i < state.given.length ? colour("query") : "none"}
            stroke-width={2.5}
          />
          <Text x={x} y={y} size={SIZE} hue={i === now ? "paper" : steps[i].chosen === EOS ? "quiet" : "ink"}>
            {text}
          </Text>
        </Choice>
      ))}
    </g>
  );
}

function Bars({ props, state, set, width }: Shown<Props, State>) {
  const steps = stepsOf(props, state);
  const at = stepOf(steps, state);
  const step = steps[at];
  const { lines, top, bars } = layout(props, state, width);
  const shown = barsOf(step);
  const others = `${nOthers(props)} others`;
  const last = bars + N_BARS * ROW + APART;
  const names = Math.max(...shown.map((id) => measure(label(props, id), 15, true)), measure(others, 15), 70) + 12;
  const room = width - names - 62;
  const ids = steps.map(({ chosen }) => chosen);
  const shares = sharesOf(step);
  const bar = (p: number, row: number, y: number, hue: Role, opacity: number) => (
    <g>
      <rect
        x={names}
        y={y + 3}
        width={Math.max(p > 0 ? 1 : 0, room * p)}
        height={ROW - 8}
        rx={2}
        fill={colour(hue)}
        opacity={opacity}
      />
      <Text x={names + room * p + 7} y={y + 18} hue={p < 0.0005 ? "quiet" : "ink"}>
        {shares[row]}
      </Text>
    </g>
  );
  return (
    <g>
      {lines.map((line, i) => (
        <Text key={line} x={0} y={top - 6 + 20 * i} hue="quiet">
          {line}
        </Text>
      ))}
      {shown.map((id, row) => {
        const mine = id === step.chosen;
        return (
          <Choice
            key={row}
            label={`Write ${label(props, id)}`}
            chosen={mine}
            choose={() => set({ given: [...ids.slice(0, at), id], step: at })}
          >
            <rect x={0} y={bars + row * ROW} width={width} height={ROW - 1} fill="transparent" />
            {mine && (
              <rect
                x={0}
                y={bars + row * ROW}
                width={names - 6}
                height={ROW - 3}
                rx={(ROW - 3) / 2}
                fill={colour("output")}
              />
            )}
            <Text x={8} y={bars + row * ROW + 17} hue={mine ? "paper" : "ink"} bold={mine}>
              {label(props, id)}
            </Text>
            {bar(step.p[id], row, bars + row * ROW, "output", mine ? 1 : 0.6)}
          </Choice>
        );
      })}
      <path d={`M0 ${last - APART / 2 - 1} H${width}`} stroke={colour("line")} />
      <Text x={8} y={last + 17} hue="quiet">
        {others}
      </Text>
      {bar(rest(step), shown.length, last, "faint", 1)}
    </g>
  );
}

export const writer: Figure<Props, State> = {
  initial: ({ model, temperature, draw, step }) => ({ model: String(model), temperature, draw, step, given: [] }),
  title,
  describe,
  height: (props, state, width) => layout(props, state, width).bars + (N_BARS + 1) * ROW + APART + 4,
  Drawing: (shown) => (
    <g>
      <Sentence {...shown} />
      <Bars {...shown} />
    </g>
  ),
  Controls: ({ props, state, set, id }) => (
    <>
      {props.models.length > 1 && (
        <Options
          label="Trained"
          name={`${id}-model`}
          options={props.models.map(({ name }, i): [string, string] => [String(i), name])}
          value={state.model}
          set={(model) => set({ model, given: [] })}
        />
      )}
      <Slider
        label="Temperature"
        value={state.temperature}
        low={0}
        high={HOTTEST}
        step={STEP}
        set={(temperature) => set({ temperature })}
      />
      <Button
        label="Draw again"
        press={() => set({ draw: state.draw + 1, given: [] })}
        disabled={state.temperature === 0 && state.given.length === 0}
      />
    </>
  ),
};
