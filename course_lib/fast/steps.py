"""Decoding token by token, with key/value caches, for every model: `start_decoding`, and the states it returns."""

import copy
from functools import singledispatch
from typing import Protocol, TypeVar

import torch
from torch import Tensor, nn

from course_lib.fast.caches import CachedAttention, Remembered
from course_lib.model.attention import MultiHeadAttention
from course_lib.model.decoder_only import DecoderOnlyTransformer
from course_lib.model.recurrent import RecurrentTranslator
from course_lib.model.transformer import Transformer
from course_lib.special_ids import PAD_ID

Module = TypeVar("Module", bound=nn.Module)


class DecodingState(Protocol):
    """What decoding carries from one step to the next: a model, what it has read and what it has written."""

    def step(self, tokens: Tensor) -> Tensor:
        """Feed one token a sentence, (B,), and return logits (B, n_vocab) for the next."""

    def select(self, rows: Tensor) -> None:
        """Keep the batch rows `rows`, in this order; a row may be named several times (beam search)."""


def sharing(module: Module) -> Module:
    """Copy of a module that shares its parameters and buffers: its parts can be exchanged, the original stays.

    Examples
    --------
    >>> layer = nn.Linear(2, 2)
    >>> twin = sharing(layer)
    >>> twin is layer, twin.weight is layer.weight
    (False, True)
    """
    shared = [*module.parameters(), *module.buffers()]
    return copy.deepcopy(module, {id(tensor): tensor for tensor in shared})


def add_caches(blocks: nn.Module) -> list[CachedAttention | Remembered]:
    """Give each attention in some blocks its caches, around whatever it consists of, and return them.

    A self-attention keeps the keys and values of earlier positions; what is called "cross_attention" computes those of
    the source once.
    """
    caches: list[CachedAttention | Remembered] = []
    for name, layer in list(blocks.named_modules()):
        if not isinstance(layer, MultiHeadAttention):
            continue
        if name.endswith("cross_attention"):
            remembered = {"W_K": Remembered(layer.W_K), "W_V": Remembered(layer.W_V)}
            for projection, once in remembered.items():
                layer.register_module(projection, once)
            caches.extend(remembered.values())
        else:
            layer.attention = cached = CachedAttention(layer.attention)
            caches.append(cached)
    return caches


class TransformerDecoding:
    """Decoding state of a `Transformer`.

    Parameters
    ----------
    model : Transformer
        Its own modules run, on its own weights, in copies that have caches.
    source : Tensor
        Ids, (B, L_s).

    Attributes
    ----------
    position : int
        The position of the next token; every step moves it on by one.

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> model = Transformer(TransformerConfig(10, 12, d_model=8))
    >>> state = TransformerDecoding(model, torch.tensor([[4, 5, 3]]))
    >>> state.step(torch.tensor([1])).shape
    torch.Size([1, 12])
    """

    def __init__(self, model: Transformer, source: Tensor) -> None:
        self.model = model
        self.memory, self.memory_mask = model.encode(source), model.parts.source_mask(source)
        self.blocks = sharing(model.decoder)
        self.caches = add_caches(self.blocks)
        self.position = 0

    def step(self, tokens: Tensor) -> Tensor:
        """Feed one token a sentence, (B,), and return logits (B, n_vocab) for the next.

        The caches hold the earlier positions' keys and values, so the new position needs no mask: all that it
        could see is in its past.
        """
        x = self.model.target_embedding(tokens.unsqueeze(1), start=self.position)  # (B, 1, d)
        for block in self.blocks:
            x, _, _ = block(x, self.memory, None, self.memory_mask)
        self.position += 1
        return self.model.output(self.model.decoder_norm(x)).squeeze(1)

    def select(self, rows: Tensor) -> None:
        """Keep the batch rows `rows`, in this order."""
        self.memory, self.memory_mask = self.memory[rows], self.memory_mask[rows]
        for cache in self.caches:
            cache.select(rows)


