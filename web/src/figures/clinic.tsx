// The bug clinic (chapter 09): ten broken Transformers, their losses and where they look; the reader says what is wrong.

import type { Figure, Shown } from "../figure";
import type { Matrix } from "../maths";
import { Choice, colour, inPercent, Menu, measure, percent, type Role, Text, wrapped, written } from "../parts";

interface Curve {
  low: number[]; // of the seeds, at each of the steps
  middle: number[];
  high: number[];
}
interface Patient {
  name: string;
  losses: Curve;
  log: boolean; // whether its losses are drawn on a logarithmic axis
  own: Matrix; // attention of the decoder to its own words, (L_t, L_t)
  cross: Matrix; // and to the source, (L_t, L_s)
  read: string[]; // what the decoder reads
  right: number; // share of new sentences that it writes without a mistake
  writes: string;
  fault: string; // one of the faults; empty for the healthy one
  should: string; // the line of code as it should be, and as it is
  is: string;
  guilty: { own: [number, number][]; cross: [number, number][] }; // cells that give it away
}
interface Props {
  patients: Patient[]; // the healthy one first
  steps: number[];
  faults: string[];
  source: string[];
  predicted: string[]; // what the rows of both maps are to predict
  levels: { says: string; loss: number }[];
  patient: number; // which is shown first
}
interface State {
  patient: number;
  answer: string;
}

const current = ({ patients }: Props, { patient }: State): Patient =>
  patients[Math.max(0, Math.min(patients.length - 1, patient))];
const last = (numbers: number[]): number => numbers[numbers.length - 1];
const quoted = (word: string): string => `‘${word}’`;
const writing = ({ writes }: Patient): string => (writes ? quoted(writes) : "nothing");
const loss = (x: number): string => (x < 0.01 ? x.toFixed(4) : x < 0.1 ? x.toFixed(3) : x.toFixed(2));
const found = (patient: Patient, state: State): boolean => patient.fault !== "" && state.answer === patient.fault;

function title(props: Props, state: State): string {
  const patient = current(props, state);
  if (found(patient, state)) return `${patient.name}: ${patient.fault}`;
  const healthy = props.patients[0];
  const end = `${patient.name}: its loss ends at ${loss(last(patient.losses.middle))}`;
  const beside = patient === healthy ? "" : `, the healthy one’s at ${loss(last(healthy.losses.middle))}`;
  return `${end}${beside}; it gets ${percent(patient.right)} of new sentences right`;
}

/** Where each row of a map looks most, in words; and its sum, where that is not 1. */
function rows(matrix: Matrix, predicted: string[], columns: string[]): string {
  return matrix
    .map((row, i) => {
      const best = row.indexOf(Math.max(...row));
      const all = isWhole(row) ? "" : `, sum of the row ${written(total(row))}`;
      return `to predict ${quoted(predicted[i])} most at ${quoted(columns[best])} (${toldOf(row)[best]} %${all})`;
    })
    .join(", ");
}

const total = (row: number[]): number => row.reduce((sum, x) => sum + x, 0);

/** Whether the weights of a row are shares of one, as those of a softmax are. */
const isWhole = (row: number[]): boolean => Math.abs(total(row) - 1) < 0.0051;

/** The weights of a row as they are written: whole per cent that add up to the sum that is written, too. */
const toldOf = (row: number[]): number[] => inPercent(isWhole(row) ? row.map((x) => x / total(row)) : row);

/** What the reader's diagnosis comes to. */
function verdict(props: Props, state: State): string[] {
  const patient = current(props, state);
  if (!state.answer) return [];
  if (!patient.fault) return ["No. Nothing is wrong with the healthy one."];
  if (!found(patient, state)) return ["No. That is the fault of another patient."];
  return ["Yes. Framed cells, if there are any, give it away.", `right: ${patient.should}`, `here: ${patient.is}`];
}

function describe(props: Props, state: State): string {
  const patient = current(props, state);
  const all = props.patients.map(
    ({ name, losses, right }) => `${name}: loss ${loss(last(losses.middle))}, ${percent(right)} right`,
  );
  return [
    `Transformers after ${last(props.steps)} steps of training, with their last loss and the share of new sentences that they get right. ${all.join("; ")}.`,
    `Chosen: ${patient.name}. Its loss goes from ${loss(patient.losses.middle[0])} to ${loss(last(patient.losses.middle))}.`,
    `The decoder looks at its own words: ${rows(patient.own, props.predicted, patient.read)}.`,
    `It looks at the source: ${rows(patient.cross, props.predicted, props.source)}.`,
    `It writes ${writing(patient)}.`,
    ...verdict(props, state),
  ].join(" ");
}

// ---- Curves ----

