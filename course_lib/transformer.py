"""The whole Transformer: an encoder–decoder for translation, and a decoder-only model from the same blocks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin, get_type_hints

import torch
from torch import Tensor, nn

from course_lib.layers import DecoderBlock, Dropout, EncoderBlock, KeyValueCache, Norm, PositionalEncoding
from course_lib.text.tokenisers import PAD_ID


@dataclass(frozen=True)
class TransformerConfig:
    """All that decides the shape of a Transformer.

    The defaults are a small model that two cores train. Three settings of ``norm`` and ``final_norm`` have a
    name: ("pre", True) is what most models use today, ("post", False) is Vaswani et al. (2017), and
    ("post", True) is ``torch.nn.Transformer``.

    Parameters
    ----------
    n_source_vocab, n_target_vocab : int
        Number of tokens on each side; id 0 is padding.
    d_model, n_heads, d_ff : int
        Width of the model, number of heads, inner width of the feed-forward networks.
    d_k, d_v : int, optional
        Widths per head; d_model / n_heads where not given.
    n_encoder_layers, n_decoder_layers : int
        Number of blocks.
    dropout, attention_dropout : float
        Dropout on embeddings and sublayer outputs; on attention weights.
    norm : {"pre", "post"}
        Layer normalisation before each sublayer, or after its residual connection.
    final_norm : bool
        Whether one more layer normalisation follows the last block of each stack.
    position : {"sinusoidal", "learned", "none"}
        Kind of positional encoding.
    position_mode : {"add", "append"}
        Added to the embeddings, or appended: then d_model = d_embedding + d_position.
    d_position : int, optional
        Width of an appended encoding; half of d_model where not given.
    max_length : int
        Longest sequence that learned positions allow.
    tie : {"none", "target", "three-way"}
        Which matrices are one: none; target embedding and output projection; these two and the source
        embedding (Press and Wolf, 2017), which needs a joint vocabulary.

    Raises
    ------
    ValueError
        If the settings contradict each other, naming both.

    Examples
    --------
    >>> TransformerConfig(n_source_vocab=10, n_target_vocab=12, d_model=6, n_heads=4)
    Traceback (most recent call last):
        ...
    ValueError: n_heads = 4 must divide d_model = 6, or give d_k and d_v
    """

    n_source_vocab: int
    n_target_vocab: int
    d_model: int = 128
    n_heads: int = 4
    d_ff: int = 512
    d_k: int | None = None
    d_v: int | None = None
    n_encoder_layers: int = 4
    n_decoder_layers: int = 4
    dropout: float = 0.1
    attention_dropout: float = 0.0
    norm: Norm = "pre"
    final_norm: bool = True
    position: Literal["sinusoidal", "learned", "none"] = "sinusoidal"
    position_mode: Literal["add", "append"] = "add"
    d_position: int | None = None
    max_length: int = 512
    tie: Literal["none", "target", "three-way"] = "none"

    def __post_init__(self) -> None:
        """Refuse settings that do not exist or contradict each other."""
        for name, options in get_type_hints(TransformerConfig).items():
            if get_origin(options) is Literal and getattr(self, name) not in get_args(options):
                allowed = ", ".join(map(repr, get_args(options)))
                raise ValueError(f"{name}: expected one of {allowed}, not {getattr(self, name)!r}")
        if (self.d_k is None or self.d_v is None) and self.d_model % self.n_heads:
            raise ValueError(
                f"n_heads = {self.n_heads} must divide d_model = {self.d_model}, or give d_k and d_v"
            )
        if self.position_mode == "add" and self.d_position is not None:
            raise ValueError('d_position is for position_mode="append"; an added encoding has width d_model')
        if self.position_mode == "append" and not 0 < self.position_width < self.d_model:
            raise ValueError(
                f"d_position = {self.position_width} must leave room for embeddings in d_model = {self.d_model}"
            )
        if self.position == "sinusoidal" and self.position_width % 2:
            raise ValueError(f"a sinusoidal encoding needs an even width, not {self.position_width}")
        if self.tie != "none" and self.embedding_width != self.d_model:
            raise ValueError(
                f'tie = "{self.tie}" needs embeddings of width d_model = {self.d_model}, '
                f'not {self.embedding_width}: use position_mode="add"'
            )
        if self.tie == "three-way" and self.n_source_vocab != self.n_target_vocab:
            raise ValueError(
                'tie = "three-way" needs a joint vocabulary, but '
                f"n_source_vocab = {self.n_source_vocab} and n_target_vocab = {self.n_target_vocab}"
            )

    @property
    def position_width(self) -> int:
        """Width of the positional encoding."""
        return self.d_model if self.position_mode == "add" else (self.d_position or self.d_model // 2)

    @property
    def embedding_width(self) -> int:
        """Width of the token embeddings."""
        return self.d_model if self.position_mode == "add" else self.d_model - self.position_width


@dataclass
class AttentionMaps:
    """The weights of every attention of one forward pass, a list entry a layer, each (B, H, L_q, L_k).

    ``decoder`` is the decoder's self-attention, ``cross`` its attention to the encoder's output.
    """

    encoder: list[Tensor] = field(default_factory=list)
    decoder: list[Tensor] = field(default_factory=list)
    cross: list[Tensor] = field(default_factory=list)


@dataclass
class DecodingState:
    """What a decoder carries from one step to the next.

    Attributes
    ----------
    memory : Tensor
        The encoder's output, (B, L_s, d).
    memory_mask : Tensor
        Boolean, (B, 1, L_s), True at real tokens.
    self_caches, cross_caches : list of KeyValueCache
        One a layer.
    position : int
        The position of the next token; every step moves it on by one.
    """

    memory: Tensor
    memory_mask: Tensor
    self_caches: list[KeyValueCache]
    cross_caches: list[KeyValueCache]
    position: int = 0

    def select(self, rows: Tensor) -> None:
        """Keep the batch rows ``rows``, in this order; a row may be named several times (beam search)."""
        self.memory, self.memory_mask = self.memory[rows], self.memory_mask[rows]
        for cache in self.self_caches + self.cross_caches:
            cache.select(rows)


class Embedding(nn.Module):
    """Token embeddings times √d, joined with their positions, then dropout.

    The factor gives embeddings drawn with variance 1/d (which suits a tied output projection) the same unit
    scale as sines and cosines.

    Parameters
    ----------
    n_vocab : int
        Number of tokens.
    config : TransformerConfig
        Widths, kind of positions, dropout.

    Notes
    -----
    Vaswani et al. (2017), section 3.4.

    Examples
    --------
    >>> embedding = Embedding(10, TransformerConfig(10, 10, d_model=8))
    >>> embedding(torch.tensor([[4, 5, 6]])).shape
    torch.Size([1, 3, 8])
    """

    def __init__(self, n_vocab: int, config: TransformerConfig) -> None:
        super().__init__()
        self.tokens = nn.Embedding(n_vocab, config.embedding_width)
        self.positions = PositionalEncoding(
            config.position_width, config.max_length, config.position, config.position_mode
        )
        self.dropout = Dropout(config.dropout)
        self.scale = math.sqrt(config.embedding_width)

    def forward(self, ids: Tensor, start: int = 0) -> Tensor:
        """Embed the ids, (B, L), which stand at the positions ``start`` …; the result is (B, L, d)."""
        return self.dropout(self.positions(self.tokens(ids) * self.scale, start))


def causal_mask(length: int, device: torch.device | None = None) -> Tensor:
    """Return the (L, L) mask under which position i sees the positions 0 … i, itself included.

    Examples
    --------
    >>> causal_mask(2).tolist()
    [[True, False], [True, True]]
    """
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def padding_mask(ids: Tensor) -> Tensor:
    """Return the (B, 1, L) mask that allows the real tokens of ``ids``, (B, L), to every query.

    Examples
    --------
    >>> padding_mask(torch.tensor([[7, 8, PAD_ID]])).tolist()
    [[[True, True, False]]]
    """
    return (ids != PAD_ID).unsqueeze(1)


def _block(config: TransformerConfig) -> dict[str, Any]:
    """Return what every block of the model is made with."""
    names = ("d_model", "n_heads", "d_ff", "d_k", "d_v", "dropout", "attention_dropout", "norm")
    return {name: getattr(config, name) for name in names}


def _final_norm(config: TransformerConfig) -> nn.Module:
    return nn.LayerNorm(config.d_model) if config.final_norm else nn.Identity()


def _initialise(model: nn.Module) -> None:
    # Glorot and Bengio (2010) for every matrix, as in Vaswani et al.'s code; embeddings with variance 1/d.
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
    for module in model.modules():  # after the matrices, since a tied one is both
        if isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=module.embedding_dim**-0.5)


class Transformer(nn.Module):
    """The encoder–decoder of Vaswani et al. (2017).

    Padding (id 0) stands at the right end of a sequence. The source's padding is masked; the target's needs no
    mask, because the causal mask already keeps every real position from seeing what comes after it.

    Parameters
    ----------
    config : TransformerConfig
        The shape of the model.

    Notes
    -----
    Document B, section 10.3; document A, "Practical Example".

    Examples
    --------
    >>> model = Transformer(TransformerConfig(n_source_vocab=10, n_target_vocab=12, d_model=8))
    >>> model(torch.tensor([[4, 5, 3]]), torch.tensor([[1, 6]])).shape
    torch.Size([1, 2, 12])
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.source_embedding = Embedding(config.n_source_vocab, config)
        self.target_embedding = Embedding(config.n_target_vocab, config)
        self.encoder = nn.ModuleList(EncoderBlock(**_block(config)) for _ in range(config.n_encoder_layers))
        self.encoder_norm = _final_norm(config)
        self.decoder = nn.ModuleList(DecoderBlock(**_block(config)) for _ in range(config.n_decoder_layers))
        self.decoder_norm = _final_norm(config)
        self.output = nn.Linear(config.d_model, config.n_target_vocab, bias=False)
        if config.tie != "none":
            self.output.weight = self.target_embedding.tokens.weight
        if config.tie == "three-way":
            self.source_embedding.tokens.weight = self.target_embedding.tokens.weight
        _initialise(self)

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Return logits (B, L_t, n_vocab) for the token after each of ``target_in``, (B, L_t), given ``source``.

        Teacher forcing: ``target_in`` starts with <s> and holds the true tokens; see :meth:`step` for its
        alternative.
        """
        return self.output(self.hidden(source, target_in))

    def hidden(self, source: Tensor, target_in: Tensor, maps: AttentionMaps | None = None) -> Tensor:
        """Return the decoder's output (B, L_t, d), which ``self.output`` turns into logits.

        Where ``maps`` is given, the attention weights are added to its lists.
        """
        memory = self._encode(source, maps)
        x = self.target_embedding(target_in)  # (B, L_t, d)
        mask, memory_mask = causal_mask(target_in.shape[1], x.device), padding_mask(source)
        for block in self.decoder:
            x, self_weights, cross_weights = block(
                x, memory, mask, memory_mask, need_weights=maps is not None
            )
            if maps is not None:
                maps.decoder.append(self_weights)
                maps.cross.append(cross_weights)
        return self.decoder_norm(x)

    def attention_maps(self, source: Tensor, target_in: Tensor) -> AttentionMaps:
        """Return the weights of every attention for the given ids, (B, L_s) and (B, L_t)."""
        maps = AttentionMaps()
        self.hidden(source, target_in, maps)
        return maps

    def encode(self, source: Tensor) -> DecodingState:
        """Read the source, (B, L_s), and return the state from which decoding starts."""
        return DecodingState(
            memory=self._encode(source),
            memory_mask=padding_mask(source),
            self_caches=[KeyValueCache() for _ in self.decoder],
            cross_caches=[KeyValueCache() for _ in self.decoder],
        )

    def step(self, tokens: Tensor, state: DecodingState) -> Tensor:
        """Feed one token a sentence, (B,), move ``state`` on, and return logits (B, n_vocab) for the next.

        The caches hold the earlier positions' keys and values, so the new position needs no mask: all that it
        could see is in its past.
        """
        x = self.target_embedding(tokens.unsqueeze(1), start=state.position)  # (B, 1, d)
        for block, self_cache, cross_cache in zip(
            self.decoder, state.self_caches, state.cross_caches, strict=True
        ):
            x, _, _ = block(
                x,
                state.memory,
                memory_mask=state.memory_mask,
                self_cache=self_cache,
                cross_cache=cross_cache,
            )
        state.position += 1
        return self.output(self.decoder_norm(x)).squeeze(1)

    def _encode(self, source: Tensor, maps: AttentionMaps | None = None) -> Tensor:
        x, mask = self.source_embedding(source), padding_mask(source)  # (B, L_s, d), (B, 1, L_s)
        for block in self.encoder:
            x, weights = block(x, mask, need_weights=maps is not None)
            if maps is not None:
                maps.encoder.append(weights)
        return self.encoder_norm(x)


@dataclass
class LanguageModelState:
    """What the decoder-only model carries from one step to the next: a cache a layer, and the position."""

    caches: list[KeyValueCache]
    position: int = 0

    def select(self, rows: Tensor) -> None:
        """Keep the batch rows ``rows``, in this order."""
        for cache in self.caches:
            cache.select(rows)


class DecoderOnlyTransformer(nn.Module):
    """A language model: the encoder's blocks under a causal mask, and an output projection.

    Parameters
    ----------
    config : TransformerConfig
        ``n_target_vocab`` and ``n_decoder_layers`` count; ``tie`` is "none" or "target".

    Notes
    -----
    Radford et al. (2018). Document B, section 10.3.3, names ChatGPT, which is a model of this kind.

    Examples
    --------
    >>> model = DecoderOnlyTransformer(TransformerConfig(10, 10, d_model=8))
    >>> model(torch.tensor([[1, 4, 5]])).shape
    torch.Size([1, 3, 10])
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = Embedding(config.n_target_vocab, config)
        self.blocks = nn.ModuleList(EncoderBlock(**_block(config)) for _ in range(config.n_decoder_layers))
        self.norm = _final_norm(config)
        self.output = nn.Linear(config.d_model, config.n_target_vocab, bias=False)
        if config.tie != "none":
            self.output.weight = self.embedding.tokens.weight
        _initialise(self)

    def forward(self, ids: Tensor, maps: list[Tensor] | None = None) -> Tensor:
        """Return logits (B, L, n_vocab) for the token after each of ``ids``, (B, L).

        Where ``maps`` is given, the attention weights of each layer are added to it.
        """
        x, mask = self.embedding(ids), causal_mask(ids.shape[1], ids.device)
        for block in self.blocks:
            x, weights = block(x, mask, need_weights=maps is not None)
            if maps is not None:
                maps.append(weights)
        return self.output(self.norm(x))

    def start(self) -> LanguageModelState:
        """Return the state from which generation starts."""
        return LanguageModelState([KeyValueCache() for _ in self.blocks])

    def step(self, tokens: Tensor, state: LanguageModelState) -> Tensor:
        """Feed one token a sequence, (B,), move ``state`` on, and return logits (B, n_vocab) for the next."""
        x = self.embedding(tokens.unsqueeze(1), start=state.position)  # (B, 1, d)
        for block, cache in zip(self.blocks, state.caches, strict=True):
            x, _ = block(x, cache=cache)
        state.position += 1
        return self.output(self.norm(x)).squeeze(1)
