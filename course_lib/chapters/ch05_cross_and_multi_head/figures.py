"""Cross-attention between sound and text, and heads that add up."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from course_lib.figures.picture import (
    CARD,
    COLOURS,
    FAINT,
    INK,
    QUIET,
    Picture,
    draw,
    number,
    plain,
    sentence,
)

RIGHT = COLOURS[1]  # the colour of what should be


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
        image = axis.imshow(matrix, cmap="cividis", vmin=0, vmax=brightest, aspect="auto")
        axis.spines[:].set_visible(False)
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
        figure.colorbar(image, ax=axis, label="weight", pad=0.02)
        if title:
            figure.suptitle(plain(title), fontsize=11)
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
    axis.plot(wanted, rows, "s", color=RIGHT, markersize=5.5, markerfacecolor=CARD, label="right answer")
    axis.plot(answers, rows, "o", color=COLOURS[0], markersize=4, label="answer")
    axis.set_xlabel(label)
    axis.tick_params(axis="y", length=0, labelleft=False)
    axis.grid(axis="x", color=FAINT, alpha=0.25)
    axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=9, handletextpad=0.2)


def _tell_answers(answers: NDArray[Any], wanted: NDArray[Any], label: str) -> str:
    off = np.abs(answers - wanted)
    worst = int(off.argmax())
    return (
        f"Beside it, {label or 'the answers'}: off by {number(off.mean())} on average, most in row {worst}, "
        f"{number(answers[worst])} instead of {number(wanted[worst])}."
    )


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

    def paint(figure: Figure) -> str:
        ratios = [1.5] * len(rows) + [2.6]
        *panels, last = figure.subplots(1, len(rows) + 1, width_ratios=ratios)
        told = []
        for h, (axis, row) in enumerate(zip(panels, rows, strict=True)):
            look = COLOURS[0] if switches[h] else "none"
            axis.barh(
                range(len(row)), row, facecolor=look, edgecolor=FAINT, hatch="" if switches[h] else "///"
            )
            heading = f"Head {h}" + ("" if switches[h] else ", off")
            axis.set_title(f"{heading}\nfinds {number(found[h])}\ntimes {number(scale[h])}", fontsize=10)
            axis.set(xlim=(0, 1), xlabel="weight")
            axis.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
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
        return " ".join(told)

    return draw(2.6 + 1.75 * len(rows) + 1.2, 3.2, paint, layout="constrained")


def _paint_sum(axis: Axes, parts: NDArray[Any], offset: float, total: float, target: float) -> None:
    """Stack the contributions one behind the other, each beginning where the one before ends."""
    reached = offset
    for h, part in enumerate(parts):
        axis.barh(h, part, left=reached, facecolor=COLOURS[0], edgecolor=FAINT)
        axis.plot([reached + part] * 2, [h, h + 1], color=QUIET, linewidth=0.8)
        reached += part
    axis.barh(len(parts), total, facecolor=COLOURS[2], edgecolor=FAINT, hatch="...")
    axis.axvline(0, color=INK, linewidth=0.8)
    axis.axvline(target, color=RIGHT, linestyle="--", linewidth=1.6)
    axis.set_yticks(range(len(parts) + 1), [*(f"head {h}" for h in range(len(parts))), "sum"])
    axis.invert_yaxis()
    axis.margins(x=0.15)
    axis.set_title(f"Sum {number(total)}\nright: {number(target)} (dashed)", fontsize=10)
