"""Pictures of the hard test: how models learn, what order costs, what each part is for, positions moved.

Each draws the records that are there. Titles are made from the numbers, so that they are true of whatever is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from course_lib.chapters.ch10_translation.hard_test import (
    ABLATIONS,
    MODELS,
    POSITIONS,
    SEEDS,
    Found,
    curves,
    found,
    shares,
    shifted,
    there,
)
from course_lib.chapters.ch10_translation.order import WITHOUT_ORDER
from course_lib.figures.curves import lines
from course_lib.figures.palette import COLOURS, FAINT, INK, LINE, PAPER, QUIET
from course_lib.figures.picture import (
    NARROW_INCHES,
    Picture,
    draw_wide_and_narrow,
    fitted,
    paint_title,
    plain,
    sentence,
    title_lines,
)

COLOUR = {  # of the palette, throughout the chapter; those that share one differ in dashes
    "transformer": 0,
    "gru-attention": 1,
    "gru": 2,
    "transformer-rotary": 3,
    "transformer-random-starts": 4,
    "transformer-no-positions": 5,
    "transformer-learned": 2,
    "small-transformer": 0,
    "small-gru-attention": 1,
}
LEARNING = ("transformer", "gru-attention", "gru")
ORDER = ("transformer", "gru-attention", "gru", "transformer-rotary", "transformer-no-positions")
CALLED = MODELS | {name: f"Transformer, {what}" for name, what in ABLATIONS.items() if what != "whole"}


def learning(
    results: Path,
    names: Sequence[str] = LEARNING,
    corpus: str = "few",
    *,
    measure: Literal["bleu", "loss"] = "bleu",
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw how good models are on held-out sentences, against how often they have seen the training pairs.

    Parameters
    ----------
    results : Path
        The folder of records.
    names : sequence of str
        Runs without their seed.
    corpus : str
        "few" for 2,000 training pairs, "embedded" for all 20,000.
    measure : {"bleu", "loss"}
        Of the best weights so far; medians of the seeds in a band from the worst to the best.
    title, caption, number : str
        The title says what came out where none is given.

    Raises
    ------
    FileNotFoundError
        If there is no record of any.
    """
    records = there(found(results, names, corpus), corpus)
    passes, series = curves(records, measure)
    words = {"bleu": "BLEU on held-out sentences", "loss": "loss on held-out sentences (nats a token)"}
    last = {name: float(np.median(rows[:, -1])) for name, rows in series.items()}
    ranked = sorted(last, key=lambda name: last[name], reverse=measure == "bleu")
    told = [f"{CALLED[name]} {_short(last[name])}" for name in ranked]
    made = f"Held-out {'BLEU' if measure == 'bleu' else 'loss'} in the end: {', '.join(told)}"
    return lines(
        passes,
        {CALLED[name]: rows for name, rows in _equal(series).items()},
        x_label="passes over the training pairs",
        y_label=words[measure],
        title=title or made,
        colours={CALLED[name]: COLOUR.get(name, 5) for name in series},
        caption=caption,
        number=number,
    )


