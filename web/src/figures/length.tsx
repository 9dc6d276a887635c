// Length (chapter 10): who translates short sentences, and who still translates longer ones.

import type { Figure, Shown } from "../figure";
import { Button, Choice, colour, listed, measure, type Role, Text, wrapped } from "../parts";

interface Part {
  name: string; // such as "test set"
  shortest: number; // words of a sentence
  longest: number;
  sentences: number;
}
interface Model {
  name: string;
  shares: number[][]; // of sentences translated exactly, seeds × parts
}
interface Lengths {
  name: string; // of one of the models: one run of it
  counts: [number, number, number][]; // words, sentences, those translated exactly; from short to long
}
interface Props {
  parts: Part[]; // from short to long
  models: Model[];
  trained: number; // words of the longest sentence in training
  lengths: Lengths[];
  title?: string; // in place of the one that the numbers give
}
interface State {
  at: number; // the point of the single lengths that is told
  seeds: boolean; // whether all models and seeds are shown, too
  part: number; // of which of their tests the numbers are told
}

const BASE = 26; // below the plot: numbers of words
const HUES: Role[] = ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6"];

function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2;
}

const percent = (share: number, decimals = 1): string => `${(100 * share).toFixed(decimals)}\u00a0%`;
const seed = ({ shares }: Model, part: number): number[] => shares.map((row) => row[part]);
const middle = (model: Model, part: number): number => median(seed(model, part));
const between = (model: Model, part: number): string =>
  `${(100 * Math.min(...seed(model, part))).toFixed(1)}–${percent(Math.max(...seed(model, part)))}`;
const range = (model: Model, part: number): string =>
  model.shares.length > 1
    ? `${percent(Math.min(...seed(model, part)))} to ${percent(Math.max(...seed(model, part)))}`
    : "one seed";

/** Models from the best to the worst on a part. */
const ranked = ({ models }: Props, part: number): Model[] =>
  [...models].sort((a, b) => middle(b, part) - middle(a, part));

/** Pairs of models of which the first leads on one part, and the second on the next. */
function overtakings({ models, parts }: Props): [Model, Model][] {
  return parts
    .slice(1)
    .flatMap((_, part) =>
      models.flatMap((one) =>
        models
          .filter((other) => middle(one, part) > middle(other, part) && middle(one, part + 1) < middle(other, part + 1))
          .map((other): [Model, Model] => [one, other]),
      ),
    );
}

interface Layout {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x(part: number): number;
  edge(part: number): number; // where the room of a part begins
  y(share: number): number;
}

/** Edges of both charts, and the dots of all seeds: parts stand beside one another, as what they are, two tests. */
function layout(props: Props, width: number): Layout {
  const { parts, models } = props;
  const room = Math.max(
    ...models.map(({ name }) => Math.max(...wrapped(name, 100, 15).map((line) => measure(line, 15, true)))),
  );
  const [left, right, top] = [48, width - Math.max(room, 46) - 18, singles(props, width).height + 32];
  const bottom = top + (props.lengths.length ? 170 : Math.min(300, 0.75 * width));
  const step = (right - left) / Math.max(1, parts.length);
  return {
    left,
    right,
    top,
    bottom,
    x: (part) => left + (part + 0.5) * step,
    edge: (part) => left + part * step,
    y: (share) => bottom - (bottom - top) * share,
  };
}

/** Put heights, from the top down, so far apart that labels do not touch. */
function apart(heights: number[], gaps: number[], lowest: number): number[] {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  order.forEach((i, k) => {
    if (k > 0) placed[i] = Math.max(placed[i], placed[order[k - 1]] + (gaps[order[k - 1]] + gaps[i]) / 2);
  });
  for (let k = order.length - 1, floor = lowest; k >= 0; k--) {
    placed[order[k]] = Math.min(placed[order[k]], floor);
    if (k > 0) floor = placed[order[k]] - (gaps[order[k]] + gaps[order[k - 1]]) / 2;
  }
  return placed;
}