const [LOWEST, HIGHEST] = [3e-4, 4]; // of logarithmic axes

/** Where a loss stands between the foot, 0, and the top, 1, of a chart. */
function rise(x: number, log: boolean): number {
  const share = log ? Math.log(x / LOWEST) / Math.log(HIGHEST / LOWEST) : x / 3;
  return Math.max(0, Math.min(1, share));
}

interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

function Curves(props: {
  steps: number[];
  of: Curve;
  log: boolean;
  hue: Role;
  frame: Frame;
  thick: number;
  dashed?: boolean;
}) {
  const { steps, of, log, hue, frame, thick, dashed = false } = props;
  const x = (i: number): number => frame.x + (frame.width * steps[i]) / last(steps);
  const y = (value: number): number => frame.y + frame.height * (1 - rise(value, log));
  const line = (values: number[]): string =>
    values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const back = of.low.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).reverse();
  return (
    <g pointer-events="none">
      <polygon points={`${line(of.high)} ${back.join(" ")}`} fill={colour(hue)} opacity={0.18} />
      <polyline
        points={line(of.middle)}
        fill="none"
        stroke={colour(hue)}
        stroke-width={thick}
        stroke-linejoin="round"
        {...(dashed ? { "stroke-dasharray": "6 4" } : {})}
      />
    </g>
  );
}

// ---- Cards: all patients at a glance ----

const [GAP, CURVE] = [10, 38];

function cards(props: Props, width: number) {
  const columns = width >= 600 ? 6 : 3;
  const wide = (width - GAP * (columns - 1)) / columns;
  const map = (wide - 22) / 2;
  const tall = 24 + CURVE + 8 + map + 24;
  const lines = Math.ceil(props.patients.length / columns);
  return { columns, wide, map, tall, height: lines * (tall + GAP) };
}

/** A map without words: shape is all that can be seen. */
function Small({ matrix, x, y, side }: { matrix: Matrix; x: number; y: number; side: number }) {
  const [wide, tall] = [side / matrix[0].length, side / matrix.length];
  return (
    <g pointer-events="none">
      <rect x={x} y={y} width={side} height={side} fill={colour("paper")} stroke={colour("line")} />
      {matrix.map((row, i) =>
        row.map((weight, j) =>
          weight < 0.02 ? null : (
            <rect
              key={`${i}-${j}`}
              {...{ x: x + j * wide, y: y + i * tall, width: wide, height: tall }}
              fill={colour("weight")}
              opacity={Math.min(1, weight)}
            />
          ),
        ),
      )}
    </g>
  );
}

function Cards({ props, state, set, width }: Shown<Props, State>) {
  const { columns, wide, map, tall } = cards(props, width);
  return (
    <g>
      {props.patients.map((patient, p) => {
        const [x, y] = [(p % columns) * (wide + GAP), Math.floor(p / columns) * (tall + GAP)];
        const chosen = patient === current(props, state);
        const frame = { x: x + 7, y: y + 24, width: wide - 14, height: CURVE };
        const below = y + 24 + CURVE + 6;
        return (
          <Choice
            key={patient.name}
            label={patient.name}
            chosen={chosen}
            choose={() => set({ patient: p, answer: "" })}
          >
            <rect
              {...{ x: x + 1, y: y + 1, width: wide - 2, height: tall - 2, rx: 8 }}
              fill={colour("surface")}
              stroke={colour(chosen ? "ink" : "line")}
              stroke-width={chosen ? 2.5 : 1}
            />
            <Text x={x + 8} y={y + 18} size={14} bold={chosen}>
              {patient.name}
            </Text>
            <Curves steps={props.steps} of={props.patients[0].losses} log hue="faint" frame={frame} thick={1.5} />
            {p > 0 && <Curves steps={props.steps} of={patient.losses} log hue="series-2" frame={frame} thick={2} />}
            <Small matrix={patient.own} x={x + 8} y={below} side={map} />
            <Small matrix={patient.cross} x={x + 14 + map} y={below} side={map} />
            <Text x={x + 8} y={y + tall - 9} size={13} hue="quiet">
              {`${percent(patient.right)} right`}
            </Text>
          </Choice>
        );
      })}
      <Key props={props} width={width} />
    </g>
  );
}

/** What stands in a card, in the place that they leave free. */
function Key({ props, width }: { props: Props; width: number }) {
  const { columns, wide, tall, height } = cards(props, width);
  const n = props.patients.length;
  if (n % columns === 0) return null;
  const [x, y] = [(n % columns) * (wide + GAP) + 6, height - tall - GAP];
  const rows: [string, Role][] = [
    ["loss: healthy,", "quiet"],
    ["patient", "series-2"],
    ["left map: its own words", "quiet"],
    ["right map: the source", "quiet"],
  ];
  const lines = rows.flatMap(([text, hue]) => wrapped(text, wide - 6, 13).map((line) => ({ line, hue })));
  return (
    <g>
      {lines.map(({ line, hue }, i) => (
        <Text key={line} x={x} y={y + 18 + 17 * i} size={13} hue={hue}>
          {line}
        </Text>
      ))}
    </g>
  );
}

