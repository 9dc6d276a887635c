"""What the course's translator reads and weighs for a sentence, as arrays for a student's own parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

import course_lib
from course_lib.exercises import own_parts
from course_lib.exercises.working_copies import course_folder
from course_lib.model import MultiHeadAttention, Transformer, split_heads
from course_lib.special_ids import BOS_ID, EOS_ID
from course_lib.translator import Translator

Kind = Literal["encoder", "decoder", "cross"]


@cache
def translator() -> Translator:
    """Return the small Transformer that the course has trained, from the folder of its results.

    It is looked for beside the package, then in the course's folder around the notebook.

    Raises
    ------
    FileNotFoundError
        If it is in neither.
    """
    file = Path("results", "embedded", "transformer-0.safetensors")
    beside = Path(course_lib.__file__).resolve().parents[1] / file
    return Translator.load(beside if beside.is_file() else course_folder() / file)


def model() -> Transformer:
    """Return the translator's model."""
    found = translator().model
    assert isinstance(found, Transformer)
    return found


@dataclass(frozen=True)
class Seen:
    """One attention of the translator, while it reads a sentence or writes its translation.

    Attributes
    ----------
    rows, columns : list of str
        The words that ask, and those that are asked.
    x, context : Tensor (L_q, d) and (L_k, d)
        Their vectors, as they reach the attention.
    attention : MultiHeadAttention
    weights : array (H, L_q, L_k)
    output : array (L_q, d)
    """

    rows: list[str]
    columns: list[str]
    x: Tensor
    context: Tensor
    attention: MultiHeadAttention
    weights: NDArray[Any]
    output: NDArray[Any]

    def _of_heads(self, layer: Any, x: Tensor) -> NDArray[Any]:
        with torch.no_grad():
            found: NDArray[Any] = split_heads(layer(x[None]), self.attention.n_heads)[0].numpy()
        return found

    @property
    def Q(self) -> NDArray[Any]:
        """The queries of all heads, (H, L_q, d_k)."""
        return self._of_heads(self.attention.W_Q, self.x)

    @property
    def K(self) -> NDArray[Any]:
        """The keys of all heads, (H, L_k, d_k)."""
        return self._of_heads(self.attention.W_K, self.context)

    @property
    def V(self) -> NDArray[Any]:
        """The values of all heads, (H, L_k, d_v)."""
        return self._of_heads(self.attention.W_V, self.context)


@torch.no_grad()
def attention(sentence: str, kind: Kind, layer: int = 1) -> Seen:
    """Return what an attention of the translator sees of a sentence, and of the translation that it writes.

    Parameters
    ----------
    sentence : str
        English; a word that the translator does not know is <unk>.
    kind : {"encoder", "decoder", "cross"}
        The encoder's self-attention, the decoder's, or the decoder's attention to the encoding.
    layer : int
        0 or 1.

    Examples
    --------
    >>> seen = attention("The red car is white.", "cross")
    >>> seen.rows[:3], seen.columns[:3], seen.weights.shape
    (['La', 'voiture', 'rouge'], ['The', 'red', 'car'], (4, 7, 7))
    """
    source, target = ids_of(sentence), translation_of(sentence)
    blocks: Any = model().encoder if kind == "encoder" else model().decoder
    names = {"encoder": "attention", "decoder": "self_attention", "cross": "cross_attention"}
    module: MultiHeadAttention = getattr(blocks[layer], names[kind])
    kept: dict[str, Any] = {}

    def keep(_: Any, inputs: tuple[Tensor, ...], output: tuple[Tensor, Tensor]) -> None:
        kept.update(x=inputs[0][0], context=inputs[-1][0], output=output[0][0], weights=output[1][0])

    hook = module.register_forward_hook(keep)
    try:
        model()(torch.tensor([source]), torch.tensor([[BOS_ID, *target]]))
    finally:
        hook.remove()
    words, written = translator().source_tokeniser, translator().target_tokeniser
    rows = words.tokens(source) if kind == "encoder" else written.tokens([*target, EOS_ID])
    columns = words.tokens(source) if kind != "decoder" else written.tokens([BOS_ID, *target])
    return Seen(
        rows, columns, kept["x"], kept["context"], module, kept["weights"].numpy(), kept["output"].numpy()
    )


def ids_of(sentence: str) -> list[int]:
    """Return the ids of an English sentence, </s> included."""
    return [*translator().source_tokeniser.encode(sentence), EOS_ID]


def translation_of(sentence: str) -> list[int]:
    """Return the ids of the translation that the translator writes, without </s>."""
    return translator().search([sentence])[0][0].ids


