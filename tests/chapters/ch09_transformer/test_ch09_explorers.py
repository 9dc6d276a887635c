"""The architecture explorer: what its menus do."""

import gc

import pytest
from matplotlib.figure import Figure

from course_lib.chapters.ch09_transformer.explorers import architecture_explorer
from course_lib.chapters.ch09_transformer.shapes import multiply_adds, parameters_by_part
from course_lib.model import Transformer, TransformerConfig

pytestmark = pytest.mark.share(2)


def test_starts_from_the_papers_base_model() -> None:
    told = architecture_explorer().picture.alt
    assert "6 × (self-attention with 8 heads, then feed-forward 512 → 2048 → 512)" in told
    assert "Parameters: 63,082,496; embeddings 30%, attention 30%, feed-forward 40%" in told


def test_every_menu_changes_the_figure() -> None:
    figure = architecture_explorer()
    for name, control in figure.controls.items():
        before = figure.picture
        options = [value for _, value in control.options]
        control.value = next(option for option in options if option != control.value)
        assert figure.picture.png != before.png, name
        assert control.description
        assert control.tooltip


def test_counts_are_those_of_a_real_model() -> None:
    figure = architecture_explorer(blocks=2, heads=4, d_model=64, d_ff=2, norm="before", n_vocab=1_000, L=16)
    model = Transformer(
        TransformerConfig(
            1_000,
            1_000,
            d_model=64,
            n_heads=4,
            d_ff=128,
            n_encoder_layers=2,
            n_decoder_layers=2,
            tie="three-way",
        )
    )
    assert f"Parameters: {sum(parameters_by_part(model).values()):,};" in figure.picture.alt
    assert f"16 tokens: {sum(multiply_adds(model, 16, 16).values()):,};" in figure.picture.alt


def test_reset_puts_everything_back_and_leaves_no_figure() -> None:
    figure = architecture_explorer(model="decoder only", blocks=1)
    start = figure.picture.alt
    figure.set(blocks=12, norm="before", L=4_096)
    assert figure.picture.alt != start
    (reset,) = (w for row in figure.children[:1] for w in row.children if w.description == "Reset")
    reset.click()
    assert figure.picture.alt == start
    gc.collect()
    assert not [o for o in gc.get_objects() if type(o) is Figure]


def test_refuses_what_is_not_offered() -> None:
    with pytest.raises(ValueError, match="blocks=5: expected one of"):
        architecture_explorer(blocks=5)
    with pytest.raises(ValueError, match="depth=2: expected a name among"):
        architecture_explorer(depth=2)
