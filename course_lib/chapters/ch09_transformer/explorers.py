"""A Transformer of your own choice: its architecture, its parameters and its cost."""

from collections.abc import Callable
from typing import Any

import ipywidgets  # type: ignore[import-untyped]
import torch

from course_lib.chapters.ch09_transformer.architecture_figures import architecture
from course_lib.chapters.ch09_transformer.shapes import multiply_adds, parameters_by_part
from course_lib.figures.interactive import InteractiveFigure, labelled_menu
from course_lib.figures.picture import Picture
from course_lib.model import DecoderOnlyConfig, DecoderOnlyTransformer, Transformer, TransformerConfig


def _both(n_vocab: int, blocks: int, shape: dict[str, Any]) -> Transformer:
    layers: dict[str, Any] = {"n_encoder_layers": blocks, "n_decoder_layers": blocks}
    return Transformer(TransformerConfig(n_vocab, n_vocab, **(layers | shape)))


def _decoder_only(n_vocab: int, blocks: int, shape: dict[str, Any]) -> DecoderOnlyTransformer:
    return DecoderOnlyTransformer(DecoderOnlyConfig(n_vocab, n_layers=blocks, **shape))


MODELS: dict[str, Callable[[int, int, dict[str, Any]], Transformer | DecoderOnlyTransformer]] = {
    "encoder and decoder": _both,
    "decoder only": _decoder_only,
}


def architecture_explorer(**start: Any) -> InteractiveFigure:
    """Choose the settings of a Transformer; see its blocks, where its parameters are and what it computes.

    The model is built on PyTorch's meta device, where a tensor has a shape and no numbers, so that large ones
    cost nothing.

    Parameters
    ----------
    start
        Settings to start from instead of those of the paper's base model: `model`, `blocks`, `heads`, `d_model`,
        `d_ff` (in multiples of d_model), `norm`, `n_vocab`, `L`.

    Raises
    ------
    ValueError
        If a setting is not among those offered.

    Notes
    -----
    Norms are those of the paper and of today: "after", and none at the end; "before", and one at the end. The
    matrix of the embedding is that of the output. Source: B 10.3.1.

    Examples
    --------
    >>> figure = architecture_explorer(model="decoder only")
    >>> figure.set(blocks=2, heads=4)
    >>> "2 × (masked self-attention with 4 heads" in figure.picture.alt
    True
    """
    offered: dict[str, tuple[str, list[Any], Any]] = {
        "model": ("Model", list(MODELS), "encoder and decoder"),
        "blocks": ("Blocks in each stack", [1, 2, 3, 4, 6, 12], 6),
        "heads": ("Heads", [1, 2, 4, 8, 16], 8),
        "d_model": ("Width d", [32, 64, 128, 256, 512, 1024], 512),
        "d_ff": ("Feed-forward, times d", [1, 2, 4, 8], 4),
        "norm": ("Layer norm", ["before", "after"], "after"),
        "n_vocab": ("Tokens", [13, 1_000, 8_000, 37_000, 100_000], 37_000),
        "L": ("Length L", [16, 64, 256, 1_024, 4_096, 16_384], 64),
    }
    values = {name: default for name, (_, _, default) in offered.items()} | start
    for name, value in start.items():
        if name not in offered or value not in offered[name][1]:
            choices = f"one of {offered[name][1]}" if name in offered else f"a name among {list(offered)}"
            raise ValueError(f"{name}={value!r}: expected {choices}")
    controls = {
        name: labelled_menu(
            label,
            f"{label}: the space key opens the menu",
            [(f"{choice:,}" if isinstance(choice, int) else choice, choice) for choice in choices],
            values[name],
            width="28em",  # room for "encoder and decoder"
        )
        for name, (label, choices, _) in offered.items()
    }
    reset = ipywidgets.Button(description="Reset", tooltip="Put back all settings")
    figure = InteractiveFigure(_drawn, controls, others=[reset])
    reset.on_click(lambda _: figure.set(**values))
    return figure


def _drawn(
    model: str, blocks: int, heads: int, d_model: int, d_ff: int, norm: str, n_vocab: int, L: int
) -> Picture:
    shape: dict[str, Any] = {
        "d_model": d_model,
        "n_heads": heads,
        "d_ff": d_ff * d_model,
        "norm": "pre" if norm == "before" else "post",
        "final_norm": norm == "before",
        "tie": "three-way",
        "max_length": 1,
    }
    with torch.device("meta"):
        built = MODELS[model](n_vocab, blocks, shape)
    return architecture(
        built,
        shares={
            "Parameters": parameters_by_part(built),
            f"Multiply-adds, {L:,} tokens": multiply_adds(built, L, L),
        },
    )
