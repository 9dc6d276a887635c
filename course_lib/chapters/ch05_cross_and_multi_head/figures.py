"""Cross-attention between sound and text, and heads that add up."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.curves import lines
from course_lib.figures.heatmaps import paint_entries, paint_scale
from course_lib.figures.page import PageFigure
from course_lib.figures.palette import COLOURS, FAINT, INK, LINE, OUTPUT, PAPER, QUIET, WEIGHT, ink_on
from course_lib.figures.picture import (
    PIXELS_PER_INCH,
    Picture,
    draw,
    number,
    paint_title,
    plain,
    sentence,
    significant,
    wrapped,
)

RIGHT = INK  # the colour of what should be
LETTERS = 42  # of a title, in a line of a narrow picture


def alignment(
    weights: ArrayLike,
    words: Sequence[str],
    spoken: ArrayLike,
    *,
    asks: Literal["frames", "words"] = "frames",
    answers: ArrayLike | None = None,
    wanted: ArrayLike | None = None,
    answer_label: str = "",
    title: str = "",
) -> Picture:
    """Draw which words the frames of an utterance attend to, or which frames the words attend to.

    A frame surrounds the part of the map where frame and word belong together. Beside the map stands, if given, what
    each query reads out, and what it should.

    Parameters
    ----------
    weights : array (L_frames, L_words), or (L_words, L_frames) where the words ask
        Queries are rows.
    words : L_words strings
        In the order of the map.
    spoken : array (L_frames,) of whole numbers
        Which of the words is being said in each frame.
    asks : "frames" or "words"
        Whose queries they are.
    answers, wanted : arrays with one number for each query
        Both or neither.
    answer_label : str
        What the answers are.

    Raises
    ------
    ValueError
        If the weights do not fit the words and frames, or the answers the queries.

    Examples
    --------
    >>> alignment([[0.9, 0.1], [0.3, 0.7]], ["the", "cat"], [0, 1]).alt[-63:]
    "Frame 1 says word 1 'cat': weight 0.3 on word 0, 0.7 on word 1."
    """
    matrix = np.asarray(weights, dtype=float)
    said = np.asarray(spoken)
    shape = (len(said), len(words)) if asks == "frames" else (len(words), len(said))
    if matrix.shape != shape or not len(said) or not ((said >= 0) & (said < len(words))).all():
        raise ValueError(
            f"weights {matrix.shape}: expected {shape} where the {asks} ask, "
            f"with {len(said)} frames that say words 0 … {len(words) - 1}"
        )
    read = [np.asarray(array, dtype=float) for array in (answers, wanted) if array is not None]
    if len(read) == 1 or any(array.shape != (len(matrix),) for array in read):
        raise ValueError(
            f"answers and wanted: expected both, or neither, with one entry for each of {len(matrix)} rows"
        )
    runs = _runs(said)
    numbered = [f"{word} ({j})" if _repeats(words, word) else word for j, word in enumerate(words)]
    tall = asks == "frames"
    beside = 2.7 if read else 0.0
    width = (0.72 * len(words) + 2.4 if tall else 0.17 * len(said) + 2.6) + beside
    height = min(0.16 * len(said), 5.0) + 1.5 if tall else 0.42 * len(words) + 1.7

    def paint(figure: Figure) -> str:
        if read:
            axis, other = figure.subplots(1, 2, sharey=True, width_ratios=[width - beside - 1.4, beside])
        else:
            axis = figure.subplots()
        # a word shares its weight among many frames, and would be dark on a scale that ends at 1
        brightest = 1.0 if tall else float(matrix.max())
        paint_entries(axis, matrix, (0, brightest))
        axis.spines[:].set(visible=True, color=LINE)
        axis.tick_params(length=0)
        middles = [(start + end) / 2 for start, end, _ in runs]
        of_runs = [f"{numbered[j]}" for _, _, j in runs]
        frames_axis, words_axis = (axis.yaxis, axis.xaxis) if tall else (axis.xaxis, axis.yaxis)
        frames_axis.set_ticks(middles, list(map(plain, of_runs)))
        words_axis.set_ticks(range(len(words)), list(map(plain, numbered)))
        axis.tick_params(axis="x", labelrotation=35)
        for label in axis.get_xticklabels():
            label.set(horizontalalignment="right", rotation_mode="anchor")
        names = ["frames, by the word they say", "words of the text"]
        axis.set(ylabel=f"queries: {names[not tall]}", xlabel=f"keys: {names[tall]}")
        for start, end, j in runs:
            corner, size = (start - 0.5, j - 0.5), (end - start + 1, 1)
            axis.add_patch(
                Rectangle(
                    corner[::-1] if tall else corner,
                    *(size[::-1] if tall else size),
                    fill=False,
                    edgecolor=RIGHT,
                    linewidth=1.8,
                    zorder=3,
                    clip_on=False,
                )
            )
        told = [
            f"{sentence(title)}Attention weights; rows: {len(matrix)} {asks}, columns: "
            f"{matrix.shape[1]} {'words' if tall else 'frames'}."
        ]
        told += _tell_alignment(matrix, words, runs, tall)
        if read:
            _paint_answers(other, read[0], read[1], answer_label)
            told.append(_tell_answers(read[0], read[1], answer_label))
        paint_scale(other if read else axis, (0, brightest), "weight")
        if title:
            figure.suptitle(plain(title), fontsize=12)
        return " ".join(told)

    return draw(width, height, paint, layout="constrained")


def _runs(spoken: NDArray[Any]) -> list[tuple[int, int, int]]:
    """Return (first frame, last frame, word) for each stretch of frames that say the same word."""
    starts = np.flatnonzero(np.diff(spoken, prepend=-1))
    ends = [*(starts[1:] - 1), len(spoken) - 1]
    return [(int(start), int(end), int(spoken[start])) for start, end in zip(starts, ends, strict=True)]


def _repeats(words: Sequence[str], word: str) -> bool:
    return [other.lower() for other in words].count(word.lower()) > 1


def _tell_alignment(
    matrix: NDArray[Any], words: Sequence[str], runs: list[tuple[int, int, int]], tall: bool
) -> list[str]:
    """Say where the weight lies: for each stretch of frames, or for each word; parts below 0.1 are left out."""
    told = []
    if tall:
        for start, end, j in runs:
            frames = f"Frame {start} says" if start == end else f"Frames {start}–{end} say"
            shares = matrix[start : end + 1].mean(axis=0)
            parts = [f"{number(w)} on word {i}" for i, w in enumerate(shares) if w >= 0.095]
            told.append(f"{frames} word {j} '{words[j]}': weight {', '.join(parts) or 'spread thinly'}.")
    else:
        for i, word in enumerate(words):
            shares = np.array([matrix[i, start : end + 1].sum() for start, end, _ in runs])
            parts = [
                f"{number(w)} on frames {start}–{end}"
                for (start, end, _), w in zip(runs, shares, strict=True)
                if w >= 0.095
            ]
            told.append(f"Word {i} '{word}': weight {', '.join(parts) or 'spread thinly'}.")
    return told


def _paint_answers(axis: Axes, answers: NDArray[Any], wanted: NDArray[Any], label: str) -> None:
    rows = np.arange(len(answers))
    axis.hlines(rows, wanted, answers, colors=FAINT, linewidths=0.8, zorder=1)
    axis.plot(wanted, rows, "s", color=RIGHT, markersize=5.5, markerfacecolor=PAPER, label="right answer")
    axis.plot(answers, rows, "o", color=COLOURS[0], markersize=4, label="answer")
    axis.set_xlabel(label)
    axis.tick_params(axis="y", length=0, labelleft=False)
    axis.grid(axis="x", color=FAINT, alpha=0.25)
    axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=10, handletextpad=0.2)


def _tell_answers(answers: NDArray[Any], wanted: NDArray[Any], label: str) -> str:
    off = np.abs(answers - wanted)
    worst = int(off.argmax())
    return (
        f"Beside it, {label or 'the answers'}: off by {number(off.mean())} on average, most in row {worst}, "
        f"{number(answers[worst])} instead of {number(wanted[worst])}."
    )


def alignment_in_time(
    words: Sequence[str],
    sounds: ArrayLike,
    frames: ArrayLike,
    spoken: ArrayLike,
    *,
    word_clock: ArrayLike | None = None,
    frame_clock: ArrayLike | None = None,
    sharpness: float = 2.0,
    clock_sharpness: float = 12.0,
    frame_seconds: float = 0.1,
    caption: str = "",
    number: str = "",
) -> PageFigure:
    """Let frames of a sound that can be heard ask the words of a text, or the words the frames.

    Parameters
    ----------
    words : L_words strings
    sounds : array (L_words, bands)
        The sound of each word: in each frequency band loud, +1, or soft, −1.
    frames : array (L_frames, bands)
        What is heard.
    spoken : array (L_frames,) of whole numbers
        Which of the words is being said in each frame; attention does not see it. Every word is said.
    word_clock, frame_clock : arrays (L_words, d) and (L_frames, d)
        Both or neither: the position of each, which can be appended.
    sharpness, clock_sharpness : float
        What is multiplied with the sound and the clock of a query.
    frame_seconds : float
        How long a frame lasts.
    caption, number : str
        As for `PageFigure`.

    Raises
    ------
    ValueError
        If the words, sounds, frames and clocks do not fit one another, or a frame does not last.

    Notes
    -----
    Queries are [sharpness·sound, clock_sharpness·clock], keys [sound, clock]. The value of a word is its number, that
    of a frame its time. What the figure computes, shuffles and plays are these numbers, rounded to three decimals.

    Examples
    --------
    >>> figure = alignment_in_time(["The", "the"], [[1.0], [1.0]], [[1.0], [1.0]], [0, 1])
    >>> figure.alt[-54:]
    'Its output is 0.5 (½ × 0 + ½ × 1 = 0.5); right is 1.0.'
    """
    keys, heard, said = np.asarray(sounds, float), np.asarray(frames, float), np.asarray(spoken)
    if keys.ndim != 2 or len(keys) != len(words) or not keys.size:
        raise ValueError(f"sounds {keys.shape}: expected (L_words, bands) with {len(words)} words")
    if heard.ndim != 2 or heard.shape[1] != keys.shape[1] or not len(heard):
        raise ValueError(
            f"frames {heard.shape}: expected (L_frames, {keys.shape[1]}), as sounds {keys.shape}"
        )
    if said.shape != (len(heard),) or set(said.tolist()) != set(range(len(words))):
        raise ValueError(
            f"spoken {said.shape}: expected ({len(heard)},), one of 0 … {len(words) - 1} for each frame, "
            "and each of them"
        )
    if not (np.isfinite(keys).all() and np.isfinite(heard).all()):
        raise ValueError("sounds and frames: expected finite numbers")
    if not frame_seconds > 0:
        raise ValueError(f"frame_seconds {frame_seconds}: expected more than 0")
    props: dict[str, Any] = {
        "words": list(words),
        "sounds": keys.round(3).tolist(),
        "frames": heard.round(3).tolist(),
        "spoken": said.tolist(),
        "seconds": frame_seconds,
        "sharpness": sharpness,
    }
    if word_clock is not None or frame_clock is not None:
        clocks = [
            np.zeros(0) if clock is None else np.asarray(clock, float) for clock in (word_clock, frame_clock)
        ]
        if any(clock.ndim != 2 for clock in clocks) or [clock.shape for clock in clocks] != [
            (n, clocks[0].shape[1]) for n in (len(keys), len(heard))
        ]:
            raise ValueError(
                f"word_clock {clocks[0].shape} and frame_clock {clocks[1].shape}: expected ({len(keys)}, d) "
                f"and ({len(heard)}, d), or neither"
            )
        props["clock"] = {
            "words": clocks[0].round(3).tolist(),
            "frames": clocks[1].round(3).tolist(),
            "sharpness": clock_sharpness,
        }
    return PageFigure("alignment", props, caption=caption, number=number)


def head_sum(
    weights: ArrayLike,
    names: Sequence[str],
    numbers: ArrayLike,
    factors: ArrayLike,
    *,
    target: float,
    asked: Sequence[str] = (),
    on: Sequence[bool] | None = None,
    offset: float = 0.0,
    title: str = "",
) -> Picture:
    """Draw what each head looks at, what it contributes, and the sum: Σ_h factor_h · Σ_j weight_hj · number_j.

    Parameters
    ----------
    weights : array (H, n)
        Each head's weights.
    names : n strings
    numbers : array (n,)
        What is found under each name.
    factors : array (H,)
        What each head's average is multiplied by.
    target : float
        What the sum should be.
    asked : names that are printed in bold
    on : H booleans, optional
        A head that is off contributes nothing.
    offset : float
        Added to the sum, whatever the heads do.
    title : str

    Raises
    ------
    ValueError
        If the shapes do not fit together.

    Examples
    --------
    >>> head_sum([[1, 0], [0, 1]], ["Paris", "Oslo"], [5, -4], [1, -1], target=9).alt[55:]
    "Head 1: weight 1 on 'Oslo', finds −4; times −1 gives 4. Sum 9; right would be 9."
    """
    rows = np.atleast_2d(np.asarray(weights, dtype=float))
    values, scale = np.asarray(numbers, dtype=float), np.asarray(factors, dtype=float)
    switches = np.ones(len(rows), dtype=bool) if on is None else np.asarray(on, dtype=bool)
    if (
        rows.shape[1:] != values.shape
        or len(names) != len(values)
        or not len(rows) == len(scale) == len(switches)
    ):
        raise ValueError(
            f"weights {rows.shape}, numbers {values.shape} with {len(names)} names, factors {scale.shape}, "
            f"on {switches.shape}: expected (H, n), (n,) with n names, (H,) and (H,)"
        )
    found = rows @ values
    parts = np.where(switches, scale * found, 0.0)
    total = float(parts.sum()) + offset

    def paint(figure: Figure, narrow: bool = False) -> str:
        if narrow:  # the sum under the heads
            grid = figure.add_gridspec(2, len(rows), height_ratios=[2.4, 1.6])
            panels = [figure.add_subplot(grid[0, h]) for h in range(len(rows))]
            last = figure.add_subplot(grid[1, :])
        else:
            ratios = [1.5] * len(rows) + [2.6]
            *panels, last = figure.subplots(1, len(rows) + 1, width_ratios=ratios)
        told = [sentence(title).strip()] if title else []
        for h, (axis, row) in enumerate(zip(panels, rows, strict=True)):
            look = WEIGHT if switches[h] else "none"
            axis.barh(
                range(len(row)), row, facecolor=look, edgecolor=FAINT, hatch="" if switches[h] else "///"
            )
            heading = f"Head {h}" + ("" if switches[h] else ", off")
            said = f"{heading}\nfinds {number(found[h])}\ntimes {number(scale[h])}"
            axis.set_title(said, fontsize=10, color=COLOURS[h % len(COLOURS)])
            axis.set(xlim=(0, 1), xlabel="weight")
            axis.set_xticks([0, 1], ["0", "1"])
            left, right = axis.get_xticklabels()  # the 1 of a panel must not meet the 0 of the next
            left.set_horizontalalignment("left")
            right.set_horizontalalignment("right")
            axis.set_yticks(range(len(row)), [""] * len(row))
            axis.invert_yaxis()
            best = int(row.argmax())
            ends = f"times {number(scale[h])} gives {number(parts[h])}" if switches[h] else "switched off"
            told.append(
                f"Head {h}: weight {number(row[best])} on '{names[best]}', finds {number(found[h])}; {ends}."
            )
        lines = [f"{name}  {number(x)}" for name, x in zip(names, values, strict=True)]
        panels[0].set_yticks(range(len(lines)), list(map(plain, lines)))
        for name, label in zip(names, panels[0].get_yticklabels(), strict=True):
            label.set_fontweight("bold" if name in asked else "normal")
        _paint_sum(last, parts, offset, total, target)
        told.append(f"Sum {number(total)}; right would be {number(target)}.")
        paint_title(figure, "\n".join(wrapped(title, LETTERS)) if narrow else title)
        return " ".join(told)

    small = draw(3.54, 5.4, lambda figure: paint(figure, narrow=True), layout="constrained")
    return replace(draw(2.6 + 1.75 * len(rows) + 1.2, 3.4, paint, layout="constrained"), narrow=small)


def _paint_sum(axis: Axes, parts: NDArray[Any], offset: float, total: float, target: float) -> None:
    """Stack the contributions one behind the other, in their heads' colours, each where the one before ends."""
    reached = offset
    for h, part in enumerate(parts):
        axis.barh(h, part, left=reached, facecolor=COLOURS[h % len(COLOURS)], edgecolor=FAINT)
        axis.plot([reached + part] * 2, [h, h + 1], color=QUIET, linewidth=0.8)
        reached += part
    axis.barh(len(parts), total, facecolor=QUIET, edgecolor=FAINT)
    axis.axvline(0, color=INK, linewidth=0.8)
    axis.axvline(target, color=RIGHT, linestyle="--", linewidth=1.6)
    axis.set_yticks(range(len(parts) + 1), [*(f"head {h}" for h in range(len(parts))), "sum"])
    axis.invert_yaxis()
    axis.margins(x=0.15)
    axis.set_title(f"Sum {number(total)}\nright: {number(target)} (dashed)", fontsize=10)


