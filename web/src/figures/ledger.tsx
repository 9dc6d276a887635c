// The ledger (chapter 11): claims as tiles, each with its verdict as colour and shape; the chosen one in words.

import type { Figure, Shown } from "../figure";
import { Choice, colour, measure, type Role, Text, wrapped } from "../parts";

type Verdict = "holds" | "holds when" | "does not hold" | "remark";

interface Claim {
  key: string; // such as "12a"
  group: number;
  short: string; // for the tile
  printed: string; // the sentence
  place: string;
  verdict: Verdict;
  right: string; // what is right about it
  deciding: string; // what decided
  flip: string; // what would turn the verdict; empty for a remark
  flipped: string; // and into which
}
interface Props {
  groups: string[];
  claims: Claim[]; // in the order of the groups
  first: string; // key of the claim that is chosen at first
}
interface State {
  claim: string; // key
  show: Verdict | "all";
}

const VERDICTS: Verdict[] = ["holds", "holds when", "does not hold", "remark"];
const CALLED: Record<Verdict, string> = {
  holds: "holds",
  "holds when": "holds when …",
  "does not hold": "does not hold",
  remark: "a remark, not counted",
};
const SHORT: Record<Verdict, string> = {
  holds: "hold",
  "holds when": "under a condition",
  "does not hold": "do not",
  remark: "remarks",
};
const HUES: Record<Verdict, Role> = {
  holds: "series-3",
  "holds when": "series-1",
  "does not hold": "series-2",
  remark: "quiet",
};

const [GAP, LEAST, MOST] = [6, 95, 7]; // between tiles; the least width of one, and how many stand side by side
const [LABEL, LEADING] = [13, 16]; // of a tile's words
const [CHIP, BAR, HEADING, MARGIN] = [30, 34, 30, 14];
const WIDE = 560; // from here on the words stand under all tiles, else under the chosen one's row

const shown = ({ claims }: Props, { show }: State): Claim[] =>
  claims.filter(({ verdict }) => show === "all" || verdict === show);

function chosenOf(props: Props, state: State): Claim {
  const left = shown(props, state);
  return left.find(({ key }) => key === state.claim) ?? left[0] ?? props.claims[0];
}

const count = ({ claims }: Props, wanted: Verdict): number => claims.filter(({ verdict }) => verdict === wanted).length;

function title(props: Props): string {
  const [holds, when, not] = VERDICTS.map((verdict) => count(props, verdict));
  return `Of ${holds + when + not} statements, ${holds} hold as printed, ${when} under a condition, and ${not} do not`;
}

function describe(props: Props, state: State): string {
  const claim = chosenOf(props, state);
  const listed = props.groups.map((group, i) => {
    const tiles = shown(props, state).filter((each) => each.group === i);
    return tiles.length
      ? `${group}: ${tiles.map(({ key, short, verdict }) => `${key}, ${short}: ${verdict}`).join("; ")}. `
      : "";
  });
  const flip = claim.flip ? ` What would flip it: ${claim.flip}; it then ${claim.flipped}.` : "";
  return (
    `${title(props)}. ${listed.join("")}` +
    `Chosen is claim ${claim.key}, ${CALLED[claim.verdict]}: “${claim.printed}” (${claim.place}). ` +
    `${claim.right} What decided: ${claim.deciding}${flip}`
  );
}

// ---- Where things stand ----

interface Line {
  text: string;
  x: number;
  y: number; // from the upper edge of the panel
  size: number;
  bold?: boolean;
  hue?: Role;
}

/** The words about a claim, in lines. */
function panel(claim: Claim, width: number): { lines: Line[]; height: number } {
  const wide = width >= WIDE;
  const inner = width - 2 * MARGIN;
  const lines: Line[] = [];
  let y = MARGIN + 12;
  lines.push({ text: `${claim.key} · ${CALLED[claim.verdict]}`, x: MARGIN + 24, y, size: 17, bold: true });
  y += 30;
  for (const text of wrapped(`“${claim.printed}”`, inner, 16)) {
    lines.push({ text, x: MARGIN, y, size: 16 });
    y += 22;
  }
  for (const text of wrapped(claim.place, inner, 14)) {
    lines.push({ text, x: MARGIN, y, size: 14, hue: "quiet" });
    y += 19;
  }
  y += 8;
  const rows: [string, string][] = [
    ["Verdict", claim.right],
    ["Decided by", claim.deciding],
    ...(claim.flip ? [["Would flip it", `${claim.flip} → ${claim.flipped}`] as [string, string]] : []),
  ];
  const left = wide ? 104 : 0;
  for (const [label, text] of rows) {
    lines.push({ text: label, x: MARGIN, y, size: 14, bold: true, hue: "quiet" });
    if (!wide) y += 20;
    for (const line of wrapped(text, inner - left, 15)) {
      lines.push({ text: line, x: MARGIN + left, y, size: 15 });
      y += 20;
    }
    y += 6;
  }
  return { lines, height: y + MARGIN - 22 };
}

