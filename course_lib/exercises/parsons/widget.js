// Lines to order: "lines to choose from" and "your program". A line is dragged by mouse or finger, or moved by buttons
// and, in the program, by the arrow keys. The letters in order are what the reader writes into the cell below.

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

const FAR = 5; // pixels: less is a click
let views = 0; // a name for the titles of each view

function render({ model, el }) {
  const name = `course-parsons-${(views += 1)}`;
  const { begins, lines, ends } = model.get("puzzle");
  const codes = new Map(lines);
  const order = () => model.get("order");
  const chosen = (letter) => order().includes(letter);
  const written = () => `return "${order().join(" ")}"`;
  el.classList.add("course-parsons");

  const choices = node("ul", { "aria-labelledby": `${name}-choices` });
  const program = node("ol", { "aria-labelledby": `${name}-program` });
  const choicesBox = node(
    "div",
    { class: "course-parsons-box" },
    node("p", { class: "course-parsons-title", id: `${name}-choices` }, "Lines to choose from"),
    choices,
  );
  const programBox = node(
    "div",
    { class: "course-parsons-box" },
    node("p", { class: "course-parsons-title", id: `${name}-program` }, "Your program"),
    ...begins.split("\n").map(given),
    program,
    ...ends.split("\n").map(given),
  );
  const line = node("code", { class: "course-parsons-line" });
  const copy = button("Copy", copied, { class: "is-first", "aria-label": "Copy the line for the cell below" });
  const said = node("div", { class: "course-parsons-said", "aria-live": "polite" });
  el.replaceChildren(
    node("div", { class: "course-parsons-boxes" }, choicesBox, programBox),
    node("p", { class: "course-parsons-answer" }, "For the cell below: ", line, " ", copy),
    said,
  );

  function button(words, onclick, attributes = {}) {
    return node("button", { type: "button", onclick, ...attributes }, words);
  }

  function code(text) {
    const bare = text.trimStart();
    return node("code", { style: `padding-left: ${text.length - bare.length}ch` }, bare);
  }

  function given(text) {
    const grip = node("span", { class: "course-parsons-grip", "aria-hidden": "true" }, "⠿"); // for its width
    const letter = node("span", { class: "course-parsons-letter" });
    return node("div", { class: "course-parsons-given course-parsons-code" }, grip, letter, code(text));
  }

  function row(letter, buttons) {
    return node(
      "li",
      { class: "course-parsons-row", "data-letter": letter },
      node(
        "span",
        { class: "course-parsons-code" },
        node("span", { class: "course-parsons-grip", "aria-hidden": "true" }, "⠿"),
        node("span", { class: "course-parsons-letter" }, letter),
        code(codes.get(letter)),
      ),
      node("span", { class: "course-parsons-buttons" }, ...buttons),
    );
  }

  const called = (letter) => `line ${letter}: ${codes.get(letter).trim()}`;
  const empty = (words) => node("li", { class: "course-parsons-empty" }, words);

  function draw() {
    const left = lines.filter(([letter]) => !chosen(letter));
    choices.replaceChildren(
      ...left.map(([letter]) =>
        row(letter, [button("Take", () => take(letter), { "aria-label": `Take ${called(letter)}` })]),
      ),
      ...(left.length ? [] : [empty("All lines are taken.")]),
    );
    program.replaceChildren(
      ...order().map((letter, place) =>
        row(letter, [
          button("↑", () => move(letter, -1), {
            "aria-label": `Move up ${called(letter)}`,
            disabled: place === 0,
          }),
          button("↓", () => move(letter, 1), {
            "aria-label": `Move down ${called(letter)}`,
            disabled: place === order().length - 1,
          }),
          button("Put back", () => putBack(letter), { "aria-label": `Put back ${called(letter)}` }),
        ]),
      ),
      ...(order().length ? [] : [empty("Take a line, and it stands here.")]),
    );
    line.textContent = written();
  }

  // Change the order, and say what has become of a line.
  function change(now, letter) {
    model.set("order", now);
    model.save_changes();
    draw();
    const place = now.indexOf(letter);
    said.textContent =
      place < 0
        ? `Line ${letter} is back among the lines to choose from.`
        : `Line ${letter} is line ${place + 1} of ${now.length} in your program.`;
  }

  const without = (letter) => order().filter((other) => other !== letter);

  function put(letter, place) {
    const now = without(letter);
    now.splice(place, 0, letter);
    change(now, letter);
  }

  // The focus goes to the next line of the list, or else along with the line.
  function focusIn(list, place, letter) {
    const rows = list.querySelectorAll("[data-letter]");
    const next = rows[Math.min(place, rows.length - 1)] ?? el.querySelector(`[data-letter="${letter}"]`);
    next.querySelector("button:last-child").focus();
  }

  function take(letter) {
    const place = lines.filter(([other]) => !chosen(other)).findIndex(([other]) => other === letter);
    put(letter, order().length);
    focusIn(choices, place, letter);
  }

  function putBack(letter) {
    const place = order().indexOf(letter);
    change(without(letter), letter);
    focusIn(program, place, letter);
  }

  // The focus goes along with the line.
  function move(letter, by) {
    const to = order().indexOf(letter) + by;
    if (to < 0 || to >= order().length) return;
    put(letter, to);
    const [up, down] = program.children[to].querySelectorAll("button");
    const same = by < 0 ? up : down;
    (same.disabled ? (by < 0 ? down : up) : same).focus();
  }

  program.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const letter = event.target.closest("[data-letter]")?.dataset.letter;
    if (!by || !letter || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    move(letter, by);
  });

  async function copied() {
    try {
      await navigator.clipboard.writeText(written());
      said.textContent = `Copied: ${written()}`;
    } catch {
      const selection = getSelection();
      selection.selectAllChildren(line);
      said.textContent = "The browser does not let us copy: the line is marked, press Ctrl+C or Command+C.";
    }
  }

  // ---- Dragging ----

  const inside = (box, x, y) => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    return left <= x && x <= right && top <= y && y <= bottom;
  };

  // Where a line would come to stand: a place in the program, -1 for the lines to choose from, or nothing.
  function placeAt(x, y, letter) {
    if (inside(choicesBox, x, y)) return -1;
    if (!inside(programBox, x, y)) return undefined;
    const others = [...program.querySelectorAll("[data-letter]")].filter((row) => row.dataset.letter !== letter);
    return others.filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return (top + bottom) / 2 < y;
    }).length;
  }

  function drag(event) {
    const moved = event.target.closest("[data-letter]");
    if (!moved || event.button !== 0 || event.target.closest("button")) return;
    // A finger on the line scrolls the page; on its grip it drags.
    if (event.pointerType !== "mouse" && !event.target.closest(".course-parsons-grip")) return;
    const letter = moved.dataset.letter;
    const marker = node("li", { class: "course-parsons-marker", "aria-hidden": "true" });
    const stop = new AbortController();
    let going = false;
    let place;

    function follow({ pointerId, clientX, clientY }) {
      if (pointerId !== event.pointerId) return;
      const [dx, dy] = [clientX - event.clientX, clientY - event.clientY];
      if (!going && Math.hypot(dx, dy) < FAR) return;
      going = true;
      moved.classList.add("is-dragged");
      moved.style.transform = `translate(${dx}px, ${dy}px)`;
      marker.remove();
      place = placeAt(clientX, clientY, letter);
      choicesBox.classList.toggle("is-over", place === -1);
      programBox.classList.toggle("is-over", place >= 0);
      if (place >= 0) {
        const others = [...program.querySelectorAll("[data-letter]")].filter((row) => row !== moved);
        program.insertBefore(marker, others[place] ?? null);
      }
    }

    function end(goes) {
      stop.abort();
      marker.remove();
      moved.classList.remove("is-dragged");
      moved.style.transform = "";
      for (const box of [choicesBox, programBox]) box.classList.remove("is-over");
      if (!goes || !going || place === undefined) return;
      if (place >= 0) put(letter, place);
      else if (chosen(letter)) change(without(letter), letter);
    }

    const options = { signal: stop.signal };
    const mine = (ended) => ended.pointerId === event.pointerId;
    window.addEventListener("pointermove", follow, options);
    window.addEventListener("pointerup", (ended) => mine(ended) && end(true), options);
    window.addEventListener("pointercancel", (ended) => mine(ended) && end(false), options);
    window.addEventListener("keydown", ({ key }) => key === "Escape" && end(false), options);
  }

  el.addEventListener("pointerdown", drag);
  model.on("change:order", draw);
  draw();
  return () => {
    el.removeEventListener("pointerdown", drag);
    model.off("change:order", draw);
  };
}

// A key by itself belongs to the control that has the focus; together with Ctrl, Alt or Command, and Shift+Enter, which
// runs the cell, it is JupyterLab's. Listening on the window, this comes before JupyterLab's own listener.
function giveKeysToControls(event) {
  const control = event.target;
  if (!control.closest?.(".course-parsons")) return;
  const forLab = event.ctrlKey || event.altKey || event.metaKey || (event.shiftKey && event.key === "Enter");
  control.toggleAttribute("data-lm-suppress-shortcuts", !forLab);
}

function initialize() {
  // Each control calls this; a listener that is there already is not added again.
  window.courseParsonsKeys ??= giveKeysToControls;
  window.addEventListener("keydown", window.courseParsonsKeys, true);
}

export default { initialize, render };