function Plot({ props, state, set, width }: Shown<Props, State>) {
  const { parts, models } = props;
  const { left, right, top, bottom, x, y, edge } = layout(props, width);
  const aside = (m: number): number =>
    Math.min(20, (edge(1) - edge(0)) / (models.length + 1)) * (m - (models.length - 1) / 2);
  const last = parts.length - 1;
  const names = models.map(({ name }) => wrapped(name, 100, 15));
  const gaps = names.map((lines) => 18 * lines.length + 4);
  const heights = apart(
    models.map((model) => y(middle(model, last))),
    gaps,
    bottom - 4,
  );
  return (
    <g>
      <Text x={0} y={top - 12} hue="quiet">
        All models, both tests: a dot is one seed
      </Text>
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <line x1={left} x2={right} y1={y(share)} y2={y(share)} stroke={colour("line")} />
          <Text x={left - 8} y={y(share) + 5} size={14} hue="quiet" anchor="end">
            {percent(share, 0)}
          </Text>
        </g>
      ))}
      {parts.map((part, i) => (
        <Choice
          key={part.name}
          label={`${part.name}: ${part.shortest} to ${part.longest} words`}
          chosen={i === state.part}
          choose={() => set({ part: i })}
          hover
        >
          <rect x={edge(i)} y={top} width={edge(i + 1) - edge(i)} height={bottom - top + BASE} fill="transparent" />
          {i === state.part && (
            <rect
              x={edge(i) + 3}
              y={top - 3}
              width={edge(i + 1) - edge(i) - 6}
              height={bottom - top + BASE}
              rx={6}
              fill="none"
              stroke={colour("faint")}
            />
          )}
          <Text x={x(i)} y={bottom + 19} size={15} anchor="middle" bold={i === state.part}>
            {`${part.shortest}–${part.longest}${width < 400 ? "" : " words"}`}
          </Text>
        </Choice>
      ))}
      <g pointer-events="none">
        {models.map((model, m) => (
          <g key={model.name} stroke={colour(HUES[m])} fill="none">
            {parts.map(({ name }, part) => (
              <g key={name} fill={colour(HUES[m])} stroke={colour("paper")}>
                {seed(model, part).map((share, i, all) => (
                  <circle key={i} cx={x(part) + aside(m) + 5 * (i - (all.length - 1) / 2)} cy={y(share)} r={4} />
                ))}
              </g>
            ))}
            <line
              x1={x(last) + aside(m) + 9}
              y1={y(middle(model, last))}
              x2={right + 6}
              y2={heights[m]}
              stroke-width={1}
            />
          </g>
        ))}
        {names.map((lines, m) =>
          lines.map((line, i) => (
            <Text key={line} x={right + 10} y={heights[m] + 5 + 18 * (i - (lines.length - 1) / 2)} size={15} bold>
              {line}
            </Text>
          )),
        )}
      </g>
    </g>
  );
}

/** The words under the plot, each line with its colour. */
function reading(props: Props, part: number, width: number): { text: string; hue?: Role; bold?: boolean }[] {
  const { name, shortest, longest, sentences } = props.parts[part];
  const heading = `${name}: ${sentences} sentences of ${shortest} to ${longest} words`;
  const lines = (text: string, hue?: Role, bold = false) =>
    wrapped(text, width - (hue ? 20 : 0), bold ? 16 : 15).map((line, i) => ({
      text: line,
      bold,
      ...(hue && i === 0 ? { hue } : {}),
    }));
  return [
    ...lines(heading, undefined, true),
    ...ranked(props, part).flatMap((model) => {
      const m = props.models.indexOf(model);
      const runs = model.shares.length > 1 ? ` (${between(model, part)})` : "";
      return lines(`${model.name} ${percent(middle(model, part))}${runs}`, HUES[m]);
    }),
  ];
}

const LINE = 23;

// ---- One run of some of the models, by single lengths ----

const [FEWEST, BEYOND, TALL] = [20, 3, 260]; // sentences of a point; words beyond training that are told; pixels
const SMALL = 17; // height of a small line of words

interface Point {
  words: number; // their mean
  from: number;
  to: number;
  told: string; // "20–33"
  sentences: number;
  share: number;
}

/** Shares by length; neighbouring lengths are joined until a point has enough sentences. */
function points({ counts }: Lengths): Point[] {
  const groups: [number, number, number][][] = [[]];
  for (const row of counts) {
    const last = groups[groups.length - 1];
    if (last.reduce((sum, [, n]) => sum + n, 0) < FEWEST) last.push(row);
    else groups.push([row]);
  }
  const last = groups[groups.length - 1];
  if (groups.length > 1 && last.reduce((sum, [, n]) => sum + n, 0) < FEWEST)
    groups.splice(-2, 2, [...groups[groups.length - 2], ...last]);
  return groups.map((rows) => {
    const sentences = rows.reduce((sum, [, n]) => sum + n, 0);
    const [from, to] = [rows[0][0], rows[rows.length - 1][0]];
    return {
      words: rows.reduce((sum, [words, n]) => sum + words * n, 0) / sentences,
      from,
      to,
      told: from === to ? `${from}` : `${from}–${to}`,
      sentences,
      share: rows.reduce((sum, [, , exact]) => sum + exact, 0) / sentences,
    };
  });
}

