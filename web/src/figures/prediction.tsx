// A prediction (all chapters): the reader sets it, and the answer is drawn beside it.

import type { Figure, Shown } from "../figure";
import { Button, Choice, colour, Handle, measure, placeOf, type Role, Text, wrapped, written } from "../parts";

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
  shown: boolean; // whether the reader wants to see the answer
}

const isOpen = ({ answer }: Props, { shown }: State): boolean => shown && answer !== undefined;

// ---- In words ----

/** What stands behind each number of the axis, and what else the numbers are of. */
function unitOf({ unit }: Props): { behind: string; of: string } {
  if (unit.startsWith("%")) return { behind: " %", of: unit.slice(1).trim() };
  return { behind: "", of: unit };
}

/** A number as short as it can be told, or an option. */
const brief = (props: Props, x: number | string): string =>
  typeof x === "string" ? x : written(x, props.decimals) + unitOf(props).behind;

/** A number with all of its unit, or an option. */
const say = (props: Props, x: number | string): string => {
  const { of } = unitOf(props);
  return brief(props, x) + (of && typeof x === "number" ? ` ${of}` : "");
};

const step = ({ decimals }: Props): number => 10 ** -decimals;

function kept(props: Props, value: number): number {
  const rounded = Math.round(value / step(props)) * step(props);
  return Number(Math.min(props.high, Math.max(props.low, rounded)).toFixed(props.decimals));
}

function title(props: Props, state: State): string {
  const { question, options, answer, low, high } = props;
  const { guess } = state;
  if (answer === undefined || !isOpen(props, state)) return question;
  if (guess === null) return `The answer: ${say(props, answer)}`;
  if (options) return guess === answer ? `You were right: ${answer}` : `You said ${guess}; the answer is ${answer}`;
  const [mine, right] = [brief(props, guess), say(props, answer)];
  if (mine === brief(props, answer)) return `You were right: ${right}`;
  const isNear = Math.abs(Number(guess) - Number(answer)) <= 0.05 * (high - low);
  return `${isNear ? "Nearly: you" : "You"} said ${mine}; the answer is ${right}`;
}

// ---- A number, on a line ----

const LINE = 58; // height of the line's middle
const [THUMB, PIN, BAR] = [13, 10, 18]; // radii of what is dragged, and of what is shown; height of the bar

/** Round numbers from one end of the axis to the other: so many that their words have room. */
function ticksOf({ low, high, decimals }: Props, most: number): number[] {
  const power = 10 ** Math.floor(Math.log10((high - low) / most));
  const isWhole = (x: number): boolean => Math.abs(x * 10 ** decimals - Math.round(x * 10 ** decimals)) < 1e-6;
  const apart =
    [1, 2, 2.5, 5, 10, 20]
      .map((factor) => factor * power)
      .find((size) => (high - low) / size <= most + 1e-9 && isWhole(size)) ?? high - low;
  const first = Math.ceil(low / apart - 1e-9);
  const between = Array.from({ length: most + 2 }, (_, i) => (first + i) * apart).filter(
    (tick) => tick > low + 0.6 * apart && tick < high - 0.6 * apart,
  );
  return [low, ...between, high];
}

interface Label {
  x: number; // where its middle would be
  half: number; // of its width
}

/** Where the middles of two labels stand, so that they are in the drawing and do not touch. */
function beside(one: Label, other: Label, width: number): [number, number] {
  const within = ({ x, half }: Label): number => Math.max(half, Math.min(width - half, x));
  const [first, second] = one.x <= other.x ? [one, other] : [other, one];
  let [left, right] = [within(first), within(second)];
  const lack = first.half + second.half + 16 - (right - left);
  if (lack > 0) {
    left = Math.max(first.half, left - lack / 2);
    right = Math.min(width - second.half, Math.max(right + lack / 2, left + first.half + second.half + 16));
    left = Math.min(left, right - first.half - second.half - 16);
  }
  return first === one ? [left, right] : [right, left];
}

