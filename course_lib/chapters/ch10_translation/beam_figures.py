"""The tree that a beam search grows, and the ranking of what it has finished."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch
from matplotlib.path import Path
from matplotlib.textpath import TextPath, text_to_path

from course_lib.decoding import BeamTrace, Candidate, Hypothesis, ranking
from course_lib.figures.palette import COLOURS, INK, PAPER, QUIET
from course_lib.figures.picture import Picture, draw, plain, sentence
from course_lib.special_ids import EOS_ID
from course_lib.text.tokenisers import BOS, EOS, Tokeniser
from course_lib.text.typography import typeset_french

# All lengths are in inches, and heights are counted from the top.
WIDTH, MARGIN, LINE, ROW, BOX = 9.3, 0.15, 0.21, 0.385, 0.2
NARROW_GAP, WIDE_GAP = 0.16, 0.6  # between the boxes of two steps
TOKEN, SMALL = 8.5, 7.0  # sizes of letters, in points
MOST_DROPPED = 2  # that are drawn at a step
FAR = 1000  # of what was thrown away, nothing is drawn that is so many times less likely than the step's likeliest
WINNER, GREEDY = COLOURS[0], COLOURS[1]

Ids = tuple[int, ...]


def beam_tree(
    trace: BeamTrace,
    tokeniser: Tokeniser,
    *,
    width: int,
    alpha: float = 1.0,
    step: int | None = None,
    greedy: Sequence[Candidate] = (),
    title: str = "",
) -> Picture:
    """Draw the beginnings that a beam search has followed as a tree, and rank those that have finished.

    A column is a step, a node a token with the log-probability of all that leads to it. Of what was thrown away,
    the two likeliest of each step are drawn, unless they are a thousand times less likely than its likeliest. The
    path of the best by score is the thickest. Where there is no room for all steps, the earliest are left out.

    Parameters
    ----------
    trace : BeamTrace
        As `decoding.beam_search` has filled it.
    tokeniser : Tokeniser
        Of the language that is written.
    width : int
        Of the beam; as many are ranked.
    alpha : float
        Strength of `decoding.length_penalty`.
    step : int, optional
        How many steps are drawn; all where not given.
    greedy : sequence of Candidate
        What greedy search writes, one a token; where the tree has it, it is marked.
    title : str

    Raises
    ------
    ValueError
        If the trace is empty, or there is no such step.

    Examples
    --------
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> words = WordTokeniser.train(["bon soir"])
    >>> trace = [[Candidate((6,), -0.5, "lives on"), Candidate((7,), -1.0, "dropped")],
    ...          [Candidate((6, EOS_ID), -0.7, "finished")]]
    >>> beam_tree(trace, words, width=1, step=1).alt
    "Step 1 of 2: 1 beginning lives on. Live: 'bon' −0.50. Dropped: 'soir' −1.00."
    >>> beam_tree(trace, words, width=1, alpha=0).alt.partition(": ")[2]
    "1 has finished. Best by score, α = 0: 1. 'bon' ln p −0.70, length 2, score −0.700."
    """
    if not trace:
        raise ValueError("trace is empty: expected one that beam_search has filled")
    step = len(trace) if step is None else step
    if not 0 <= step <= len(trace):
        raise ValueError(f"step {step}: expected one from 0 to {len(trace)}, the steps of the search")
    tree = _Tree.grown(trace, greedy, tokeniser)
    in_the_end = _entries(trace, greedy, tokeniser, width, alpha, over=True)
    # How greedy search fares is not given away before the end.
    grown = trace[:step]
    entries = in_the_end if grown == trace else _entries(grown, greedy, tokeniser, width, alpha, over=False)
    status = _status(trace, step, width, left_out=tree.room(step)[0])
    heading = [
        (line, weight)
        for text, weight in ((title, "bold"), (status, "normal"))
        for line in textwrap.wrap(text, 95)
    ]
    tree_at = 0.5 + LINE * len(heading)
    ranking_at = tree_at + ROW * tree.height + 0.1
    legend_at = ranking_at + LINE * (1 + sum(len(entry.lines) for entry in in_the_end)) + 0.25
    height = legend_at + 0.2

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(height, 0))
        axis.set_axis_off()
        for i, (line, weight) in enumerate(heading):
            axis.text(MARGIN, 0.2 + LINE * i, plain(line), va="center", fontweight=weight)
        words = _Words()
        places = {entry.end: entry.place for entry in entries}
        _paint_tree(axis, words, tree_at, tree, step, places, greedy[-1].ids if greedy else ())
        _paint_ranking(axis, words, ranking_at, entries, width, alpha)
        _paint_legend(axis, words, legend_at, bool(greedy))
        words.paint(axis)
        return sentence(title) + _tell(grown, tokeniser, status, entries, alpha)

    return draw(WIDTH, height, paint)


# ---- What there is to draw ----


@dataclass(frozen=True)
class _Tree:
    """The nodes of each step from top to bottom; by its ids, the row and the label of each; widths of columns."""

    columns: list[list[Candidate]]
    rows: dict[Ids, float]
    labels: dict[Ids, str]
    widths: list[float]

    @classmethod
    def grown(cls, trace: BeamTrace, greedy: Sequence[Candidate], tokeniser: Tokeniser) -> "_Tree":
        columns = _columns(trace, greedy)
        labels = {c.ids: tokeniser.tokens(c.ids[-1:])[0] for column in columns for c in column} | {(): BOS}
        rows = _rows(columns)
        highest = min(rows.values())
        widths = [max(_box_width(labels[c.ids], c) for c in column) for column in columns]
        return cls(columns, {ids: row - highest for ids, row in rows.items()}, labels, widths)

    @property
    def height(self) -> float:
        """Number of rows."""
        return max(self.rows.values()) + 1

    def room(self, step: int) -> tuple[int, float]:
        """Return the first step, counted from 0, that finds room when `step` are grown; and the gap between steps."""
        space = WIDTH - 2 * MARGIN - _box_width(BOS)
        first, last = 0, len(self.widths)
        while last > step and sum(self.widths[:last]) + NARROW_GAP * last > space:
            last -= 1
        while sum(self.widths[first:last]) + NARROW_GAP * (last - first) > space:
            first += 1
        free = space - sum(self.widths[first:last])
        return first, min(WIDE_GAP, free / max(last - first, 1))


def _columns(trace: BeamTrace, greedy: Sequence[Candidate]) -> list[list[Candidate]]:
    """Choose what is drawn of each step, and order it as its parents are ordered: then no edges cross."""
    columns: list[list[Candidate]] = []
    parents: dict[Ids, int] = {(): 0}  # those that lived on, with their places
    for t, weighed in enumerate(trace):
        shown = [c for c in weighed if c.fate != "dropped"] + _dropped(weighed)
        if t < len(greedy) and greedy[t].ids[:-1] in parents and greedy[t].ids not in {c.ids for c in shown}:
            shown.append(replace(greedy[t], fate="dropped"))
        shown.sort(key=lambda c: (parents[c.ids[:-1]], -c.log_probability))
        columns.append(shown)
        parents = {c.ids: place for place, c in enumerate(shown) if c.fate == "lives on"}
    return columns


def _dropped(weighed: Sequence[Candidate]) -> list[Candidate]:
    """Return what is shown of what was thrown away at a step: the likeliest few, unless they are far behind."""
    least = max((c.log_probability for c in weighed), default=0.0) - np.log(FAR)
    near = [c for c in weighed if c.fate == "dropped" and c.log_probability >= least]
    return near[:MOST_DROPPED]


def _rows(columns: Sequence[Sequence[Candidate]]) -> dict[Ids, float]:
    """Give each node the row of its parent, as far as the order of its column and a row for each node allow.

    Where they do not, nodes give way to each other; the more grows from one, the less it moves.
    """
    descendants = Counter(c.ids[:n] for column in columns for c in column for n in range(len(c.ids)))
    rows: dict[Ids, float] = {(): 0.0}
    for column in columns:
        # Weighted isotonic regression of (row − place): neighbours in the wrong order pool, and share a mean.
        pools: list[tuple[float, float, int]] = []  # mean, weight, number of nodes
        for place, c in enumerate(column):
            pool = (rows[c.ids[:-1]] - place, descendants[c.ids] ** 2 + 0.1, 1)
            while pools and pools[-1][0] > pool[0]:
                mean, weight, count = pools.pop()
                total = weight + pool[1]
                pool = ((mean * weight + pool[0] * pool[1]) / total, total, count + pool[2])
            pools.append(pool)
        means = [mean for mean, _, count in pools for _ in range(count)]
        rows |= {c.ids: mean + place for place, (c, mean) in enumerate(zip(column, means, strict=True))}
    return rows


@dataclass(frozen=True)
class _Entry:
    """A line of the ranking; what greedy search writes has one even without a place, and then its fate."""

    end: Ids  # the node where it ends
    hypothesis: Hypothesis
    text: str
    greedy: bool
    place: str = ""
    fate: str = ""

    @property
    def lines(self) -> list[str]:
        return textwrap.wrap(
            f"{self.text}   (greedy search: {self.fate})" if self.fate else self.text, 88
        ) or [""]


def _entries(
    trace: BeamTrace,
    greedy: Sequence[Candidate],
    tokeniser: Tokeniser,
    width: int,
    alpha: float,
    *,
    over: bool,
) -> list[_Entry]:
    """Rank what has finished; when all is over, what greedy search writes follows where it has no place."""
    ends = {
        _text_ids(c): c.ids for weighed in [*trace, greedy] for c in weighed if c.fate in ("finished", "cut")
    }
    own = greedy[-1].ids if greedy else None

    def entry(h: Hypothesis, **place: str) -> _Entry:
        end = ends[tuple(h.ids)]
        return _Entry(end, h, _written(tokeniser, end), end == own, **place)

    found = [entry(h, place=f"{i}.") for i, h in enumerate(ranking(trace, alpha)[:width], start=1)]
    if over and greedy and not any(e.greedy for e in found):
        found += [entry(h, fate=_fate_of(greedy, trace)) for h in ranking([list(greedy)], alpha)]
    return found


def _text_ids(candidate: Candidate) -> Ids:
    return tuple(i for i in candidate.ids if i != EOS_ID)


def _written(tokeniser: Tokeniser, ids: Ids) -> str:
    """Return a beginning as a reader would write it."""
    return typeset_french(tokeniser.decode(ids)) + ("" if EOS_ID in ids else " …")


def _fate_of(path: Sequence[Candidate], trace: BeamTrace) -> str:
    for t, (own, weighed) in enumerate(zip(path, trace, strict=False), start=1):
        if own.ids not in {c.ids for c in weighed if c.fate != "dropped"}:
            return f"dropped at step {t}"
    return "finished, behind these"


# ---- How it looks ----


@lru_cache(maxsize=4096)
def _letters(text: str, size: float, bold: bool = False) -> tuple[Path, float]:
    """Return the outline of a text, its left end and its foot at 0, and its width, where heights count downwards."""
    if not text.strip():
        return Path(np.zeros((1, 2))), 0.0  # TextPath refuses what has no outline
    font = FontProperties(family="DejaVu Sans", size=size, weight="bold" if bold else "normal")
    outline = TextPath((0, 0), plain(text), size=size / 72, prop=font)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return Path(np.asarray(outline.vertices) * (1, -1), outline.codes), float(width) / 72


def _box_width(label: str, candidate: Candidate | None = None) -> float:
    """Return how wide a box is: a token has its number below, and the last one its place beside it."""
    if candidate is None:
        return _letters(label, TOKEN)[1] + 0.1
    shown = label + (" 1." if candidate.fate in ("finished", "cut") else "")
    return max(_letters(shown, TOKEN)[1] + 0.1, _letters(_fixed(candidate.log_probability), SMALL)[1])


def _fixed(x: float, decimals: int = 2) -> str:
    return f"{round(x, decimals) + 0.0:.{decimals}f}".replace("-", "−")  # + 0.0 makes −0.0 positive


@dataclass
class _Words:
    """Texts gathered to be painted at once: so many of matplotlib's own would take several times as long."""

    outlines: list[Path] = field(default_factory=list)
    colours: list[str] = field(default_factory=list)

    def add(
        self,
        x: float,
        y: float,
        text: str,
        colour: str = QUIET,
        *,
        size: float = TOKEN,
        bold: bool = False,
        shift: float = 0.0,
    ) -> float:
        """Put a text around the height y, its left end at x, less a share of its width; return its right end."""
        outline, width = _letters(text, size, bold)
        left = x - shift * width
        place = np.array([left, y + size / 72 / 3])
        self.outlines.append(Path(np.asarray(outline.vertices) + place, outline.codes))
        self.colours.append(colour)
        return left + width

    def paint(self, axis: Axes) -> None:
        """Paint all texts, above all else."""
        texts = PathCollection(self.outlines, facecolors=self.colours, linewidths=0, zorder=4)
        axis.add_collection(texts, autolim=False)


