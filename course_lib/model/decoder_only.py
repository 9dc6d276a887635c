"""The decoder-only Transformer: a language model."""

from torch import Tensor, nn

from course_lib.model.attention import attention_weights
from course_lib.model.blocks import STANDARD, EncoderBlock, Parts
from course_lib.model.config import DecoderOnlyConfig
from course_lib.model.transformer import Embedding, final_norm, initialise


class DecoderOnlyTransformer(nn.Module):
    """A language model: the encoder's blocks under a causal mask, and an output projection.

    Parameters
    ----------
    config : DecoderOnlyConfig
        The shape of the model.
    parts : Parts
        What it is built from; a variant replaces some of it.

    Notes
    -----
    Radford et al. (2018). Document B, section 10.3.3, names ChatGPT, which is a model of this kind.

    Examples
    --------
    >>> import torch
    >>> model = DecoderOnlyTransformer(DecoderOnlyConfig(n_vocab=10, d_model=8))
    >>> model(torch.tensor([[1, 4, 5]])).shape
    torch.Size([1, 3, 10])
    """

    def __init__(self, config: DecoderOnlyConfig, parts: Parts = STANDARD) -> None:
        super().__init__()
        c = self.config = config
        self.parts = parts
        self.embedding = Embedding(c.n_vocab, c, parts)
        self.blocks = nn.ModuleList(EncoderBlock(**c.block, parts=parts) for _ in range(c.n_layers))
        self.norm = final_norm(c)
        self.output = nn.Linear(c.d_model, c.n_vocab, bias=False)
        if c.tie != "none":
            self.output.weight = self.embedding.tokens.weight
        initialise(self)

    def forward(self, ids: Tensor) -> Tensor:
        """Return logits (B, L, n_vocab) for the token after each of `ids`, (B, L)."""
        x, mask = self.embedding(ids), self.parts.target_mask(ids)  # (B, L, d), (L, L)
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.output(self.norm(x))

    def attention_maps(self, ids: Tensor) -> list[Tensor]:
        """Return the weights of each layer, (B, H, L, L), for the ids, (B, L)."""
        return list(attention_weights(self, ids).values())
