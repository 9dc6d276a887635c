// The controls of a figure as a still shows them: what they are called and where they stand; they cannot be moved.

import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { colour, measure, Text } from "./parts";

interface Piece {
  text: string;
  kind: "label" | "pill" | "chosen" | "track" | "box" | "ticked" | "field" | "menu" | "folded";
  whole?: boolean; // of a field: whether it has its line for itself
  at?: number; // of a track: where its knob stands, from 0 to 1
}

const [SIZE, ROW, TALL, GAP, APART, FIELD] = [14, 36, 30, 6, 20, 180];

const plain = (html: string): string =>
  html
    .replace(/<sub>k<\/sub>/g, "ₖ")
    .replace(/<[^>]*>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&");

const attribute = (html: string, name: string): string =>
  plain(html.match(new RegExp(` ${name}="([^"]*)"`))?.[1] ?? "");

/** What is folded is not shown, but for the word behind which it is. */
const folded = (html: string): string =>
  html.replace(
    /<details[^>]*><summary[^>]*>([\s\S]*?)<\/summary>[\s\S]*?<\/details>/g,
    '<label class="cf-folded"><span>$1</span></label>',
  );

/** The pieces of one control. */
function piecesOf(html: string): Piece[] {
  if (html.startsWith("<span")) return []; // a line of its own
  if (/^<button[^>]* (disabled|data-live)/.test(html)) return [{ text: "", kind: "pill" }]; // there is nothing to press
  if (html.startsWith("<button"))
    return [{ text: plain(html), kind: / aria-pressed="true"/.test(html) ? "chosen" : "pill" }];
  const legend = html.match(/<legend[^>]*>(.*?)<\/legend>/)?.[1];
  const options = html.match(/<label[\s\S]*?<\/label>/g);
  if (legend !== undefined && options) {
    const pills = options.map(
      (option): Piece => ({ text: plain(option), kind: / checked/.test(option) ? "chosen" : "pill" }),
    );
    return /<legend class="cf-hushed"/.test(html) ? pills : [{ text: plain(legend), kind: "label" }, ...pills];
  }
  const label: Piece = { text: plain(html.match(/<span>([\s\S]*?)<\/span>/)?.[1] ?? ""), kind: "label" };
  if (html.startsWith('<label class="cf-folded"')) return [{ ...label, kind: "folded" }];
  if (/type="checkbox"/.test(html)) return [{ text: "", kind: / checked/.test(html) ? "ticked" : "box" }, label];
  if (/type="range"/.test(html)) {
    const [low, high, value] = ["min", "max", "value"].map((name) => Number(attribute(html, name)));
    const says = plain(html.match(/<output[^>]*>([\s\S]*?)<\/output>/)?.[1] ?? "");
    return [label, { text: "", kind: "track", at: (value - low) / (high - low) }, { text: says, kind: "label" }];
  }
  if (/<select/.test(html))
    return [
      label,
      { text: plain(html.match(/<option[^>]* selected[^>]*>([\s\S]*?)<\/option>/)?.[1] ?? ""), kind: "menu" },
    ];
  return [label, { text: attribute(html, "value"), kind: "field", whole: /^<label[^>]* cf-field/.test(html) }];
}

const widthOf = ({ text, kind }: Piece): number => {
  if (kind === "track") return 90;
  if (kind === "box" || kind === "ticked") return 16;
  if (kind === "field") return Math.max(FIELD, measure(text, SIZE) + 20);
  if (kind === "menu") return Math.max(FIELD, measure(text, SIZE) + 44);
  return measure(text, SIZE) + (kind === "label" ? 2 : kind === "folded" ? 16 : 22);
};

/** Where the words of a piece begin, or their middle is. */
function startsAt(kind: Piece["kind"], { x, width }: { x: number; width: number }): number {
  if (kind === "label") return x;
  if (kind === "folded") return x + 14;
  return kind === "field" || kind === "menu" ? x + 10 : x + width / 2;
}

/** All of a figure's controls, in lines, and the height that they take. */
export function asleep(controls: VNode, width: number): { drawn: ComponentChildren; height: number } {
  const found = folded(renderToString(controls)).match(
    /<fieldset[\s\S]*?<\/fieldset>|<button[\s\S]*?<\/button>|<label[\s\S]*?<\/label>|<span class="cf-break">/g,
  );
  const groups = (found ?? []).map(piecesOf).filter((pieces) => pieces.length === 0 || pieces.some(({ text }) => text));
  const placed: (Piece & { x: number; y: number; width: number })[] = [];
  let [x, y] = [0, 0];
  for (const pieces of groups) {
    const whole = pieces.reduce((sum, piece) => sum + widthOf(piece) + GAP, -GAP);
    if (x > 0 && (x + whole > width || !pieces.length)) [x, y] = [0, y + ROW];
    if (!pieces.length) continue;
    for (const piece of pieces) {
      let wide = Math.min(width, widthOf(piece));
      if (x > 0 && x + wide > width) [x, y] = [0, y + ROW];
      if (piece.whole) wide = width - x;
      placed.push({ ...piece, x, y, width: wide });
      x += wide + GAP;
    }
    x = pieces.some(({ whole }) => whole) ? width : x + APART - GAP;
  }
  const drawn = placed.map(({ kind, text, at = 0, whole: _, ...where }, i) => {
    const middle = where.y + 15;
    const writable = kind === "field" || kind === "menu";
    const line = { fill: "none", stroke: colour(kind === "chosen" ? "quiet" : "line"), "stroke-width": 1.5 };
    return (
      <g key={i}>
        {kind === "track" && (
          <g>
            <path
              d={`M${where.x} ${middle} h${where.width}`}
              stroke={colour("line")}
              stroke-width={4}
              stroke-linecap="round"
            />
            <rect
              x={where.x + at * where.width - 6}
              y={middle - 6}
              width={12}
              height={12}
              rx={6}
              fill={colour("faint")}
            />
          </g>
        )}
        {(kind === "box" || kind === "ticked") && (
          <g {...line} stroke={colour("faint")}>
            <rect x={where.x + 1} y={middle - 7} width={14} height={14} rx={3} />
            {kind === "ticked" && <path d={`M${where.x + 4} ${middle} l3 4 l6 -8`} stroke-width={2} />}
          </g>
        )}
        {(kind === "pill" || kind === "chosen" || writable) && (
          <rect {...where} y={where.y + 1} height={28} rx={writable ? 5 : 14} {...line} />
        )}
        {kind === "folded" && <path d={`M${where.x + 1} ${middle - 5} l8 5 l-8 5 z`} fill={colour("faint")} />}
        {kind === "menu" && (
          <path d={`M${where.x + where.width - 22} ${middle - 2} l5 5 l5 -5`} {...line} stroke={colour("quiet")} />
        )}
        <Text
          x={startsAt(kind, where)}
          y={middle + 5}
          size={SIZE}
          hue={kind === "chosen" || writable ? "ink" : "quiet"}
          anchor={kind === "label" || kind === "folded" || writable ? "start" : "middle"}
          bold={kind === "chosen"}
        >
          {text}
        </Text>
      </g>
    );
  });
  return { drawn, height: placed.length ? y + TALL : 0 };
}
