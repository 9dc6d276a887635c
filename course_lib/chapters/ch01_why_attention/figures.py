"""What a stack of convolutions sees; what the experiment found; sentences and where their verb looks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from course_lib.chapters.ch01_why_attention import agreement
from course_lib.chapters.ch01_why_attention.agreement import Sentences, Training
from course_lib.chapters.ch01_why_attention.dependency_arcs import paint_words, word_centres
from course_lib.chapters.ch01_why_attention.pair_recall import SIZES, kept
from course_lib.figures.curves import label_ends
from course_lib.figures.palette import COLOURS, FAINT, INK, LINE, PAPER, QUIET
from course_lib.figures.picture import (
    DASHES,
    Picture,
    draw,
    paint_title,
    plain,
    sentence,
    significant,
    title_lines,
)
from course_lib.figures.picture import number as written
from course_lib.figures.sentence import Attended

NETWORKS = {  # which colour of the palette a network has, throughout the chapter
    "convolution": 0,
    "dense": 1,
    "GRU": 2,
    "attention": 3,
    "attention with positions": 4,
    "bag of words": 5,
    "bag": 5,
}
OTHERS = {"RNN": INK, "LSTM": FAINT}  # of networks that are not in the experiment
STEP = 0.46  # inches between two layers
PHONE = 3.54  # inches: the width of a narrow form


def reach(kernel_size: int, n_layers: int, doubling: bool = False) -> int:
    """Return how many positions to either side stacked convolutions see.

    Parameters
    ----------
    kernel_size : int
        Odd: a position sees (kernel_size − 1)/2 positions of the layer below to either side.
    n_layers : int
    doubling : bool
        Whether each layer spreads its kernel over twice as many positions as the one below (dilation 1, 2, 4, …).

    Raises
    ------
    ValueError
        If the kernel size is not odd and positive, or the number of layers negative.

    Notes
    -----
    Formula: (kernel_size − 1)/2 times n_layers, or times 2^n_layers − 1. Source: B 10.1.1.

    Examples
    --------
    >>> reach(5, 1), reach(5, 3), reach(5, 3, doubling=True)
    (2, 6, 14)
    """
    if kernel_size < 1 or kernel_size % 2 == 0 or n_layers < 0:
        raise ValueError(
            f"kernel_size {kernel_size}, n_layers {n_layers}: expected an odd, positive size and no negative number"
        )
    return (kernel_size // 2) * (2**n_layers - 1 if doubling else n_layers)


def receptive_field(
    words: Sequence[str],
    *,
    asking: int,
    wanted: int,
    kernel_size: int,
    n_layers: int,
    doubling: bool = False,
    number: str = "",
    caption: str = "",
) -> Picture:
    """Draw which words a position can see through stacked convolutions, and whether a wanted one is among them.

    Parameters
    ----------
    words : L strings
    asking, wanted : int
        Two positions, counted from 0: whose receptive field is drawn, and which word is looked for.
    kernel_size, n_layers, doubling
        As in `reach`; n_layers is at least 1.
    number, caption : str

    Raises
    ------
    ValueError
        If a position lies outside the sentence, there is no layer, or as `reach` does.

    Notes
    -----
    Source: B 10.1.1 ("stacking multiple layers").

    Examples
    --------
    >>> words = "The hearing on the issue is today".split()
    >>> receptive_field(words, asking=5, wanted=1, kernel_size=5, n_layers=1).alt
    "Receptive field of 'is' (5) through 1 convolution of kernel size 5: positions 3 to 6, 'the' to 'today'. \
'hearing' (1) lies 4 words away, outside: the reach is 2."
    """
    length = len(words)
    if not (0 <= asking < length and 0 <= wanted < length) or n_layers < 1:
        raise ValueError(
            f"asking {asking}, wanted {wanted}, n_layers {n_layers}: expected positions from 0 to {length - 1} "
            "and at least one layer"
        )
    radius = reach(kernel_size, n_layers, doubling)
    seen = _cone(length, asking, kernel_size, n_layers, doubling)
    centres = word_centres(words)
    width = max(centres[-1] + 0.15 + 0.05 * len(words[-1]) + 1.35, 5.2)
    height = 0.75 + STEP * n_layers + 0.5
    found = wanted in seen[0]

    gap = "1 word" if abs(asking - wanted) == 1 else f"{abs(asking - wanted)} words"
    verdict = (
        f"‘{words[asking]}’ {'sees' if found else 'does not see'} ‘{words[wanted]}’: distance "
        f"{abs(asking - wanted)}, reach {radius}"
    )
    low, high = min(seen[0]), max(seen[0])
    many = "convolution" if n_layers == 1 else "convolutions"
    spread = " with doubling dilation" if doubling else ""
    alt = (
        f"Receptive field of '{words[asking]}' ({asking}) through {n_layers} {many} of kernel size "
        f"{kernel_size}{spread}: positions {low} to {high}, '{words[low]}' to '{words[high]}'. "
        f"'{words[wanted]}' ({wanted}) lies {gap} away, {'inside' if found else 'outside'}: the reach is {radius}."
    )
    framed = {asking: COLOURS[0], wanted: COLOURS[1]}

    def frame(colour: str) -> dict[str, Any]:
        return dict(facecolor=PAPER, edgecolor=colour, boxstyle="round,pad=0.12")

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(-0.6, height - 0.6))
        axis.set_axis_off()
        _paint_layers(axis, centres, seen, kernel_size, doubling)
        paint_words(axis, words, centres, size=13)
        for i, colour in framed.items():
            axis.text(
                centres[i], -0.2, plain(words[i]), ha="center", va="center", fontsize=13, color=INK,
                fontweight="bold", bbox=frame(colour),
            )  # fmt: skip
        axis.text(0.02, height - 0.8, plain(verdict), va="center", fontsize=12, color=INK, fontweight="bold")
        return alt

    tall = 0.34 * length + 1.05  # of the form for phones, where the words stand under one another

    def paint_narrow(figure: Figure) -> str:
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, PHONE), ylim=(tall, 0))
        axis.set_axis_off()
        places = [0.95 + 0.34 * i for i in range(length)]
        across = [1.4 + 1.9 * layer / n_layers for layer in range(n_layers + 1)]
        _paint_layers(axis, places, seen, kernel_size, doubling, across=across)
        for i, word in enumerate(words):
            axis.text(
                across[0] - 0.22, places[i], plain(word), ha="right", va="center", fontsize=12, color=INK,
                fontweight="bold" if i in framed else None, bbox=frame(framed[i]) if i in framed else None,
            )  # fmt: skip
        told = "\n".join(title_lines(verdict, PHONE))
        axis.text(0.02, 0.08, plain(told), va="top", fontsize=12, color=INK, fontweight="bold")
        return alt

    small = draw(PHONE, tall, paint_narrow)
    return replace(draw(width, height, paint), narrow=small).numbered(number, caption)


def _offsets(kernel_size: int, layer: int, doubling: bool) -> range:
    """Where, relative to its own position, a layer (counted from 1) looks in the one below."""
    step = 2 ** (layer - 1) if doubling else 1
    return range(-(kernel_size // 2) * step, (kernel_size // 2) * step + 1, step)


def _cone(length: int, asking: int, kernel_size: int, n_layers: int, doubling: bool) -> list[set[int]]:
    """Return the positions that count in each layer, the words first."""
    seen = [{asking}]
    for layer in range(n_layers, 0, -1):
        offsets = _offsets(kernel_size, layer, doubling)
        seen.append({i + o for i in seen[-1] for o in offsets if 0 <= i + o < length})
    return seen[::-1]


def _paint_layers(
    axis: Axes,
    places: Sequence[float],
    seen: Sequence[set[int]],
    kernel_size: int,
    doubling: bool,
    *,
    across: Sequence[float] = (),
) -> None:
    """Draw the layers above the words; or, where they have a place `across`, to the right of words that run down."""
    along = np.asarray(places)
    levels = across or [0.1 + STEP * layer for layer in range(len(seen))]

    def point(i: NDArray[Any] | int, layer: int) -> tuple[Any, Any]:
        level = np.full(np.shape(i), levels[layer])
        return (level, along[i]) if across else (along[i], level)

    for layer in range(1, len(seen)):
        offsets = _offsets(kernel_size, layer, doubling)
        ends = [(i, i + o) for i in seen[layer] for o in offsets if i + o in seen[layer - 1]]
        edges = [(point(above, layer), point(below, layer - 1)) for above, below in ends]
        axis.add_collection(LineCollection(edges, colors=COLOURS[0], linewidths=0.8, alpha=0.55))
    everywhere = np.arange(len(along))
    for layer, positions in enumerate(seen):
        inside = np.isin(everywhere, list(positions))
        outside = point(everywhere[~inside], layer)
        axis.plot(*outside, "o", markersize=4.5, color=FAINT, fillstyle="none")
        axis.plot(*point(everywhere[inside], layer), "o", markersize=5.5, color=COLOURS[0])
        name = "words" if layer == 0 else f"layer {layer}"
        if not across:
            axis.text(along[-1] + 0.45, levels[layer], name, va="center", fontsize=13, color=INK)
        elif layer:
            axis.text(levels[layer], along[0] - 0.2, name, ha="center", fontsize=10, color=INK)


def colours(names: Iterable[str]) -> dict[str, int]:
    """Return which colour of the palette each curve has, by the network that its name begins with.

    >>> colours(["GRU, state of 4", "bag of words"])
    {'GRU, state of 4': 2, 'bag of words': 5}
    """
    return {name: NETWORKS[name.split(",")[0]] for name in names}


PHRASES = ("near the lamp", "with the bell", "behind the hearing", "under the cup", "near the trial")
Trainings = Mapping[str, Sequence[Training]]
PANELS = ("bag of words", "attention", "attention with positions", "GRU", "dense", "convolution")


@torch.no_grad()
def attended(reader: agreement.AttentionReader, text: str, name: str = "") -> Attended:
    """Let a reader read a sentence, such as `"the cats near the lamp asleep"`: what it says, and where its verb looks.

    Raises
    ------
    ValueError
        If there is a word that it does not know, or not one verb.

    Examples
    --------
    >>> attended(agreement.AttentionReader(), "the cat asleep").words[:2]
    ['the', 'cat']
    """
    words = text.split()
    unknown = [word for word in words if word not in agreement.VOCABULARY]
    verbs = [i for i, word in enumerate(words) if word in agreement.VERBS]
    if unknown or len(verbs) != 1:
        raise ValueError(f"{text!r}: expected one of {agreement.VERBS}, and no unknown word ({unknown})")
    ids, verb = torch.tensor([[agreement.VOCABULARY.index(word) for word in words]]), torch.tensor(verbs)
    weights = reader.attend(ids, verb)[1][0].numpy()
    says = agreement.ANSWERS[int(reader(ids, verb).argmax())]
    words[verbs[0]] = f"{says} {words[verbs[0]]}"
    return Attended(words, {verbs[0]: weights}, verbs[0], name)


def longer_and_longer(reader: agreement.AttentionReader, subject: str, verb: str) -> list[Attended]:
    """Let more and more phrases come between a subject and its verb.

    Examples
    --------
    >>> [found.name for found in longer_and_longer(agreement.AttentionReader(), "the cats", "asleep")][:2]
    ['0 words', '3 words']
    """
    return [
        attended(reader, " ".join([subject, *PHRASES[:n], verb]), f"{3 * n} words")
        for n in range(len(PHRASES) + 1)
    ]


def at_stop(trainings: Sequence[Training]) -> dict[int, NDArray[np.float64]]:
    """Return for each number of sentences the accuracies at short and long distances, (n_seeds, 2)."""
    sizes = sorted({training.n_sentences for training in trainings})
    return {n: np.array([each.at_stop() for each in trainings if each.n_sentences == n]) for n in sizes}


def reached(gradient: Tensor, sentences: Sentences, *, title: str = "") -> Picture:
    """Draw which weights of a dense layer over positions get a gradient, and which meet a verb and its subject.

    Parameters
    ----------
    gradient : tensor (L, L)
        Of the weights, outputs by inputs.
    sentences : Sentences
        What it was computed from.
    """
    got = gradient.numpy() != 0
    met = np.zeros_like(got)
    met[sentences.verbs.numpy(), (sentences.verbs - sentences.distances).numpy()] = True
    length = len(got)

    def paint(figure: Figure) -> str:
        axis = figure.subplots()
        for where, colour, alpha in ((got & ~met, COLOURS[1], 0.3), (met, COLOURS[1], 1.0)):
            y, x = np.nonzero(where)
            axis.scatter(x, y, s=68, marker="s", color=colour, alpha=alpha, linewidths=0)
        y, x = np.nonzero(~got)
        axis.scatter(x, y, s=5, marker="o", color=FAINT, linewidths=0)
        axis.set(xlim=(-0.7, length - 0.3), ylim=(length - 0.3, -0.7), aspect="equal")
        axis.set_xticks(range(0, length, 5))
        axis.set_yticks(range(0, length, 5))
        axis.set(xlabel="position of a word", ylabel="position of the verb")
        rows, columns = (np.flatnonzero(got.any(axis=i)) for i in (1, 0))
        names = (
            ("verb and subject", COLOURS[1], 1.0, "s", 8),
            ("verb and another word", COLOURS[1], 0.3, "s", 8),
            ("no gradient", FAINT, 1.0, "o", 3),
        )
        for name, colour, alpha, marker, size in names:
            axis.plot([], [], marker, color=colour, alpha=alpha, label=name, markersize=size)
        axis.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0))
        figure.suptitle(title, fontsize=12)
        return (
            f"{sentence(title)}A grid of {length} × {length} weights, position of the verb by position of a word. "
            f"{int(got.sum())} get a gradient, in the rows {rows[0]} to {rows[-1]} and the columns {columns[0]} to "
            f"{columns[-1]}; {int(met.sum())} of them meet a verb and its subject; {int((~got).sum())} get none."
        )

    return draw(6.6, 4.4, paint, layout="constrained")


def gradients(
    back: Sequence[int],
    shares: Mapping[str, ArrayLike],
    *,
    title: str = "",
    number: str = "",
    caption: str = "",
) -> Picture:
    """Draw which share of the last word's gradient reaches a word some words back, for each network.

    Parameters
    ----------
    back : n ints
    shares : mapping from name to array (n_seeds, n)
        The name begins with that of the network, which decides on the colour. Of several with one colour, the first
        is drawn solid and the others dashed.
    title, number, caption : str

    Examples
    --------
    >>> gradients([0, 40], {"RNN": [[1.0, 1e-13]]}, title="Nothing arrives").alt
    'Nothing arrives. Share of the gradient that arrives. RNN (median of 1 seed): 1 at 0 words back, 1e−13 at 40.'
    """

    def paint(figure: Figure, narrow: bool = False) -> str:
        axis = figure.subplots()
        paint_title(figure, title)
        told, ends, used = [f"{sentence(title)}Share of the gradient that arrives."], {}, set()
        for name, runs in shares.items():
            y = np.median(np.atleast_2d(runs), axis=0)
            network = name.split(",")[0]
            colour = OTHERS.get(network) or COLOURS[NETWORKS[network]]
            dash = "--" if colour in used else "-"
            axis.plot(back, y, dash, marker="o", markersize=4, color=colour, label=name)
            axis.fill_between(
                back, np.min(runs, axis=0), np.max(runs, axis=0), color=colour, alpha=0.15, lw=0
            )
            used.add(colour)
            ends[name] = float(y[-1]), colour
            points = ", ".join(
                f"{significant(v)} at {k}" for k, v in zip(back, y, strict=True) if k in (0, back[-1])
            )
            n = len(np.atleast_2d(runs))
            points = points.replace(" at 0", " at 0 words back", 1)
            told.append(f"{name} (median of {n} seed{'s' if n > 1 else ''}): {points}.")
        axis.set(xlabel="words back", ylabel="share of the gradient", yscale="log")
        axis.grid(color=LINE)
        if narrow:
            figure.legend(loc="outside lower left", ncols=2, labelspacing=0.2, columnspacing=1.0, borderpad=0)
        else:
            label_ends(axis, np.array(back, dtype=float), ends)
        return " ".join(told)

    small = draw(PHONE, 5.0, lambda figure: paint(figure, narrow=True), layout="constrained")
    return replace(draw(7.6, 4.2, paint, layout="constrained"), narrow=small).numbered(number, caption)


def recall(
    recalled: Mapping[str, ArrayLike], *, title: str = "", number: str = "", caption: str = ""
) -> Picture:
    """Draw how much of a list each memory recalls, and how many numbers it keeps, against the number of its pairs.

    Parameters
    ----------
    recalled : mapping from name to array (n_seeds, len(pair_recall.SIZES))
        The names are those of `pair_recall.MEMORIES`; what they begin with decides on the colour.
    title, number, caption : str

    Examples
    --------
    >>> recall({"GRU, state of 4": [[1.0] * len(SIZES)]}).alt
    'Proportion recalled. GRU, state of 4: 1 of 1 pair, 1 of 16; it keeps 4 numbers of 1, 4 of 16.'
    """

    def paint(figure: Figure, narrow: bool = False) -> str:
        axes = figure.subplots(2, 1) if narrow else figure.subplots(1, 2)
        paint_title(figure, title)
        told = [f"{sentence(title)}Proportion recalled."]
        used: list[str] = []
        most = SIZES[-1]
        labels: tuple[dict[float, list[str]], ...] = ({}, {})  # of curves that end together, by their height
        at_the_end = {
            name: float(np.median(np.atleast_2d(runs), axis=0)[-1]) for name, runs in recalled.items()
        }
        growing = [kept(name, most) for name in recalled if kept(name, 1) < kept(name, most)]
        for name, runs in recalled.items():
            y = np.median(np.atleast_2d(runs), axis=0)
            colour = COLOURS[colours([name])[name]]
            look: dict[str, Any] = {"color": colour, "linestyle": DASHES[used.count(colour) % 4]}
            used.append(colour)
            numbers = [kept(name, n) for n in (1, most)]
            axes[0].plot(SIZES, y, marker="o", markersize=4, **look)
            axes[1].plot((1, most), numbers, **look)
            labels[0].setdefault(1.0 if at_the_end[name] > 0.95 else at_the_end[name], []).append(name)
            if numbers[0] < numbers[1]:  # beside its line
                axes[1].annotate(
                    name, (0.62 * most, 0.64 * numbers[1]), ha="right", va="bottom", fontsize=10, color=colour
                )
            else:
                labels[1].setdefault(numbers[1], []).append(name)
            told.append(
                f"{name}: {significant(y[0])} of 1 pair, {significant(y[-1])} of {most}; "
                f"it keeps {numbers[0]} numbers of 1, {numbers[1]} of {most}."
            )
        axes[0].axhline(0.25, color=QUIET, linestyle=(0, (4, 3)), linewidth=1)
        axes[0].annotate("guessing", (1, 0.26), color=QUIET, fontsize=10, va="bottom")
        for height, names in labels[0].items():  # below, where no curve falls
            axes[0].annotate(
                "\n".join(names), (most, height - 0.02), ha="right", va="top", fontsize=10, color=INK
            )
        for height, names in labels[1].items():  # above; at the left where another line ends
            x, side = (1, "left") if height in growing else (most, "right")
            axes[1].annotate("; ".join(names), (x, height + 1), ha=side, va="bottom", fontsize=10, color=INK)
        axes[0].set(title="Proportion recalled", ylim=(0.2, 1.03))
        heights = {kept(name, n) for name in recalled for n in (1, most)}
        axes[1].set(title="Numbers kept", yticks=sorted(heights), ylim=(0, 1.12 * max(heights)))
        for axis in axes:
            axis.set(xlabel="pairs to remember", xticks=[1, 4, 8, 12, most])
            axis.grid(color=LINE)
            axis.title.set_fontsize(11)
        return " ".join(told)

    small = draw(PHONE, 7.0, lambda figure: paint(figure, narrow=True), layout="constrained")
    return replace(draw(8.4, 4.0, paint, layout="constrained"), narrow=small).numbered(number, caption)


def learning(
    losses: Sequence[float],
    looked: Sequence[float],
    *,
    title: str = "",
    number: str = "",
    caption: str = "",
) -> Picture:
    """Draw the loss, and below it the weight on far subjects, step by step."""

    def paint(figure: Figure, narrow: bool = False) -> str:
        upper, lower = figure.subplots(2, 1, sharex=True)
        steps = np.arange(1, len(losses) + 1)
        upper.plot(steps, losses, color=INK, linewidth=1)
        lower.plot(steps, looked, color=COLOURS[NETWORKS["attention"]])
        upper.set(ylabel="loss,\n1–6 words back", ylim=(0, None))
        lower.set(ylabel="weight on subjects\n7–12 words back", ylim=(0, 1), xlabel="step, logarithmic")
        for axis in (upper, lower):
            axis.grid(color=LINE)
        lower.set_xscale("log")  # most happens early
        ticks = [step for step in (1, 3, 10, 30, 100, 300) if step <= len(steps)]
        lower.set_xticks(ticks, [str(step) for step in ticks], minor=False)
        lower.set_xticks([], minor=True)
        paint_title(figure, title)
        return (
            f"{sentence(title)}Two curves over {len(steps)} steps. Loss: from {significant(losses[0])} to "
            f"{significant(losses[-1])}. Weight on the subject, 7 to 12 words back: from {significant(looked[0])} "
            f"to {significant(looked[-1])}."
        )

    small = draw(PHONE, 4.0, lambda figure: paint(figure, narrow=True), layout="constrained")
    return replace(draw(7.2, 4.2, paint, layout="constrained"), narrow=small).numbered(number, caption)


def experiment(trainings: Trainings, *, title: str = "", number: str = "", caption: str = "") -> Picture:
    """Draw for each network how often it is right, against the number of different training sentences.

    Each has a panel: solid at distances that were not trained, dashed at those that were; a dot is a seed.

    Parameters
    ----------
    trainings : mapping from model to its trainings
    title, number, caption : str
    """

    def paint(figure: Figure, narrow: bool = False) -> str:
        axes = figure.subplots(*((3, 2) if narrow else (2, 3)), sharex=True, sharey=True)
        paint_title(figure, title)
        told = [f"{sentence(title)}Right answers of {len(trainings)} networks, medians of seeds."]
        for axis, model in zip(axes.flat, [name for name in PANELS if name in trainings], strict=False):
            found = trainings[model]
            colour = COLOURS[NETWORKS[model]]
            runs = at_stop(found)
            axis.axhline(0.5, color=QUIET, linestyle=(0, (1, 2)), linewidth=1)
            for where, name, dash in ((0, "1–6 words back", "--"), (1, "7–12 words back", "-")):
                middle = [float(np.median(y[:, where])) for y in runs.values()]
                axis.plot(list(runs), middle, dash, color=colour, linewidth=1.5 if where == 0 else 2.4)
                if where:
                    for n, y in runs.items():
                        axis.plot([n] * len(y), y[:, 1], "o", markersize=4, color=colour, alpha=0.7)
                points = ", ".join(f"{significant(y)} from {n}" for n, y in zip(runs, middle, strict=True))
                told.append(f"{model}, {name}: {points} sentences.")
            axis.set_title(model.replace(" with", "\nwith") if narrow else model, color=colour)
            axis.set(xscale="log", ylim=(0.45, 1.03))
            sizes = list(runs)
            shown = [f"{n:,}" if not (narrow and i % 3) else "" for i, n in enumerate(sizes)]
            axis.set_xticks(sizes, shown, minor=False, fontsize=10)
            axis.set_xticks([], minor=True)
            axis.margins(x=0.09)
            axis.grid(color=LINE)
        for axis in axes[:, 0]:
            axis.set_ylabel("right answers")
        for axis in axes[-1] if narrow else [axes[1, 1]]:
            axis.set_xlabel("sentences" if narrow else "different training sentences")
        axes[0, 0].annotate("a coin", (8192, 0.51), color=QUIET, fontsize=10, ha="right", va="bottom")
        for name, dash, width in (
            ("1–6 words back: in training", "--", 1.5),
            ("7–12: not in training", "-", 2.4),
        ):
            axes[0, 0].plot([], [], dash, color=INK, linewidth=width, label=name)
        axes[0, 0].plot([], [], "o", color=INK, markersize=4, alpha=0.7, label="7–12: a single training")
        figure.legend(loc="outside lower left", ncols=1 if narrow else 3, borderpad=0)
        return " ".join([*told, "A coin: 0.5."])

    small = draw(PHONE, 6.6, lambda figure: paint(figure, narrow=True), layout="constrained")
    return replace(draw(8.4, 5.6, paint, layout="constrained"), narrow=small).numbered(number, caption)


Pairs = Mapping[str, tuple[float, float]]


def paired(
    panels: Mapping[str, Pairs],
    *,
    dots: tuple[str, str],
    x_label: str,
    beside: Mapping[str, Mapping[str, str]] | None = None,
    beside_label: str = "",
    level: tuple[str, float] | None = None,
    title: str = "",
    number: str = "",
    caption: str = "",
) -> Picture:
    """Draw for each name of each panel two numbers, a dot and a ring, and a line from one to the other.

    Parameters
    ----------
    panels : mapping from the panel's title to its pairs of numbers
        All panels have the same names. One of a network has its colour.
    dots : two strings
        What the dot says, and the ring.
    x_label : str
    beside : mapping from panel to mapping from name to words
        What stands to the right of a pair, under `beside_label`.
    level : (name, number)
        A vertical line to compare with.
    title, number, caption : str

    Examples
    --------
    >>> paired({"": {"GRU": (1.0, 0.5)}}, dots=("near", "far"), x_label="right answers").alt
    'Pairs of right answers, near and far. GRU: 1 and 0.5.'
    """
    names = list(next(iter(panels.values())))

    def paint(figure: Figure, narrow: bool = False) -> str:
        shape = (len(panels), 1) if narrow else (1, len(panels))
        axes = figure.subplots(*shape, sharex=True, sharey=True, squeeze=False).ravel()
        paint_title(figure, title)
        told = [f"{sentence(title)}Pairs of {x_label}, {dots[0]} and {dots[1]}."]
        for axis, (panel, pairs) in zip(axes, panels.items(), strict=True):
            words = (beside or {}).get(panel, {})
            for y, name in enumerate(names):
                colour = COLOURS[NETWORKS.get(name, NETWORKS["attention"])]
                first, second = pairs[name]
                axis.plot([first, second], [y, y], color=colour, linewidth=2, alpha=0.6)
                axis.plot(first, y, "o", color=colour, markersize=6)
                axis.plot(
                    second,
                    y,
                    "o",
                    markeredgecolor=colour,
                    markerfacecolor="none",
                    markersize=11,
                    mew=1.6,
                    clip_on=False,
                )
                if name in words:
                    axis.annotate(words[name], (1.03, y), xycoords=("axes fraction", "data"), va="center")
                also = f", {beside_label} {words[name]}" if name in words else ""
                where = f"{panel}, " if panel else ""
                told.append(f"{where}{name}: {significant(first)} and {significant(second)}{also}.")
            if words:
                axis.annotate(
                    beside_label, (1.03, -0.75), xycoords=("axes fraction", "data"), va="center", fontsize=10
                )
            if level:
                axis.axvline(level[1], color=QUIET, linestyle=(0, (4, 3)), linewidth=1)
            axis.set_yticks(range(len(names)), [plain(name) for name in names])
            axis.set(ylim=(len(names) - 0.5, -1.0))
            axis.set_title(panel)
            axis.tick_params(axis="y", length=0)
            axis.grid(color=LINE)
        axes[len(panels) - 1 if narrow else len(panels) // 2].set_xlabel(x_label)
        look: dict[str, Any] = {"linestyle": "", "marker": "o", "markeredgecolor": INK}
        axis.plot([], [], markerfacecolor=INK, markersize=6, label=dots[0], **look)
        axis.plot([], [], markerfacecolor="none", markersize=10, mew=1.6, label=dots[1], **look)
        if level:
            axis.plot([], [], color=QUIET, linestyle=(0, (4, 3)), linewidth=1, label=level[0])
        figure.legend(loc="outside lower left", ncols=1 if narrow else 3, borderpad=0, labelspacing=0.3)
        return " ".join([*told, *([f"{level[0]}: {written(level[1])}."] if level else [])])

    rows = 0.34 * len(names) + 0.5
    small = draw(
        PHONE,
        (rows + 0.3) * len(panels) + 1.9,
        lambda figure: paint(figure, narrow=True),
        layout="constrained",
    )
    wide = draw(8.4 if len(panels) > 1 else 7.2, rows + 1.4, paint, layout="constrained")
    return replace(wide, narrow=small).numbered(number, caption)


def leads(
    found: Sequence[Mapping[str, agreement.Look]], *, title: str = "", number: str = "", caption: str = ""
) -> Picture:
    """Draw by how much the right answer leads with and without its subject, for each verb of each trained reader."""
    named = {f"seed {i}" if len(found) > 1 else "": looks for i, looks in enumerate(found)}
    panels = {
        seed: {name: (look.lead, look.without) for name, look in looks.items()}
        for seed, looks in named.items()
    }
    weights = {
        seed: {name: f"{look.subject:.2f}" for name, look in looks.items()} for seed, looks in named.items()
    }
    return paired(
        panels, dots=("with its subject", "without"), x_label="lead of the right answer", beside=weights,
        beside_label="weight", level=("left of this the other answer leads", 0.0), title=title, number=number,
        caption=caption,
    )  # fmt: skip


def near_and_far(
    trainings: Trainings, *, title: str = "", number: str = "", caption: str = "", n_sentences: int = 2048
) -> Picture:
    """Draw how often each network is right near and far, medians of seeds; the best at far subjects comes first."""
    found = {name: np.median(at_stop(each)[n_sentences], axis=0) for name, each in trainings.items()}
    best_first = sorted(found, key=lambda name: -found[name][1])
    pairs = {name: (float(found[name][0]), float(found[name][1])) for name in best_first}
    scores = {name: f"{near:.2f}  {far:.2f}" for name, (near, far) in pairs.items()}
    return paired(
        {"": pairs}, dots=("1–6 words back: in training", "7–12 words back: not in training"),
        x_label="right answers", beside={"": scores}, beside_label="near  far", level=("a coin", 0.5), title=title,
        number=number, caption=caption,
    )  # fmt: skip
