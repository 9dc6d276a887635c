// What drawings share: colours by role, typeset words, weights as lines and cells, handles that can be dragged.

import type { ComponentChildren, JSX } from "preact";
import { widths } from "./widths.json";

/** Colours by what they stand for; light and dark are in palette.json. */
export type Role =
  | "ink"
  | "quiet"
  | "faint"
  | "line"
  | "paper"
  | "surface"
  | "query"
  | "key"
  | "value"
  | "output"
  | "encoder"
  | "decoder"
  | "weight"
  | "negative"
  | "focus"
  | `series-${1 | 2 | 3 | 4 | 5 | 6}`; // what has no role of its own
export const colour = (role: Role): string => `var(--cf-${role})`;

// ---- Numbers and words ----

/** Write a number with a true minus sign and so many decimals. */
export const written = (x: number, decimals = 2): string => {
  const text = x.toFixed(decimals);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
};

/** Bind what a line must not be broken in: a number and what follows it, a short quotation. */
export const bound = (text: string, space = "\u00a0"): string =>
  text
    .replace(/(\d) (?=%|[a-z]{1,9}\b)/g, `$1${space}`)
    .replace(/‘[^’]{1,24}’/g, (quoted) => quoted.replace(/ /g, space));

export const percent = (x: number): string => `${Math.round(100 * x)} %`;

/** Shares as whole per cent that add up to their rounded sum: the largest as it is, of the others those nearest to a half give way. */
export function inPercent(shares: number[]): number[] {
  const exact = shares.map((share) => 100 * share);
  const told = exact.map(Math.round);
  const off = Math.round(exact.reduce((sum, x) => sum + x, 0)) - told.reduce((sum, x) => sum + x, 0);
  const largest = exact.indexOf(Math.max(...exact));
  const others = told.flatMap((_, i) => (i === largest ? [] : [i]));
  const step = Math.sign(off);
  others.sort((a, b) => step * (exact[b] - told[b] - (exact[a] - told[a])));
  for (const i of others.slice(0, Math.abs(off))) told[i] += step;
  return told;
}