def loss_curves(
    losses: Mapping[str, ArrayLike],
    *,
    y_label: str,
    title: str,
    levels: Mapping[str, float] | None = None,
    over: int = 10,
    every: int = 1,
) -> Picture:
    """Draw how losses fall, each point the mean of `over` steps.

    Parameters
    ----------
    losses : mapping from name to array (n_steps,) or (n_runs, n_steps)
        All as long, and at least `over` entries.
    y_label, title : str
    levels : mapping from name to number
    over : int
    every : int
        How many steps lie between two entries.

    Raises
    ------
    ValueError
        If there are fewer entries than `over`.

    Examples
    --------
    >>> loss_curves({"a run": [3, 1, 1, 0]}, y_label="loss", title="It falls", over=2).alt
    'It falls. Curves of loss against step. a run: from 2 at 2 to 0.5 at 4.'
    """
    curves = {name: np.asarray(y, dtype=float) for name, y in losses.items()}
    n = min(y.shape[-1] for y in curves.values()) // over
    if not n:
        raise ValueError(f"over is {over}: expected no more than the number of steps")
    means = {name: y[..., : n * over].reshape(*y.shape[:-1], n, over).mean(-1) for name, y in curves.items()}
    x = every * over * np.arange(1, n + 1)
    return lines(x, means, x_label="step", y_label=y_label, title=title, levels=levels)