/** What becomes of each model just beyond the trained lengths, as a sentence. */
function beyond({ lengths, trained }: Props): string {
  const at = (one: Lengths, words: number) => points(one).find(({ told }) => told === `${words}`)?.share;
  const [near, far] = [trained, trained + BEYOND];
  const told = lengths.flatMap((one) => {
    const [before, after] = [at(one, near), at(one, far)];
    return before === undefined || after === undefined
      ? []
      : `${one.name} from ${percent(before, 0)} to ${percent(after, 0)}`;
  });
  return told.length ? `Between ${near} and ${far} words: ${told.join("; ")}. ` : "";
}

const CAPTION = "Sentences translated exactly, by their number of words; one run of each model";

/** The point that is shown first: just beyond the trained lengths, where there is one. */
function firstPoint({ lengths, trained }: Props): number {
  if (!lengths.length) return -1;
  const found = points(lengths[0]);
  const at = found.findIndex(({ told }) => told === `${trained + BEYOND}`);
  return at < 0 ? found.length - 1 : at;
}

/** The models at a point, from the best to the worst. */
const atPoint = ({ lengths }: Props, at: number): { name: string; point: Point }[] =>
  lengths
    .flatMap((one) => {
      const point = points(one)[at];
      return point ? [{ name: one.name, point }] : [];
    })
    .sort((a, b) => b.point.share - a.point.share);

const hueOf = ({ models }: Props, model: string): Role => HUES[models.findIndex(({ name }) => name === model)];

/** Share of all sentences for which `counts` is true of their number of words, in the one run that is drawn. */
function together({ counts: rows }: Lengths, counts: (words: number) => boolean): number {
  const [all, exact] = rows
    .filter(([words]) => counts(words))
    .reduce(([n, right], row) => [n + row[1], right + row[2]], [0, 0]);
  return all ? exact / all : 0;
}

/** What the title tells of the drawn runs beyond the trained lengths: of the best there, and of the best before. */
function headline({ lengths, trained }: Props): { name: string; share: number }[] {
  const best = (counts: (words: number) => boolean): Lengths =>
    lengths.reduce((first, one) => (together(one, counts) > together(first, counts) ? one : first));
  const isLong = (words: number): boolean => words > trained;
  const both = new Set([best(isLong), best((words) => !isLong(words))]);
  return [...both].map((one) => ({ name: one.name, share: together(one, isLong) }));
}

/** The longest and the shortest of the sentences that are longer than those in training. */
function longer({ lengths, trained }: Props): string {
  const words = lengths[0].counts.map(([n]) => n).filter((n) => n > trained);
  return `${Math.min(...words)}–${Math.max(...words)} words`;
}

/** Over the bracket: the shares beyond the trained lengths, as the title tells them. */
const bracketed = (props: Props): { says: string; hue: Role }[] => [
  { says: `together, ${longer(props)}:`, hue: "quiet" },
  ...headline(props).map(({ name, share }): { says: string; hue: Role } => ({
    says: `${name} ${percent(share)}`,
    hue: hueOf(props, name),
  })),
];

/** Under the axis: what its numbers are, and its bars. */
const AXIS = ["words of a sentence", `a bar joins lengths of fewer than ${FEWEST} sentences each`];

function singles(props: Props, width: number) {
  if (!props.lengths.length) return { caption: [], plot: 0, read: 0, height: 0 };
  const caption = wrapped(CAPTION, width, 15);
  const plot = caption.length * 20 + 26 + SMALL * bracketed(props).length;
  const read = plot + TALL + 82; // where the chosen length is told
  return { caption, plot, read, height: read + LINE * props.lengths.length + 8 };
}

