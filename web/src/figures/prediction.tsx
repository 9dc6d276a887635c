// A prediction (all chapters): the reader sets it, and the result is drawn beside it.

import type { Figure, Shown } from "../figure";
import { Badge, Choice, colour, Handle, measure, type Role, Text, written } from "../parts";

interface Props {
  question: string;
  options?: string[]; // to choose from; without them it is a number
  low: number;
  high: number;
  decimals: number;
  unit: string;
  answer?: number | string; // once it is known
}
interface State {
  guess: number | string | null;
}

const LINE = 48;
const OPTION = 38; // height of an option

const say = ({ decimals, unit }: Props, x: number | string): string =>
  typeof x === "string" ? x : written(x, decimals) + (unit && `${unit === "%" ? " " : " "}${unit}`);

const step = ({ decimals }: Props): number => 10 ** -decimals;

function kept(props: Props, value: number): number {
  const rounded = Math.round(value / step(props)) * step(props);
  return Number(Math.min(props.high, Math.max(props.low, rounded)).toFixed(props.decimals));
}

/** A number on the line, with its words above or below it. */
function Mark(props: {
  x: number;
  width: number;
  text: string;
  above: boolean;
  hue: "query" | "output";
  letter: string;
}) {
  const { x, width, text, above, hue, letter } = props;
  const half = measure(text, 15, true) / 2;
  const middle = Math.min(width - half, Math.max(half, x));
  return (
    <g>
      <Badge x={x} y={LINE} letter={letter} hue={hue} radius={12} />
      <Text x={middle} y={above ? LINE - 22 : LINE + 34} anchor="middle" hue={hue} bold>
        {text}
      </Text>
    </g>
  );
}

function NumberLine({ props, state, set, width }: Shown<Props, State>) {
  const { low, high, answer } = props;
  const margin = Math.max(...[low, high].map((end) => measure(written(end, props.decimals), 15))) + 12;
  const long = width - 2 * margin;
  const x = (value: number): number => margin + (long * (value - low)) / (high - low);
  const guess = typeof state.guess === "number" ? state.guess : null;
  const from = guess ?? (low + high) / 2;
  const known = typeof answer === "number" ? kept({ ...props, decimals: 12 }, answer) : null;
  return (
    <g>
      <line x1={margin} x2={width - margin} y1={LINE} y2={LINE} stroke={colour("faint")} stroke-width={2} />
      {[low, high].map((end) => (
        <g key={end}>
          <line x1={x(end)} x2={x(end)} y1={LINE - 6} y2={LINE + 6} stroke={colour("faint")} stroke-width={2} />
          <Text
            x={end === low ? margin - 8 : width - margin + 8}
            y={LINE + 5}
            size={15}
            hue="quiet"
            anchor={end === low ? "end" : "start"}
          >
            {written(end, props.decimals)}
          </Text>
        </g>
      ))}
      {guess !== null && known !== null && (
        <line x1={x(guess)} x2={x(known)} y1={LINE} y2={LINE} stroke={colour("weight")} stroke-width={4} />
      )}
      {known !== null && typeof answer === "number" && (
        <Mark x={x(known)} width={width} text={say(props, answer)} above={false} hue="output" letter="=" />
      )}
      {answer === undefined ? (
        <Handle
          label="Your prediction"
          says={guess === null ? "not set" : say(props, guess)}
          move={(left) => set({ guess: kept(props, low + ((left - margin) / long) * (high - low)) })}
          nudge={(dx, dy) => set({ guess: kept(props, from + (dx + dy) * Math.max(step(props), (high - low) / 100)) })}
        >
          <rect x={x(from) - 24} y={LINE - 24} width={48} height={48} fill="transparent" />
          <Mark
            x={x(from)}
            width={width}
            text={guess === null ? "drag me" : say(props, guess)}
            above
            hue="query"
            letter="?"
          />
        </Handle>
      ) : (
        guess !== null && (
          <Mark x={x(guess)} width={width} text={`you: ${say(props, guess)}`} above hue="query" letter="?" />
        )
      )}
    </g>
  );
}

/** What is shown of the options: all, or, once it is known what came out, that and the prediction. */
const shownOptions = ({ options = [], answer }: Props, { guess }: State): string[] =>
  answer === undefined ? options : options.filter((option) => option === answer || option === guess);

/** Options under one another; in front of each a ring, which is filled where it was predicted, or came out. */
function Choices({ props, state, set, width }: Shown<Props, State>) {
  const known = props.answer !== undefined;
  return (
    <g>
      {shownOptions(props, state).map((option, i) => {
        const [mine, right] = [option === state.guess, option === props.answer];
        const marks = [right ? "what came out" : "", mine ? "your prediction" : ""].filter(Boolean).join(", ");
        const hue: Role = right ? "output" : mine ? "query" : "line";
        const y = i * OPTION;
        const row = (
          <g>
            <rect x={1} y={y + 1} width={width - 2} height={OPTION - 8} rx={6} fill={colour("paper")} />
            {right && (
              <rect x={1} y={y + 1} width={width - 2} height={OPTION - 8} rx={6} fill={colour(hue)} opacity={0.14} />
            )}
            <rect
              x={1}
              y={y + 1}
              width={width - 2}
              height={OPTION - 8}
              rx={6}
              fill="none"
              stroke={colour(hue)}
              stroke-width={mine || right ? 2 : 1}
            />
            {mine || right ? (
              <Badge x={20} y={y + 15} letter={mine ? "?" : "="} hue={mine ? "query" : "output"} radius={9} />
            ) : (
              <circle cx={20} cy={y + 15} r={8} fill="none" stroke={colour("faint")} stroke-width={1.5} />
            )}
            <Text x={38} y={y + 20} bold={mine || right}>
              {option}
            </Text>
            <Text x={width - 12} y={y + 20} anchor="end" hue={hue} bold>
              {marks}
            </Text>
          </g>
        );
        return known ? (
          <g key={option}>{row}</g>
        ) : (
          <Choice key={option} label={option} chosen={mine} choose={() => set({ guess: option })}>
            {row}
          </Choice>
        );
      })}
    </g>
  );
}

export const prediction: Figure<Props, State> = {
  initial: () => ({ guess: null }),
  title: ({ question, options, answer }, { guess }) => {
    if (answer === undefined) return question;
    if (!options || guess === null) return "What came out";
    return guess === answer ? "As you predicted" : "Not as you predicted";
  },
  describe(props, { guess }) {
    const asked = props.options
      ? `One of: ${props.options.join("; ")}.`
      : `A number from ${say(props, props.low)} to ${say(props, props.high)}.`;
    const said = guess === null ? "" : ` Your prediction: ${say(props, guess)}.`;
    return asked + said + (props.answer === undefined ? "" : ` What came out: ${say(props, props.answer)}.`);
  },
  height: (props, state) =>
    props.options ? shownOptions(props, state).length * OPTION : LINE + (props.answer === undefined ? 24 : 42),
  Drawing: (shown) => (shown.props.options ? <Choices {...shown} /> : <NumberLine {...shown} />),
};
