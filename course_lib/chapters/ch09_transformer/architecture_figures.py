"""The architecture of a Transformer, drawn from the live model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyBboxPatch, Polygon, Rectangle
from torch import nn

from course_lib.figures.palette import COLOURS, DECODER, ENCODER, FAINT, INK, PAPER, QUIET
from course_lib.figures.picture import Picture, draw
from course_lib.model import (
    DecoderOnlyTransformer,
    Embedding,
    FeedForward,
    MultiHeadAttention,
    Sublayer,
    Transformer,
)

# All sizes are in inches; a tower is drawn from its foot upwards.
BOX, TALL, FLAT, GAP, RING = 2.1, 0.48, 0.2, 0.12, 0.09
TOWER, BETWEEN, MARGIN, FOOT = BOX + 0.9, 0.45, 0.6, 0.4
SHARES = 2.9  # the column with shares at the right
CARD_SHIFT, MOST_CARDS = 0.045, 6  # blocks drawn one behind the other, and by how much each stands out
PART_HUES = {
    "embeddings": COLOURS[4],
    "feed-forward": COLOURS[2],
    "norms": COLOURS[5],
    "output": COLOURS[4],
}


@dataclass(frozen=True)
class _Sublayer:
    """What is drawn of an attention or a feed-forward network, and of the norm and the sum around it."""

    title: str
    detail: str
    n_heads: int
    norm: str  # "before", "after" or "without"


def architecture(
    model: Transformer | DecoderOnlyTransformer, *, shares: Mapping[str, Mapping[str, int]] | None = None
) -> Picture:
    """Draw a Transformer as it is: its modules are walked, and nothing is taken from its configuration.

    Data flow upwards. Equal blocks that follow each other are drawn once, as a pile of cards with their number;
    each attention shows its heads as small squares; a ring with a plus is a residual connection.

    Parameters
    ----------
    model : Transformer or DecoderOnlyTransformer
        May be on PyTorch's meta device.
    shares : mapping from title to a mapping from part to count
        Drawn beside the model: each part's share of the whole.

    Raises
    ------
    ValueError
        If the model is of another class.

    Notes
    -----
    Source: B 10.3.1, figure 10.5.

    Examples
    --------
    >>> from course_lib.model import DecoderOnlyConfig
    >>> config = DecoderOnlyConfig(9, d_model=8, n_heads=2, d_ff=32, n_layers=3)
    >>> print(architecture(DecoderOnlyTransformer(config)).alt)
    Architecture of a DecoderOnlyTransformer, from the bottom up. Decoder: embedding of 9 tokens, width 8, plus \
