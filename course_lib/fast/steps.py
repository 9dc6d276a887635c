"""Decoding token by token, with key/value caches, for every model: `start_decoding`, and the states it returns."""

from functools import singledispatch
from typing import Protocol, TypeVar

import torch
from torch import Tensor, nn

from course_lib.fast.caches import add_caches, sharing
from course_lib.fast.one_position import one_position
from course_lib.model.decoder_only import DecoderOnlyTransformer
from course_lib.model.recurrent import RecurrentTranslator
from course_lib.model.transformer import Transformer
from course_lib.special_ids import PAD_ID

Model = TypeVar("Model", bound=nn.Module)


class DecodingState(Protocol):
    """What decoding carries from one step to the next: a model, what it has read and what it has written."""

    def step(self, tokens: Tensor) -> Tensor:
        """Feed one token a sentence, (B,), and return logits (B, n_vocab) for the next, which the caller may change."""

    def select(self, rows: Tensor, same_source: bool = False) -> None:
        """Keep the batch rows `rows`, in this order; a row may be named several times (beam search).

        With `same_source` each place keeps its source sentence: rows change places with rows of the same one alone,
        so that what was computed of the source can stay where it is.
        """


class ReadyTransformer:
    """A `Transformer` ready to translate many batches: its decoder's weights are laid out for it, once.

    Parameters
    ----------
    model : Transformer
        Some of its weights are copied: when it has learnt more, make it ready anew.

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> ready = ReadyTransformer(Transformer(TransformerConfig(10, 12, d_model=8)).eval())
    >>> start_decoding(ready, torch.tensor([[4, 5, 3]])).step(torch.tensor([1])).shape
    torch.Size([1, 12])
    """

    def __init__(self, model: Transformer) -> None:
        self.model = model
        self.blocks = [one_position(block) for block in model.decoder]


class TransformerDecoding:
    """Decoding state of a `Transformer`.

    Parameters
    ----------
    model : Transformer or ReadyTransformer
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

    def __init__(self, model: Transformer | ReadyTransformer, source: Tensor) -> None:
        ready = ReadyTransformer(model) if isinstance(model, Transformer) else model
        self.model = ready.model
        memory, memory_mask = self.model.encode(source), self.model.parts.source_mask(source)
        self.blocks = [begin(memory, memory_mask) for begin in ready.blocks]
        self.position = 0

    def step(self, tokens: Tensor) -> Tensor:
        """Feed one token a sentence, (B,), and return logits (B, n_vocab) for the next."""
        x = self.model.target_embedding(tokens.unsqueeze(1), start=self.position).squeeze(1)  # (B, d)
        for block in self.blocks:
            x = block.step(x)
        self.position += 1
        return self.model.output(self.model.decoder_norm(x))

    def select(self, rows: Tensor, same_source: bool = False) -> None:
        """Keep the batch rows `rows`, in this order."""
        for block in self.blocks:
            block.select(rows, same_source)


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

    def select(self, rows: Tensor, same_source: bool = False) -> None:
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

    def select(self, rows: Tensor, same_source: bool = False) -> None:
        """Keep the batch rows `rows`, in this order."""
        self.hidden = self.hidden[:, rows]
        if not same_source:
            self.summary, self.memory = self.summary[rows], self.memory[rows]
            self.keys, self.real = self.keys[rows], self.real[rows]


@singledispatch
def start_decoding(model: object, source: Tensor | None = None) -> DecodingState:
    """State from which a model starts to write, having read the source.

    Parameters
    ----------
    model : Transformer, ReadyTransformer, DecoderOnlyTransformer or RecurrentTranslator
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
start_decoding.register(ReadyTransformer, TransformerDecoding)
start_decoding.register(RecurrentTranslator, RecurrentDecoding)
start_decoding.register(DecoderOnlyTransformer, DecoderOnlyDecoding)


def ready_to_decode(model: Model) -> Model | ReadyTransformer:
    """Prepare a model for many batches that it is to translate: a `ReadyTransformer`, or any other as it is.

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> type(ready_to_decode(Transformer(TransformerConfig(10, 12, d_model=8)))).__name__
    'ReadyTransformer'
    """
    return ReadyTransformer(model) if isinstance(model, Transformer) else model
