"""Quality against length; and one step of a translation: what is written, what may come next, where heads look."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from numpy.typing import ArrayLike, NDArray

from course_lib.chapters.ch10_translation.runs import load_record
from course_lib.figures.page import PageFigure
from course_lib.figures.palette import COLOURS, FAINT, INK, PAPER, QUIET, WEIGHT, ink_on
from course_lib.figures.palette import LINE as EDGE
from course_lib.figures.picture import Picture, draw, number, paint_shares, plain, sentence
from course_lib.text.embedded import load_embedded

TITLES = {
    "cross": "Cross-attention",
    "encoder": "Encoder self-attention",
    "decoder": "Decoder self-attention",
}
AXES = {  # what the rows and the columns are
    "cross": ("being predicted", "source"),
    "encoder": ("source", "source"),
    "decoder": ("being predicted", "already written"),
}
NOW = INK  # what belongs to the step: its token, its bar, its row
STAR = "★"  # stands before a token that is not the model's own choice
WIDTH, LEFT, RIGHT, END = (
    9.2,
    0.2,
    6.3,
    9.0,
)  # inches: of the picture; where its two columns begin, and the end
TEXT = 1.05  # inches: where the text behind a label begins
LINE, CHIP, BAR = 0.26, 0.54, 0.27  # inches: the heights of a line of text, a row of tokens, a bar
MAX_TOLD = 5  # as many words as are named of the row of a step


LENGTH_PARTS = {"test": "Test sentences", "longer": "Longer sentences"}
LENGTH_MODELS = {
    "transformer": "Transformer",
    "gru-attention": "GRU with attention",
    "gru": "GRU",
}


def length_figure(
    results: Path,
    models: Mapping[str, str] = LENGTH_MODELS,
    *,
    seeds: Sequence[int] = (0, 1, 2),
    search: Literal["greedy", "beam 5"] = "greedy",
    caption: str = "",
    figure_number: str = "",
) -> PageFigure:
    """Show how often models translate exactly, on the test part and on sentences longer than any in training.

    Of all runs the records hold one share for each part; of one run of the models whose weights are stored, greedy
    search is counted by single lengths, too. Lengths are in words and punctuation marks of the English side.

    Parameters
    ----------
    results : Path
        The folder of records.
    models : mapping from the name of a run, without its seed, to what it is called
    seeds : sequence of int
        Each has a record, `embedded/<run>-<seed>.json`.
    search : {"greedy", "beam 5"}
        How the translations were decoded.
    caption, figure_number : str
        The words under it, and the number in front of them.

    Raises
    ------
    FileNotFoundError
        If a record is not there.
    ValueError
        If there is no model or no seed, or a record is of another part, or of fewer epochs, than the others.

    Examples
    --------
    >>> results = Path(__file__).parents[3] / "results"
    >>> print(length_figure(results, {"gru": "GRU"}).title.replace("\\xa0", " "))
    GRU leads at every length: 5.2 % exact at 13 to 33 words
    """
    if not models or not seeds:
        raise ValueError(f"models {list(models)}, seeds {list(seeds)}: expected at least one of each")
    lengths = {part: [len(pair.source_tokens) for pair in load_embedded(part)] for part in LENGTH_PARTS}
    records = {name: [load_record(results, f"embedded/{name}-{seed}") for seed in seeds] for name in models}
    first = records[next(iter(models))][0]
    for name, of_seeds in records.items():
        for seed, record in zip(seeds, of_seeds, strict=True):
            counted = {part: record["quality"][part][search]["n"] for part in LENGTH_PARTS}
            if counted != {part: len(found) for part, found in lengths.items()}:
                raise ValueError(f"embedded/{name}-{seed} has {counted}: not the sentences of the corpus")
            if record["epochs"] != first["epochs"] or record["training_pairs"] != first["training_pairs"]:
                raise ValueError(
                    f"embedded/{name}-{seed}: {record['epochs']:g} epochs of {record['training_pairs']} pairs, "
                    f"expected {first['epochs']:g} of {first['training_pairs']}, as the others have"
                )
    props = {
        "parts": [
            {
                "name": called,
                "shortest": min(lengths[part]),
                "longest": max(lengths[part]),
                "sentences": len(lengths[part]),
            }
            for part, called in LENGTH_PARTS.items()
        ],
        "models": [
            {
                "name": called,
                "shares": [
                    [record["quality"][part][search]["exact_match"] for part in LENGTH_PARTS]
                    for record in records[name]
                ],
            }
            for name, called in models.items()
        ],
        "trained": max(len(pair.source_tokens) for pair in load_embedded("train")),
        "lengths": _single_lengths(results, models) if search == "greedy" else [],
    }
    return PageFigure("length", props, caption, figure_number)


def _single_lengths(results: Path, models: Mapping[str, str]) -> list[dict[str, Any]]:
    """What is counted by length of one run of the models, if it is of those whose weights are stored."""
    counts = load_record(results, "embedded/lengths")["counts"]
    return [
        {"name": called, "counts": [*counts[f"{name}-0"]["test"], *counts[f"{name}-0"]["longer"]]}
        for name, called in models.items()
        if f"{name}-0" in counts
    ]


class DecodingStep(NamedTuple):
    """One step of a translation.

    `tokens` are those of the whole translation, of which `step` are written; `changed` are the positions of those
    that are not the model's own choice. `likeliest` are the tokens that may come next, most likely first, with their
    `probabilities`; `n_others` further ones share the rest. The one that does come is `likeliest[taken]`.
    """

    tokens: Sequence[str]
    step: int
    changed: Collection[int]
    likeliest: Sequence[str]
    probabilities: Sequence[float]
    taken: int
    n_others: int


class LayerMaps(NamedTuple):
    """The attention weights of all heads of a layer, (H, L_q, L_k), and the words of the columns."""

    kind: Literal["cross", "encoder", "decoder"]
    layer: int
    heads: ArrayLike
    columns: Sequence[str]


def translation_step(step: DecodingStep, maps: LayerMaps, head: int, lines: Mapping[str, str]) -> Picture:
    """Draw one step of a translation: the tokens, the likeliest next ones, one head large and all heads small.

    The rows of the cross-attention's and the decoder's maps are the tokens being predicted; the row of this step is
    framed, and what belongs to later steps is hatched. The encoder reads the source before the first step; so its
    maps, whose rows are their columns, are drawn whole.

    Parameters
    ----------
    step : DecodingStep
    maps : LayerMaps
    head : int
        The head that is drawn large.
    lines : mapping from label to text
        What is written on top.

    Raises
    ------
    ValueError
        If the words do not fit the maps, or there is no such head, step or token.

    Examples
    --------
    >>> step = DecodingStep(["Je", "dors"], 1, [], ["dors", "dort"], [0.75, 0.125], taken=0, n_others=7)
    >>> maps = LayerMaps("cross", 0, [[[0.9, 0.1], [0.2, 0.8]]], ["I", "sleep"])
    >>> translation_step(step, maps, 0, {"English": "I sleep"}).alt
    "English: I sleep. Step 1, written: 'Je'. Likeliest next: 'dors' 75.00% (taken), 'dort' 12.50%; 7 others share \
12.50%. Cross-attention, layer 0, head 0: the row of 'dors' looks at 'sleep' 0.8, 'I' 0.2."
    """
    weights = _checked(step, maps, head)
    names = [f"{STAR} {token}" if i in step.changed else token for i, token in enumerate(step.tokens)]
    rows = maps.columns if maps.kind == "encoder" else names
    text, chips = _wrapped(lines), _places(names)
    chips_top = 0.3 + LINE * len(text)
    top = chips_top + CHIP * (chips[-1].row + 1)
    large = _box_of_large(rows, maps.columns, top + 0.7)
    height = max(large.y + large.height + _room_below(maps.columns) + 0.3, top + 4.75)

    def paint(figure: Figure) -> str:
        page = figure.add_axes((0, 0, 1, 1))  # its units are inches from the upper left corner
        page.set_axis_off()
        _paint_lines(page, text)
        _paint_tokens(page, names, step, chips, chips_top)
        _write(page, LEFT, top + 0.3, f"{TITLES[maps.kind]}, layer {maps.layer}, head {head}", fontsize=12)
        _paint_map(page, weights[head], large, maps.kind, step.step, 2.2)
        _name_rows_and_columns(page, large, rows, maps, step.step)
        if maps.kind != "encoder":
            _number_row(page, large, weights[head, step.step], step.step, len(rows))
        _paint_likeliest(page, step, top)
        if len(weights) > 1:
            _paint_all(page, weights, maps, head, step.step, top + 2.45)
        page.set(xlim=(0, WIDTH), ylim=(height, 0), aspect="auto")
        return " ".join(
            [_tell_lines(lines, step), _tell_likeliest(step), _tell_head(weights[head], maps, head, step)]
        )

    return draw(WIDTH, height, paint)


def percent(p: float) -> str:
    """Write a probability as a percentage.

    >>> percent(0.92577), percent(0.00001)
    ('92.58%', '<0.01%')
    """
    return f"{p:.2%}" if p >= 0.00005 else "<0.01%"


class _Box(NamedTuple):
    """Where a map lies, in inches."""

    x: float
    y: float
    width: float
    height: float


class _Chip(NamedTuple):
    """Where a token stands: its left edge and its width in inches, and in which row of tokens."""

    x: float
    width: float
    row: int


def _checked(step: DecodingStep, maps: LayerMaps, head: int) -> NDArray[np.float64]:
    weights = np.asarray(maps.heads, dtype=np.float64)
    shape = (len(maps.columns if maps.kind == "encoder" else step.tokens), len(maps.columns))
    if weights.ndim != 3 or weights.shape[1:] != shape or not weights.size:
        raise ValueError(
            f"maps.heads {weights.shape}: expected (H, {shape[0]}, {shape[1]}), as there are words"
        )
    if not 0 <= head < len(weights) or not 0 <= step.step < len(step.tokens):
        raise ValueError(
            f"head {head}, step {step.step}: expected one of {len(weights)} heads and {len(step.tokens)} steps"
        )
    if len(step.likeliest) != len(step.probabilities) or not 0 <= step.taken < len(step.likeliest):
        raise ValueError(
            f"likeliest {step.likeliest}, probabilities {step.probabilities}, taken {step.taken}: "
            "expected one probability for each token, and the position of one of them"
        )
    return weights


def _write(page: Axes, x: float, y: float, text: str, **look: Any) -> None:
    page.text(x, y, plain(text), **{"va": "center", **look})


def _wrapped(lines: Mapping[str, str]) -> list[tuple[str, str]]:
    """Break what is too long for the width; a label stands before the first line of its text."""
    broken = {label: wrap(text, 92) or [""] for label, text in lines.items()}
    return [
        (label if i == 0 else "", line) for label, lines in broken.items() for i, line in enumerate(lines)
    ]


def _places(names: Sequence[str]) -> list[_Chip]:
    """Put tokens side by side, in as many rows as they need."""
    chips, x, row = [], TEXT, 0
    for name in names:
        width = max(0.36, 0.088 * len(name) + 0.16)
        if x + width > END:
            x, row = TEXT, row + 1
        chips.append(_Chip(x, width, row))
        x += width + 0.07
    return chips


def _box_of_large(rows: Sequence[str], columns: Sequence[str], y: float) -> _Box:
    x = LEFT + 0.35 + 0.083 * max(map(len, rows))
    height = float(np.clip(3.6 / len(rows), 0.17, 0.55)) * len(rows)
    return _Box(x, y, min(RIGHT - 0.4 - x, 0.8 * len(columns)), height)


def _room_below(columns: Sequence[str]) -> float:
    """Return how far slanted words reach below their map, in inches."""
    return 0.22 + 0.062 * max(map(len, columns))


def _paint_lines(page: Axes, text: Sequence[tuple[str, str]]) -> None:
    for i, (label, line) in enumerate(text):
        _write(page, LEFT, 0.28 + LINE * i, label, color=QUIET)
        _write(page, TEXT, 0.28 + LINE * i, line, fontsize=12)


def _paint_tokens(
    page: Axes, names: Sequence[str], step: DecodingStep, chips: Sequence[_Chip], top: float
) -> None:
    """Put each token in a box: solid where it is written, thick at the step, dashed where it is to come."""
    _write(page, LEFT, top + 0.165, "Tokens", color=QUIET)
    if step.changed:
        _write(page, LEFT, top + 0.4, f"{STAR} yours", fontsize=10, color=QUIET)
    for i, (name, chip) in enumerate(zip(names, chips, strict=True)):
        y, middle = top + CHIP * chip.row, chip.x + chip.width / 2
        look: dict[str, Any] = dict(facecolor=PAPER, edgecolor=FAINT, linewidth=0.9)
        if i == step.step:
            look.update(edgecolor=NOW, linewidth=2.2)
        elif i > step.step:
            look.update(facecolor=PAPER, linestyle=(0, (3, 3)))
        frame = FancyBboxPatch((chip.x, y + 0.03), chip.width, 0.27, "round,pad=0,rounding_size=0.05", **look)
        page.add_patch(frame)
        _write(page, middle, y + 0.165, name, ha="center", color=QUIET if i > step.step else INK)
        if i == step.step or len(names) <= 15 or i % 5 == 0:  # each number takes a millisecond
            weight = "bold" if i == step.step else "normal"
            _write(page, middle, y + 0.4, str(i), ha="center", fontsize=10, color=QUIET, fontweight=weight)


def _paint_map(page: Axes, weights: NDArray[Any], box: _Box, kind: str, step: int, thickness: float) -> None:
    """Paint weights from 0 to 1; but for the encoder, frame the row of the step and hatch what comes later."""
    n_rows, n_columns = weights.shape
    extent = (box.x, box.x + box.width, box.y + box.height, box.y)
    paint_shares(page, weights, WEIGHT, extent=extent, aspect="auto")
    page.add_patch(Rectangle(box[:2], box.width, box.height, fill=False, edgecolor=EDGE, linewidth=0.8))
    if kind == "encoder":
        return
    row, column = box.height / n_rows, box.width / n_columns
    later: dict[str, Any] = dict(facecolor=PAPER, edgecolor=FAINT, hatch="///", linewidth=0)
    below = box.y + row * (step + 1)
    page.add_patch(Rectangle((box.x, below), box.width, box.y + box.height - below, **later))
    for i in range(step + 1) if kind == "decoder" else ():  # nor has a step seen what was written after it
        right = box.x + column * (i + 1)
        page.add_patch(Rectangle((right, box.y + row * i), box.x + box.width - right, row, **later))
    corner = box.x, box.y + row * step
    page.add_patch(
        Rectangle(corner, box.width, row, fill=False, edgecolor=NOW, linewidth=thickness, zorder=4)
    )


def _name_rows_and_columns(page: Axes, box: _Box, rows: Sequence[str], maps: LayerMaps, step: int) -> None:
    """Name the words of a map, and say what they are; the row of the step in bold, later ones pale."""
    follows = maps.kind != "encoder"
    down, across = AXES[maps.kind]
    masked = " or masked" if maps.kind == "decoder" else ""
    told = (
        f"Framed: the row of step {step}. Hatched: still to come{masked}."
        if follows
        else "Read before step 0: no row belongs to a step."
    )
    _write(page, LEFT, box.y - 0.17, told, fontsize=10, color=QUIET)
    row, column = box.height / len(rows), box.width / len(maps.columns)
    for i, word in enumerate(rows):
        look = dict(color=QUIET if follows and i > step else INK, fontsize=10 if row > 0.2 else 8)
        weight = "bold" if follows and i == step else "normal"
        _write(page, box.x - 0.07, box.y + row * (i + 0.5), word, ha="right", fontweight=weight, **look)
    upright = column < 0.28
    for j, word in enumerate(maps.columns):
        look = dict(rotation=90 if upright else 40, fontsize=10 if upright else 9, rotation_mode="anchor")
        look["color"] = QUIET if maps.kind == "decoder" and j > step else INK
        look["va"] = "center" if upright else "top"
        _write(page, box.x + column * (j + 0.5), box.y + box.height + 0.07, word, ha="right", **look)
    bottom = box.y + box.height + _room_below(maps.columns)
    _write(page, box.x + box.width / 2, bottom, across, ha="center", color=QUIET, fontsize=10)
    _write(
        page, LEFT + 0.05, box.y + box.height / 2, down, ha="center", color=QUIET, fontsize=10, rotation=90
    )


def _number_row(page: Axes, box: _Box, weights: NDArray[Any], step: int, n_rows: int) -> None:
    """Write the numbers of the row of the step into it, where there is room."""
    column, y = box.width / len(weights), box.y + box.height / n_rows * (step + 0.5)
    if column < 0.3:
        return
    for j, weight in enumerate(weights):
        if weight >= 0.005:  # zero is paper
            ink = ink_on(WEIGHT, weight)
            _write(page, box.x + column * (j + 0.5), y, number(weight), ha="center", fontsize=10, color=ink)


def _paint_likeliest(page: Axes, step: DecodingStep, top: float) -> None:
    """Paint a bar for each of the likeliest tokens, with a thick edge for the one taken, and one for the rest."""
    _write(page, RIGHT, top + 0.3, f"Step {step.step}: what may come next", fontsize=12)
    _write(page, RIGHT, top + 0.53, "Bold, with a thick edge: what is taken.", fontsize=10, color=QUIET)
    names = [*step.likeliest, f"{step.n_others} others"]
    if step.step in step.changed:
        names[step.taken] = f"{STAR} {names[step.taken]}"
    left, full = RIGHT + 1.1, END - RIGHT - 1.8  # inches, where the bars begin and how long one of 100% is
    for i, (name, share) in enumerate(zip(names, [*step.probabilities, _rest(step)], strict=True)):
        y, weight = top + 0.83 + BAR * i, "bold" if i == step.taken else "normal"
        look: dict[str, Any] = dict(facecolor=COLOURS[0])
        if i == step.taken:
            look.update(edgecolor=NOW, linewidth=2.2)
        elif i == len(step.likeliest):
            look.update(facecolor=PAPER, edgecolor=FAINT, hatch="///")
        page.add_patch(Rectangle((left, y - 0.35 * BAR), full * share, 0.7 * BAR, **look))
        _write(page, left - 0.07, y, name, ha="right", fontsize=10, fontweight=weight)
        _write(page, END, y, percent(share), ha="right", fontsize=10, fontweight=weight)
    page.plot([left, left], [top + 0.69, top + 0.83 + BAR * (len(names) - 0.5)], color=FAINT, linewidth=0.8)


def _paint_all(page: Axes, weights: NDArray[Any], maps: LayerMaps, head: int, step: int, top: float) -> None:
    """Paint all heads of the layer, a thick edge round the one that is drawn large, and the colours' key."""
    _write(page, RIGHT, top + 0.3, f"All heads of layer {maps.layer}", fontsize=12)
    side = int(np.ceil(len(weights) ** 0.5))
    wide, tall = (END - RIGHT + 0.12) / side, 1.55 / side
    for h, weight in enumerate(weights):
        x, y = RIGHT + wide * (h % side), top + 0.45 + tall * (h // side)
        box = _Box(x, y + 0.18, wide - 0.12, tall - 0.24)
        chosen = h == head
        _write(page, x, y + 0.09, f"head {h}", fontsize=10, fontweight="bold" if chosen else "normal")
        _paint_map(page, weight, box, maps.kind, step, 1.2)
        edge = Rectangle(
            box[:2], box.width, box.height, fill=False, edgecolor=INK, linewidth=2.4 if chosen else 0
        )
        page.add_patch(edge)
    y = top + 2.12
    extent = (RIGHT, RIGHT + 1.2, y + 0.05, y - 0.05)
    paint_shares(page, np.linspace(0, 1, 64)[None], WEIGHT, extent=extent, aspect="auto")
    page.add_patch(Rectangle((RIGHT, y - 0.05), 1.2, 0.1, fill=False, edgecolor=EDGE, linewidth=0.8))
    _write(page, RIGHT + 1.3, y, "weight, from 0 to 1", fontsize=10, color=QUIET)


def _rest(step: DecodingStep) -> float:
    return max(0.0, 1 - float(sum(step.probabilities)))


def _tell_lines(lines: Mapping[str, str], step: DecodingStep) -> str:
    told = [f"{label}: {text}" for label, text in lines.items()]
    if step.changed:
        stars = ", ".join(f"'{step.tokens[i]}' at step {i}" for i in sorted(step.changed))
        told.append(f"Not the model's own choice: {stars}")
    return "".join(map(sentence, told)).strip()


def _tell_likeliest(step: DecodingStep) -> str:
    written = f"'{' '.join(step.tokens[: step.step])}'" if step.step else "nothing"
    told = [f"'{token}' {percent(p)}" for token, p in zip(step.likeliest, step.probabilities, strict=True)]
    told[step.taken] += " (taken)"
    return (
        f"Step {step.step}, written: {written}. Likeliest next: {', '.join(told)}; "
        f"{step.n_others} others share {percent(_rest(step))}."
    )


def _tell_head(weights: NDArray[Any], maps: LayerMaps, head: int, step: DecodingStep) -> str:
    """Say where the row of the step looks, or, of the encoder, where each row looks most."""
    told = f"{TITLES[maps.kind]}, layer {maps.layer}, head {head}: "
    if maps.kind == "encoder":
        most = [
            f"'{word}' at '{maps.columns[row.argmax()]}' {number(row.max())}"
            for word, row in zip(maps.columns, weights, strict=True)
        ]
        return f"{told}each row looks most {', '.join(most)}."
    row = weights[step.step]
    order = [j for j in np.argsort(-row, kind="stable")[:MAX_TOLD] if row[j] >= 0.005]
    looks = ", ".join(f"'{maps.columns[j]}' {number(row[j])}" for j in order)
    return f"{told}the row of '{step.tokens[step.step]}' looks at {looks}."