sinusoidal positions; 3 × (masked self-attention with 2 heads, then feed-forward 8 → 32 → 8), each with a residual \
connection, layer norm before it; final norm; output 8 → 9.
    """
    if isinstance(model, Transformer):
        towers = [
            ("Encoder", "source", model.source_embedding, model.encoder, model.encoder_norm),
            ("Decoder", "target, shifted right", model.target_embedding, model.decoder, model.decoder_norm),
        ]
    elif isinstance(model, DecoderOnlyTransformer):
        towers = [("Decoder", "text", model.embedding, model.blocks, model.norm)]
    else:
        raise ValueError(f"model {type(model).__name__}: expected a Transformer or a DecoderOnlyTransformer")
    stacks = [_piles(blocks, masked=name == "Decoder") for name, _, _, blocks, _ in towers]
    tied = any(model.output.weight is embedding.tokens.weight for _, _, embedding, _, _ in towers)
    width = len(towers) * TOWER + (len(towers) - 1) * BETWEEN + 2 * MARGIN
    height = max(map(_height, stacks)) + FOOT + 2.2
    whole = width + (SHARES if shares else 0)

    def paint(figure: Figure) -> str:
        axis = figure.add_axes((0, 0, 1, 1), xlim=(0, whole), ylim=(0, height))
        axis.set_axis_off()
        told = [f"Architecture of a {type(model).__name__}, from the bottom up."]
        memory: tuple[float, float] | None = None
        for i, ((name, reads, embedding, _, norm), piles) in enumerate(zip(towers, stacks, strict=True)):
            x = MARGIN + TOWER / 2 + i * (TOWER + BETWEEN)
            side = 1 if name == "Decoder" else -1  # where the residual connections pass
            y = _paint_embedding(axis, x, f"{name} reads {reads}", embedding)
            for pile, count in piles:
                y, asked = _paint_pile(axis, x, y, pile, count, side)
                if memory and asked:
                    _paint_memory(axis, memory, (x - BOX / 2, asked))
            final = isinstance(norm, nn.LayerNorm)
            if final:
                y = _paint_box(axis, x, y + GAP, FLAT, "final LayerNorm", colour=COLOURS[5])
            told.append(_tell_tower(name, embedding, piles, final))
            if name == "Encoder":
                memory = (x, y)
            else:
                same = " (embedding's matrix)" if tied else ""
                told[-1] = told[-1][:-1] + f"; output {_arrowed(model.output)}{same}."
                y = _paint_box(axis, x, y + GAP, TALL, "Output" + same, _arrowed(model.output), COLOURS[4])
                _paint_arrow(axis, [(x, y), (x, y + 0.22)])
                axis.text(x, y + 0.24, "logits for the next token", ha="center", va="bottom", color=QUIET)
        for i, (title, counts) in enumerate((shares or {}).items()):
            field = height / len(shares or {})
            _paint_shares(axis, width + 0.1, height - i * field, field, title, counts)
            told.append(_tell_shares(title, counts))
        return " ".join(told)

    return draw(whole, height, paint)


# ---- What is there ----


def _piles(blocks: nn.Module, *, masked: bool) -> list[tuple[tuple[_Sublayer, ...], int]]:
    """Return the sublayers of the blocks, and how many equal blocks follow each other."""
    described = [tuple(_sublayers(block, masked)) for block in blocks.children()]
    return [(block, len(list(group))) for block, group in groupby(described)]


def _sublayers(block: nn.Module, masked: bool) -> Sequence[_Sublayer]:
    children = dict(block.named_children())
    found = []
    for name, child in children.items():
        around = children.get(f"around_{name}")
        norm = "without"
        if isinstance(around, Sublayer) and isinstance(around.norm, nn.LayerNorm):
            norm = "before" if around.pre else "after"
        if isinstance(child, MultiHeadAttention):
            kind = "Cross-attention" if name == "cross_attention" else "Self-attention"
            kind = f"Masked {kind.lower()}" if masked and kind == "Self-attention" else kind
            heads = f"{child.n_heads} head{'s' * (child.n_heads > 1)}"
            found.append(_Sublayer(kind, f"{heads}, dₖ = {child.d_k}", child.n_heads, norm))
        elif isinstance(child, FeedForward):
            sizes = f"{_arrowed(child.W_1)} → {child.W_2.out_features}"
            found.append(_Sublayer("Feed-forward", sizes, 0, norm))
    return found


def _arrowed(matrix: nn.Linear) -> str:
    return f"{matrix.in_features} → {matrix.out_features}"


def _positions(embedding: Embedding) -> tuple[str, str]:
    """Return how positions join the embedding, and which they are."""
    joined = "plus" if embedding.positions.mode == "add" else "beside"
    return joined, f"{'no' if embedding.positions.kind == 'none' else embedding.positions.kind} positions"


def _height(piles: Sequence[tuple[tuple[_Sublayer, ...], int]]) -> float:
    return sum(_block_height(pile) + _lift(count) for pile, count in piles)


def _block_height(pile: Sequence[_Sublayer]) -> float:
    norms = sum(FLAT + GAP for sublayer in pile if sublayer.norm != "without")
    return len(pile) * (TALL + 3 * GAP + 2 * RING) + norms + 3 * GAP


def _lift(count: int) -> float:
    return CARD_SHIFT * (min(count, MOST_CARDS) - 1)


# ---- How it looks ----


def _paint_box(
    axis: Axes,
    x: float,
    y: float,
    height: float,
    title: str,
    detail: str = "",
    colour: str = PAPER,
    n_heads: int = 0,
) -> float:
    """Paint a box that stands at (x, y) on an arrow from below; return its upper edge."""
    _paint_arrow(axis, [(x, y - GAP), (x, y)])
    frame: dict[str, Any] = {
        "facecolor": to_rgba(colour, 0.18),
        "edgecolor": colour,
        "linewidth": 1.2,
        "zorder": 3,
    }
    axis.add_artist(
        FancyBboxPatch((x - BOX / 2, y), BOX, height, boxstyle="round,pad=0,rounding_size=0.06", **frame)
    )
    middle = y + height / 2
    text: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 4}
    lift = 0.1 if detail else 0.0
    axis.text(x, middle + lift + (0.04 if n_heads else 0), title, fontsize=10, **text)
    if detail:
        axis.text(x, middle - lift + (0.03 if n_heads else 0), detail, fontsize=10, color=QUIET, **text)
    for h in range(n_heads):  # a strip as wide as the model, cut into heads
        width = (BOX - 0.2) / n_heads
        cut = (x - BOX / 2 + 0.1 + h * width + 0.1 * width, y + 0.035)
        axis.add_artist(Rectangle(cut, 0.8 * width, 0.055, facecolor=colour, linewidth=0, zorder=4))
    return y + height


def _paint_embedding(axis: Axes, x: float, reads: str, embedding: Embedding) -> float:
    n_vocab, width = embedding.tokens.weight.shape
    axis.text(x, FOOT - GAP - 0.04, reads, ha="center", va="top", color=QUIET)
    y = _paint_box(axis, x, FOOT, TALL, "Embedding", f"{n_vocab:,} tokens, width {width}", COLOURS[4])
    joined, which = _positions(embedding)
    title = f"{'+' if joined == 'plus' else 'beside it:'} {which}"
    return _paint_box(axis, x, y + GAP, FLAT, title, colour=COLOURS[4])


def _paint_pile(
    axis: Axes, x: float, y: float, pile: Sequence[_Sublayer], count: int, side: int
) -> tuple[float, float | None]:
    """Paint equal blocks as one; return the upper edge, and how high its cross-attention stands."""
    low, high = y + GAP, y + _block_height(pile)
    corner = (x - BOX / 2 - 0.3, low)
    for card in range(min(count, MOST_CARDS) - 1, -1, -1):
        shift = CARD_SHIFT * card
        axis.add_artist(
            FancyBboxPatch(
                (corner[0] + side * shift, corner[1] + shift),
                BOX + 0.6,
                high - low - 0.04,
                boxstyle="round,pad=0,rounding_size=0.1",
                facecolor=PAPER,
                edgecolor=DECODER if side > 0 else ENCODER,
                linewidth=1.5,
                zorder=1 + 0.01 * (MOST_CARDS - card),
            )
        )
    edge = x + side * (BOX / 2 + 0.37 + _lift(count))
    axis.text(
        edge,
        (low + high) / 2,
        f"× {count}",
        ha="left" if side > 0 else "right",
        va="center",
        fontweight="bold",
    )
    _paint_arrow(axis, [(x, y), (x, low + GAP)], head=False)
    y, asked = low + GAP, None
    for sublayer in pile:
        fork = y
        if sublayer.norm == "before":
            y = _paint_box(axis, x, y + GAP, FLAT, "LayerNorm", colour=COLOURS[5])
        colour = COLOURS[2] if sublayer.title == "Feed-forward" else COLOURS[0]
        if sublayer.title == "Cross-attention":
            colour, asked = COLOURS[3], y + GAP + TALL / 2
        y = _paint_box(axis, x, y + GAP, TALL, sublayer.title, sublayer.detail, colour, sublayer.n_heads)
        centre = y + GAP + RING
        _paint_arrow(axis, [(x, y), (x, centre - RING)])
        axis.add_artist(Circle((x, centre), RING, facecolor=PAPER, edgecolor=INK, zorder=3))
        axis.text(x, centre - 0.005, "+", ha="center", va="center", zorder=4)
        around = x + side * (BOX / 2 + 0.15)
        _paint_arrow(axis, [(x, fork), (around, fork), (around, centre), (x + side * RING, centre)])
        y = centre + RING
        if sublayer.norm == "after":
            y = _paint_box(axis, x, y + GAP, FLAT, "LayerNorm", colour=COLOURS[5])
        _paint_arrow(axis, [(x, y), (x, y + GAP)], head=False)
        y += GAP
    _paint_arrow(axis, [(x, y), (x, high + _lift(count))], head=False)
    return high + _lift(count), asked


def _paint_memory(axis: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Paint the way of the encoder's output into a cross-attention."""
    (x, y), (x_end, y_end) = start, end
    turn = x + (TOWER + BETWEEN) / 2
    top = y + 0.3
    _paint_arrow(
        axis, [(x, y), (x, top), (turn, top), (turn, y_end), (x_end, y_end)], colour=ENCODER, width=1.8
    )
    axis.text(x, top + 0.05, "keys and values for the decoder", ha="center", va="bottom", color=QUIET)