SIGN_DECIDES = "The sign of its factor decides whether turning a head leads up or down"


def ways_out(
    turning: Mapping[str, ArrayLike],
    trained: Mapping[str, ArrayLike],
    *,
    every: int,
    title: str = SIGN_DECIDES,
    floor: float = 1.0,
) -> Picture:
    """Draw the error while a head is turned without training, and beside it what training does, without turning.

    Parameters
    ----------
    turning : mapping from name to array (n,)
        On the way from 0 to a full turn; each as long as it likes.
    trained : mapping from name to array (n,)
        Before training and after `every`, 2·`every`, … steps.
    every : int
    title : str
    floor : float
        The least error of one head.

    Raises
    ------
    ValueError
        If there are fewer than two errors on a path.

    Examples
    --------
    >>> ways_out({"+": [1, 2]}, {"−": [1, 0.5, 0]}, every=10, title="A way out", floor=1).alt
    'A way out. Squared error. Head turned, without training: + from 1 to 2. Trained: − from 1 to 0 after 20 steps.'
    """
    panels = [{name: np.asarray(y, dtype=float) for name, y in paths.items()} for paths in (turning, trained)]
    for path in (y for paths in panels for y in paths.values()):
        if path.ndim != 1 or len(path) < 2:
            raise ValueError(f"errors {path.shape}: expected (n,) with two or more")

    def paint(figure: Figure, narrow: bool = False) -> str:
        axes = figure.subplots(2, 1, sharey=True) if narrow else figure.subplots(1, 2, sharey=True)
        names = list(dict.fromkeys(name for paths in panels for name in paths))
        for axis, paths in zip(axes, panels, strict=True):
            turns = axis is axes[0]
            for name, y in paths.items():
                colour = COLOURS[names.index(name)]
                x = np.linspace(0, 1, len(y)) if turns else every * np.arange(len(y))
                axis.plot(x, y, color=colour)
                axis.annotate(
                    plain(name.replace("-", "−")),
                    (x[-1], y[-1]),
                    xytext=(5, 0) if turns else (-4, 6),
                    textcoords="offset points",
                    ha="left" if turns else "right",
                    va="center" if turns else "bottom",
                    color=colour,
                )
            reach = [-0.05, 1] if turns else [0, x[-1]]
            axis.plot(reach, [floor, floor], color=QUIET, linestyle=(0, (4, 3)), linewidth=1.2, zorder=1)
            axis.grid(color=LINE)
        axes[0].set(xlim=(-0.05, 1.5), ylim=(-0.1, 0.2 + max(float(y.max()) for y in panels[0].values())))
        axes[0].set(xlabel="how far the head’s queries are turned")
        axes[0].set_xticks([0, 0.5, 1], ["not", "half", "fully"])
        axes[1].set(xlabel="steps of training, head not turned")
        axes[1].tick_params(labelleft=True)
        for axis in axes:
            axis.set(ylabel="squared error")
        paint_title(figure, "\n".join(wrapped(title, LETTERS)) if narrow else title)
        ways = [f"{name} from {number(y[0])} to {number(y[-1])}" for name, y in panels[0].items()]
        told = [
            f"{name} from {number(y[0])} to {number(y[-1])} after {every * (len(y) - 1)} steps"
            for name, y in panels[1].items()
        ]
        return (
            f"{sentence(title)}Squared error. Head turned, without training: {', '.join(ways)}. "
            f"Trained: {', '.join(told)}."
        )

    small = draw(3.54, 5.6, lambda figure: paint(figure, narrow=True), layout="constrained")
    return replace(draw(7.2, 3.4, paint, layout="constrained"), narrow=small)