interface Chip {
  show: Verdict | "all";
  text: string;
  x: number;
  y: number;
  width: number;
}

/** The verdicts as one bar, each as long as it has claims; below it what does not count, and all. */
function chips(props: Props, width: number): { placed: Chip[]; height: number } {
  const counted = VERDICTS.filter((verdict) => verdict !== "remark");
  const all = counted.reduce((sum, verdict) => sum + count(props, verdict), 0);
  const placed: Chip[] = [];
  let x = 1;
  for (const show of counted) {
    const wide = ((width - 2) * count(props, show)) / all;
    placed.push({ show, text: `${count(props, show)} ${SHORT[show]}`, x, y: 1, width: wide });
    x += wide;
  }
  x = 1;
  for (const [show, text] of [
    ["all", `all ${props.claims.length}`],
    ["remark", `${count(props, "remark")} ${SHORT.remark}`],
  ] as const) {
    const wide = measure(text, 14) + (show === "all" ? 26 : 47);
    placed.push({ show, text, x, y: BAR + 32, width: wide });
    x += wide + GAP;
  }
  return { placed, height: BAR + 32 + CHIP };
}

interface Layout {
  chips: Chip[];
  headings: { text: string; y: number }[];
  tiles: { claim: Claim; words: string[]; x: number; y: number }[];
  tile: [number, number]; // width and height
  panel: [number, number]; // its upper edge and its height
  height: number;
}

function layout(props: Props, state: State, width: number): Layout {
  const wide = width >= WIDE;
  const top = chips(props, width);
  const columns = Math.max(2, Math.min(MOST, Math.floor((width + GAP) / (LEAST + GAP))));
  const across = (width - (columns - 1) * GAP) / columns;
  const words = new Map(props.claims.map(({ key, short }) => [key, wrapped(short, across - 16, LABEL)]));
  const down = 34 + LEADING * Math.max(...[...words.values()].map((lines) => lines.length));
  const chosen = chosenOf(props, state);
  const found: Layout = { chips: top.placed, headings: [], tiles: [], tile: [across, down], panel: [0, 0], height: 0 };
  let y = top.height + 4;
  props.groups.forEach((text, group) => {
    const claims = shown(props, state).filter((claim) => claim.group === group);
    if (!claims.length) return;
    found.headings.push({ text, y: y + HEADING - 9 });
    y += HEADING;
    for (let from = 0; from < claims.length; from += columns) {
      const row = claims.slice(from, from + columns);
      row.forEach((claim, i) => {
        found.tiles.push({ claim, words: words.get(claim.key) ?? [], x: i * (across + GAP), y });
      });
      y += down + GAP;
      if (!wide && row.includes(chosen)) {
        found.panel = [y, panel(chosen, width).height];
        y += found.panel[1] + GAP;
      }
    }
  });
  if (wide) {
    // As high as the longest needs, so that the page below stays where it is.
    found.panel = [y + GAP, Math.max(...props.claims.map((claim) => panel(claim, width).height))];
    y = found.panel[0] + found.panel[1];
  }
  found.height = y + 2;
  return found;
}

// ---- What is drawn ----

/** A verdict as a shape: a disc, half a disc, a crossed circle, a square. */
function Sign({ x, y, verdict, radius = 8 }: { x: number; y: number; verdict: Verdict; radius?: number }) {
  const hue = colour(HUES[verdict]);
  const r = radius - 1;
  const cross = 0.5 * radius;
  return (
    <g fill="none" stroke={hue} stroke-width={2}>
      {verdict === "remark" ? (
        <rect x={x - r} y={y - r} width={2 * r} height={2 * r} rx={2} />
      ) : (
        <circle cx={x} cy={y} r={r} fill={verdict === "holds" ? hue : "none"} />
      )}
      {verdict === "holds when" && <path d={`M${x} ${y - r} A${r} ${r} 0 0 0 ${x} ${y + r} Z`} fill={hue} />}
      {verdict === "does not hold" && (
        <path
          d={`M${x - cross} ${y - cross} L${x + cross} ${y + cross} M${x - cross} ${y + cross} L${x + cross} ${y - cross}`}
        />
      )}
    </g>
  );
}

