"""The recurrent models to compare the Transformer with: a GRU encoder–decoder, with and without attention."""

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_lib.checks import check_choices, check_joint_vocabulary
from course_lib.model.attention import AttentionMaps, masked_softmax
from course_lib.model.config import Tie
from course_lib.special_ids import PAD_ID


@dataclass(frozen=True)
class RecurrentConfig:
    """Configuration of a recurrent translator.

    Parameters
    ----------
    n_source_vocab, n_target_vocab : int
        Number of tokens on each side; id 0 is padding.
    d_model : int
        Width of the embeddings, and of what the output projection sees.
    d_hidden : int
        Width of the decoder's state, and of the encoding: half of it for each direction of reading.
    n_encoder_layers, n_decoder_layers : int
        Number of GRUs on top of each other.
    attention : {"additive", "none"}
        Whether the decoder looks at every word of the source at each step (Bahdanau et al., 2014), or at one
        vector that stands for the whole sentence (Cho et al., 2014).
    dropout : float
        Dropout on embeddings, between layers and before the output projection.
    tie : {"none", "target", "three-way"}
        Which matrices are one, as in `TransformerConfig`.

    Raises
    ------
    ValueError
        If the settings contradict each other, naming both.

    Examples
    --------
    >>> RecurrentConfig(n_source_vocab=10, n_target_vocab=12, d_hidden=5)
    Traceback (most recent call last):
        ...
    ValueError: d_hidden = 5: expected an even number, half for each direction
    """

    n_source_vocab: int
    n_target_vocab: int
    d_model: int = 128
    d_hidden: int = 256
    n_encoder_layers: int = 1
    n_decoder_layers: int = 1
    attention: Literal["additive", "none"] = "additive"
    dropout: float = 0.1
    tie: Tie = "none"

    def __post_init__(self) -> None:
        """Validate the settings."""
        check_choices(self)
        if self.d_hidden % 2:
            raise ValueError(f"d_hidden = {self.d_hidden}: expected an even number, half for each direction")
        check_joint_vocabulary(self.tie, self.n_source_vocab, self.n_target_vocab)


def gru(d_in: int, d_hidden: int, n_layers: int, dropout: float, **more: bool) -> nn.GRU:
    """Batch-first GRU with dropout between its layers (a single one has no such place, and PyTorch would warn)."""
    return nn.GRU(d_in, d_hidden, n_layers, batch_first=True, dropout=dropout * (n_layers > 1), **more)


