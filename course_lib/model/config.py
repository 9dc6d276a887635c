"""Validated configurations: all that determines a Transformer's architecture."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

from course_lib.checks import check_choices, check_joint_vocabulary

Norm = Literal["pre", "post"]
Position = Literal["sinusoidal", "learned", "none", "rotary"]
Mode = Literal["add", "append"]
Tie = Literal["none", "target", "three-way"]


@dataclass(frozen=True, kw_only=True)
class BlockConfig:
    """What the configurations of both kinds of Transformer have in common; see `TransformerConfig`."""

    d_model: int = 128
    n_heads: int = 4
    d_ff: int = 512
    d_k: int | None = None
    d_v: int | None = None
    dropout: float = 0.1
    attention_dropout: float = 0.0
    norm: Norm = "pre"
    final_norm: bool = True
    position: Position = "sinusoidal"
    position_mode: Mode = "add"
    d_position: int | None = None
    max_length: int = 512
    tie: Tie = "none"

    def __post_init__(self) -> None:
        """Validate the settings."""
        check_choices(self)
        d, width = self.d_model, self.position_width
        if self.position_mode == "add" and self.d_position is not None:
            raise ValueError('d_position is for position_mode="append"; an added encoding has width d_model')
        if self.position_mode == "append" and not 0 < width < d:
            raise ValueError(f"d_position = {width} must leave room for embeddings in d_model = {d}")
        if self.position == "rotary" and (self.position_mode != "add" or (self.d_k or d // self.n_heads) % 2):
            raise ValueError('position = "rotary" needs position_mode = "add" and an even d_k')
        if self.tie != "none" and self.embedding_width != d:
            needs = f'tie = "{self.tie}" needs embeddings of width d_model = {d}, not {self.embedding_width}'
            raise ValueError(f'{needs}: use position_mode="add"')

    @property
    def position_width(self) -> int:
        """Width of the positional encoding."""
        return self.d_model if self.position_mode == "add" else (self.d_position or self.d_model // 2)

    @property
    def embedding_width(self) -> int:
        """Width of the token embeddings."""
        return self.d_model if self.position_mode == "add" else self.d_model - self.position_width

    @property
    def block(self) -> dict[str, Any]:
        """Arguments of `EncoderBlock` and `DecoderBlock`, all but the parts."""
        names = ("d_model", "n_heads", "d_ff", "d_k", "d_v", "dropout", "attention_dropout", "norm")
        return {name: getattr(self, name) for name in names} | {"rotary": self.position == "rotary"}


@dataclass(frozen=True)
class TransformerConfig(BlockConfig):
    """Configuration of an encoder–decoder.

    The defaults are a small model that two cores train. Three settings of `norm` and `final_norm` have a
    name: ("pre", True) is what most models use today, ("post", False) is Vaswani et al. (2017), and
    ("post", True) is `torch.nn.Transformer`.

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
    position : {"sinusoidal", "learned", "none", "rotary"}
        Kind of positional encoding.
    position_mode : {"add", "append"}
        Added to the embeddings, or appended: then d_model = d_embedding + d_position.
    d_position : int, optional
        Width of an appended encoding; half of d_model where not given.
    max_length : int
        Longest sequence that learned positions allow.
    tie : {"none", "target", "three-way"}
        Which matrices are shared: none; target embedding and output projection; these two and the source
        embedding (Press and Wolf, 2017), which needs a joint vocabulary.

    Raises
    ------
    ValueError
        If two settings conflict; the message names both.

    Examples
    --------
    >>> TransformerConfig(n_source_vocab=10, n_target_vocab=12, tie="three-way")
    Traceback (most recent call last):
        ...
    ValueError: tie = "three-way" needs a joint vocabulary, but n_source_vocab = 10 and n_target_vocab = 12
    """

    n_source_vocab: int
    n_target_vocab: int
    _: KW_ONLY  # the fields that follow are keyword arguments
    n_encoder_layers: int = 4
    n_decoder_layers: int = 4

    def __post_init__(self) -> None:
        """Validate the settings."""
        super().__post_init__()
        check_joint_vocabulary(self.tie, self.n_source_vocab, self.n_target_vocab)


@dataclass(frozen=True)
class DecoderOnlyConfig(BlockConfig):
    """Configuration of a decoder-only model.

    Parameters
    ----------
    n_vocab : int
        Number of tokens.
    n_layers : int
        Number of blocks.
    tie : {"none", "target", "three-way"}
        Whether embedding and output projection share a matrix; here both but "none" mean that they do.

    The others are those of `TransformerConfig`.

    Raises
    ------
    ValueError
        If two settings conflict; the message names both.

    Examples
    --------
    >>> DecoderOnlyConfig(n_vocab=10, position="relative")
    Traceback (most recent call last):
        ...
    ValueError: position: expected one of 'sinusoidal', 'learned', 'none', 'rotary', not 'relative'
    """

    n_vocab: int
    _: KW_ONLY
    n_layers: int = 4