function Singles({ props, state, set, width }: Shown<Props, State>) {
  const { lengths, trained } = props;
  const { caption, plot, read } = singles(props, width);
  const aside = width >= 560; // the names: otherwise they stand above the ends of their lines
  const { left, right: last } = layout(props, width);
  const right = aside ? last : width - 10;
  const all = lengths.map(points);
  const ends = all.map((found) => found[found.length - 1]);
  const shortest = lengths[0].counts[0][0];
  const reach = Math.max(...ends.map(({ to }) => to));
  const x = (words: number): number => left + 10 + ((right - left - 14) * (words - shortest)) / (reach - shortest);
  const y = (share: number): number => plot + TALL * (1 - share);
  const names = lengths.map(({ name }) => (aside ? wrapped(name, 100, 15) : [name]));
  const gaps = names.map((lines) => 18 * lines.length + (aside ? 4 : 0));
  const heights = apart(
    ends.map(({ share }) => y(share) - (aside ? 0 : 10)),
    gaps,
    plot + TALL - (aside ? 4 : 10),
  );
  const edge = (words: number): number => Math.max(left, Math.min(right, x(words)));
  const here = all[0][state.at];
  const shares = atPoint(props, state.at);
  return (
    <g>
      {caption.map((line, i) => (
        <Text key={line} x={0} y={15 + i * 20} hue="quiet">
          {line}
        </Text>
      ))}
      <rect x={left} y={plot} width={x(trained + 0.5) - left} height={TALL} fill={colour("surface")} />
      {wrapped(`trained: up to ${trained} words`, x(trained + 0.5) - left - 12, 13).map((line, i, { length: n }) => (
        <Text key={line} x={left + 8} y={plot + TALL - 10 - SMALL * (n - 1 - i)} size={13} hue="quiet">
          {line}
        </Text>
      ))}
      <path
        d={`M${x(trained + 0.6)} ${plot - 4} v-7 H${right} v7`}
        fill="none"
        stroke={colour("quiet")}
        stroke-width={1.5}
      />
      {bracketed(props).map(({ says, hue }, i, { length: n }) => (
        <Text
          key={says}
          x={right}
          y={plot - 19 - SMALL * (n - 1 - i)}
          size={i ? 15 : 13}
          hue={hue}
          anchor="end"
          bold={i > 0}
        >
          {says}
        </Text>
      ))}
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <line x1={left} x2={right} y1={y(share)} y2={y(share)} stroke={colour("line")} />
          <Text x={left - 8} y={y(share) + 5} size={14} hue="quiet" anchor="end">
            {percent(share, 0)}
          </Text>
        </g>
      ))}
      {[5, 10, 15, 20, 25, 30]
        .filter((words) => words >= shortest && words <= reach)
        .map((words) => (
          <g key={words}>
            <path d={`M${x(words)} ${plot + TALL} v4`} stroke={colour("faint")} />
            <Text x={x(words)} y={plot + TALL + 19} size={14} hue="quiet" anchor="middle">
              {words}
            </Text>
          </g>
        ))}
      {AXIS.map((line, i) => (
        <Text key={line} x={right} y={plot + TALL + 38 + SMALL * i} size={13} hue="quiet" anchor="end">
          {line}
        </Text>
      ))}
      {here && <line x1={x(here.words)} x2={x(here.words)} y1={plot} y2={plot + TALL} stroke={colour("faint")} />}
      {lengths.map((one, m) => (
        <g key={one.name} stroke={colour(hueOf(props, one.name))} fill="none">
          <polyline
            points={all[m]
              .filter(({ from, to }) => from === to)
              .map(({ words, share }) => `${x(words)},${y(share)}`)
              .join(" ")}
            stroke-width={3}
            stroke-linejoin="round"
          />
          {all[m].map(({ told, words, share, from, to }, i) => (
            <g key={told}>
              {to > from && <path d={`M${x(from)} ${y(share)} H${x(to)}`} stroke-width={3} />}
              <circle
                cx={x(words)}
                cy={y(share)}
                r={i === state.at ? 7 : 3.5}
                fill={colour(hueOf(props, one.name))}
                stroke={colour("paper")}
                stroke-width={i === state.at ? 2 : 1}
              />
            </g>
          ))}
          {names[m].map((line, i) => (
            <g key={line} stroke="none">
              <Text
                x={aside ? right + 10 : right}
                y={heights[m] + 5 + 18 * (i - (names[m].length - 1) / 2)}
                size={aside ? 15 : 14}
                hue={hueOf(props, one.name)}
                anchor={aside ? "start" : "end"}
                bold
              >
                {line}
              </Text>
            </g>
          ))}
          {aside && <line x1={x(reach) + 2} y1={y(ends[m].share)} x2={right + 6} y2={heights[m]} />}
        </g>
      ))}
      {all[0].map(({ told: words, from, to }, i) => (
        <Choice
          key={words}
          label={`${words} words: ${atPoint(props, i)
            .map(({ name, point }) => `${name} ${percent(point.share, 0)}`)
            .join(", ")}`}
          chosen={i === state.at}
          choose={() => set({ at: i })}
          hover
        >
          <rect
            x={edge(from - 0.5)}
            y={plot}
            width={Math.max(1, edge(to + 0.5) - edge(from - 0.5))}
            height={TALL + 24}
            fill="transparent"
          />
        </Choice>
      ))}
      {here && (
        <g>
          <Text x={0} y={read} bold>
            {`${here.told} words, ${here.sentences} sentences`}
          </Text>
          {shares.map(({ name, point }, i) => (
            <g key={name}>
              <circle cx={7} cy={read + LINE * (i + 1) - 5} r={6} fill={colour(hueOf(props, name))} />
              <Text x={20} y={read + LINE * (i + 1)}>
                {`${name} ${percent(point.share, 0)}`}
              </Text>
            </g>
          ))}
        </g>
      )}
    </g>
  );
}