// ---- The chosen patient ----

const [NAMES, SUM, HEAD, FEET] = [58, 70, 44, 54];
const cellOf = (width: number): number => (width >= 700 ? 46 : 34); // of a map

function WordMap(props: {
  name: string;
  matrix: Matrix;
  rows: string[];
  columns: string[];
  x: number;
  y: number;
  guilty: [number, number][];
  cell: number;
}) {
  const { name, matrix, rows, columns, x, y, guilty, cell } = props;
  const [left, top] = [x + NAMES, y + HEAD];
  return (
    <g>
      <Text x={x} y={y + 16} size={15} bold>
        {name}
      </Text>
      <Text x={left + cell * columns.length + 6} y={top - 7} size={13} hue="quiet">
        sum, %
      </Text>
      {matrix.map((row, i) => (
        <g key={i}>
          <Text x={left - 7} y={top + cell * (i + 0.5) + 5} size={14} anchor="end">
            {rows[i]}
          </Text>
          {row.map((weight, j) => (
            <g key={j}>
              <rect
                {...{ x: left + cell * j, y: top + cell * i, width: cell, height: cell }}
                fill={colour("paper")}
                stroke={colour("line")}
              />
              {weight > 0 && (
                <rect
                  {...{ x: left + cell * j, y: top + cell * i, width: cell, height: cell }}
                  fill={colour("weight")}
                  opacity={Math.min(1, weight)}
                />
              )}
              {toldOf(row)[j] > 0 && (
                <Text
                  x={left + cell * (j + 0.5)}
                  y={top + cell * (i + 0.5) + 5}
                  size={13}
                  hue={weight > 0.6 ? "paper" : "ink"}
                  anchor="middle"
                >
                  {toldOf(row)[j]}
                </Text>
              )}
            </g>
          ))}
          <Text
            x={left + cell * columns.length + 6}
            y={top + cell * (i + 0.5) + 5}
            size={13}
            hue={isWhole(row) ? "quiet" : "series-2"}
            bold={!isWhole(row)}
          >
            {isWhole(row) ? 100 : `${Math.round(100 * total(row))} ≠ 100`}
          </Text>
        </g>
      ))}
      {guilty.map(([i, j]) => (
        <rect
          key={`${i}-${j}`}
          {...{ x: left + cell * j + 1.5, y: top + cell * i + 1.5, width: cell - 3, height: cell - 3 }}
          fill="none"
          stroke={colour("focus")}
          stroke-width={3}
        />
      ))}
      {columns.map((word, j) => {
        const at = [left + cell * (j + 0.5) + 4, top + cell * matrix.length + 14];
        return (
          <g key={j} transform={`rotate(-40 ${at[0]} ${at[1]})`}>
            <Text x={at[0]} y={at[1]} size={14} anchor="end">
              {word}
            </Text>
          </g>
        );
      })}
    </g>
  );
}

/** Numbers of the loss axis. */
const ticks = (log: boolean): number[] => (log ? [0.001, 0.01, 0.1, 1] : [0, 1, 2, 3]);

