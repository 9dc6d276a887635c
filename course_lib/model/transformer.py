"""The Transformer: embeddings, an encoder and a decoder for translation."""

import math

from torch import Tensor, nn

from course_lib.model.attention import AttentionMaps, attention_weights
from course_lib.model.blocks import STANDARD, DecoderBlock, EncoderBlock, Parts
from course_lib.model.config import BlockConfig, TransformerConfig


class Embedding(nn.Module):
    """Token embeddings times √d, joined with their positions, then dropout.

    The factor gives embeddings drawn with variance 1/d (which suits a tied output projection) the same unit
    scale as sines and cosines.

    Parameters
    ----------
    n_vocab : int
        Number of tokens.
    config : TransformerConfig or DecoderOnlyConfig
        Widths, kind of positions, dropout.
    parts : Parts
        What it is built from.

    Notes
    -----
    Vaswani et al. (2017), section 3.4.

    Examples
    --------
    >>> import torch
    >>> embedding = Embedding(10, TransformerConfig(10, 10, d_model=8))
    >>> embedding(torch.tensor([[4, 5, 6]])).shape
    torch.Size([1, 3, 8])
    """

    def __init__(self, n_vocab: int, config: BlockConfig, parts: Parts = STANDARD) -> None:
        super().__init__()
        c = config
        self.tokens = nn.Embedding(n_vocab, c.embedding_width)
        self.positions = parts.positions(c.position_width, c.max_length, c.position, c.position_mode)
        self.dropout = nn.Dropout(c.dropout)

    def forward(self, ids: Tensor, start: int = 0) -> Tensor:
        """Embed the ids, (B, L), which stand at the positions `start` …; the result is (B, L, d)."""
        scaled = self.tokens(ids) * math.sqrt(self.tokens.embedding_dim)  # (B, L, d_embedding)
        return self.dropout(self.positions(scaled, start))


def final_norm(config: BlockConfig) -> nn.Module:
    """Layer normalisation after the last block, or nothing, as the configuration says."""
    return nn.LayerNorm(config.d_model) if config.final_norm else nn.Identity()


def initialise(model: nn.Module) -> None:
    """Draw the initial weights: Glorot and Bengio (2010) for matrices, variance 1/d for embeddings, biases 0."""
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
    parts : Parts
        What it is built from; a variant replaces some of it.

    Notes
    -----
    Document B, section 10.3; document A, "Practical Example".

    Examples
    --------
    >>> import torch
    >>> model = Transformer(TransformerConfig(n_source_vocab=10, n_target_vocab=12, d_model=8))
    >>> model(torch.tensor([[4, 5, 3]]), torch.tensor([[1, 6]])).shape
    torch.Size([1, 2, 12])
    """

    def __init__(self, config: TransformerConfig, parts: Parts = STANDARD) -> None:
        super().__init__()
        c = self.config = config
        self.parts = parts
        self.source_embedding = Embedding(c.n_source_vocab, c, parts)
        self.target_embedding = Embedding(c.n_target_vocab, c, parts)
        self.encoder = nn.ModuleList(EncoderBlock(**c.block, parts=parts) for _ in range(c.n_encoder_layers))
        self.encoder_norm = final_norm(c)
        self.decoder = nn.ModuleList(DecoderBlock(**c.block, parts=parts) for _ in range(c.n_decoder_layers))
        self.decoder_norm = final_norm(c)
        self.output = nn.Linear(c.d_model, c.n_target_vocab, bias=False)
        if c.tie != "none":
            self.output.weight = self.target_embedding.tokens.weight
        if c.tie == "three-way":
            self.source_embedding.tokens.weight = self.target_embedding.tokens.weight
        initialise(self)

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Return logits (B, L_t, n_vocab) for the token after each of `target_in`, (B, L_t), given `source`.

        Teacher forcing: `target_in` starts with <s> and holds the true tokens. Decoding token by token is in
        `course_lib.decoding`.
        """
        return self.output(self.hidden(source, target_in))

    def hidden(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Return the decoder's output (B, L_t, d), which `self.output` turns into logits."""
        memory, memory_mask = self.encode(source), self.parts.source_mask(source)  # (B, L_s, d), (B, 1, L_s)
        x = self.target_embedding(target_in)  # (B, L_t, d)
        mask = self.parts.target_mask(target_in)  # (L_t, L_t)
        for block in self.decoder:
            x, _, _ = block(x, memory, mask, memory_mask)
        return self.decoder_norm(x)

    def encode(self, source: Tensor) -> Tensor:
        """Return the encoding (B, L_s, d) of the source ids, (B, L_s): one vector for each token."""
        x, mask = self.source_embedding(source), self.parts.source_mask(source)  # (B, L_s, d), (B, 1, L_s)
        for block in self.encoder:
            x, _ = block(x, mask)
        return self.encoder_norm(x)

    def attention_maps(self, source: Tensor, target_in: Tensor) -> AttentionMaps:
        """Return the weights of every attention for the given ids, (B, L_s) and (B, L_t)."""
        found = attention_weights(self, source, target_in).items()
        kinds = ("encoder", "self_attention", "cross_attention")
        return AttentionMaps(*([weights for name, weights in found if kind in name] for kind in kinds))
