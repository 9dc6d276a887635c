"""Masks over their words, the figure of mask and cache, and the writer: two figures that live in the page."""

import base64
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray
from torch import nn

from course_lib.figures.heatmaps import Panel
from course_lib.figures.page import PageFigure
from course_lib.figures.palette import COLOURS, FAINT, PAPER
from course_lib.figures.picture import Picture, draw_wide_and_narrow, plain
from course_lib.special_ids import BOS_ID

AXES = ("position that looks", "position that is looked at")
TRAINED = Path(__file__).with_name("writer.json")  # made by record.py


def mask_and_cache(
    words: Sequence[str],
    *,
    row: int = -1,
    layers: int = 2,
    mask: Literal["causal", "window", "none"] = "causal",
    view: Literal["sees", "computes"] = "sees",
    window: int = 2,
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Let a row of a mask be chosen: what it sees through some layers, or what a new word computes and reads.

    Parameters
    ----------
    words : sequence of L strings
    row : int
        Which is shown first, from 0; −1 is the last.
    layers : int
        Attention layers with residual connections, 1 to 4.
    mask : "causal", "window" or "none"
        A window is causal, too.
    view : "sees" or "computes"
    window : int
        How many words back a window reaches.
    caption, number : str
        As for `PageFigure`.

    Raises
    ------
    ValueError
        If there are fewer than two words, or no such row, number of layers, mask, view or window.

    Examples
    --------
    >>> mask_and_cache(["Je", "t’", "aime", "."], row=2).title
    'Through 2 layers, ‘aime’ sees 3 of 4 words, none ahead of it'
    >>> mask_and_cache(["Je", "t’", "aime", "."], row=2, view="computes").title
    '‘aime’ is new: its own column is computed, and what came before is read'
    """
    length = len(words)
    if length < 2:
        raise ValueError(f"words {list(words)}: expected at least two")
    if not -length <= row < length:
        raise ValueError(f"row is {row}: expected one of the {length} positions, from 0")
    if not 1 <= layers <= 4:
        raise ValueError(f"layers is {layers}: expected 1 … 4")
    if window < 0:
        raise ValueError(f"window is {window}: expected 0 or more")
    if mask not in ("causal", "window", "none") or view not in ("sees", "computes"):
        raise ValueError(
            f"mask is {mask!r}, view is {view!r}: expected 'causal', 'window' or 'none', and 'sees' or 'computes'"
        )
    props = {"words": list(words), "row": row % length, "layers": layers, "mask": mask, "view": view}
    return PageFigure("mask-and-cache", {**props, "window": window}, caption=caption, number=number)


def writer(
    models: Mapping[str, nn.Module],
    vocabulary: Sequence[str],
    *,
    temperature: float = 0.7,
    draw: int = 0,
    step: int = 1,
    most: int = 8,
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Let language models write in the page: the chances of each word, a temperature, and a sentence drawn from them.

    Parameters
    ----------
    models : mapping from name to module
        What they are called, such as "with the mask", and models as `LanguageModel`: of one head, normalised before
        each sublayer, with sinusoidal positions and tied embeddings. All of one shape. The weights travel in half
        precision.
    vocabulary : sequence of str
        The token of each id.
    temperature, draw, step : float, int, int
        Where it stands at first: the temperature, from 0 to 2, which of the drawn sentences, and of which word the
        chances are shown.
    most : int
        Tokens that are written at most.
    caption, number : str
        As for `PageFigure`.

    Raises
    ------
    ValueError
        If there is no model, or they have several heads, or weights that fit neither the vocabulary nor one another.

    Examples
    --------
    >>> from course_lib.chapters.ch08_masking.language_model import from_texts, untrained
    >>> words = from_texts(["Je t’aime."]).tokeniser.vocabulary
    >>> figure = writer({"with the mask": untrained(len(words), seed=0)}, words, temperature=0)
    >>> figure.title.startswith("Temperature 0 always takes the likeliest word: ‘")
    True
    """
    return _writer(
        writer_props(models, vocabulary), temperature, draw, step, most, caption=caption, number=number
    )


def trained_writer(
    *,
    temperature: float = 0.7,
    draw: int = 0,
    step: int = 1,
    most: int = 8,
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Return the `writer` of two models that were trained as the chapter trains them: with the mask, and without.

    Examples
    --------
    >>> trained_writer().title.startswith("Trained with the mask, it writes: ‘")
    True
    """
    props = json.loads(TRAINED.read_text(encoding="utf-8"))
    return _writer(props, temperature, draw, step, most, caption=caption, number=number)


def _writer(
    props: dict[str, Any], temperature: float, draw: int, step: int, most: int, caption: str, number: str
) -> PageFigure:
    if not 0 <= temperature <= 2:
        raise ValueError(f"temperature is {temperature}: expected 0 … 2")
    first = {"model": 0, "temperature": temperature, "draw": draw, "step": step, "most": most}
    return PageFigure("writer", {**props, **first}, caption=caption, number=number)


def writer_props(models: Mapping[str, nn.Module], vocabulary: Sequence[str]) -> dict[str, Any]:
    """Return what `writer` shows: the models' weights in half precision, in base64, and their shape."""
    if not models:
        raise ValueError("models is empty: expected at least one")
    shapes, shown = set(), []
    for name, model in models.items():
        state = {key: value for key, value in model.state_dict().items() if key != "output.weight"}  # tied
        embeddings, *rest = state.values()
        heads: Any = [block.attention.n_heads for block in model.blocks]  # type: ignore[union-attr]
        n_hidden = next(len(value) for key, value in state.items() if key.endswith("W_1.weight"))
        n_vocab, d = embeddings.shape
        n_expected = len(heads) * (4 * d * d + 2 * d * n_hidden + 9 * d + n_hidden) + 2 * d
        if set(heads) != {1} or n_vocab != len(vocabulary) or sum(map(torch.numel, rest)) != n_expected:
            raise ValueError(
                f"model {name!r}: expected one head, {len(vocabulary)} tokens and tied embeddings, got {heads} heads, "
                f"{n_vocab} tokens and {sum(map(torch.numel, rest))} other weights, not {n_expected}"
            )
        shapes.add((d, n_hidden, len(heads)))
        numbers = torch.cat([value.detach().flatten() for value in state.values()]).to(torch.float16).numpy()
        text = base64.b64encode(numbers.astype("<f2").tobytes()).decode()
        shown.append({"name": name, "causal": _is_causal(model, n_vocab), "weights": text})
    if len(shapes) > 1:
        raise ValueError(f"models of different shapes (d, hidden, blocks): {sorted(shapes)}")
    [(d, n_hidden, n_blocks)] = shapes
    return {
        "models": shown,
        "vocabulary": list(vocabulary),
        "d": d,
        "hidden": n_hidden,
        "blocks": n_blocks,
    }


@torch.no_grad()
def _is_causal(model: nn.Module, n_vocab: int) -> bool:
    """Say whether what comes later leaves the first logits as they are."""
    one, other = (torch.tensor([[BOS_ID, last]]) for last in (n_vocab - 1, n_vocab - 2))
    return bool(torch.equal(model(one)[:, 0], model(other)[:, 0]))


def masks(*panels: Panel, axes: tuple[str, str] = AXES) -> Picture:
    """Draw masks side by side: a filled square where attention is allowed, a hatched one where it is not.

    On narrow pages they stand under one another.

    Parameters
    ----------
    panels : Panel
        One or more boolean matrices (rows, columns), True where attention is *allowed*, with their words.
    axes : pair of str
        What the rows and the columns are.

    Raises
    ------
    ValueError
        If there is no panel, a matrix is not boolean and two-dimensional, or its words do not fit its shape.

    Examples
    --------
    >>> masks(Panel("Causal", np.tri(2, dtype=bool), ["Je", "t'"], ["Je", "t'"])).alt[-46:]
    "allowed. Causal. “Je”: “Je”. “t'”: “Je”, “t'”."
    """
    matrices = [_allowed(panel) for panel in panels]
    if not matrices:
        raise ValueError("panels is empty: expected at least one Panel")
    widths = [max(0.46 * matrix.shape[1], 1.6) for matrix in matrices]
    margin = 0.75 + 0.085 * max(len(word) for panel in panels for word in panel.rows)
    height = 0.38 * max(len(matrix) for matrix in matrices) + 1.55

    heights = [0.36 * len(matrix) for matrix in matrices]

    def paint(figure: Figure, narrow: bool) -> str:
        if narrow:
            grid = figure.subplots(len(panels), 1, height_ratios=heights, squeeze=False)[:, 0]
        else:
            grid = figure.subplots(1, len(panels), width_ratios=widths, squeeze=False)[0]
        for axis, panel, matrix in zip(grid, panels, matrices, strict=True):
            _paint_mask(axis, matrix, panel)
            axis.set(title=panel.title, ylabel=axes[0], xlabel=axes[1])
        told = " ".join(_tell_mask(panel, matrix) for panel, matrix in zip(panels, matrices, strict=True))
        return f"Mask; rows: {axes[0]}, columns: {axes[1]}. For each row, the columns allowed. {told}"

    tall = sum(heights) + 1.4 * len(panels)
    return draw_wide_and_narrow(sum(widths) + margin * len(panels), height, tall, paint)


def _allowed(panel: Panel) -> NDArray[np.bool_]:
    matrix = np.asarray(panel.matrix)
    expected = (len(panel.rows), len(panel.columns))
    if matrix.dtype != np.bool_ or matrix.shape != expected or not matrix.size:
        raise ValueError(
            f"mask {matrix.shape} of {matrix.dtype}, panel {panel.title!r}: expected booleans {expected}, one row "
            "and one column for each of its words"
        )
    return matrix


def _paint_mask(axis: Axes, matrix: NDArray[np.bool_], panel: Panel) -> None:
    looks: dict[bool, dict[str, Any]] = {
        True: {"facecolor": COLOURS[0], "edgecolor": PAPER, "linewidth": 1},
        False: {"facecolor": "none", "edgecolor": FAINT, "hatch": "////", "linewidth": 0},
    }
    for free, look in looks.items():  # one collection each: a patch for each cell takes three times as long
        cells = [Rectangle((j - 0.5, i - 0.5), 1, 1) for i, j in np.argwhere(matrix == free)]
        axis.add_collection(PatchCollection(cells, **look), autolim=False)
    axis.set(xlim=(-0.55, matrix.shape[1] - 0.45), ylim=(len(matrix) - 0.45, -0.55))
    axis.set_xticks(range(matrix.shape[1]), list(map(plain, panel.columns)), rotation=40, ha="right")
    for label in axis.get_xticklabels():
        label.set_rotation_mode("anchor")
    axis.set_yticks(range(len(matrix)), list(map(plain, panel.rows)))
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)


def _tell_mask(panel: Panel, matrix: NDArray[np.bool_]) -> str:
    told = [f"{panel.title}."]
    for word, row in zip(panel.rows, matrix, strict=True):
        seen = ", ".join(f"“{panel.columns[int(j)]}”" for j in np.flatnonzero(row)) or "nothing"
        told.append(f"“{word}”: {seen}.")
    return " ".join(told)