class DecoderOnlyDecoding:
    """Decoding state of a `DecoderOnlyTransformer`; attributes as in `TransformerDecoding`.

    Examples
    --------
    >>> from course_lib.model import DecoderOnlyConfig
    >>> state = DecoderOnlyDecoding(DecoderOnlyTransformer(DecoderOnlyConfig(n_vocab=10, d_model=8)))
    >>> state.step(torch.tensor([1])).shape
    torch.Size([1, 10])
    """

    def __init__(self, model: DecoderOnlyTransformer) -> None:
        self.model, self.blocks = model, sharing(model.blocks)
        self.caches = add_caches(self.blocks)
        self.position = 0

    def step(self, tokens: Tensor) -> Tensor:
        """Feed one token a sequence, (B,), and return logits (B, n_vocab) for the next."""
        x = self.model.embedding(tokens.unsqueeze(1), start=self.position)  # (B, 1, d)
        for block in self.blocks:
            x, _ = block(x)
        self.position += 1
        return self.model.output(self.model.norm(x)).squeeze(1)

    def select(self, rows: Tensor) -> None:
        """Keep the batch rows `rows`, in this order."""
        for cache in self.caches:
            cache.select(rows)


class RecurrentDecoding:
    """Decoding state of a `RecurrentTranslator`.

    Attributes
    ----------
    hidden : Tensor
        The state of each layer, (n_layers, B, d_h); every step replaces it.
    summary : Tensor
        The whole sentence in one vector, (B, d_h).
    memory, keys : Tensor
        The encoding at each word, (B, L_s, d_h), and what the attention compares with, W_k·memory.
    real : Tensor
        Boolean, (B, L_s), True at real tokens.

    Examples
    --------
    >>> from course_lib.model import RecurrentConfig
    >>> model = RecurrentTranslator(RecurrentConfig(10, 12, d_model=8, d_hidden=8))
    >>> RecurrentDecoding(model, torch.tensor([[4, 5, 3]])).step(torch.tensor([1])).shape
    torch.Size([1, 12])
    """

    def __init__(self, model: RecurrentTranslator, source: Tensor) -> None:
        self.model, self.real = model, source != PAD_ID
        self.memory = model.encode(source)
        self.summary = model.summary(self.memory, source)
        self.hidden = model.first_states(self.summary)
        self.has_attention = model.config.attention == "additive"
        self.keys = model.W_k(self.memory) if self.has_attention else self.memory

    def step(self, tokens: Tensor) -> Tensor:
        """Feed one token a sentence, (B,), and return logits (B, n_vocab) for the next."""
        model, context = self.model, self.summary
        x = model.embed(model.target_embedding, tokens)  # (B, d)
        if self.has_attention:
            context, _ = model.attend(self.hidden[0], self.memory, self.keys, self.real)
        h = model.cell(x, context, self.hidden[0])
        top, upper = h, self.hidden[1:]
        if model.upper is not None:
            out, upper = model.upper(model.dropout(h).unsqueeze(1), upper.contiguous())
            top = out.squeeze(1)
        self.hidden = torch.cat([h.unsqueeze(0), upper])
        return model.output(model.read_out(top, x, context))

    def select(self, rows: Tensor) -> None:
        """Keep the batch rows `rows`, in this order."""
        self.hidden, self.summary = self.hidden[:, rows], self.summary[rows]
        self.memory, self.keys, self.real = self.memory[rows], self.keys[rows], self.real[rows]


@singledispatch
def start_decoding(model: nn.Module, source: Tensor | None = None) -> DecodingState:
    """State from which a model starts to write, having read the source.

    Parameters
    ----------
    model : Transformer, DecoderOnlyTransformer or RecurrentTranslator
        Or a subclass. In `eval()` mode, or dropout takes part.
    source : Tensor
        Ids, (B, L_s), padded on the right; none for a decoder-only model.

    Raises
    ------
    TypeError
        If the model is of another class.

    Examples
    --------
    >>> from course_lib.model import DecoderOnlyConfig
    >>> state = start_decoding(DecoderOnlyTransformer(DecoderOnlyConfig(n_vocab=10, d_model=8)))
    >>> state.step(torch.tensor([1])).shape
    torch.Size([1, 10])
    """
    raise TypeError(f"model {type(model).__name__}: expected one of the course's models, which can decode")


start_decoding.register(Transformer, TransformerDecoding)
start_decoding.register(RecurrentTranslator, RecurrentDecoding)
start_decoding.register(DecoderOnlyTransformer, DecoderOnlyDecoding)
