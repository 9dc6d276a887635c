"""The recurrent models to compare the Transformer with: a GRU encoder–decoder, with and without attention."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_lib.layers import Dropout, masked_softmax
from course_lib.text.tokenisers import PAD_ID
from course_lib.transformer import AttentionMaps, padding_mask

Attention = Literal["additive", "none"]
Tie = Literal["none", "target", "three-way"]


@dataclass(frozen=True)
class RecurrentConfig:
    """All that decides the shape of a recurrent translator.

    Parameters
    ----------
    n_source_vocab, n_target_vocab : int
        Number of tokens on each side; id 0 is padding.
    d_model : int
        Width of the embeddings, and of what the output projection sees.
    d_hidden : int
        Width of the decoder's state, and of the encoder's output: half of it for each direction of reading.
    n_encoder_layers, n_decoder_layers : int
        Number of GRUs on top of each other.
    attention : {"additive", "none"}
        Whether the decoder looks at every word of the source at each step (Bahdanau et al., 2014), or at one
        vector that stands for the whole sentence (Cho et al., 2014).
    dropout : float
        Dropout on embeddings, between layers and before the output projection.
    tie : {"none", "target", "three-way"}
        Which matrices are one, as in :class:`course_lib.transformer.TransformerConfig`.

    Raises
    ------
    ValueError
        If the settings contradict each other, naming both.

    Examples
    --------
    >>> RecurrentConfig(n_source_vocab=10, n_target_vocab=12, d_hidden=5)
    Traceback (most recent call last):
        ...
    ValueError: d_hidden = 5: expected an even number, half for each direction of the encoder
    """

    n_source_vocab: int
    n_target_vocab: int
    d_model: int = 128
    d_hidden: int = 256
    n_encoder_layers: int = 1
    n_decoder_layers: int = 1
    attention: Attention = "additive"
    dropout: float = 0.1
    tie: Tie = "none"

    def __post_init__(self) -> None:
        """Refuse settings that do not exist or contradict each other."""
        for name, options in (("attention", Attention), ("tie", Tie)):
            if getattr(self, name) not in get_args(options):
                allowed = ", ".join(map(repr, get_args(options)))
                raise ValueError(f"{name}: expected one of {allowed}, not {getattr(self, name)!r}")
        if self.d_hidden % 2:
            raise ValueError(
                f"d_hidden = {self.d_hidden}: expected an even number, half for each direction of the encoder"
            )
        if self.tie == "three-way" and self.n_source_vocab != self.n_target_vocab:
            raise ValueError(
                'tie = "three-way" needs a joint vocabulary, but '
                f"n_source_vocab = {self.n_source_vocab} and n_target_vocab = {self.n_target_vocab}"
            )


@dataclass
class RecurrentState:
    """What the decoder carries from one step to the next.

    Attributes
    ----------
    hidden : Tensor
        The state of each layer, (n_layers, B, d_h); every step replaces it.
    summary : Tensor
        The whole sentence in one vector, (B, d_h).
    memory, keys : Tensor
        The encoder's output at each word, (B, L_s, d_h), and what the attention compares with, W_k·memory.
    memory_mask : Tensor
        Boolean, (B, 1, L_s), True at real tokens.
    """

    hidden: Tensor
    summary: Tensor
    memory: Tensor
    keys: Tensor
    memory_mask: Tensor

    def select(self, rows: Tensor) -> None:
        """Keep the batch rows ``rows``, in this order; a row may be named several times (beam search)."""
        self.hidden = self.hidden[:, rows]
        for name in ("summary", "memory", "keys", "memory_mask"):
            setattr(self, name, getattr(self, name)[rows])


def _gru(d_in: int, d_hidden: int, n_layers: int, dropout: float, bidirectional: bool = False) -> nn.GRU:
    # a single layer has no place for dropout between layers, and PyTorch would warn
    between = dropout if n_layers > 1 else 0.0
    return nn.GRU(d_in, d_hidden, n_layers, batch_first=True, dropout=between, bidirectional=bidirectional)


class RecurrentTranslator(nn.Module):
    """A GRU reads the source in both directions, and a GRU writes the target, one token a step.

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
        self.config = config
        d, d_h, layers = config.d_model, config.d_hidden, (config.n_encoder_layers, config.n_decoder_layers)
        self.source_embedding = nn.Embedding(config.n_source_vocab, d)
        self.target_embedding = nn.Embedding(config.n_target_vocab, d)
        self.dropout = Dropout(config.dropout)
        self.encoder = _gru(d, d_h // 2, layers[0], config.dropout, bidirectional=True)
        self.start = nn.Linear(d_h, layers[1] * d_h)
        self.decoder = _gru(d + d_h, d_h, 1, config.dropout)
        self.upper = _gru(d_h, d_h, layers[1] - 1, config.dropout) if layers[1] > 1 else None
        if config.attention == "additive":
            self.W_q = nn.Linear(d_h, d_h, bias=False)
            self.W_k = nn.Linear(d_h, d_h)
            self.v = nn.Linear(d_h, 1, bias=False)
        self.readout = nn.Linear(d_h + d + d_h, d)
        self.output = nn.Linear(d, config.n_target_vocab, bias=False)
        if config.tie != "none":
            self.output.weight = self.target_embedding.weight
        if config.tie == "three-way":
            self.source_embedding.weight = self.target_embedding.weight
        self._initialise()

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Return logits (B, L_t, n_vocab) for the token after each of ``target_in``, (B, L_t), given ``source``."""
        return self.output(self.hidden(source, target_in))

    def hidden(self, source: Tensor, target_in: Tensor, maps: AttentionMaps | None = None) -> Tensor:
        """Return (B, L_t, d), which ``self.output`` turns into logits; ``maps`` collects attention weights."""
        state = self.encode(source)
        embedded = self._embed(self.target_embedding, target_in)  # (B, L_t, d)
        if self.config.attention == "none":
            context = state.summary.unsqueeze(1).expand(-1, target_in.shape[1], -1)  # (B, L_t, d_h)
            states, _ = self.decoder(torch.cat([embedded, context], dim=-1), state.hidden[:1])
        else:
            steps, h = [], state.hidden[0]
            for x in embedded.unbind(dim=1):
                c, weights = self._attend(h, state)
                h = self._cell(x, c, h)
                steps.append((h, c, weights))
            states, context, all_weights = (torch.stack(part, dim=1) for part in zip(*steps, strict=True))
            if maps is not None:
                maps.cross.append(all_weights.unsqueeze(1))  # (B, H, L_t, L_s) with one head
        if self.upper is not None:
            states, _ = self.upper(self.dropout(states), state.hidden[1:])
        return self._read_out(states, embedded, context)

    def attention_maps(self, source: Tensor, target_in: Tensor) -> AttentionMaps:
        """Return the weights for the given ids, (B, L_s) and (B, L_t): ``cross`` alone, and only with attention."""
        maps = AttentionMaps()
        self.hidden(source, target_in, maps)
        return maps

    def encode(self, source: Tensor) -> RecurrentState:
        """Read the source, (B, L_s), and return the state from which decoding starts."""
        lengths = (source != PAD_ID).sum(dim=1).clamp(min=1).cpu()
        packed = pack_padded_sequence(
            self._embed(self.source_embedding, source), lengths, batch_first=True, enforce_sorted=False
        )
        output, last = self.encoder(packed)  # last: (n_layers · 2, B, d_h / 2)
        memory, _ = pad_packed_sequence(output, batch_first=True, total_length=source.shape[1])
        summary = torch.cat([last[-2], last[-1]], dim=-1)  # the last word read in each direction, (B, d_h)
        start = torch.tanh(self.start(summary)).to(memory.dtype)  # (B, n_layers · d_h)
        return RecurrentState(
            hidden=torch.stack(start.chunk(self.config.n_decoder_layers, dim=-1)),
            summary=summary,
            memory=memory,
            keys=self.W_k(memory) if self.config.attention == "additive" else memory,
            memory_mask=padding_mask(source),
        )

    def step(self, tokens: Tensor, state: RecurrentState) -> Tensor:
        """Feed one token a sentence, (B,), move ``state`` on, and return logits (B, n_vocab) for the next."""
        x = self._embed(self.target_embedding, tokens)  # (B, d)
        if self.config.attention == "none":
            c = state.summary
        else:
            c, _ = self._attend(state.hidden[0], state)
        h = self._cell(x, c, state.hidden[0])
        top, upper = h, state.hidden[1:]
        if self.upper is not None:
            out, upper = self.upper(self.dropout(h).unsqueeze(1), upper.contiguous())
            top = out.squeeze(1)
        state.hidden = torch.cat([h.unsqueeze(0), upper])
        return self.output(self._read_out(top, x, c))

    def _embed(self, embedding: nn.Embedding, ids: Tensor) -> Tensor:
        return self.dropout(embedding(ids) * math.sqrt(self.config.d_model))

    def _attend(self, h: Tensor, state: RecurrentState) -> tuple[Tensor, Tensor]:
        """Return context (B, d_h) and weights (B, L_s) for the state h, (B, d_h)."""
        scores = self.v(torch.tanh(self.W_q(h).unsqueeze(1) + state.keys)).squeeze(-1)  # (B, L_s)
        weights = masked_softmax(scores, state.memory_mask.squeeze(1))
        return (weights.unsqueeze(1).to(state.memory.dtype) @ state.memory).squeeze(1), weights

    def _cell(self, x: Tensor, context: Tensor, h: Tensor) -> Tensor:
        """Move the first layer's state (B, d_h) on by one token: one step of ``self.decoder``."""
        joined = torch.cat([x, context.to(x.dtype)], dim=-1)  # (B, d + d_h)
        weights: Any = self.decoder.all_weights[0]
        return torch.gru_cell(joined, h, *weights)

    def _read_out(self, states: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        joined = torch.cat([states, embedded, context.to(states.dtype)], dim=-1)  # (…, d_h + d + d_h)
        return self.dropout(torch.tanh(self.readout(joined)))

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