def seeds_strip(
    errors: Mapping[str, ArrayLike], *, steps: Sequence[int], title: str, success: float = 0.1
) -> Picture:
    """Draw a dot for each seed, to the left where it has succeeded and to the right where it is stuck.

    Parameters
    ----------
    errors : mapping from name to array (2, n_seeds)
        After few steps and after many; the dots are the latter.
    steps : two int
    title : str
    success : float
        An error below it counts as a success.

    Raises
    ------
    ValueError
        If a kind has not two rows of errors.

    Examples
    --------
    >>> seeds_strip({"two heads": [[1, 0.2], [1, 0]]}, steps=[3, 9], title="Both").alt
    'Both. two heads: 1 of 2 seeds succeed after 9 steps (0 after 3 steps); the others have errors from 1 to 1.'
    """
    rows = {name: np.asarray(e, dtype=float) for name, e in errors.items()}
    if any(e.ndim != 2 or len(e) != 2 for e in rows.values()):
        raise ValueError(f"errors {[e.shape for e in rows.values()]}: expected (2, n_seeds) for each")
    stuck_at = [float(error) for e in rows.values() for error in e[1] if error >= success]
    span = f"{min(stuck_at):.2f} to {max(stuck_at):.2f}" if stuck_at else ""

    def paint(figure: Figure, narrow: bool = False) -> str:
        wide, each, (solved_at, stuck_at_x) = (340, 94, (0, 176)) if narrow else (560, 74, (150, 370))
        heading = wrapped(title, LETTERS) if narrow else [title]
        top = -20 * (len(heading) - 1)
        above = 20 if narrow else 0  # the name stands over the dots, not beside them
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, wide), ylim=(each * len(rows) + 66, top))
        axis.set_axis_off()
        axis.text(0, top + 4, plain("\n".join(heading)), fontweight="bold", fontsize=12, va="top")
        axis.text(solved_at, 46, f"solved: error below {success}", va="center", color=QUIET)
        axis.text(stuck_at_x, 46, f"stuck: {span}" if span else "stuck", va="center", color=QUIET)
        told = [title]
        for i, (name, e) in enumerate(rows.items()):
            y, n = each * i + 66 + above, e.shape[1]
            late, early = int((e[1] < success).sum()), int((e[0] < success).sum())
            axis.text(0, y - 8 if narrow else y + 24, plain(name), va="center")
            for left, count, filled in ((solved_at, late, True), (stuck_at_x, n - late, False)):
                at = np.arange(count)
                look: dict[str, Any] = {
                    "markersize": 8,
                    "markeredgecolor": COLOURS[0],
                    "markeredgewidth": 1.4,
                }
                face = COLOURS[0] if filled else PAPER
                axis.plot(
                    left + 6 + 13 * (at % 10), y + 9 + 13 * (at // 10), "o", markerfacecolor=face, **look
                )
                axis.text(left + 138, y + 28, str(count), va="center", fontweight="bold")
            others = e[1][e[1] >= success]
            told.append(
                f"{name}: {late} of {n} seeds succeed after {steps[1]} steps ({early} after {steps[0]} steps)"
                + (
                    f"; the others have errors from {number(others.min())} to {number(others.max())}."
                    if len(others)
                    else "."
                )
            )
        return ". ".join(told[:1]) + ". " + " ".join(told[1:])

    def drawn(wide: int, each: int, narrow: bool) -> Picture:
        n_lines = len(wrapped(title, LETTERS)) if narrow else 1
        size = wide / PIXELS_PER_INCH, (each * len(rows) + 66 + 20 * (n_lines - 1)) / PIXELS_PER_INCH
        return draw(*size, lambda figure: paint(figure, narrow))

    return replace(drawn(560, 74, False), narrow=drawn(340, 94, True))


def splitting(joined: ArrayLike, split: ArrayLike, words: Sequence[str], *, title: str) -> Picture:
    """Draw how the columns of a projection become heads: (L, H·d) on the left, H matrices (L, d) on the right.

    Parameters
    ----------
    joined : array (L, H·d)
    split : array (H, L, d)
        The same numbers.
    words : L strings
    title : str

    Raises
    ------
    ValueError
        If the shapes do not fit together, or `split` does not hold the columns of `joined`, head by head.

    Examples
    --------
    >>> splitting([[1, 2]], [[[1]], [[2]]], ["he"], title="Split").alt
    'Split. A matrix (1, 2) becomes 2 heads (1, 1). Head 0: column 0; head 1: column 1.'
    """
    matrix, heads = np.asarray(joined, dtype=float), np.asarray(split, dtype=float)
    if heads.ndim != 3 or matrix.shape != (len(words), heads.shape[0] * heads.shape[2]):
        raise ValueError(
            f"joined {matrix.shape}, split {heads.shape}, {len(words)} words: expected (L, H·d), (H, L, d), L words"
        )
    if not np.array_equal(np.concatenate([*heads], axis=1), matrix):
        raise ValueError("split: expected the columns of joined, head by head")
    n_heads, length, d = heads.shape
    cell, row, names = 0.44, 0.29, 0.15 + 0.09 * max(map(len, words))

    def paint(figure: Figure, narrow: bool = False) -> str:
        width, height = figure.get_size_inches()
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        axis.set_axis_off()
        axis.text(0.05, 0.2, plain("\n".join(wrapped(title, LETTERS) if narrow else [title])),
                  fontsize=12, fontweight="bold", va="center")  # fmt: skip

        def grid(left: float, top: float, M: NDArray[Any], first: int, heading: str, ink: str) -> None:
            middle = left + cell * M.shape[1] / 2
            axis.text(middle, top - 0.17, heading, ha="center", va="center", color=ink)
            for (r, c), entry in np.ndenumerate(M):
                hue = COLOURS[(first + c) // d % len(COLOURS)]
                box = Rectangle((left + cell * c, top + row * r), cell, row, facecolor=PAPER, edgecolor=FAINT)
                axis.add_patch(box)
                at = left + cell * (c + 0.5), top + row * (r + 0.5)
                written = f"{entry:.2f}".replace("-", "−")
                axis.text(*at, written, ha="center", va="center", fontsize=10, color=hue)
            for r, word in enumerate(words):
                at = left - 0.07, top + row * (r + 0.5)
                axis.text(*at, plain(word), ha="right", va="center", fontsize=10)

        top = 0.85
        grid(names, top, matrix, 0, f"one matrix {matrix.shape}", INK)
        x, y = (names, top + row * length + 0.75) if narrow else (2 * names + cell * n_heads * d + 0.6, top)
        arrow = dict(arrowstyle="-|>", color=QUIET, linewidth=1.2)
        middle = top + row * length / 2
        ends = (
            ((names + cell, top + row * length + 0.1), (names + cell, y - 0.35))
            if narrow
            else ((names + cell * n_heads * d + 0.1, middle), (x - names - 0.05, middle))
        )
        axis.annotate("", xytext=ends[0], xy=ends[1], arrowprops=arrow)
        for h in range(n_heads):
            hue = COLOURS[h % len(COLOURS)]
            grid(x, y, heads[h], h * d, f"head {h} {heads[h].shape}", hue)
            x += cell * d + names + 0.35
        which = [
            f"{'Head' if h == 0 else 'head'} {h}: column{'s' if d > 1 else ''} "
            f"{h * d}{f' to {h * d + d - 1}' if d > 1 else ''}"
            for h in range(n_heads)
        ]
        return (
            f"{sentence(title)}A matrix {matrix.shape} becomes {n_heads} heads {heads[0].shape}. "
            f"{'; '.join(which)}."
        )

    high = row * length
    wide = names + cell * n_heads * d + 0.6 + n_heads * (names + cell * d + 0.35)
    small = draw(3.54, 2 * high + 1.8, lambda figure: paint(figure, narrow=True))
    return replace(draw(wide, high + 1.0, paint), narrow=small)


class Row(NamedTuple):
    """A sentence of `word_rows`: what stands before it, its words, a share for each, and what stands behind it."""

    label: str
    words: Sequence[str]
    shares: ArrayLike
    ending: str = ""


def word_rows(
    *rows: Row, title: str, quantity: str = "weight", hue: Literal["weight", "output"] = "weight"
) -> Picture:
    """Typeset sentences one under the other, each word on as much colour as its share.

    Parameters
    ----------
    rows : Row
        Shares lie between 0 and 1.
    title : str
    quantity : str
        What a share is.
    hue : "weight" or "output"

    Raises
    ------
    ValueError
        If there is no row, or a row has not one share for each word.

    Examples
    --------
    >>> word_rows(Row("reader 0", ["he", "stops"], [0.1, 0.9], "present"), title="It reads the verb").alt
    'It reads the verb. Sentences, words by weight. reader 0: he 0.1, stops 0.9; present.'
    """
    shares = [np.asarray(row.shares, dtype=float) for row in rows]
    if not rows or any(len(row.words) != len(s) for row, s in zip(rows, shares, strict=True)):
        raise ValueError(f"rows {[len(row.words) for row in rows]}: expected one share for each word")
    colour = WEIGHT if hue == "weight" else OUTPUT
    widths = [[0.14 + 0.095 * max(len(word), 4) for word in row.words] for row in rows]
    legend = f"The darker, the larger the {quantity}; numbers below 0.01 are left out."
    left = 0.2 + 0.09 * max(len(row.label) for row in rows)
    middle = max(sum(w) + 0.06 * len(w) for w in widths)
    right = 0.2 + 0.09 * max(len(row.ending) for row in rows)
    width, height = max(left + middle + right, 0.072 * len(legend)), 0.62 * len(rows) + 0.78

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axis.set(xlim=(0, width), ylim=(height, 0))
        axis.axis("off")
        axis.text(0.08, 0.26, plain(title), fontsize=12, fontweight="bold", va="center")
        told = [f"{sentence(title)}Sentences, words by {quantity}."]
        for i, (row, share, own) in enumerate(zip(rows, shares, widths, strict=True)):
            y, x = 0.79 + 0.62 * i, left
            axis.text(0.08, y, plain(row.label), va="center", color=QUIET)
            for word, part, wide in zip(row.words, share, own, strict=True):
                box = (x, y - 0.25), wide, 0.5
                axis.add_patch(Rectangle(*box, facecolor=colour, alpha=float(part), linewidth=0))
                axis.add_patch(Rectangle(*box, fill=False, edgecolor=LINE, linewidth=1))
                ink = ink_on(colour, float(part))
                axis.text(x + wide / 2, y - 0.08, plain(word), va="center", ha="center", color=ink)
                if part >= 0.01:
                    told_part = axis.text(x + wide / 2, y + 0.14, f"{part:.2f}", fontsize=10, color=ink)
                    told_part.set(va="center", ha="center")
                x += wide + 0.06
            axis.text(left + middle + 0.08, y, plain(row.ending), va="center", color=INK)
            parts = ", ".join(f"{w} {significant(p)}" for w, p in zip(row.words, share, strict=True))
            told.append(f"{row.label}: {parts}{f'; {row.ending}' if row.ending else ''}.")
        axis.text(0.08, height - 0.2, plain(legend), fontsize=10, color=QUIET, va="center")
        return " ".join(told)

    return draw(width, height, paint)