/** A tick, as a path: what is right. */
const tick = (x: number, y: number, size: number): string =>
  `M${x - 0.5 * size} ${y} l${0.36 * size} ${0.38 * size} l${0.64 * size} ${-0.76 * size}`;

/** The words of a place on the line, above it, and a stem down to it. */
function Told(props: { text: string; size: number; at: number; x: number; hue: Role }) {
  const { text, size, at, x, hue } = props;
  return (
    <g>
      <path d={`M${x} ${LINE - 30} L${at} ${LINE - 12}`} stroke={colour(hue)} stroke-width={1.5} />
      <Text x={x} y={LINE - 36} size={size} hue={hue} anchor="middle" bold>
        {text}
      </Text>
    </g>
  );
}

/** Both numbers on the line, and the gap between them. */
function Both({ props, state, x, width }: Shown<Props, State> & { x(value: number): number }) {
  const answer = Number(props.answer);
  const right = x(Math.max(props.low, Math.min(props.high, answer)));
  const guess = typeof state.guess === "number" ? state.guess : null;
  const mine = guess === null ? right : x(guess);
  const isSame = guess !== null && brief(props, guess) === brief(props, answer);
  const [yours, theirs] = [
    `You: ${brief(props, guess ?? 0)}`,
    `${isSame ? "You, and the answer" : "Answer"}: ${brief(props, answer)}`,
  ];
  const label = (at: number, text: string, size: number): Label => ({ x: at, half: measure(text, size, true) / 2 + 2 });
  const alone = label(right, theirs, 20);
  const [own, other] =
    guess === null || isSame
      ? [0, Math.max(alone.half, Math.min(width - alone.half, right))]
      : beside(label(mine, yours, 16), alone, width);
  return (
    <g>
      <line x1={mine} x2={right} y1={LINE} y2={LINE} stroke={colour("output")} stroke-width={10} opacity={0.4} />
      {guess !== null && !isSame && (
        <g>
          <Told text={yours} size={16} at={mine} x={own} hue="ink" />
          <circle cx={mine} cy={LINE} r={PIN - 1} fill={colour("paper")} stroke={colour("ink")} stroke-width={4} />
        </g>
      )}
      <Told text={theirs} size={20} at={right} x={other} hue="output" />
      <circle cx={right} cy={LINE} r={PIN + 1} fill={colour("output")} />
      <path d={tick(right, LINE, 9)} fill="none" stroke={colour("paper")} stroke-width={2.5} />
    </g>
  );
}

/** The guess, to be dragged. */
function Thumb({ x, width, text }: { x: number; width: number; text: string }) {
  const half = measure(text, 26, true) / 2;
  return (
    <g>
      <Text x={Math.min(width - half, Math.max(half, x))} y={LINE - 24} size={26} anchor="middle" bold>
        {text}
      </Text>
      <circle cx={x} cy={LINE} r={THUMB} fill={colour("ink")} stroke={colour("paper")} stroke-width={2.5} />
      <path
        d={[-4, 0, 4].map((dx) => `M${x + dx} ${LINE - 5} v10`).join(" ")}
        stroke={colour("paper")}
        stroke-width={1.5}
      />
    </g>
  );
}

