// Where figures live: in a page (JupyterLab's, or one of its own), and as a still.

import { render, type VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { renderToString } from "preact-render-to-string";
import { asleep } from "./asleep";
import type { AnyFigure } from "./figure";
import { figures } from "./figures";
import { bound } from "./parts";
import { pageStyle, stillStyle } from "./theme";

const [STILL_WIDTH, NARROW_STILL] = [720, 340];
const [NARROWEST, WIDEST] = [300, 760];
const APART = 14; // pixels between a still's drawing and its controls

// biome-ignore lint/suspicious/noExplicitAny: props and states of figures of all kinds, as JSON
type Json = any;

export interface Given {
  name: string;
  props: Json;
  caption?: string;
  number?: string;
  file?: string; // id of the page's <script> that holds, in base64, what the figure's engine reads
  state?: Json; // where it differs from the initial one
}

function figureOf(name: string): AnyFigure {
  const figure = figures[name];
  if (!figure) throw new Error(`there is no figure called ${name}: ${Object.keys(figures).join(", ")}`);
  return figure;
}

function Caption({ number, caption }: Given): VNode | null {
  if (!caption && !number) return null;
  return (
    <figcaption class="cf-caption">
      {number && <b>Figure {number}. </b>}
      {caption && bound(caption)}
    </figcaption>
  );
}

interface Link {
  state: Json; // from outside, for example from Python
  report(state: Json): void; // to outside
  ask?: Ask; // if there is anybody to answer
}

type Ask = (question: Json) => Promise<Json>;

const same = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);
const [PAUSE_IN_TYPING, LONG] = [250, 5000]; // milliseconds

/** Ask the figure's question whenever it becomes another; return the last answer, and whether one is awaited. */
function useAnswer(question: Json, given: Json, ask?: Ask): { answer: Json; waiting: string } {
  const [answer, setAnswer] = useState(given);
  const [waiting, setWaiting] = useState("");
  useEffect(() => {
    setWaiting("");
    if (!question || !ask || same(question, answer.question)) return;
    const timers = [
      setTimeout(async () => {
        setWaiting("a moment");
        timers.push(setTimeout(() => setWaiting("long"), LONG));
        const found = await ask(question);
        if (timers.length === 0) return; // another question has been asked since
        setAnswer(found);
        setWaiting("");
        for (const timer of timers) clearTimeout(timer);
      }, PAUSE_IN_TYPING),
    ];
    return () => {
      for (const timer of timers.splice(0)) clearTimeout(timer);
    };
  }, [JSON.stringify(question)]);
  return { answer, waiting };
}

function Live({ given, link, id }: { given: Given; link: Link; id: string }): VNode {
  const figure = figureOf(given.name);
  const [own, setOwn] = useState<Json>(link.state ?? {});
  const [width, setWidth] = useState(STILL_WIDTH);
  const [said, setSaid] = useState("");
  const root = useRef<HTMLElement>(null);
  const state = { ...figure.initial(given.props), ...own };
  const asked = useAnswer(figure.question?.(given.props, state), given.props.answer, link.ask);
  const props = figure.question ? { ...given.props, ...asked } : given.props;
  const description = figure.describe(props, state);
  const touched = useRef(false);

  const known = useRef(link.state); // the state that outside and the figure have agreed on
  useEffect(() => {
    if (same(known.current, link.state)) return; // an effect comes late: the reader may have typed since
    known.current = link.state;
    setOwn(link.state ?? {});
  }, [link.state]);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry.contentRect.width > 0) setWidth(Math.min(WIDEST, Math.max(NARROWEST, entry.contentRect.width)));
    });
    if (root.current) observer.observe(root.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!touched.current) return;
    const timer = setTimeout(() => {
      setSaid(description); // a screen reader hears where the figure has come to rest
      known.current = own;
      link.report(own);
    }, 300);
    return () => clearTimeout(timer);
  }, [description, own]);

  const shown = {
    props,
    state,
    width,
    id,
    set(change: Json) {
      touched.current = true;
      setOwn((before: Json) => ({ ...before, ...change }));
    },
  };
  const height = figure.height(props, state, width);
  return (
    <figure class="cf" ref={root} aria-labelledby={`${id}-title`}>
      <p class="cf-title" id={`${id}-title`}>
        {bound(figure.title(props, state))}
      </p>
      {figure.Above && (
        <div class="cf-controls cf-above">
          <figure.Above {...shown} />
        </div>
      )}
      <svg viewBox={`0 0 ${width} ${height}`} role="group" aria-describedby={`${id}-words`}>
        <figure.Drawing {...shown} />
      </svg>
      {figure.Controls && (
        <div class="cf-controls cf-below">
          <figure.Controls {...shown} />
        </div>
      )}
      {figure.rest && (
        <svg class="cf-rest" viewBox={`0 0 ${width} ${figure.rest.height(props, state, width)}`} aria-hidden="true">
          <figure.rest.Drawing {...shown} />
        </svg>
      )}
      <p class="cf-unseen" id={`${id}-words`}>
        {description}
      </p>
      <p class="cf-unseen" aria-live="polite">
        {said}
      </p>
      <Caption {...given} />
    </figure>
  );
}

let mounted = 0;