class RecurrentTranslator(nn.Module):
    """GRU encoder–decoder: one GRU reads the source in both directions, one writes the target, a token a step.

    With attention, step t compares the decoder's state s with every word of the source before it moves on:

        score_j = v·tanh(W_q·s_{t−1} + W_k·memory_j),  context_t = Σ_j softmax(score)_j · memory_j,
        s_t = GRU([embedding of token t; context_t], s_{t−1}).

    Without, the context is the same vector at every step: the encoder's last states. Training can then hand the
    whole target to PyTorch's GRU in one call; with attention each step waits for the one before.

    Parameters
    ----------
    config : RecurrentConfig
        The shape of the model.

    Notes
    -----
    Bahdanau et al. (2014), appendix A; Cho et al. (2014). Document B, sections 10.1.1 and 10.2.

    Examples
    --------
    >>> model = RecurrentTranslator(RecurrentConfig(n_source_vocab=10, n_target_vocab=12, d_model=8))
    >>> model(torch.tensor([[4, 5, 3]]), torch.tensor([[1, 6]])).shape
    torch.Size([1, 2, 12])
    """

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        c = self.config = config
        d, d_h = c.d_model, c.d_hidden
        self.source_embedding = nn.Embedding(c.n_source_vocab, d)
        self.target_embedding = nn.Embedding(c.n_target_vocab, d)
        self.dropout = nn.Dropout(c.dropout)
        self.encoder = gru(d, d_h // 2, c.n_encoder_layers, c.dropout, bidirectional=True)
        self.start = nn.Linear(d_h, c.n_decoder_layers * d_h)
        self.decoder = gru(d + d_h, d_h, 1, c.dropout)
        self.upper = gru(d_h, d_h, c.n_decoder_layers - 1, c.dropout) if c.n_decoder_layers > 1 else None
        if c.attention == "additive":
            self.W_q = nn.Linear(d_h, d_h, bias=False)
            self.W_k = nn.Linear(d_h, d_h)
            self.v = nn.Linear(d_h, 1, bias=False)
        self.readout = nn.Linear(d_h + d + d_h, d)
        self.output = nn.Linear(d, c.n_target_vocab, bias=False)
        if c.tie != "none":
            self.output.weight = self.target_embedding.weight
        if c.tie == "three-way":
            self.source_embedding.weight = self.target_embedding.weight
        self._initialise()

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Return logits (B, L_t, n_vocab) for the token after each of `target_in`, (B, L_t), given `source`."""
        return self.output(self.hidden(source, target_in))

    def hidden(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Return (B, L_t, d), which `self.output` turns into logits."""
        return self._decode(source, target_in)[0]

    def attention_maps(self, source: Tensor, target_in: Tensor) -> AttentionMaps:
        """Return the weights for the given ids, (B, L_s) and (B, L_t): `cross` alone, and only with attention."""
        weights = self._decode(source, target_in)[1]
        return AttentionMaps([], [], [] if weights is None else [weights.unsqueeze(1)])  # one head

    def encode(self, source: Tensor) -> Tensor:
        """Return the encoding (B, L_s, d_h) of the source ids, (B, L_s): at each word, what both GRUs say."""
        lengths = (source != PAD_ID).sum(dim=1).clamp(min=1).cpu()
        embedded = self.embed(self.source_embedding, source)
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(self.encoder(packed)[0], batch_first=True, total_length=source.shape[1])[0]

    def summary(self, memory: Tensor, source: Tensor) -> Tensor:
        """Return the whole sentence in one vector, (B, d_h): the last word that each direction has read."""
        last = (source != PAD_ID).sum(dim=1).clamp(min=1) - 1  # (B,)
        forward, backward = memory.chunk(2, dim=-1)  # (B, L_s, d_h / 2) each
        return torch.cat([forward.take_along_dim(last[:, None, None], 1)[:, 0], backward[:, 0]], dim=-1)

    def first_states(self, summary: Tensor) -> Tensor:
        """Return the states (n_layers, B, d_h) from which the decoder starts."""
        return torch.stack(torch.tanh(self.start(summary)).chunk(self.config.n_decoder_layers, dim=-1))

    def embed(self, embedding: nn.Embedding, ids: Tensor) -> Tensor:
        """Return embeddings times √d, after dropout: (…, d) for ids of shape (…)."""
        return self.dropout(embedding(ids) * math.sqrt(self.config.d_model))

    def attend(self, h: Tensor, memory: Tensor, keys: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
        """Return context (B, d_h) and weights (B, L_s) for the state h, (B, d_h).

        `keys` are W_k·memory, (B, L_s, d_h); `real` is boolean, (B, L_s), False at padding.
        """
        scores = self.v(torch.tanh(self.W_q(h).unsqueeze(1) + keys)).squeeze(-1)  # (B, L_s)
        weights = masked_softmax(scores, real)
        return (weights.unsqueeze(1) @ memory).squeeze(1), weights

    def cell(self, x: Tensor, context: Tensor, h: Tensor) -> Tensor:
        """Move the first layer's state (B, d_h) on by one token: one step of `self.decoder`."""
        joined = torch.cat([x, context], dim=-1)  # (B, d + d_h)
        return torch.gru_cell(joined, h, *self.decoder.all_weights[0])

    def read_out(self, states: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        """Return what `self.output` turns into logits, (…, d), from the top states, (…, d_h), and what led to them."""
        joined = torch.cat([states, embedded, context], dim=-1)  # (…, d_h + d + d_h)
        return self.dropout(torch.tanh(self.readout(joined)))

    def _decode(self, source: Tensor, target_in: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return the output (B, L_t, d) under teacher forcing, and the weights (B, L_t, L_s) if there are any."""
        memory = self.encode(source)  # (B, L_s, d_h)
        summary = self.summary(memory, source)  # (B, d_h)
        first = self.first_states(summary)  # (n_layers, B, d_h)
        embedded = self.embed(self.target_embedding, target_in)  # (B, L_t, d)
        weights = None
        if self.config.attention == "none":
            context = summary.unsqueeze(1).expand(-1, target_in.shape[1], -1)  # (B, L_t, d_h)
            states, _ = self.decoder(torch.cat([embedded, context], dim=-1), first[:1])
        else:
            h, keys, steps = first[0], self.W_k(memory), []
            for x in embedded.unbind(dim=1):
                c, w = self.attend(h, memory, keys, source != PAD_ID)
                h = self.cell(x, c, h)
                steps.append((h, c, w))
            states, context, weights = (torch.stack(part, dim=1) for part in zip(*steps, strict=True))
        if self.upper is not None:
            states, _ = self.upper(self.dropout(states), first[1:])
        return self.read_out(states, embedded, context), weights

    def _initialise(self) -> None:
        # Orthogonal recurrent matrices keep gradients over many steps; the rest as in the Transformer.
        for name, parameter in self.named_parameters():
            if "embedding" in name or name == "output.weight":
                nn.init.normal_(parameter, std=self.config.d_model**-0.5)
            elif "weight_hh" in name:
                for gate in parameter.chunk(3):
                    nn.init.orthogonal_(gate)
            elif parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
            else:
                nn.init.zeros_(parameter)