function Reading({ props, state, width }: Shown<Props, State>) {
  const top = layout(props, width).bottom + BASE + 26;
  return (
    <g>
      {reading(props, state.part, width).map(({ text, hue, bold = false }, i) => (
        <g key={`${i}-${text}`}>
          {hue && <circle cx={7} cy={top + LINE * i - 5} r={6} fill={colour(hue)} />}
          <Text x={bold ? 0 : 20} y={top + LINE * i} size={bold ? 16 : 15} bold={bold}>
            {text}
          </Text>
        </g>
      ))}
    </g>
  );
}

/** Whether the models' seeds are drawn: where there is nothing else, or the reader wants to see them. */
const hasSeeds = ({ lengths }: Props, { seeds }: State): boolean => seeds || !lengths.length;

/** Where the two parts of all models, and the words about them, end. */
const bottomOfParts = (props: Props, width: number): number =>
  layout(props, width).bottom +
  BASE +
  26 +
  LINE * Math.max(...props.parts.map((_part, part) => reading(props, part, width).length));

export const length: Figure<Props, State> = {
  initial: (props) => ({ at: firstPoint(props), seeds: false, part: props.parts.length - 1 }),
  title(props) {
    if (props.title) return props.title;
    if (props.lengths.length) {
      const [far, near] = headline(props); // of the runs that are drawn
      return near
        ? `On longer sentences the order turns: ${far.name} translates ${percent(far.share)} exactly, ${near.name} ${percent(near.share)}`
        : `${far.name} leads at every length: ${percent(far.share)} exact at ${longer(props).replace("–", " to ")}`;
    }
    const last = props.parts.length - 1;
    const [best] = ranked(props, last);
    const [first] = ranked(props, 0);
    const { shortest, longest } = props.parts[last];
    if (first === best)
      return `${best.name} leads at every length: ${percent(middle(best, last))} exact at ${shortest} to ${longest} words`;
    return (
      `On longer sentences the order turns: ${best.name} translates ${percent(middle(best, last))} exactly, ` +
      `${first.name} ${percent(middle(first, last))}`
    );
  },
  describe(props, state) {
    const { parts, trained } = props;
    const rows = parts.map(
      (part, i) =>
        `${part.name}, ${part.sentences} sentences of ${part.shortest} to ${part.longest} words: ` +
        `${ranked(props, i)
          .map((model) => `${model.name} ${percent(middle(model, i))} (${range(model, i)})`)
          .join(", ")}`,
    );
    const single = props.lengths.map(
      (one) =>
        `${one.name}, one run, by words: ${points(one)
          .map(({ told, share }) => `${told}: ${percent(share, 0)}`)
          .join(", ")}. `,
    );
    const here = props.lengths.length ? points(props.lengths[0])[state.at] : undefined;
    const turns = overtakings(props).map(([one, other]) => `those of ${one.name} and ${other.name}`);
    return (
      `Share of sentences translated exactly, against their length in words; the middle of the seeds, ` +
      `and the range. ${rows.join(". ")}. Sentences in training had up to ${trained} words. ` +
      `${turns.length ? `Lines that cross: ${listed(turns)}.` : "No lines cross."} ${single.join("")}${beyond(props)}` +
      `${here ? `Pointed at: ${here.told} words. ` : ""}` +
      `${hasSeeds(props, state) ? `Chosen: ${parts[state.part].name}.` : "Seeds are not drawn."}`
    );
  },
  height: (props, state, width) =>
    hasSeeds(props, state) ? bottomOfParts(props, width) : singles(props, width).height,
  Drawing: (shown) => (
    <g>
      {shown.props.lengths.length > 0 && <Singles {...shown} />}
      {hasSeeds(shown.props, shown.state) && (
        <g>
          <Plot {...shown} />
          <Reading {...shown} />
        </g>
      )}
    </g>
  ),
  Controls: ({ props, state, set }) =>
    props.lengths.length ? (
      <Button
        label={state.seeds ? "Hide the seeds" : `Show all ${props.models.length} models, every seed`}
        press={() => set({ seeds: !state.seeds })}
      />
    ) : (
      <g />
    ),
};