def _equal(series: Mapping[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    """Leave out what comes before every seed's first look, where a median would mean fewer seeds."""
    return {name: np.where(np.isfinite(rows).all(axis=0), rows, np.nan) for name, rows in series.items()}


def _short(x: float) -> str:
    return f"{x:.0f}" if x >= 10 else f"{x:.2f}"


def _seeds(n: int) -> str:
    return f"{n} seed{'s' * (n != 1)}"


def _range(values: NDArray[np.float64]) -> str:
    """Write the median of shares in per cent, and where the seeds lie."""
    if not len(values):
        return "not measured"
    middle = f"{np.median(values):.1f}\u00a0%"
    return middle if len(values) == 1 else f"{middle} ({values.min():.1f} to {values.max():.1f})"


def seed_dots(
    panels: Mapping[str, Mapping[str, NDArray[np.float64]]],
    *,
    x_label: str,
    levels: Mapping[str, tuple[str, float]] | None = None,
    colours: Mapping[str, int] | None = None,
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw each seed as a dot, a row for each name, and write the median beside it; panels stand side by side.

    Parameters
    ----------
    panels : mapping from the panel's title to its rows, mapping from name to array (n_seeds,)
        All have the same names, in the same order. In per cent; an empty row is said to be missing.
    x_label : str
    levels : mapping from panel to (name, number)
        An upright line to compare with.
    colours : mapping from name to int
        Which colour of the palette a row has; all the first, where not given.
    title, caption, number : str

    Raises
    ------
    ValueError
        If there is no panel, or their names differ.

    Examples
    --------
    >>> seed_dots({"test": {"GRU": np.array([50.0, 60.0, 40.0])}}, x_label="exact (%)").alt.replace("\\xa0", " ")
    'Dots of exact (%), one a seed. test: GRU 50.0 % (40.0 to 60.0).'
    """
    if not panels or len({tuple(rows) for rows in panels.values()}) != 1:
        raise ValueError("panels: expected at least one, all with the same names")
    names = list(next(iter(panels.values())))
    levels = levels or {}

    def paint(figure: Figure, narrow: bool) -> str:
        shape = (len(panels), 1) if narrow else (1, len(panels))
        axes = figure.subplots(*shape, sharey=True, squeeze=False).ravel()
        paint_title(figure, title)
        told = [f"{sentence(title)}Dots of {x_label}, one a seed."]
        for axis, (panel, rows) in zip(axes, panels.items(), strict=True):
            for y, (name, values) in enumerate(rows.items()):
                if not len(values):
                    axis.annotate("not yet measured", (2, y), va="center", fontsize=10, color=QUIET)
                    continue
                colour = COLOURS[(colours or {}).get(name, 0)]
                middle = float(np.median(values))
                axis.plot([values.min(), values.max()], [y, y], color=colour, linewidth=2, alpha=0.5)
                axis.plot(
                    values, np.full(len(values), y), "o", color=colour, markersize=6, alpha=0.8, clip_on=False
                )
                axis.plot([middle, middle], [y - 0.22, y + 0.22], color=INK, linewidth=1.6)
                left = values.max() > 80  # where its number would leave the panel
                axis.annotate(
                    f"{middle:.0f}", (values.min() if left else values.max(), y), va="center", fontsize=10,
                    xytext=(-7 if left else 7, 0), textcoords="offset points", ha="right" if left else "left",
                )  # fmt: skip
            told.append(f"{panel}: {', '.join(f'{name} {_range(values)}' for name, values in rows.items())}.")
            if panel in levels:
                word, level = levels[panel]
                axis.axvline(level, color=QUIET, linestyle=(0, (4, 3)), linewidth=1.2, zorder=1)
                axis.annotate(
                    plain(word),
                    (level, len(names) + 0.05),
                    ha="center",
                    va="bottom",
                    fontsize=10,
                    color=QUIET,
                    bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.5},
                )
                told.append(f"{word}: {level:g}\u00a0%.")
            axis.set_title("\n".join(fitted(panel, NARROW_INCHES if narrow else 2.2)), fontsize=11)
            axis.set(xlim=(-3, 103), ylim=(len(names) + (0.1 if levels else -0.4), -0.6))
            axis.set_yticks(range(len(names)), [plain(name) for name in names])
            axis.tick_params(axis="y", length=0)
            axis.grid(axis="x", color=LINE)
            axis.spines["left"].set_color(FAINT)
        for axis in axes if not narrow else axes[-1:]:
            axis.set_xlabel(x_label)
        return " ".join(told)

    tall = 0.32 * (len(names) + bool(levels) / 2)
    small = len(panels) * (tall + 0.75) + 0.4 + 0.22 * len(title_lines(title, NARROW_INCHES))
    wide = draw_wide_and_narrow(min(9.2, 3.2 + 2.4 * len(panels)), tall + 1.6, small, paint)
    return wide.numbered(number, caption)


def order(
    results: Path,
    names: Sequence[str] = ORDER,
    corpus: str = "few",
    *,
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw what models know of who did what to whom: sentences in twos, the same words in another order.

    Parameters
    ----------
    results, names, corpus, title, caption, number
        As for `learning`.

    Raises
    ------
    FileNotFoundError
        If there is no record of any.
    """
    records = there(found(results, names, corpus), corpus)
    prefers, both = "its own translation is likelier", "both translated exactly"
    panels = {prefers: _rows(records, "prefers"), both: _rows(records, "both")}
    measured = {name: np.median(values) for name, values in panels[both].items() if len(values)}
    made = ""
    if measured:
        best = max(measured, key=lambda name: float(measured[name]))
        made = f"Who did what to whom: {best} gets both sentences in {measured[best]:.0f}\u00a0% of cases"
        blind = CALLED["transformer-no-positions"]
        if blind in measured:
            made += f", without positions {measured[blind]:.0f}\u00a0%"
    return seed_dots(
        panels,
        x_label="share (%)",
        levels={prefers: ("sees no order", 100 * WITHOUT_ORDER["prefers"])},
        colours={CALLED[name]: COLOUR.get(name, 5) for name in records},
        title=title or made,
        caption=caption,
        number=number,
    )


def _rows(records: Found, measure: str, called: Mapping[str, str] = CALLED) -> dict[str, NDArray[np.float64]]:
    return {called[name]: 100 * shares(of_seeds, measure) for name, of_seeds in records.items()}


def ablations(
    results: Path,
    names: Sequence[str] = tuple(ABLATIONS),
    corpus: str = "few",
    *,
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw what a Transformer loses that lacks something: on test sentences, on longer ones, where order counts.

    Parameters
    ----------
    results, names, corpus, title, caption, number
        As for `learning`.

    Raises
    ------
    FileNotFoundError
        If there is no record of any.
    """
    records = there(found(results, names, corpus), corpus)
    parts = {"test": "test sentences", "longer": "longer sentences", "both": "both of the same words"}
    panels = {said: _rows(records, measure, ABLATIONS) for measure, said in parts.items()}
    middle = {name: np.median(values) for name, values in panels["test sentences"].items() if len(values)}
    whole = middle.pop("whole", None)
    made = "What each part is for"
    if whole is not None and middle:
        worst, least = (pick(middle, key=lambda name: float(middle[name])) for pick in (min, max))
        made = (
            f"The whole translates {whole:.0f}\u00a0% of test sentences; {worst}: {middle[worst]:.0f}\u00a0%"
        )
        if least != worst:
            made += f", {least}: {middle[least]:.0f}\u00a0%"
    return seed_dots(
        panels,
        x_label="translated exactly (%)",
        colours={"whole": 1},
        title=title or made,
        caption=caption,
        number=number,
    )


def positions_moved(
    results: Path,
    names: Sequence[str] = tuple(POSITIONS),
    corpus: str = "few",
    *,
    side: Literal["source", "both"] = "source",
    title: str = "",
    caption: str = "",
    number: str = "",
) -> Picture:
    """Draw how many short sentences are still translated exactly when positions begin at another number.

    Every number that is used then has occurred in training.

    Parameters
    ----------
    results, names, corpus, title, caption, number
        As for `learning`.
    side : {"source", "both"}
        Whether the encoder's positions begin there, or the encoder's and the decoder's.

    Raises
    ------
    FileNotFoundError
        If there is no record of any, or none of positions.
    """
    offsets = np.arange(5)
    records = there(found(results, names, corpus), corpus)
    series: dict[str, NDArray[np.float64]] = {}
    for name, of_seeds in records.items():
        rows = 100 * shifted(of_seeds, [(i, i if side == "both" else 0) for i in offsets.tolist()])
        rows = rows[np.isfinite(rows).all(axis=1)]
        if len(rows):
            series[POSITIONS[name]] = rows
    if not series:
        there({name: [] for name in names}, corpus)
    middle = {name: np.median(rows, axis=0) for name, rows in series.items()}
    most = max(middle, key=lambda name: float(middle[name][0] - middle[name][-1]))
    least = min(middle, key=lambda name: float(middle[name][0] - middle[name][-1]))
    moved = "Both sides" if side == "both" else "The source"
    made = f"{moved} counted from 4: {most} falls from {middle[most][0]:.0f}\u00a0% to {middle[most][-1]:.0f}\u00a0%"
    if least != most:
        made += f", {least} from {middle[least][0]:.0f}\u00a0% to {middle[least][-1]:.0f}\u00a0%"
    return lines(
        offsets,
        series,
        x_label="number of the first position" + (", on both sides" if side == "both" else " of the source"),
        y_label="short sentences translated exactly (%)",
        title=title or made,
        colours={POSITIONS[name]: COLOUR.get(name, 5) for name in names},
        caption=caption,
        number=number,
    )


def n_seeds(results: Path, corpus: str = "few", seeds: Sequence[int] = SEEDS) -> dict[str, int]:
    """Return how many records there are of each run of the hard test, for a cell that says what is still missing.

    Examples
    --------
    >>> n_seeds(Path(__file__).parents[3] / "results", "embedded")["gru"]
    3
    """
    return {name: len(records) for name, records in found(results, CALLED, corpus, seeds).items()}