function NumberLine(shown: Shown<Props, State>) {
  const { props, state, set, width } = shown;
  const { low, high } = props;
  const { behind, of } = unitOf(props);
  const ticks = ticksOf(props, width >= 560 ? 10 : 4);
  const named = ticks.map((at) => String(Number(at.toFixed(6))).replace("-", "−") + behind);
  const margin = Math.max(THUMB + 3, measure(named[0], 14) / 2, measure(named[named.length - 1], 14) / 2) + 2;
  const long = width - 2 * margin;
  const x = (value: number): number => margin + (long * (value - low)) / (high - low);
  const at = (left: number): number => kept(props, low + ((left - margin) / long) * (high - low));
  const guess = typeof state.guess === "number" ? state.guess : null;
  const open = isOpen(props, state);
  const track = { x: margin - BAR / 2, y: LINE - BAR / 2, height: BAR, rx: BAR / 2 };
  return (
    <g>
      <rect {...track} width={long + BAR} fill={colour("surface")} stroke={colour("line")} />
      {guess !== null && !open && (
        <rect {...track} width={x(guess) - margin + BAR / 2} fill={colour("ink")} opacity={0.35} />
      )}
      {ticks.map((value, i) => (
        <g key={value}>
          <line x1={x(value)} x2={x(value)} y1={LINE + 12} y2={LINE + 18} stroke={colour("faint")} />
          <Text x={x(value)} y={LINE + 34} size={14} hue="quiet" anchor="middle">
            {named[i]}
          </Text>
        </g>
      ))}
      {of && (
        <Text x={width / 2} y={LINE + 56} size={15} hue="quiet" anchor="middle">
          {of}
        </Text>
      )}
      {open ? (
        <Both {...shown} x={x} />
      ) : (
        <g onPointerDown={(event) => set({ guess: at(placeOf(event)[0]) })} style={{ cursor: "pointer" }}>
          <Handle
            label="Your guess"
            says={guess === null ? "not set" : say(props, guess)}
            move={(left) => set({ guess: at(left) })}
            nudge={(dx, dy) =>
              set({
                guess:
                  guess === null
                    ? kept(props, (low + high) / 2)
                    : kept(props, guess + (dx + dy) * Math.max(step(props), (high - low) / 100)),
              })
            }
          >
            <rect x={0} y={LINE - 23} width={width} height={46} fill="transparent" />
            {guess === null ? (
              <Text x={width / 2} y={LINE - 22} size={16} hue="quiet" anchor="middle">
                Your guess: press on the line
              </Text>
            ) : (
              <Thumb x={x(guess)} width={width} text={brief(props, guess)} />
            )}
          </Handle>
        </g>
      )}
    </g>
  );
}

// ---- One of several options ----

interface Row {
  lines: string[];
  tag: string; // "" where there is nothing to say about it
  below: boolean; // whether the tag has a line of its own
  top: number;
  height: number;
}

const [INSET, LEAD] = [44, 21]; // left of an option's words; height of a line of them

/** What is said of an option once the answer is shown. */
function tagOf(props: Props, state: State, option: string): string {
  const [mine, right] = [option === state.guess, option === props.answer];
  if (!isOpen(props, state)) return mine ? "your guess" : "";
  return [right ? "the answer" : "", mine ? "your guess" : ""].filter(Boolean).join(", ");
}

/** How wide the options are: no wider than their words and what is said of them. */
const broad = ({ options = [] }: Props, width: number): number =>
  Math.min(width, Math.max(300, ...options.map((option) => INSET + measure(option, 16, true) + 210)));

/** The options under one another: they are as high with the answer as without it, but where a tag needs a line. */
function rowsOf(props: Props, state: State, room: number): Row[] {
  const width = broad(props, room);
  let top = 0;
  return (props.options ?? []).map((option) => {
    const lines = wrapped(option, (width - INSET - 14) / 1.06, 16);
    const tag = tagOf(props, state, option);
    const below = lines.length > 1 || measure(option, 16, true) + measure(tag, 14, true) + INSET + 32 > width;
    const height = LEAD * (lines.length + (tag && below ? 1 : 0)) + 17;
    const row = { lines, tag, below, top, height };
    top += height + 8;
    return row;
  });
}

