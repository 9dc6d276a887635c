"""Sound that asks text, with what it matches by; heads that are switched on and off."""

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets  # type: ignore[import-untyped]
import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import functional
from course_lib.chapters.ch05_cross_and_multi_head.figures import alignment, head_sum
from course_lib.figures.interactive import InteractiveFigure, labelled_menu, labelled_slider, labelled_switch
from course_lib.figures.picture import Picture

Contributions = tuple[NDArray[Any], NDArray[Any], float]  # weights (H, n), factors (H,), offset


def alignment_explorer(
    words: Sequence[str],
    sounds: ArrayLike,
    spoken: ArrayLike,
    *,
    word_clock: ArrayLike,
    frame_clock: ArrayLike,
    seed: int = 0,
) -> InteractiveFigure:
    """Let frames look for their words by sound, by the clock or by both, and read off the place in the text.

    Parameters
    ----------
    words : L_words strings
    sounds : array (L_words, bands)
        The sound of each word.
    spoken : array (L_frames,) of whole numbers
        Which word is being said in each frame.
    word_clock, frame_clock : arrays (L_words, 2) and (L_frames, 2)
        Where each word stands in the text and each frame in the utterance.
    seed : int
        Of the noise, and of the order of the text when it is shuffled.

    Raises
    ------
    ValueError
        If the words, sounds, frames and clocks do not fit one another.

    Notes
    -----
    Queries [s·frame, c·clock], keys [sound, clock], with s the weight of the sound and c that of the clock. The
    value of a word is its number in the text as written. When the text is put into another order, sounds and
    values go along; the clock stays, for it tells where a word stands *now*.

    Examples
    --------
    >>> two = {"word_clock": np.eye(2), "frame_clock": np.eye(2)[[0, 0, 1]]}
    >>> figure = alignment_explorer(["the", "the"], [[1.0], [1.0]], [0, 0, 1], **two)
    >>> figure.picture.alt[-85:]
    'place in the text as written: off by 0.5 on average, most in row 0, 0.5 instead of 0.'
    """
    keys, said = np.asarray(sounds, dtype=np.float64), np.asarray(spoken)
    here, now = np.asarray(word_clock, dtype=np.float64), np.asarray(frame_clock, dtype=np.float64)
    if (
        keys.ndim != 2
        or here.shape != (len(keys), 2)
        or now.shape != (len(said), 2)
        or len(words) != len(keys)
    ):
        raise ValueError(
            f"sounds {keys.shape}, word_clock {here.shape}, frame_clock {now.shape} with {len(words)} words "
            f"and {len(said)} frames: expected (L_words, bands), (L_words, 2), (L_frames, 2)"
        )
    rng = np.random.default_rng(seed)
    noise_of_frames = rng.standard_normal((len(said), keys.shape[1]))
    as_written = np.arange(len(words))
    orders = {
        "as written": as_written,
        "backwards": as_written[::-1],
        "shuffled": rng.permutation(len(words)),
    }
    start: dict[str, Any] = {"sound": 2.0, "clock": 0.0, "noise": 0.5, "order": "as written"}
    controls = {
        "sound": labelled_slider("Weight of the sound", start["sound"], 0.0, 4.0, 0.25),
        "clock": labelled_slider("Weight of the clock", start["clock"], 0.0, 24.0, 1.0),
        "noise": labelled_slider("Noise", start["noise"], 0.0, 2.0, 0.25),
        "order": labelled_menu("Order of the text", "Order of the words", orders, start["order"]),
    }

    def draw(sound: float, clock: float, noise: float, order: str) -> Picture:
        chosen = orders[order]
        queries = np.hstack([sound * (keys[said] + noise * noise_of_frames), clock * now])
        output, weights = functional.attention(queries, np.hstack([keys[chosen], here]), chosen[:, None])
        return alignment(
            weights,
            [f"{words[j]} ({j})" for j in chosen],  # with its number in the text as written
            np.argsort(chosen)[said],  # where in this order stands the word that the frame says
            answers=output[:, 0],
            wanted=said,
            answer_label="place in the text as written",
        )

    reset = ipywidgets.Button(description="Reset", tooltip="Put everything back as it was")
    figure = InteractiveFigure(draw, controls, others=[reset])
    reset.on_click(lambda _: figure.set(**start))
    return figure


def head_switches(
    ask: Callable[[str, str], Contributions],
    names: Sequence[str],
    numbers: ArrayLike,
    *,
    first: str,
    second: str,
) -> InteractiveFigure:
    """Switch heads on and off, and watch the answer to *how much more has the first than the second?*

    Parameters
    ----------
    ask : function (first, second) → (weights (H, n), factors (H,), offset)
        What the heads of a model do with the question.
    names : n strings
    numbers : array (n,)
    first, second : names
        The question at the beginning.

    Raises
    ------
    ValueError
        If there is not one number for each name, or a name is unknown.

    Examples
    --------
    >>> def ask(first, second):
    ...     return np.eye(2)[[["a", "b"].index(first), ["a", "b"].index(second)]], np.array([1.0, -1.0]), 0.0
    >>> figure = head_switches(ask, ["a", "b"], [5.0, 3.0], first="a", second="b")
    >>> figure.controls["head_1"].value = False
    >>> figure.picture.alt[-24:]
    'Sum 5; right would be 2.'
    """
    values = np.asarray(numbers, dtype=np.float64)
    if values.shape != (len(names),) or not {first, second} <= set(names):
        raise ValueError(
            f"numbers {values.shape}, first {first!r}, second {second!r}: expected one number for each of "
            f"{len(names)} names, and two of {list(names)}"
        )
    n_heads = len(ask(first, second)[1])
    start: dict[str, Any] = {"first": first, "second": second, **{f"head_{h}": True for h in range(n_heads)}}
    controls: dict[str, ipywidgets.ValueWidget] = {
        role: labelled_menu(label, label, names, start[role])
        for role, label in {"first": "How much warmer in", "second": "than in"}.items()
    }
    for h in range(n_heads):
        controls[f"head_{h}"] = labelled_switch(f"Head {h}", on=True)

    def draw(first: str, second: str, **on: bool) -> Picture:
        weights, factors, offset = ask(first, second)
        target = values[names.index(first)] - values[names.index(second)]
        return head_sum(
            weights,
            names,
            values,
            factors,
            target=float(target),
            asked=(first, second),
            on=list(on.values()),
            offset=offset,
        )

    reset = ipywidgets.Button(description="Reset", tooltip="Put everything back as it was")
    figure = InteractiveFigure(draw, controls, others=[reset])
    reset.on_click(lambda _: figure.set(**start))
    return figure
