"""Each switch beside PyTorch's own module or its formula; its parameters and bytes; the chapter's own code."""

import nbformat
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from course_lib.chapters.ch12_to_today import switches
from course_lib.chapters.ch12_to_today.switches import (
    TODAY,
    GELUFeedForward,
    GroupedAttention,
    QKNorm,
    RMSNorm,
    Sizes,
    SwiGLU,
    Switches,
    build,
    ladder,
    n_parameters,
)
from course_lib.fast import fused_attention
from course_lib.model import MultiHeadAttention, attention, causal_mask
from tests.support.editions import ROOT

SMALL = Sizes(n_vocab=20, d_model=24, n_heads=4, d_ff=96, n_layers=2)


def drawn(*shape: int, seed: int = 1) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def with_random_weights(module: nn.Module, seed: int = 2) -> nn.Module:
    generator = torch.Generator().manual_seed(seed)
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5, generator=generator)
    return module


class TestParts:
    def test_rms_norm_is_pytorch_s(self):
        mine, theirs = with_random_weights(RMSNorm(8)), nn.RMSNorm(8, eps=switches.EPSILON)
        theirs.weight = mine.gain
        x = 3 + drawn(2, 5, 8)
        torch.testing.assert_close(mine(x), theirs(x))

    def test_gelu_is_the_formula_with_the_error_function(self):
        mine = with_random_weights(GELUFeedForward(6, 24))
        z = mine.W_1(x := drawn(2, 3, 6))
        torch.testing.assert_close(mine(x), mine.W_2(z * (1 + torch.erf(z / 2**0.5)) / 2))

    def test_swiglu_is_the_formula_by_hand(self):
        mine = with_random_weights(SwiGLU(6, 24))
        x = drawn(2, 3, 6)
        gate = x @ mine.W_1.weight.T + mine.W_1.bias
        expected = gate / (1 + torch.exp(-gate)) * (x @ mine.W_3.weight.T + mine.W_3.bias)
        torch.testing.assert_close(mine(x), expected @ mine.W_2.weight.T + mine.W_2.bias)

    @pytest.mark.parametrize("d", [48, 96, 192])
    def test_two_thirds_of_the_width_make_as_many_weights(self, d):
        """Where 8/3·d is a whole number."""
        gated, plain = SwiGLU(d, 4 * d), GELUFeedForward(d, 4 * d)
        assert gated.W_1.out_features * 3 == 8 * d
        weights = [sum(p.numel() for p in part.parameters() if p.dim() == 2) for part in (gated, plain)]
        assert weights[0] == weights[1] == 8 * d**2

    @pytest.mark.parametrize("n_kv_heads", [1, 2, 4])
    def test_grouped_attention_is_pytorch_s(self, n_kv_heads):
        layer = with_random_weights(GroupedAttention(16, 4, n_kv_heads))
        x, mask = drawn(2, 5, 16), causal_mask(5)
        Q, K, V = (W(x).unflatten(-1, (-1, 4)).transpose(1, 2) for W in (layer.W_Q, layer.W_K, layer.W_V))
        heads = F.scaled_dot_product_attention(Q, K, V, is_causal=True, enable_gqa=True)
        torch.testing.assert_close(layer(x, mask=mask)[0], layer.W_O(heads.transpose(1, 2).flatten(2)))

    def test_as_many_heads_of_keys_as_of_queries_is_multi_head_attention(self):
        grouped = with_random_weights(GroupedAttention(16, 4, 4))
        plain = MultiHeadAttention(16, 4)
        plain.load_state_dict(grouped.state_dict())
        x = drawn(2, 5, 16)
        torch.testing.assert_close(grouped(x, mask=causal_mask(5)), plain(x, mask=causal_mask(5)))

    def test_groups_must_be_alike(self):
        with pytest.raises(ValueError, match="n_kv_heads = 3 must divide n_heads = 4"):
            GroupedAttention(16, 4, 3)

    def test_with_qk_norm_the_length_of_a_query_does_not_matter_and_its_scores_are_bounded(self):
        seen = []

        def spy(queries, keys, values, mask=None, dropout=0.0):
            seen.append(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
            return attention(queries, keys, values, mask, dropout)

        normed = QKNorm(8, spy)
        q, k = drawn(1, 5, 8), drawn(1, 5, 8, seed=2)
        first, second = normed(q, k, k)[0], normed(100 * q, 0.01 * k, k)[0]
        torch.testing.assert_close(first, second, rtol=1e-2, atol=1e-2)  # apart from ε
        normed(1000 * q, 1000 * q, k)
        assert seen[-1].max().item() == pytest.approx(8**0.5, rel=1e-3)


class TestBuild:
    def test_each_rung_has_one_switch_more_and_the_parameters_of_its_formula(self):
        d, f, v, layers = SMALL.d_model, SMALL.d_ff, SMALL.n_vocab, SMALL.n_layers
        expected = {"2017": v * d + layers * (4 * d**2 + 4 * d + 2 * d * f + d + f + 4 * d)}
        expected["pre-norm"] = expected["2017"] + 2 * d
        expected["RMSNorm"] = expected["pre-norm"] - (2 * layers + 1) * d
        expected["no biases"] = expected["RMSNorm"] - layers * (5 * d + f)
        expected["rotary"] = expected["GELU"] = expected["SwiGLU"] = expected["no biases"]
        expected["grouped queries"] = expected["SwiGLU"] - layers * d**2
        expected["QK-norm"] = expected["grouped queries"] + layers * 2 * d // 4
        expected["untied"] = expected["QK-norm"] + v * d
        assert {name: n_parameters(build(each, SMALL)) for name, each in ladder().items()} == expected

    def test_2017_is_pytorch_s_post_norm_layer(self):
        model = build(Switches(), SMALL, seed=3).eval()
        block, layer = (
            model.blocks[0],
            nn.TransformerEncoderLayer(24, 4, 96, dropout=0.0, batch_first=True).eval(),
        )
        with torch.no_grad():
            projections = (block.attention.W_Q, block.attention.W_K, block.attention.W_V)
            layer.self_attn.in_proj_weight.copy_(torch.cat([W.weight for W in projections]))
            layer.self_attn.in_proj_bias.copy_(torch.cat([W.bias for W in projections]))
            layer.self_attn.out_proj.load_state_dict(block.attention.W_O.state_dict())
            layer.linear1.load_state_dict(block.feed_forward.W_1.state_dict())
            layer.linear2.load_state_dict(block.feed_forward.W_2.state_dict())
        x = drawn(2, 6, 24)
        expected = layer(x, src_mask=~causal_mask(6))
        torch.testing.assert_close(block(x, causal_mask(6))[0], expected, rtol=1e-4, atol=1e-5)

    @pytest.mark.parametrize("name", [*ladder()])
    def test_no_model_looks_ahead_and_the_fused_kernel_gives_the_same(self, name):
        model = build(ladder()[name], SMALL).eval()
        ids = torch.randint(4, 20, (2, 7), generator=torch.Generator().manual_seed(4))
        changed = ids.clone()
        changed[:, 5:] = 4
        with torch.no_grad():
            logits = model(ids)
            torch.testing.assert_close(model(changed)[:, :5], logits[:, :5])
            assert not torch.allclose(model(changed)[:, 5:], logits[:, 5:])
            for block in model.blocks:
                layer = block.attention.attention_function
                if layer is attention:
                    block.attention.attention_function = fused_attention
            torch.testing.assert_close(model(ids), logits, rtol=1e-4, atol=1e-5)

    def test_positions_are_what_tells_two_orders_apart(self):
        ids = torch.tensor([[5, 6, 7, 8]])
        swapped = torch.tensor([[6, 5, 7, 8]])
        for position, apart in (("none", False), ("rotary", True)):
            one = Sizes(n_vocab=20, d_model=24, n_heads=4, d_ff=96, n_layers=1)
            model = build(Switches(norm="pre", position=position), one).eval()
            same = torch.allclose(model(ids)[:, 2:], model(swapped)[:, 2:], atol=1e-5)
            assert same != apart

    def test_the_cache_holds_what_the_projections_give(self):
        for n_kv_heads in (1, 2):
            model = build(Switches(n_kv_heads=n_kv_heads), SMALL)
            numbers = sum(b.attention.W_K.out_features + b.attention.W_V.out_features for b in model.blocks)
            assert switches.cache_bytes(SMALL.n_layers, n_kv_heads, 6) == 4 * numbers


@pytest.fixture(scope="module")
def chapter() -> dict[str, object]:
    """What the cells of the chapter define, from the first import to the model of today."""
    notebook = nbformat.read(ROOT / "notebooks" / "12_to_today.ipynb", as_version=4)
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    names: dict[str, object] = {}
    imports = [line for line in code[0].split("\n\nstored")[0].splitlines() if not line.startswith("%")]
    exec("\n".join(imports), names)
    starts = (
        "class RMSNorm(",
        "class SwiGLU(",
        "class GroupedAttention(",
        "class QKNorm(",
        "def today(",
        "def join(",
    )
    for start in starts:
        [source] = [source for source in code if source.startswith(start)]
        assert len(source.splitlines()) <= 20
        exec(source, names)
    return names


def test_the_model_of_the_chapter_is_the_library_s(chapter):
    library = build(TODAY, Sizes(n_vocab=20, d_model=48, n_heads=4, d_ff=192, n_layers=3), seed=1)
    mine = chapter["today"](20)
    mine.load_state_dict(library.state_dict())
    ids = torch.randint(4, 20, (2, 9), generator=torch.Generator().manual_seed(5))
    torch.testing.assert_close(mine(ids), library(ids))


def test_the_byte_pairs_of_the_chapter_are_the_library_s(chapter):
    """On words without accents, whose letters are bytes."""
    from collections import Counter

    from course_lib.chapters.ch12_to_today.language import corpus
    from course_lib.text.tokenisers import BPETokeniser

    texts = [text.rstrip(" .") for text in corpus().texts["train"] if text.isascii() and "," not in text][
        :800
    ]
    words = Counter(word for text in texts for word in text.split() if word.isalpha())
    merges, cut = chapter["learn"](words, 20)
    lines = [word for word, n in words.items() for _ in range(n)]
    theirs = BPETokeniser.train(lines, 260 + 20)
    assert [a + b for a, b in merges] == [(a + b).replace("Ġ", "▁") for a, b in theirs.merges]
    assert all("".join(pieces) == "▁" + word for word, pieces in cut.items())
