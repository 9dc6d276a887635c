"""What changed between the Transformer of 2017 and the decoders of today, one switch at a time.

Each switch is an argument of `course_lib.model` or a class of a few lines; `build` puts them together.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.chapters.fit import seeded
from course_lib.model import DecoderOnlyConfig, DecoderOnlyTransformer, FeedForward, MultiHeadAttention, Parts
from course_lib.model.attention import AttentionFunction, attention, merge_heads, split_heads
from course_lib.model.transformer import initialise

EPSILON = 1e-6  # under the square root of a norm


class RMSNorm(nn.Module):
    """Root-mean-square normalisation: x / √(mean of x² + ε), times a gain for each column.

    Parameters
    ----------
    d : int
        Width of x.

    Notes
    -----
    Zhang and Sennrich (2019). Beside layer normalisation, the mean is not subtracted, and there is no bias.

    Examples
    --------
    >>> RMSNorm(2)(torch.tensor([[3.0, 3.0]])).round().tolist()
    [[1.0, 1.0]]
    """

    def __init__(self, d: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d))

    def forward(self, x: Tensor) -> Tensor:
        """Normalise `x`, (…, d), along its last axis."""
        return x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + EPSILON) * self.gain


class GELUFeedForward(FeedForward):
    """Feed-forward network with GELU in place of max(0, ·): x·Φ(x), where Φ is the Gaussian distribution function.

    Notes
    -----
    Hendrycks and Gimpel (2016).

    Examples
    --------
    >>> GELUFeedForward(d_model=4, d_ff=16)(torch.zeros(1, 3, 4)).shape
    torch.Size([1, 3, 4])
    """

    def forward(self, x: Tensor) -> Tensor:
        """Map `x`, of shape (…, d), to the same shape."""
        return self.W_2(F.gelu(self.W_1(x)))


class SwiGLU(nn.Module):
    """Gated feed-forward network (silu(x·W_1) ⊙ x·W_3)·W_2, where silu(z) = z / (1 + e^−z).

    Parameters
    ----------
    d_model : int
        Outer width.
    d_ff : int
        Inner width of a network of two matrices that has as many weights: this one's is 2/3 of it, rounded.

    Notes
    -----
    Shazeer (2020). d_ff = 4·d gives 8/3·d.

    Examples
    --------
    >>> SwiGLU(d_model=6, d_ff=24).W_1
    Linear(in_features=6, out_features=16, bias=True)
    """

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        hidden = round(2 * d_ff / 3)
        self.W_1, self.W_3 = nn.Linear(d_model, hidden), nn.Linear(d_model, hidden)
        self.W_2 = nn.Linear(hidden, d_model)

    def forward(self, x: Tensor) -> Tensor:
        """Map `x`, of shape (…, d), to the same shape."""
        return self.W_2(F.silu(self.W_1(x)) * self.W_3(x))


class GroupedAttention(MultiHeadAttention):
    """Attention whose query heads share, group by group, a head of keys and values.

    Parameters
    ----------
    d_model, n_heads : int
        Width, and number of query heads.
    n_kv_heads : int
        Number of heads of keys and values: n_heads is `MultiHeadAttention`, 1 is multi-query attention.
    bias : bool
        Whether the projections have biases.
    attention_function : AttentionFunction
        The attention of all heads at once.

    Raises
    ------
    ValueError
        If n_kv_heads does not divide n_heads.

    Notes
    -----
    Shazeer (2019) for one head of keys and values, Ainslie et al. (2023) for groups.

    Examples
    --------
    >>> layer = GroupedAttention(d_model=8, n_heads=4, n_kv_heads=2)
    >>> layer(torch.zeros(1, 3, 8))[1].shape, layer.W_K.out_features
    (torch.Size([1, 4, 3, 3]), 4)
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_kv_heads: int,
        bias: bool = True,
        attention_function: AttentionFunction = attention,
    ) -> None:
        if n_heads % n_kv_heads:
            raise ValueError(f"n_kv_heads = {n_kv_heads} must divide n_heads = {n_heads}")
        super().__init__(d_model, n_heads, bias=bias, attention_function=attention_function)
        self.n_kv_heads = n_kv_heads
        self.W_K = nn.Linear(d_model, n_kv_heads * self.d_k, bias)
        self.W_V = nn.Linear(d_model, n_kv_heads * self.d_v, bias)

    def forward(
        self, x: Tensor, context: Tensor | None = None, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Attend as `MultiHeadAttention` does; shapes are the same."""
        context = x if context is None else context
        each = self.n_heads // self.n_kv_heads
        Q = split_heads(self.W_Q(x), self.n_heads)  # (B, H, L_q, d_k)
        K, V = (
            split_heads(W(context), self.n_kv_heads).repeat_interleave(each, dim=1)  # (B, H, L_k, d_k)
            for W in (self.W_K, self.W_V)
        )
        heads, weights = self.attention_function(Q, K, V, mask, 0.0)
        return self.W_O(merge_heads(heads)), weights


class QKNorm(nn.Module):
    """An attention function that normalises queries and keys first, so that no score exceeds √d_k at gain 1.

    Parameters
    ----------
    d_k : int
        Width of a head's queries and keys.
    function : AttentionFunction
        What is computed from them, such as `RotaryAttention()`.

    Notes
    -----
    Henry et al. (2020), with another norm; in this form it is in Qwen3 (2025).

    Examples
    --------
    >>> x = 1000 * torch.eye(4)
    >>> round(QKNorm(4, attention)(x, x, x)[1][0, 0].item(), 3)  # the score is √4
    0.711
    """

    def __init__(self, d_k: int, function: AttentionFunction) -> None:
        super().__init__()
        self.of_queries, self.of_keys, self.function = RMSNorm(d_k), RMSNorm(d_k), function

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, dropout: float = 0.0
    ) -> tuple[Tensor, Tensor | None]:
        """Return output and weights, as `attention` does."""
        return self.function(self.of_queries(queries), self.of_keys(keys), values, mask, dropout)


@dataclass(frozen=True)
class Sizes:
    """How large a model is; the same for all of a comparison."""

    n_vocab: int = 512
    d_model: int = 64
    n_heads: int = 4
    d_ff: int = 256
    n_layers: int = 3


@dataclass(frozen=True)
class Switches:
    """Where each switch stands; the defaults are the Transformer of 2017, without its encoder.

    Attributes
    ----------
    norm : {"post", "pre"}
    rms : bool
        RMSNorm in place of layer normalisation.
    bias : bool
    position : {"sinusoidal", "rotary", "none"}
    feed_forward : {"relu", "gelu", "swiglu"}
    n_kv_heads : int or None
        Heads of keys and values; None: as many as heads of queries.
    qk_norm : bool
    tie : bool
        Whether the output projection is the embedding matrix.
    """

    norm: Literal["post", "pre"] = "post"
    rms: bool = False
    bias: bool = True
    position: Literal["sinusoidal", "rotary", "none"] = "sinusoidal"
    feed_forward: Literal["relu", "gelu", "swiglu"] = "relu"
    n_kv_heads: int | None = None
    qk_norm: bool = False
    tie: bool = True


FEED_FORWARD: dict[str, Callable[[int, int], nn.Module]] = {
    "relu": FeedForward,
    "gelu": GELUFeedForward,
    "swiglu": SwiGLU,
}


def build(switches: Switches, sizes: Sizes = Sizes(), seed: int = 0) -> DecoderOnlyTransformer:
    """Build a language model with the switches as given.

    Examples
    --------
    >>> model = build(Switches(norm="pre", rms=True, bias=False), Sizes(n_vocab=10, d_model=8, n_layers=1))
    >>> model(torch.tensor([[1, 4, 5]])).shape
    torch.Size([1, 3, 10])
    """
    s = switches
    with seeded(seed):
        config = DecoderOnlyConfig(
            sizes.n_vocab,
            d_model=sizes.d_model,
            n_heads=sizes.n_heads,
            d_ff=sizes.d_ff,
            n_layers=sizes.n_layers,
            dropout=0.0,
            norm=s.norm,
            final_norm=s.norm == "pre",
            position=s.position,
            tie="target" if s.tie else "none",
        )
        model = DecoderOnlyTransformer(config, Parts(feed_forward=FEED_FORWARD[s.feed_forward]))
        block: Any
        for block in model.blocks:
            function = block.attention.attention_function
            if s.n_kv_heads:
                block.attention = GroupedAttention(
                    sizes.d_model, sizes.n_heads, s.n_kv_heads, attention_function=function
                )
            if s.qk_norm:
                block.attention.attention_function = QKNorm(block.attention.d_k, function)
        if s.rms:
            replace_norms(model)
        if not s.bias:
            remove_biases(model)
        initialise(model)
    return model


def replace_norms(model: nn.Module) -> None:
    """Put an `RMSNorm` in the place of each `nn.LayerNorm` of a model.

    Examples
    --------
    >>> model = nn.Sequential(nn.LayerNorm(4))
    >>> replace_norms(model)
    >>> type(model[0]).__name__
    'RMSNorm'
    """
    for part in list(model.modules()):
        for name, child in part.named_children():
            if isinstance(child, nn.LayerNorm):
                setattr(part, name, RMSNorm(child.normalized_shape[0]))


def remove_biases(model: nn.Module) -> None:
    """Take the bias from each linear layer and each layer normalisation of a model.

    Examples
    --------
    >>> model = nn.Linear(4, 4)
    >>> remove_biases(model)
    >>> sum(p.numel() for p in model.parameters())
    16
    """
    for part in model.modules():
        if isinstance(part, nn.Linear | nn.LayerNorm):
            part.register_parameter("bias", None)


CHANGES: dict[str, dict[str, Any]] = {
    "pre-norm": {"norm": "pre"},
    "RMSNorm": {"rms": True},
    "no biases": {"bias": False},
    "rotary": {"position": "rotary"},
    "GELU": {"feed_forward": "gelu"},
    "SwiGLU": {"feed_forward": "swiglu"},
    "grouped queries": {"n_kv_heads": 2},
    "QK-norm": {"qk_norm": True},
    "untied": {"tie": False},
}


def ladder() -> dict[str, Switches]:
    """Return the models from 2017 to today: each has one switch more than the one before.

    Examples
    --------
    >>> list(ladder())[:3], ladder()["untied"] == TODAY
    (['2017', 'pre-norm', 'RMSNorm'], True)
    """
    models = {"2017": Switches()}
    for name, change in CHANGES.items():
        models[name] = replace(list(models.values())[-1], **change)
    return models


TODAY = ladder()["untied"]


def n_parameters(model: nn.Module) -> int:
    """Count the parameters of a model; a shared matrix counts once.

    Examples
    --------
    >>> n_parameters(nn.Linear(3, 2))
    8
    """
    return sum(p.numel() for p in model.parameters())


def cache_bytes(n_layers: int, n_kv_heads: int, d_k: int, bytes_each: int = 4) -> int:
    """Return the bytes of keys and values that a model keeps for each token of a text.

    Formula: 2 · n_layers · n_kv_heads · d_k · bytes_each.

    Examples
    --------
    >>> cache_bytes(n_layers=32, n_kv_heads=8, d_k=128, bytes_each=2)  # Llama 3 8B
    131072
    """
    return 2 * n_layers * n_kv_heads * d_k * bytes_each
