"""The architecture figure follows the modules of the model, in its words and in its pixels."""

from dataclasses import replace
from io import BytesIO
from itertools import groupby

import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from PIL import Image
from torch import nn

from course_lib.chapters.ch09_transformer.architecture_figures import architecture
from course_lib.figures.palette import COLOURS, DECODER, ENCODER, PAPER
from course_lib.figures.picture import Picture
from course_lib.model import (
    DecoderBlock,
    DecoderOnlyConfig,
    DecoderOnlyTransformer,
    Transformer,
    TransformerConfig,
)
from tests.support.pictures import figures_kept

CONFIG = TransformerConfig(
    20, 20, d_model=16, n_heads=2, d_ff=32, n_encoder_layers=1, n_decoder_layers=2, max_length=4
)
ALONE = DecoderOnlyConfig(20, d_model=16, n_heads=2, d_ff=32, n_layers=2, max_length=4)


def figure(**changes: object) -> Picture:
    return architecture(Transformer(replace(CONFIG, **changes)))


def in_colour(picture: Picture, colour: str) -> np.ndarray:
    image = np.asarray(Image.open(BytesIO(picture.png)).convert("RGB")) / 255
    return np.abs(image - to_rgb(colour)).max(axis=-1) < 0.06


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "Decoder: embedding of 20 tokens, width 16, plus sinusoidal positions; 2 × (masked self"),
        ({"n_decoder_layers": 5}, "5 × (masked self-attention with 2 heads, then cross-attention with 2"),
        ({"n_encoder_layers": 3}, "3 × (self-attention with 2 heads, then feed-forward 16 → 32 → 16)"),
        ({"n_heads": 1}, "self-attention with 1 head, then"),
        ({"norm": "post"}, "layer norm after it"),
        ({}, "layer norm before it; final norm"),
        ({"tie": "target"}, "output 16 → 20 (embedding's matrix)"),
        ({"tie": "none"}, "output 16 → 20."),
        ({"position": "none"}, "plus no positions"),
        ({"position": "learned", "position_mode": "append"}, "width 8, beside learned positions"),
    ],
)
def test_words_follow_the_settings(changes, words) -> None:
    assert words in figure(**changes).alt


def test_the_text_names_no_final_norm_where_the_model_has_none() -> None:
    assert "final norm" not in figure(final_norm=False).alt


def test_it_is_the_modules_that_are_drawn_and_not_the_configuration() -> None:
    model = Transformer(CONFIG)
    before = architecture(model)
    model.config = replace(CONFIG, n_decoder_layers=9, norm="post", n_heads=8)
    assert architecture(model).png == before.png
    model.decoder[1] = DecoderBlock(16, n_heads=4, d_ff=8, norm="post")
    after = architecture(model)
    assert "1 × (masked self-attention with 2 heads" in after.alt
    assert "1 × (masked self-attention with 4 heads" in after.alt
    assert after.height > before.height


@pytest.mark.share(2)
def test_a_norm_that_is_taken_out_is_not_drawn() -> None:
    model = Transformer(replace(CONFIG, n_decoder_layers=1, final_norm=False))
    bars = in_colour(architecture(model), COLOURS[5]).sum()
    for module in [*model.encoder, *model.decoder]:
        module.around_feed_forward.norm = nn.Identity()
    fewer = architecture(model)
    assert "layer norms mixed" in fewer.alt
    assert in_colour(fewer, COLOURS[5]).sum() == pytest.approx(bars * 3 / 5, rel=0.05)


@pytest.mark.parametrize("n_heads", [1, 2, 8, 16])
def test_heads_are_cut_as_strips(n_heads: int) -> None:
    blue = in_colour(architecture(DecoderOnlyTransformer(replace(ALONE, n_heads=n_heads))), COLOURS[0])
    runs = max(sum(is_blue for is_blue, _ in groupby(row)) for row in blue)
    assert runs == n_heads + 2  # and the two edges of the box


def test_only_an_encoder_decoder_has_cross_attention() -> None:
    assert in_colour(figure(), COLOURS[3]).any()
    alone = architecture(DecoderOnlyTransformer(ALONE))
    assert not in_colour(alone, COLOURS[3]).any()
    assert "ross-attention" not in alone.alt
    assert "Encoder" not in alone.alt
    assert alone.width < figure().width


def test_shares_are_drawn_and_told() -> None:
    model = DecoderOnlyTransformer(ALONE)
    picture = architecture(model, shares={"Parameters": {"a": 3000, "b": 996, "c": 4, "d": 0}})
    assert picture.alt.endswith("Parameters: 4,000; a 75%, b 25%, c less than 1%, d 0%.")
    blue = in_colour(picture, COLOURS[0])[:, -int(2.85 * 192) :]  # the column at the right, 2.9 inches
    longest = np.sort(blue.sum(axis=1))
    lengths = [length for length, rows in groupby(longest) if len(list(rows)) > 20 and length > 50]
    assert lengths[-1] == pytest.approx(3 * lengths[-2], rel=0.05)


def test_works_without_numbers() -> None:
    with torch.device("meta"):
        model = Transformer(CONFIG)
    assert architecture(model).alt == figure().alt


def test_refuses_other_models() -> None:
    with pytest.raises(ValueError, match="model Linear: expected a Transformer"):
        architecture(nn.Linear(2, 2))


@pytest.mark.share(2)
def test_its_parts_keep_their_colours() -> None:
    """Each part has the colour that it was given, and the paper its own."""
    image = Image.open(BytesIO(figure().png))
    seen = np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0) / 255
    for colour in (PAPER, ENCODER, DECODER, COLOURS[0], *COLOURS[2:]):
        assert np.abs(seen - to_rgb(colour)).max(axis=1).min() < 0.02
    assert np.abs(np.asarray(image.convert("RGB"))[0, 0] / 255 - to_rgb(PAPER)).max() < 0.02


def test_the_decoder_s_input_is_said_to_be_shifted() -> None:
    with figures_kept() as kept:
        figure()
    words = {text.get_text() for text in kept[0].findobj(Text)}
    assert {"Encoder reads source", "Decoder reads target, shifted right"} <= words


def test_bars_have_the_colours_of_the_boxes() -> None:
    shares = {"Parameters": {"feed-forward": 3, "norms": 1}}
    picture = architecture(DecoderOnlyTransformer(ALONE), shares=shares)
    wide, narrow = (
        in_colour(picture, colour)[:, -int(2.85 * 192) :].sum() for colour in (COLOURS[2], COLOURS[5])
    )
    assert wide == pytest.approx(3 * narrow, rel=0.1)