@dataclass(frozen=True)
class _Spot:
    """Where a node is drawn: the left and right edge of its box, its middle height, where its column ends."""

    left: float
    right: float
    y: float
    column_end: float


def _spots(tree: _Tree, step: int, top: float) -> dict[Ids, _Spot]:
    """Place the steps that are grown, and the root if none of them is left out."""
    first, gap = tree.room(step)
    end = MARGIN + _box_width(BOS)
    spots: dict[Ids, _Spot] = {}
    if first == 0:
        spots[()] = _Spot(MARGIN, end, top + ROW * (tree.rows[()] + 0.5), end)
    for column, width in zip(tree.columns[first:step], tree.widths[first:step], strict=True):
        left = end + gap
        end = left + width
        for c in column:
            box = _box_width(tree.labels[c.ids], c)
            spots[c.ids] = _Spot(left, left + box, top + ROW * (tree.rows[c.ids] + 0.5), end)
    return spots


def _paint_tree(
    axis: Axes, words: _Words, top: float, tree: _Tree, step: int, places: dict[Ids, str], greedy: Ids
) -> None:
    """Paint the nodes that are grown, each step's number above them, and the edges."""
    spots = _spots(tree, step, top)
    nodes = [c for column in tree.columns[:step] for c in column if c.ids in spots]
    winner = next((end for end, place in places.items() if place == "1."), None)
    best = set() if winner is None else {winner[:n] for n in range(len(winner) + 1)}
    if () in spots:
        _paint_box(axis, words, spots[()], BOS, "lives on", strong=bool(best))
    for c in nodes:
        spot = spots[c.ids]
        label = f"{tree.labels[c.ids]} {places.get(c.ids, '')}".rstrip()
        _paint_box(axis, words, spot, label, c.fate, strong=c.ids in best)
        below = (spot.left + spot.right) / 2, spot.y + BOX / 2 + 0.07
        words.add(*below, _fixed(c.log_probability), size=SMALL, shift=0.5)
    words.add(MARGIN, top - 0.1, "step")
    for t, left in {len(c.ids): spots[c.ids].left for c in nodes}.items():
        words.add(left + 0.05, top - 0.1, f"{t}")
    marked = [spots[c.ids] for c in nodes if c.ids == greedy[: len(c.ids)]]
    _paint_marks(axis, [(spot.left, spot.y - BOX / 2) for spot in marked])
    _paint_edges(axis, nodes, spots, best)