def _paint_arrow(
    axis: Axes,
    points: Sequence[tuple[float, float]],
    *,
    head: bool = True,
    colour: str = INK,
    width: float = 1.0,
) -> None:
    xs, ys = zip(*points, strict=True)
    line = Line2D(xs, ys, color=colour, linewidth=width, zorder=2, solid_joinstyle="round")
    axis.add_artist(line)  # plot() and annotate() would take three times as long, and a slider waits for this
    if head:
        (x_before, y_before), (x, y) = points[-2:]
        back, side = 0.08, 0.032  # of the tip, which points along the last, upright or level, piece
        along = np.sign([x - x_before, y - y_before])
        foot, across = np.array([x, y]) - back * along, side * along[::-1]
        tip = Polygon(
            np.array([(x, y), foot + across, foot - across]), facecolor=colour, linewidth=0, zorder=2
        )
        axis.add_artist(tip)


def _paint_shares(
    axis: Axes, left: float, top: float, height: float, title: str, counts: Mapping[str, int]
) -> None:
    """Paint a bar for each part, downwards from (left, top), in a field of this height."""
    total = sum(counts.values())
    width, step = SHARES - 0.4, (height - 0.95) / len(counts)
    axis.text(left, top - 0.15, f"{title}\n{total:,}", va="top")
    for row, (part, count) in enumerate(counts.items()):
        y = top - 0.95 - step * row
        axis.text(left, y + 0.02, f"{part}: {_percent(count / total)}", va="bottom", fontsize=10)
        hue = PART_HUES.get(part.partition(":")[0], COLOURS[0])  # as the boxes of that part
        axis.add_artist(Rectangle((left, y - 0.2), width * count / total, 0.18, facecolor=hue))
        axis.add_artist(Rectangle((left, y - 0.2), width, 0.18, facecolor="none", edgecolor=FAINT))


