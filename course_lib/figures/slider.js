// The browser's own slider, which the keyboard, a finger and a screen reader know, beside its label and its value.
// It moves `value`, or `index` where the slider chooses among named options.

const decimals = (step) => (String(step).split(".")[1] ?? "").length;

function written(model) {
  const named = model.get("_options_labels");
  if (named) return named[model.get("index")];
  return model.get("value").toFixed(decimals(model.get("step"))).replace("-", "−");
}

function render({ model, el }) {
  const named = model.get("_options_labels") !== undefined;
  const moved = named ? "index" : "value";
  const label = document.createElement("label");
  const words = document.createElement("span");
  const slider = document.createElement("input");
  const readout = document.createElement("output");
  words.className = "widget-label"; // as wide as the labels of the other controls
  slider.type = "range";
  readout.ariaHidden = "true"; // the slider says its value itself
  label.append(words, slider, readout);
  el.classList.add("course-slider");
  el.append(label);

  function show() {
    words.textContent = model.get("description");
    slider.min = named ? 0 : model.get("min");
    slider.max = named ? model.get("_options_labels").length - 1 : model.get("max");
    slider.step = named ? 1 : model.get("step");
    slider.value = model.get(moved);
    slider.disabled = model.get("disabled");
    readout.textContent = written(model);
    slider.setAttribute("aria-valuetext", written(model));
  }

  slider.addEventListener("input", () => {
    model.set(moved, Number(slider.value));
    model.save_changes();
    show();
  });
  for (const name of [moved, "description", "min", "max", "step", "disabled", "_options_labels"]) {
    model.on(`change:${name}`, show);
  }
  show();
}

export default { render };