def _paint_box(
    axis: Axes, words: _Words, spot: _Spot, label: str, fate: str, *, strong: bool = False
) -> None:
    """Paint a node: in a round box where it lives on, in a dark one where it ends, in none where it is dropped."""
    ends = fate in ("finished", "cut")
    if fate != "dropped":
        axis.add_artist(
            FancyBboxPatch(
                (spot.left, spot.y - BOX / 2),
                spot.right - spot.left,
                BOX,
                boxstyle="square,pad=0" if ends else "round,pad=0,rounding_size=0.07",
                facecolor=INK if ends else PAPER,
                edgecolor=WINNER if strong else INK,
                linewidth=2.2 if strong else 0.8,
                zorder=3,
            )
        )
    colour = PAPER if ends else QUIET if fate == "dropped" else INK
    words.add((spot.left + spot.right) / 2, spot.y, label, colour, shift=0.5)


def _paint_marks(axis: Axes, points: Sequence[tuple[float, float]]) -> None:
    """Mark what greedy search writes."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    axis.plot(xs, ys, "D", color=GREEDY, markersize=6.5, markeredgecolor=PAPER, zorder=5)


def _paint_edges(axis: Axes, nodes: Sequence[Candidate], spots: dict[Ids, _Spot], best: set[Ids]) -> None:
    """Join each node to its parent, or to nothing where the steps before are left out."""
    edges: dict[str, list[list[tuple[float, float]]]] = {"dropped": [], "kept": [], "best": []}
    for c in nodes:
        child, parent = spots[c.ids], spots.get(c.ids[:-1])
        kind = "dropped" if c.fate == "dropped" else "best" if c.ids in best else "kept"
        end = (child.left, child.y)
        if parent:
            edges[kind].append([(parent.right, parent.y), (parent.column_end, parent.y), end])
        else:
            edges[kind].append([(child.left - NARROW_GAP, child.y), end])
    looks: dict[str, dict[str, Any]] = {
        "dropped": {"colors": QUIET, "linewidths": 0.8, "linestyles": "--"},
        "kept": {"colors": INK, "linewidths": 0.9},
        "best": {"colors": WINNER, "linewidths": 2.6},
    }
    for kind, look in looks.items():
        axis.add_collection(LineCollection(edges[kind], zorder=2, **look), autolim=False)


def _paint_legend(axis: Axes, words: _Words, y: float, greedy: bool) -> None:
    """Paint a row that says what boxes, lines and numbers stand for."""
    x = MARGIN
    for label, fate, told in (
        ("token", "lives on", "lives on"),
        (f"{EOS} 1.", "finished", "finished, its place"),
        ("token", "dropped", "dropped"),
    ):
        if fate == "dropped":
            axis.plot([x, x + 0.3], [y, y], color=QUIET, linestyle="--", linewidth=0.8)
            x += 0.3
        end = x + _box_width(label)
        _paint_box(axis, words, _Spot(x, end, y, end), label, fate)
        x = words.add(end + 0.07, y, told) + 0.25
    axis.plot([x, x + 0.3], [y, y], color=WINNER, linewidth=2.6)
    x = words.add(x + 0.37, y, "best by score") + 0.25
    if greedy:
        _paint_marks(axis, [(x, y)])
        x = words.add(x + 0.12, y, "greedy search") + 0.25
    x = words.add(x, y, "−2.90", size=SMALL)
    words.add(x + 0.07, y, "ln p so far")


def _paint_ranking(
    axis: Axes, words: _Words, top: float, entries: Sequence[_Entry], width: int, alpha: float
) -> None:
    """Paint a table of what has finished, and of what greedy search writes."""
    columns = {"": 0.35, "score": 1.1, "ln p": 1.7, "L": 2.05}  # right edges
    said = 2.3  # left edge of the sentences
    y = top + LINE / 2
    for name, x in columns.items():
        words.add(x, y, name, shift=1)
    formula = f"score = ln p / ((5 + L) / 6)ᵅ with α = {alpha:g}"
    told = f"the best {width} of what has finished, by {formula}" if width > 1 else formula
    words.add(said, y, told if entries else "nothing has finished yet")
    for entry in entries:
        y += LINE
        h, first = entry.hypothesis, entry.place == "1."
        numbers = (_fixed(h.score, 3), _fixed(h.log_probability), f"{len(entry.end)}")
        for x, shown in zip(columns.values(), (entry.place, *numbers), strict=True):
            words.add(x, y, shown, INK, bold=first, shift=1)
        if entry.greedy:
            _paint_marks(axis, [(0.47, y)])
        for i, line in enumerate(entry.lines):
            y += LINE * (i > 0)
            words.add(said, y, line, INK, bold=first)


# ---- What is told ----


def _status(trace: BeamTrace, step: int, width: int, left_out: int) -> str:
    if step == 0:
        return f"Step 0 of {len(trace)}: the search begins with {BOS} alone."
    fates = Counter[str](c.fate for weighed in trace[:step] for c in weighed if c.fate != "lives on")
    live = sum(c.fate == "lives on" for c in trace[step - 1])
    told = [f"{live} {'beginning lives' if live == 1 else 'beginnings live'} on"] if live else []
    for fate, words in (("finished", "finished"), ("cut", "been cut, as no more tokens are allowed")):
        if n := fates[fate]:
            told.append(f"{n} {'has' if n == 1 else 'have'} {words}")
    if fates["finished"] + fates["cut"] > width > 1:
        told.append(f"the best {width} are ranked")
    over = ", the search is over" if step == len(trace) else ""
    omitted = f" (No room for {'step 1' if left_out == 1 else f'steps 1 to {left_out}'}.)" if left_out else ""
    return f"Step {step} of {len(trace)}{over}: {', '.join(told)}.{omitted}"


def _tell(
    trace: BeamTrace, tokeniser: Tokeniser, status: str, entries: Sequence[_Entry], alpha: float
) -> str:
    """Say what lives on, the likeliest of what was thrown away last, and the ranking."""
    told = [status]
    last = trace[-1] if trace else []
    live = [c for c in last if c.fate == "lives on"]
    for name, beginnings in (("Live", live), ("Dropped", _dropped(last))):
        words = [f"'{_begun(tokeniser, c.ids)}' {_fixed(c.log_probability)}" for c in beginnings]
        told += [f"{name}: {', '.join(words)}."] if words else []
    ranked = [f"{e.place} {_tell_entry(e)}" for e in entries if e.place]
    told += [f"Best by score, α = {alpha:g}: {'; '.join(ranked)}."] if ranked else []
    for e in (e for e in entries if e.greedy):
        told.append(
            f"Greedy search writes {f'number {e.place}' if e.place else f'{_tell_entry(e)}, {e.fate}.'}"
        )
    return " ".join(told)


def _begun(tokeniser: Tokeniser, ids: Ids) -> str:
    return typeset_french(tokeniser.decode(ids)) + (f" {EOS}" if EOS_ID in ids else "")


def _tell_entry(entry: _Entry) -> str:
    h = entry.hypothesis
    return f"'{entry.text}' ln p {_fixed(h.log_probability)}, length {len(entry.end)}, score {_fixed(h.score, 3)}"