function Options({ props, state, set, width: room }: Shown<Props, State>) {
  const open = isOpen(props, state);
  const width = broad(props, room);
  return (
    <g>
      {rowsOf(props, state, room).map(({ lines, tag, below, top, height }, i) => {
        const option = (props.options ?? [])[i];
        const [mine, right] = [option === state.guess, open && option === props.answer];
        const hue: Role = right ? "output" : mine ? "ink" : "line";
        const box = { x: 1, y: top + 1, width: width - 2, height: height - 2, rx: 8 };
        const middle = top + 19;
        const row = (
          <g>
            <rect {...box} fill={colour(mine || right ? "paper" : "surface")} />
            {(mine || right) && <rect {...box} fill={colour(hue)} opacity={0.12} />}
            <rect {...box} fill="none" stroke={colour(hue)} stroke-width={mine || right ? 2 : 1} />
            <circle
              cx={22}
              cy={middle}
              r={PIN}
              fill={colour(right ? "output" : "paper")}
              stroke={colour(mine || right ? hue : "faint")}
              stroke-width={2}
            />
            {right && <path d={tick(22, middle, 9)} fill="none" stroke={colour("paper")} stroke-width={2.5} />}
            {mine && !open && <circle cx={22} cy={middle} r={5} fill={colour("ink")} />}
            {mine && open && !right && (
              <path
                d={`M18 ${middle - 4} l8 8 M26 ${middle - 4} l-8 8`}
                stroke={colour("ink")}
                stroke-width={2.5}
                stroke-linecap="round"
              />
            )}
            {lines.map((line, n) => (
              <Text
                key={line}
                x={INSET}
                y={middle + 6 + n * LEAD}
                size={16}
                hue={open && !mine && !right ? "quiet" : "ink"}
                bold={mine || right}
              >
                {line}
              </Text>
            ))}
            <Text
              x={below ? INSET : width - 14}
              y={middle + 6 + (below ? lines.length * LEAD : 0)}
              size={14}
              anchor={below ? "start" : "end"}
              hue={hue === "line" ? "ink" : hue}
              bold
            >
              {tag}
            </Text>
          </g>
        );
        return open ? (
          <g key={option}>{row}</g>
        ) : (
          <Choice key={option} label={option} chosen={mine} choose={() => set({ guess: option })}>
            <rect {...box} y={top - 3} height={height + 6} fill="transparent" />
            {row}
          </Choice>
        );
      })}
    </g>
  );
}

// ---- The whole ----

/** The question again, above its answer; the title says the answer. */
const asked = (props: Props, state: State, width: number): string[] =>
  isOpen(props, state) ? wrapped(props.question, width, 15) : [];

export const prediction: Figure<Props, State> = {
  initial: () => ({ guess: null, shown: false }),
  title,
  describe(props, state) {
    const { guess } = state;
    const range = props.options
      ? `One of: ${props.options.join("; ")}.`
      : `A number from ${brief(props, props.low)} to ${say(props, props.high)}.`;
    const said = guess === null ? "" : ` Your guess: ${say(props, guess)}.`;
    const answer =
      isOpen(props, state) && props.answer !== undefined ? ` The answer: ${say(props, props.answer)}.` : "";
    return range + said + answer;
  },
  height(props, state, width) {
    const lines = 20 * asked(props, state, width).length;
    const rows = rowsOf(props, state, width);
    const last = rows[rows.length - 1];
    return (lines && lines + 8) + (last ? last.top + last.height : LINE + (unitOf(props).of ? 62 : 40));
  },
  Drawing(shown) {
    const question = asked(shown.props, shown.state, shown.width);
    return (
      <g>
        {question.map((line, i) => (
          <Text key={line} x={0} y={15 + 20 * i} size={15} hue="quiet">
            {line}
          </Text>
        ))}
        <g transform={`translate(0 ${question.length && 20 * question.length + 8})`}>
          {shown.props.options ? <Options {...shown} /> : <NumberLine {...shown} />}
        </g>
      </g>
    );
  },
  Controls: ({ props, state, set }) => (
    <>
      <Button
        label={isOpen(props, state) ? "Hide the answer" : "Show the answer"}
        press={() => set({ shown: !isOpen(props, state) })}
        disabled={props.answer === undefined}
        look={isOpen(props, state) ? "plain" : state.guess === null ? "quiet" : "primary"}
        live
      />
      {props.answer === undefined && (
        <span class="cf-note">
          {state.guess === null ? "Guess, then run the next cell." : "Now run the next cell: it finds the answer."}
        </span>
      )}
    </>
  ),
};