/** Join words as a sentence lists them. */
export const listed = (words: string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;

/** Width of a text in the figures' typeface, in pixels. */
export function measure(text: string, size: number, bold = false): number {
  let total = 0;
  for (const character of text) total += widths[(character.codePointAt(0) ?? 0) - 32] || 560;
  return (total * size * (bold ? 1.05 : 1)) / 1000;
}

/** Break a text into lines no wider than `width`. */
export function wrapped(text: string, width: number, size: number): string[] {
  const lines: string[] = [];
  const together = "\ue000"; // in place of a space at which no line ends
  for (const bit of bound(text, together).split(" ")) {
    const word = bit.replaceAll(together, " ");
    const last = lines[lines.length - 1];
    if (last !== undefined && measure(`${last} ${word}`, size) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export interface Placed {
  text: string;
  x: number; // left edge
  y: number; // baseline
  width: number;
  line: number;
}

/** Typeset words as a sentence, in as many lines as it needs. */
export function typeset(
  words: string[],
  size: number,
  width: number,
  x: number,
  y: number,
  leading = 1.5,
  space = 0.32 * size,
): Placed[] {
  const placed: Placed[] = [];
  let [left, line] = [x, 0];
  for (const text of words) {
    const wide = measure(text, size);
    if (left > x && left + wide > x + width) [left, line] = [x, line + 1];
    placed.push({ text, x: left, y: y + line * leading * size, width: wide, line });
    left += wide + space;
  }
  return placed;
}

export function Text(props: {
  x: number;
  y: number;
  size?: number;
  hue?: Role;
  anchor?: "start" | "middle" | "end";
  bold?: boolean;
  opacity?: number;
  children: ComponentChildren;
}): JSX.Element {
  const { x, y, size = 15, hue = "ink", anchor = "start", bold = false, opacity = 1 } = props;
  return (
    <text
      x={x}
      y={y}
      font-size={size}
      fill={colour(hue)}
      text-anchor={anchor}
      font-weight={bold ? 600 : 400}
      opacity={opacity}
    >
      {props.children}
    </text>
  );
}

// ---- Weights: zero is paper, one is one hue ----

/** How thick the line of a weight is, and how opaque: the least is a hairline, and each per cent adds to it. */
export const thickness = (weight: number, widest: number): number => 1 + (widest - 1) * Math.min(1, weight);
export const FAINTEST = 0.65; // opacity of a line that tells something: any less, and it does not stand out from the page
export const strength = (weight: number): number =>
  weight < 0.005 ? 0 : FAINTEST + (1 - FAINTEST) * Math.sqrt(Math.min(1, weight));

/** A line whose thickness and opacity are a weight from 0 to 1. */
export function WeightLine(props: {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  weight: number;
  hue?: Role;
  widest?: number;
  curve?: number; // from above to below
  across?: boolean; // curved, from left to right
  aside?: boolean; // one of those that the figure is not about just now
}): JSX.Element {
  const { x1, y1, x2, y2, weight, widest = 8, curve = 0, across = false, aside = false } = props;
  const hue = aside ? "faint" : (props.hue ?? "weight");
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const between = across ? `C${x} ${y1} ${x} ${y2}` : curve ? `C${x1} ${y + curve} ${x2} ${y - curve}` : `L${x2} ${y2}`;
  const path = `M${x1} ${y1} ${between} ${x2} ${y2}`;
  return (
    <path
      d={path}
      fill="none"
      stroke={colour(hue)}
      stroke-linecap="round"
      stroke-width={thickness(weight, widest)}
      opacity={aside && weight >= 0.005 ? 1 : strength(weight)}
    />
  );
}

/** A cell whose colour is a weight from 0, paper, to 1. */
export function WeightCell(props: {
  x: number;
  y: number;
  width: number;
  height: number;
  weight: number;
  hue?: Role;
}): JSX.Element {
  const { x, y, width, height, weight, hue = "weight" } = props;
  return (
    <g>
      <rect x={x} y={y} width={width} height={height} fill={colour("paper")} stroke={colour("line")} />
      <rect x={x} y={y} width={width} height={height} fill={colour(hue)} opacity={weight} />
    </g>
  );
}

/** Numbers as a row of cells: the sign by colour, the size by opacity, relative to `largest`. */
export function VectorCells(props: {
  x: number;
  y: number;
  cell: number;
  numbers: number[];
  hue: Role;
  largest?: number;
  vertical?: boolean;
}): JSX.Element {
  const { x, y, cell, numbers, hue, vertical = false } = props;
  const largest = props.largest ?? Math.max(1e-9, ...numbers.map(Math.abs));
  return (
    <g>
      {numbers.map((number, i) => {
        const [left, top] = vertical ? [x, y + i * cell] : [x + i * cell, y];
        const size = Math.min(1, Math.abs(number) / largest);
        return (
          <g key={i}>
            <rect x={left} y={top} width={cell} height={cell} fill={colour("paper")} stroke={colour("line")} />
            {number >= 0 ? (
              <rect x={left} y={top} width={cell} height={cell} fill={colour(hue)} opacity={size} />
            ) : (
              <rect
                x={left + 2}
                y={top + 2}
                width={cell - 4}
                height={cell - 4}
                fill="none"
                stroke={colour(hue)}
                stroke-width={2.5}
                opacity={Math.max(0.15, size)}
              />
            )}
          </g>
        );
      })}
    </g>
  );
}

/** A letter on a disc: the sign of a role for whoever does not tell its colour. */
export function Badge(props: { x: number; y: number; letter: string; hue: Role; radius?: number }): JSX.Element {
  const { x, y, letter, hue, radius = 11 } = props;
  return (
    <g class="cf-badge">
      <circle cx={x} cy={y} r={radius} fill={colour(hue)} />
      <Text x={x} y={y + radius * 0.42} size={radius * 1.2} hue="paper" anchor="middle" bold>
        {letter}
      </Text>
    </g>
  );
}

// ---- What the reader takes hold of ----

/** Where an event happened, in the coordinates of the drawing. */
export function placeOf(event: PointerEvent): [number, number] {
  const drawing = (event.currentTarget as SVGElement).ownerSVGElement as SVGSVGElement;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM()?.inverse());
  return [point.x, point.y];
}

/** Something that is dragged by mouse or finger, and moved by the arrow keys (with Shift ten times as far). */
export function Handle(props: {
  label: string;
  says: string; // its place in words
  move(x: number, y: number): void; // to a place in the drawing
  nudge(dx: number, dy: number): void; // by so many steps, to the right and upwards
  children: ComponentChildren;
}): JSX.Element {
  const { label, says, move, nudge } = props;
  return (
    <g
      class="cf-handle"
      tabindex={0}
      role="slider"
      aria-label={label}
      aria-valuetext={says}
      aria-valuenow={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
        event.preventDefault();
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) move(...placeOf(event));
      }}
      onKeyDown={(event) => {
        const far = event.shiftKey ? 10 : 1;
        const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        if (!step) return;
        nudge(step[0] * far, step[1] * far);
        event.preventDefault();
      }}
    >
      {props.children}
    </g>
  );
}

/** Something in the drawing that is pointed at, or reached by Tab and chosen with Enter or the space bar. */
export function Choice(props: {
  label: string;
  chosen: boolean;
  choose(): void;
  hover?: boolean; // whether pointing at it is enough
  point?(on: boolean): void; // pointer or focus has come to it, or left it
  holds?: boolean; // whether focus counts as there as long as it is in the drawing: it may go on to what has come up
  children: ComponentChildren;
}): JSX.Element {
  const { label, chosen, choose, hover = false, point, holds = false } = props;
  return (
    <g
      class="cf-choice"
      tabindex={0}
      role="button"
      aria-label={label}
      aria-pressed={chosen}
      onClick={choose}
      {...(hover ? { onPointerEnter: choose, onFocus: choose } : {})}
      {...(point && {
        onPointerEnter: () => point(true),
        onPointerLeave: () => point(false),
        onFocus: () => point(true),
        onBlur: (event: FocusEvent) => {
          const drawing = (event.currentTarget as SVGElement).ownerSVGElement;
          if (!(holds && drawing?.contains(event.relatedTarget as Node | null))) point(false);
        },
      })}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        choose();
        event.preventDefault();
      }}
    >
      {props.children}
    </g>
  );
}