/** Show a figure in an element of the page; return how to give it another state (and other props), and how to end it. */
export function mount(element: Element, given: Given, report: (state: Json) => void = () => {}, ask?: Ask) {
  if (!document.getElementById("course-figures")) {
    const style = document.createElement("style");
    style.id = "course-figures";
    style.textContent = pageStyle;
    document.head.append(style);
  }
  const id = `course-figure-${++mounted}`;
  let last = given;
  const show = (state: Json, other: Given = last) => {
    last = other;
    render(<Live given={other} link={{ state, report, ...(ask && { ask }) }} id={id} />, element);
  };
  show(given.state);
  return { show, end: () => render(null, element) };
}

/**
 * Draw a figure without a page, with its controls as they stand: its parts, as text. On a narrow page its `narrow` drawing
 * can be read.
 */
export function still(given: Given): {
  title: string;
  alt: string;
  svg: string;
  width: number;
  height: number;
  narrow: string;
} {
  const figure = figureOf(given.name);
  const { props } = given;
  const state = { ...figure.initial(props), ...given.state };
  const title = figure.title(props, state);
  const drawn = (width: number): { svg: string; height: number } => {
    const shown = { props, state, set: () => {}, width, id: "still" };
    const nothing = { drawn: null, height: 0 };
    const above = figure.Above ? asleep(<figure.Above {...shown} />, width) : nothing;
    const below = figure.Controls ? asleep(<figure.Controls {...shown} />, width) : nothing;
    const top = above.height && above.height + APART;
    const bottom = top + figure.height(props, state, width);
    const rest = bottom + (below.height && below.height + APART) + (figure.rest ? APART : 0);
    const height = rest + (figure.rest?.height(props, state, width) ?? 0);
    const drawing = (
      <svg xmlns="http://www.w3.org/2000/svg" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>{title}</title>
        <style>{"STYLE"}</style>
        <g>{above.drawn}</g>
        <g transform={`translate(0 ${top})`}>
          <figure.Drawing {...shown} />
        </g>
        <g transform={`translate(0 ${bottom + APART})`}>{below.drawn}</g>
        {figure.rest && (
          <g transform={`translate(0 ${rest})`}>
            <figure.rest.Drawing {...shown} />
          </g>
        )}
      </svg>
    );
    return { svg: renderToString(drawing).replace("STYLE", stillStyle), height };
  };
  const wide = drawn(STILL_WIDTH);
  return {
    title,
    alt: figure.describe(props, state),
    ...wide,
    width: STILL_WIDTH,
    narrow: drawn(NARROW_STILL).svg,
  };
}

// ---- JupyterLab, through anywidget ----

interface WidgetModel {
  get(name: string): Json;
  set(name: string, value: Json): void;
  save_changes(): void;
  on(event: string, callback: (message: Json) => void): void;
  off(event: string, callback: (message: Json) => void): void;
  send(message: Json): void;
}

/** Ask Python, and wait for the answer that repeats the question. */
const askPython =
  (model: WidgetModel): Ask =>
  (question) =>
    new Promise((resolve) => {
      const listen = (answer: Json) => {
        if (!same(answer.question, question)) return;
        model.off("msg:custom", listen);
        resolve(answer);
      };
      model.on("msg:custom", listen);
      model.send(question);
    });

// A key by itself belongs to the figure that has the focus; with Ctrl, Alt or Command, and Shift+Enter, which runs the
// cell, it is JupyterLab's. Listening on the window, this comes before JupyterLab's own listener.
function giveKeysToFigures(event: KeyboardEvent): void {
  const place = event.target as Element;
  if (!place.closest?.(".cf")) return;
  const forLab = event.ctrlKey || event.altKey || event.metaKey || (event.shiftKey && event.key === "Enter");
  place.toggleAttribute("data-lm-suppress-shortcuts", !forLab);
}

export const widget = {
  initialize() {
    window.addEventListener("keydown", giveKeysToFigures, true);
  },
  render({ model, el }: { model: WidgetModel; el: HTMLElement }) {
    const given = { state: model.get("state"), ...model.get("given") };
    const report = (state: Json) => {
      model.set("state", state);
      model.save_changes();
    };
    const { show, end } = mount(el, given, report, askPython(model));
    model.on("change:state", () => show(model.get("state")));
    model.on("change:given", () => show(model.get("state"), model.get("given")));
    return end;
  },
};

// ---- A page of its own ----

/** The file that a <script type="application/octet-stream"> of the page holds. */
export function fileOf(id: string): Uint8Array {
  const text = atob(document.getElementById(id)?.textContent ?? "");
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Ask the figure's own engine, which reads its file when the first question comes. */
function askEngine({ name, file }: Given): Ask | undefined {
  const { engine } = figureOf(name);
  if (!engine || !file) return undefined;
  let answer: ((question: never) => Json) | undefined;
  return async (question) => {
    await new Promise((painted) => setTimeout(painted, 20)); // the page says first that it is at work
    answer ??= engine(fileOf(file));
    return answer(question as never);
  };
}

/** Wake every figure of the page: an element .course-figure whose <script type="application/json"> is what is given. */
export function start(): void {
  for (const element of document.querySelectorAll(".course-figure")) {
    const text = element.querySelector('script[type="application/json"]')?.textContent;
    if (!text) continue;
    const given = JSON.parse(text);
    element.replaceChildren();
    mount(element, given, undefined, askEngine(given));
  }
}