function Filters({ props, state, set, width }: Shown<Props, State>) {
  return (
    <g>
      {chips(props, width).placed.map(({ show, text, x, y, width: wide }) => {
        const on = state.show === show;
        const choice = { label: `Show ${text}`, chosen: on, choose: () => set({ show }) };
        if (show === "all" || show === "remark")
          return (
            <Choice key={show} {...choice}>
              <rect x={x} y={y - 7} width={wide} height={CHIP + 14} fill="transparent" />
              <rect
                x={x}
                y={y}
                width={wide}
                height={CHIP - 2}
                rx={(CHIP - 2) / 2}
                fill={colour(on ? "surface" : "paper")}
                stroke={colour(on ? "ink" : "faint")}
                stroke-width={on ? 2 : 1}
              />
              {show === "remark" && <Sign x={x + 18} y={y + CHIP / 2 - 1} verdict={show} radius={7} />}
              <Text x={x + (show === "all" ? 12 : 31)} y={y + CHIP / 2 + 4} size={14} bold={on}>
                {text}
              </Text>
            </Choice>
          );
        const bar = { x: x + 1, y, width: wide - 2, height: BAR, rx: 4 };
        return (
          <Choice key={show} {...choice}>
            <rect {...bar} height={BAR + 24} fill="transparent" />
            <rect {...bar} fill={colour("paper")} />
            <rect
              {...bar}
              fill={colour(HUES[show])}
              fill-opacity={on ? 0.45 : 0.25}
              stroke={colour(on ? "ink" : HUES[show])}
              stroke-width={on ? 2.5 : 1.5}
            />
            <Sign x={x + wide / 2} y={y + BAR / 2} verdict={show} radius={9} />
            <Text
              x={x > 1 && x + wide < width - 2 ? x + wide / 2 : x > 1 ? width - 1 : x}
              y={y + BAR + 18}
              size={14}
              bold={on}
              anchor={x > 1 && x + wide < width - 2 ? "middle" : x > 1 ? "end" : "start"}
            >
              {text}
            </Text>
          </Choice>
        );
      })}
    </g>
  );
}

function Tiles({ props, state, set, width }: Shown<Props, State>) {
  const { headings, tiles, tile } = layout(props, state, width);
  const [across, down] = tile;
  const chosen = chosenOf(props, state);
  return (
    <g>
      {headings.map(({ text, y }) => (
        <Text key={text} x={0} y={y} size={15} bold>
          {text}
        </Text>
      ))}
      {tiles.map(({ claim, words, x, y }) => {
        const on = claim === chosen;
        return (
          <Choice
            key={claim.key}
            label={`${claim.key}, ${claim.short}: ${CALLED[claim.verdict]}`}
            chosen={on}
            choose={() => set({ claim: claim.key })}
            hover={width >= WIDE}
          >
            <rect x={x + 1} y={y + 1} width={across - 2} height={down - 2} rx={6} fill={colour("paper")} />
            <rect
              x={x + 1}
              y={y + 1}
              width={across - 2}
              height={down - 2}
              rx={6}
              fill={colour(HUES[claim.verdict])}
              fill-opacity={on ? 0.36 : 0.2}
              stroke={colour(on ? "ink" : "line")}
              stroke-width={on ? 2 : 1}
            />
            <Sign x={x + 17} y={y + 17} verdict={claim.verdict} />
            <Text x={x + 31} y={y + 22} size={15} bold>
              {claim.key}
            </Text>
            {words.map((line, i) => (
              <Text key={line} x={x + 9} y={y + 43 + i * LEADING} size={LABEL}>
                {line}
              </Text>
            ))}
          </Choice>
        );
      })}
    </g>
  );
}

function Panel({ props, state, width }: Shown<Props, State>) {
  const claim = chosenOf(props, state);
  const [top, height] = layout(props, state, width).panel;
  const { lines } = panel(claim, width);
  return (
    <g>
      <rect x={1} y={top} width={width - 2} height={height} rx={6} fill={colour("surface")} stroke={colour("line")} />
      <Sign x={MARGIN + 9} y={top + MARGIN + 6} verdict={claim.verdict} radius={9} />
      {lines.map(({ text, x, y, size, bold = false, hue = "ink" }, i) => (
        <Text key={`${i}-${text}`} x={x} y={top + y} size={size} bold={bold} hue={hue}>
          {text}
        </Text>
      ))}
    </g>
  );
}

export const ledger: Figure<Props, State> = {
  initial: ({ first }) => ({ claim: first, show: "all" }),
  title,
  describe,
  height: (props, state, width) => layout(props, state, width).height,
  Drawing: (shownNow) => (
    <g>
      <Filters {...shownNow} />
      <Tiles {...shownNow} />
      <Panel {...shownNow} />
    </g>
  ),
};