def next_logits(sentence: str) -> Callable[[Any], NDArray[Any]]:
    """Return a function that continues translations of a sentence: ids (B, n), from <s> on, to logits (B, n_vocab).

    Examples
    --------
    >>> logits = next_logits("I love you.")(np.array([[BOS_ID]]))
    >>> translator().target_tokeniser.tokens([int(logits.argmax())])
    ['Je']
    """
    source = torch.tensor([ids_of(sentence)])

    @torch.no_grad()
    def function(ids: Any) -> NDArray[Any]:
        ids = torch.as_tensor(np.asarray(ids))
        return model()(source.expand(len(ids), -1), ids)[:, -1].numpy()

    return function


def french(ids: Sequence[int]) -> str:
    """Return the text of ids of a translation, special tokens left out."""
    return translator().target_tokeniser.decode([int(token) for token in ids if token > EOS_ID])


def word_vectors(words: Sequence[str]) -> NDArray[np.float64]:
    """Return the vectors that training has given to English words, (n, d).

    Examples
    --------
    >>> word_vectors(["cat", "dog"]).shape
    (2, 128)
    """
    found = []
    with torch.no_grad():
        for word in words:
            ids = torch.tensor(translator().source_tokeniser.encode(word))
            found.append(model().source_embedding.tokens(ids).mean(dim=0).double().numpy())
    return np.array(found)


def copy_block(own: Any, layer: int) -> Any:
    """Put the weights of one of the translator's encoder blocks into a block of ps07, in place; return it."""
    block: Any = model().encoder[layer]
    own.attention.load_state_dict(block.attention.state_dict())
    own.feed_forward.load_state_dict(block.feed_forward.state_dict())
    own.norm_1.load_state_dict(block.around_attention.norm.state_dict())
    own.norm_2.load_state_dict(block.around_feed_forward.norm.state_dict())
    return own.eval()


def told(weights: Any, rows: Sequence[str], columns: Sequence[str]) -> str:
    """Name in a title the largest weight that a word gives to another word of its sentence, or to one of a translation.

    Examples
    --------
    >>> told([[0.2, 0.8], [0.5, 0.5]], ["The", "car"], ["The", "car"])
    'The largest weight on another word: ‘The’ → ‘car’, 80 %'
    >>> told([[0.2, 0.8], [0.5, 0.5]], ["Le", "table"], ["The", "table"])
    'The largest weight: ‘Le’ → ‘table’, 80 %'
    >>> told([[0.2, 0.8], [0.5, 0.5]], ["<unk>", "</s>"], ["<unk>", "</s>"])
    'Here no word has another to look at'
    """
    shares = np.array(weights, dtype=float)
    is_same = list(rows) == list(columns)  # one sentence, which reads itself
    apart = [
        [_is_word(row) and _is_word(column) and not (is_same and row == column) for column in columns]
        for row in rows
    ]
    if not np.any(apart):
        return "Here no word has another to look at"
    i, j = divmod(int(np.where(apart, shares, -np.inf).argmax()), len(columns))
    what = "The largest weight on another word" if is_same else "The largest weight"
    return f"{what}: ‘{rows[i]}’ → ‘{columns[j]}’, {100 * shares[i, j]:.0f} %"


def _is_word(token: str) -> bool:
    return token.isalpha() or token == "<unk>"


ROUNDING = 1e-5  # of single precision: what differs by less is taken for computed alike


def difference(ours: Any, theirs: Any, *parts: Any) -> str:
    """Say how far two arrays lie apart, at most, and whose parts the first comes from.

    Parameters
    ----------
    ours, theirs : arrays of one shape
    parts : functions or classes
        What `ours` was computed with, as `own_parts.take` returned them.

    Examples
    --------
    >>> difference(np.ones(2), [1.0, 1.5], lambda x: x)
    'Yours and the translator’s differ by 0.5 at most.'
    >>> from course_lib.exercises.course_parts import split_heads
    >>> difference(np.ones(2), np.ones(2) + 1e-7, split_heads)
    'The course’s, not yours, and the translator’s differ by 1e-07 at most; that is rounding.'
    """
    n_own = own_parts.n_own(*parts)
    if n_own == len(parts):
        whose = "Yours"
    else:
        whose = "Yours, with help of the course’s," if n_own else "The course’s, not yours,"
    largest = np.abs(_plain(ours) - _plain(theirs)).max()
    rounding = "; that is rounding" if 0 < largest < ROUNDING else ""
    return f"{whose} and the translator’s differ by {largest:.1g} at most{rounding}."


def _plain(values: Any) -> NDArray[np.float64]:
    return np.asarray(values.detach() if isinstance(values, Tensor) else values, dtype=np.float64)