# ---- What is said ----


def _tell_tower(
    name: str,
    embedding: Embedding,
    piles: Sequence[tuple[tuple[_Sublayer, ...], int]],
    final: bool,
) -> str:
    n_vocab, width = embedding.tokens.weight.shape
    told = [f"{name}: embedding of {n_vocab:,} tokens, width {width}, {' '.join(_positions(embedding))}"]
    for pile, count in piles:
        names = [
            f"{s.title[0].lower() + s.title[1:]} {'with ' if s.n_heads else ''}{s.detail.split(', dₖ')[0]}"
            for s in pile
        ]
        places = {s.norm for s in pile}
        place = "layer norms mixed"
        if len(places) == 1:
            place = {"before": "layer norm before it", "after": "layer norm after it"}.get(
                places.pop(), "without layer norm"
            )
        told.append(f"{count} × ({', then '.join(names)}), each with a residual connection, {place}")
    told += ["final norm"] * final
    return "; ".join(told) + "."


def _tell_shares(title: str, counts: Mapping[str, int]) -> str:
    total = sum(counts.values())
    parts = ", ".join(f"{part} {_percent(count / total)}" for part, count in counts.items())
    return f"{title}: {total:,}; {parts}."


def _percent(share: float) -> str:
    return "less than 1%" if 0 < share < 0.005 else f"{share:.0%}"