function Losses({ props, state, frame }: { props: Props; state: State; frame: Frame }) {
  const patient = current(props, state);
  const healthy = patient === props.patients[0];
  const y = (value: number): number => frame.y + frame.height * (1 - rise(value, patient.log));
  const ends = [
    { says: "healthy", at: last(props.patients[0].losses.middle), hue: "quiet" as Role },
    ...(healthy ? [] : [{ says: "patient", at: last(patient.losses.middle), hue: "series-2" as Role }]),
  ].map((end) => ({ ...end, y: y(end.at) }));
  if (ends.length === 2 && Math.abs(ends[0].y - ends[1].y) < 17) {
    const [upper, lower] = ends[0].y <= ends[1].y ? ends : [ends[1], ends[0]];
    const centre = Math.min(frame.y + frame.height - 9, (upper.y + lower.y) / 2);
    [upper.y, lower.y] = [centre - 9, centre + 9];
  }
  return (
    <g>
      <Text x={frame.x - 40} y={frame.y - 24} size={15} bold>
        Loss in training
      </Text>
      {ticks(patient.log).map((tick) => (
        <g key={tick}>
          <path d={`M${frame.x} ${y(tick)} h${frame.width}`} stroke={colour("line")} />
          <Text x={frame.x - 6} y={y(tick) + 5} size={13} hue="quiet" anchor="end">
            {tick}
          </Text>
        </g>
      ))}
      {!patient.log &&
        props.levels.map(({ says, loss }, i) => (
          <g key={says}>
            <path d={`M${frame.x} ${y(loss)} h${frame.width}`} stroke={colour("ink")} stroke-dasharray="2 3" />
            <Text x={frame.x + frame.width} y={y(loss) + (i ? 15 : -5)} size={13} hue="quiet" anchor="end">
              {says}
            </Text>
          </g>
        ))}
      <Curves
        {...{ steps: props.steps, of: props.patients[0].losses, log: patient.log, frame }}
        hue="quiet"
        thick={2}
        dashed={!healthy}
      />
      {!healthy && (
        <Curves {...{ steps: props.steps, of: patient.losses, log: patient.log, frame }} hue="series-2" thick={2.5} />
      )}
      {ends.map(({ says, y, hue }) => (
        <Text key={says} x={frame.x + frame.width + 6} y={y + 5} size={14} hue={hue} bold>
          {says}
        </Text>
      ))}
      <Text x={frame.x} y={frame.y + frame.height + 19} size={13} hue="quiet">
        0
      </Text>
      <Text x={frame.x + frame.width} y={frame.y + frame.height + 19} size={13} hue="quiet" anchor="end">
        {`step ${last(props.steps)}`}
      </Text>
    </g>
  );
}

interface Plan {
  frame: Frame; // of the losses
  own: [number, number];
  cross: [number, number];
  words: number; // baseline of the first line
  lines: { says: string; bold: boolean }[];
  height: number;
}

function plan(props: Props, state: State, width: number): Plan {
  const patient = current(props, state);
  const says = [
    ...verdict(props, state),
    `It should write ${quoted(props.predicted.slice(0, -1).join(" "))}, and writes ${writing(patient)}.`,
  ];
  const lines = says.flatMap((text, i) =>
    wrapped(text, width, 15).map((line) => ({ says: line, bold: i < says.length - 1 })),
  );
  const top = 21 * lines.length + 16;
  const cell = cellOf(width);
  const tall = HEAD + cell * props.predicted.length + FEET;
  const wide = NAMES + cell * Math.max(patient.read.length, props.source.length) + SUM;
  const after = measure("healthy", 14, true) + 8;
  const beside = width >= 40 + 150 + after + 2 * wide;
  const frame = beside
    ? { x: 40, y: top + HEAD, width: width - 40 - after - 14 - 2 * wide, height: tall - HEAD - FEET }
    : { x: 40, y: top + HEAD, width: width - 40 - after, height: 150 };
  const under = beside ? top : frame.y + frame.height + 44;
  const pair = !beside && width >= 2 * wide;
  const own: [number, number] = beside ? [width - 2 * wide + 6, top] : [0, under];
  const cross: [number, number] = beside ? [width - wide + 6, top] : pair ? [wide, under] : [0, under + tall];
  return { frame, own, cross, words: 16, lines, height: Math.max(cross[1], own[1]) + tall };
}

function Detail({ props, state, width }: Shown<Props, State>) {
  const patient = current(props, state);
  const at = plan(props, state, width);
  const guilty = found(patient, state) ? patient.guilty : { own: [], cross: [] };
  const map = { rows: props.predicted, cell: cellOf(width) };
  return (
    <g>
      <Losses props={props} state={state} frame={at.frame} />
      <WordMap
        {...map}
        name="Looks at its own words"
        matrix={patient.own}
        columns={patient.read}
        x={at.own[0]}
        y={at.own[1]}
        guilty={guilty.own}
      />
      <WordMap
        {...map}
        name="Looks at the source"
        matrix={patient.cross}
        columns={props.source}
        x={at.cross[0]}
        y={at.cross[1]}
        guilty={guilty.cross}
      />
      {at.lines.map(({ says, bold }, i) => (
        <Text key={`${i}-${says}`} x={0} y={at.words + 21 * i} size={15} bold={bold}>
          {says}
        </Text>
      ))}
    </g>
  );
}

export const clinic: Figure<Props, State> = {
  initial: ({ patient }) => ({ patient, answer: "" }),
  title,
  describe,
  height: (props, _, width) => cards(props, width).height,
  Drawing: Cards,
  Controls: ({ props, state, set }) => (
    <Menu
      label="Your diagnosis"
      groups={[["What is wrong?", [["", "not yet"], ...props.faults.map((fault): [string, string] => [fault, fault])]]]}
      value={state.answer}
      set={(answer) => set({ answer })}
    />
  ),
  rest: { height: (props, state, width) => plan(props, state, width).height, Drawing: Detail },
};
