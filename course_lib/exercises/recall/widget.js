// Today's questions: what the kernel says in `view` is shown with the browser's own controls, which the keyboard, a
// finger and a screen reader know; what the reader does goes back in `reply`. Texts come as pieces, [words, italics?].

function node(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const written = (pieces) => pieces.map(([words, italics]) => (italics ? node("em", {}, words) : words));
const missing = { choice: "Choose one.", number: "Write a number." };
const spoken = (pieces) => pieces.map(([words]) => words).join("");

let views = 0; // a name for the radio buttons of each view

function render({ model, el }) {
  const name = `course-recall-${(views += 1)}`;
  el.classList.add("course-recall");
  let hasFocus = false; // once the reader has answered here, the next step gets the focus

  function send(reply) {
    hasFocus = true;
    model.set("reply", { ...reply, count: model.get("view").number });
    model.save_changes();
  }

  const button = (words, onclick, attributes = {}) =>
    node("button", { type: "button", onclick, ...attributes }, words);

  function choice(view) {
    const rows = view.options.map((option, i) =>
      node(
        "label",
        { class: "course-recall-row" },
        node("input", { type: "radio", name, value: i }),
        node("span", {}, ...written(option)),
      ),
    );
    const group = node("fieldset", {}, node("legend", {}, ...written(view.ask)), ...rows);
    return [group, () => group.querySelector("input:checked")?.value, (i) => Number(i)];
  }

  function number(view) {
    const value = view.given ?? "";
    const field = node("input", { type: "text", inputmode: "decimal", autocomplete: "off", name, value });
    const label = node("label", {}, node("span", { class: "course-recall-ask" }, ...written(view.ask)));
    label.append(node("br"), field, view.unit ? ` ${view.unit}` : "");
    const group = node("div", {}, label);
    return [group, () => field.value.trim() || undefined, (text) => text];
  }

  // Lines that move by two buttons each; the focus goes along with the line.
  function order(view) {
    const now = view.options.map((_, i) => i);
    const list = node("ol", { style: "list-style: none; padding: 0" });
    const said = node("div", { class: "course-recall-unseen", "aria-live": "polite" });
    function move(i, by) {
      const from = now.indexOf(i);
      const to = from + by;
      [now[from], now[to]] = [now[to], now[from]];
      draw();
      said.textContent = `${spoken(view.options[i])}: now ${to + 1} of ${now.length}`;
      const buttons = list.children[to].querySelectorAll("button");
      const same = buttons[by < 0 ? 0 : 1];
      (same.disabled ? buttons[by < 0 ? 1 : 0] : same).focus();
    }
    function draw() {
      list.replaceChildren(
        ...now.map((i, place) =>
          node(
            "li",
            { class: "course-recall-row" },
            node("span", {}, `${place + 1}. `, ...written(view.options[i])),
            button("↑", () => move(i, -1), {
              "aria-label": `Move up: ${spoken(view.options[i])}`,
              disabled: place === 0,
            }),
            button("↓", () => move(i, 1), {
              "aria-label": `Move down: ${spoken(view.options[i])}`,
              disabled: place === now.length - 1,
            }),
          ),
        ),
      );
    }
    draw();
    const group = node("fieldset", {}, node("legend", {}, ...written(view.ask)), list, said);
    return [group, () => now, (all) => all];
  }

  function ask(view) {
    const [group, given, plain] = { choice, number, order }[view.kind](view);
    const problem = node("p", { class: "course-recall-problem", role: "alert" }, view.problem);
    const form = node("form", {
      onsubmit(event) {
        event.preventDefault();
        const answer = given();
        if (answer === undefined) problem.textContent = missing[view.kind];
        else send({ do: "answer", question: view.question, answer: plain(answer) });
      },
    });
    form.append(
      node("p", { class: "course-recall-place" }, view.place),
      group,
      problem,
      node(
        "div",
        { class: "course-recall-buttons" },
        node("button", { type: "submit", class: "is-first" }, "Answer"),
        button("Later", () => send({ do: "later", question: view.question })),
      ),
    );
    return [[form], form.querySelector("input, li button:not(:disabled)")];
  }

  function lines(view) {
    const list = node("ol", {}, ...view.right.map((line) => node("li", {}, ...written(line))));
    return view.is_right ? [list] : [node("p", {}, "In order:"), list];
  }

  function numbers(view) {
    const right = view.is_right ? [] : [" The answer: ", ...written(view.right[0]), "."];
    return [node("p", {}, `Your answer: ${view.given}.`, ...right)];
  }

  function options(view) {
    return view.options.map((option, i) => {
      const mine = i === view.given;
      const right = spoken(option) === spoken(view.right[0]);
      const marks = [right ? "right" : "", mine ? "your answer" : ""].filter(Boolean).join(", ");
      const state = right ? " is-right" : mine ? " is-mine" : "";
      return node(
        "div",
        { class: `course-recall-row${state}` },
        node("span", {}, ...written(option)),
        node("span", { class: "course-recall-mark" }, marks),
      );
    });
  }

  function told(view) {
    const mark = view.is_right ? "✓" : "✗";
    const heading = node("p", { class: "course-recall-verdict", tabindex: -1 }, `${mark} ${view.heading}`);
    const parts = [
      node("p", { class: "course-recall-place" }, view.place),
      node("p", { class: "course-recall-ask" }, ...written(view.ask)),
      ...{ choice: options, number: numbers, order: lines }[view.kind](view),
      heading,
      ...(view.says.length ? [node("p", {}, ...written(view.says))] : []),
      node("p", {}, ...written(view.because)),
      node("p", { class: "course-recall-again" }, view.again),
      node(
        "div",
        { class: "course-recall-buttons" },
        button("Next question", () => send({ do: "next" }), { class: "is-first" }),
      ),
    ];
    return [parts, heading];
  }

  function done(view) {
    const text = node("p", { tabindex: -1, class: "course-recall-verdict" }, ...written(view.text));
    return [[text], text];
  }

  function show() {
    const view = model.get("view");
    if (!view.step) return;
    const [parts, first] = { ask, told, done }[view.step](view);
    const title = node("p", { class: "course-recall-title" }, view.title);
    const news = view.news ? [node("p", { class: "course-recall-problem", role: "alert" }, view.news)] : [];
    el.replaceChildren(title, ...news, ...parts);
    if (hasFocus) first?.focus();
  }

  model.on("change:view", show);
  show();
}

// A key by itself belongs to the control that has the focus; together with Ctrl, Alt or Command, and Shift+Enter, which
// runs the cell, it is JupyterLab's. Listening on the window, this comes before JupyterLab's own listener.
function giveKeysToControls(event) {
  const control = event.target;
  if (!control.closest?.(".course-recall")) return;
  const forLab = event.ctrlKey || event.altKey || event.metaKey || (event.shiftKey && event.key === "Enter");
  control.toggleAttribute("data-lm-suppress-shortcuts", !forLab);
}

function initialize() {
  // Each control calls this; a listener that is there already is not added again.
  window.courseRecallKeys ??= giveKeysToControls;
  window.addEventListener("keydown", window.courseRecallKeys, true);
}

export default { initialize, render };