// ---- Controls ----

/** What few readers need, folded behind one word. */
export function More(props: { label?: string; children: ComponentChildren }): JSX.Element {
  return (
    <details class="cf-more">
      <summary>{props.label ?? "More"}</summary>
      <div class="cf-controls">{props.children}</div>
    </details>
  );
}

export function Slider(props: {
  label: string;
  value: number;
  low: number;
  high: number;
  step: number;
  says?: string;
  set(value: number): void;
}): JSX.Element {
  const { label, value, low, high, step, set } = props;
  const says = props.says ?? written(value, (String(step).split(".")[1] ?? "").length);
  return (
    <label class="cf-control">
      <span>{label}</span>
      <input
        type="range"
        min={low}
        max={high}
        step={step}
        value={value}
        aria-valuetext={says}
        onInput={(event) => set(Number(event.currentTarget.value))}
      />
      <output aria-hidden="true">{says}</output>
    </label>
  );
}

/** One of a few options. */
export function Options<T extends string>(props: {
  label: string;
  name: string; // of the group: unique in the page
  options: readonly (readonly [T, string])[]; // value and what it is called
  value: T;
  quiet?: boolean; // what they are of is said to screen readers only
  set(value: T): void;
}): JSX.Element {
  return (
    <fieldset class="cf-control">
      <legend class={props.quiet ? "cf-hushed" : undefined}>{props.label}</legend>
      {props.options.map(([value, called]) => (
        <label key={value} class="cf-option">
          <input type="radio" name={props.name} checked={value === props.value} onChange={() => props.set(value)} />
          <span>{called}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A line of text to write in. */
export function Field(props: { label: string; value: string; set(value: string): void }): JSX.Element {
  return (
    <label class="cf-control cf-field">
      <span>{props.label}</span>
      <input
        type="text"
        dir="auto"
        spellcheck={false}
        autocomplete="off"
        value={props.value}
        onInput={(event) => props.set(event.currentTarget.value)}
      />
    </label>
  );
}

/** One of many options, in groups. */
export function Menu(props: {
  label: string;
  groups: [string, [string, string][]][]; // heading, then values and what they are called
  value: string;
  set(value: string): void;
}): JSX.Element {
  return (
    <label class="cf-control">
      <span>{props.label}</span>
      <select class="cf-menu" value={props.value} onChange={(event) => props.set(event.currentTarget.value)}>
        {props.groups.map(([heading, options]) => (
          <optgroup key={heading} label={heading}>
            {options.map(([value, called]) => (
              <option key={value} value={value} selected={value === props.value}>
                {called}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

export function Button(props: {
  label: string;
  press(): void;
  disabled?: boolean;
  look?: "plain" | "primary" | "quiet"; // what a figure is waiting for; what it does not recommend
  chosen?: boolean; // of several: whether it is what is shown
  live?: boolean; // whether it is left out of a still
}): JSX.Element {
  const look = props.look && props.look !== "plain" ? `cf-button cf-${props.look}` : "cf-button";
  return (
    <button
      type="button"
      class={look}
      disabled={props.disabled ?? false}
      aria-pressed={props.chosen}
      data-live={props.live}
      onClick={props.press}
    >
      {props.label}
    </button>
  );
}

// ---- Planes: what their edges stand for, beside them ----

const STRIP = 22;

/** Room above and below a plane for the names of its left, right, lower and upper edge; and whether one line will do. */
export function strips(edges: string[] | undefined, side: number): { above: number; below: number; inOne: boolean } {
  if (!edges) return { above: 0, below: 0, inOne: true };
  const [left, right, lower] = edges.map((edge) => measure(edge, 14) + 16);
  const inOne = Math.max(left, right) + lower / 2 + 10 <= side / 2;
  return { above: STRIP, below: inOne ? STRIP + 4 : 2 * STRIP + 4, inOne };
}

/** The name of an edge, and an arrow towards it. */
function Edge(props: { name: string; x: number; y: number; towards: "left" | "right" | "up" | "down" }): JSX.Element {
  const { name, x, y, towards } = props;
  const wide = measure(name, 14);
  const left = towards === "left" ? x + 16 : towards === "right" ? x - 16 - wide : x - wide / 2 + 8;
  const middle = towards === "left" ? x + 6 : towards === "right" ? x - 6 : left - 9;
  const turn = { left: 180, right: 0, up: 270, down: 90 }[towards];
  return (
    <g>
      <path
        d="M-6 0 H5 M0 -4 L5 0 L0 4"
        transform={`translate(${middle} ${y - 5}) rotate(${turn})`}
        fill="none"
        stroke={colour("quiet")}
        stroke-width={1.5}
      />
      <Text x={left} y={y} size={14} hue="quiet">
        {name}
      </Text>
    </g>
  );
}

/** What the plane's edges stand for, beside it: up above it, down, left and right below. */
export function Edges({ edges, side }: { edges: string[]; side: number }): JSX.Element {
  const [left, right, lower, upper] = edges;
  const { inOne } = strips(edges, side);
  const y = side + STRIP - 4;
  return (
    <g>
      <Edge name={upper} x={side / 2} y={-8} towards="up" />
      <Edge name={left} x={0} y={y} towards="left" />
      <Edge name={right} x={side} y={y} towards="right" />
      <Edge name={lower} x={side / 2} y={inOne ? y : y + STRIP} towards="down" />
    </g>
  );
}
