// The picture of an interactive figure; and the keys, which in JupyterLab would move through the notebook.

function render({ model, el }) {
  const picture = document.createElement("img");
  picture.className = "course-figure";
  picture.style.cssText = "max-width: 100%; height: auto";
  el.append(picture);

  function show() {
    const { svg, alt, width, height } = model.get("picture");
    const before = picture.src;
    picture.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    Object.assign(picture, { alt, width, height });
    URL.revokeObjectURL(before);
  }
  model.on("change:picture", show);
  show();
  return () => URL.revokeObjectURL(picture.src);
}

// A key by itself belongs to the control that has the focus; together with Ctrl, Alt or Command, and Shift+Enter, which
// runs the cell, it is JupyterLab's. Listening on the window, this comes before JupyterLab's own listener.
function giveKeysToControls(event) {
  const control = event.target;
  if (!control.closest?.(".course-live")) return;
  const forLab = event.ctrlKey || event.altKey || event.metaKey || (event.shiftKey && event.key === "Enter");
  control.toggleAttribute("data-lm-suppress-shortcuts", !forLab);
}

function initialize() {
  // Each figure calls this; a listener that is there already is not added again.
  window.courseKeys ??= giveKeysToControls;
  window.addEventListener("keydown", window.courseKeys, true);
}

export default { initialize, render };
