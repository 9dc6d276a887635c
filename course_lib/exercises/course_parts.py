"""The course's parts that stand in for a student's: functions of the library, under the names of the problem sets.

Each has what its question promises as far as the sets after it need it, and two small examples on which a student's
part is compared with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from course_lib import functional
from course_lib import model as layers
from course_lib.chapters.fit import seeded
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID

Array = NDArray[Any]


CHANGED = "An argument is changed in place; work on a copy."


@dataclass(frozen=True)
class Example:
    """An example that says of each entry of what it returns what it is.

    Attributes
    ----------
    function : function
        It takes a part and returns a list.
    entries : tuple of str
        "result 2 of 2", say; "" for what the part returns as it is, CHANGED for an argument after the call.
    """

    function: Callable[[Any], Any]
    entries: tuple[str, ...]

    def __call__(self, part: Any) -> Any:
        """Return what a part does."""
        return self.function(part)


class WrongCount(Exception):
    """A part does not return as many results as it should: its argument."""


@dataclass(frozen=True)
class Part:
    """A part that sets after its own use.

    Attributes
    ----------
    problem_set, question, name : str
        Where it is an answer, and what it is called there.
    course : function
        Returns the course's part.
    examples : two functions
        Each takes a part and returns what it does, as arrays.
    """

    problem_set: str
    question: str
    name: str
    course: Callable[[], Any]
    examples: tuple[Callable[[Any], Any], Callable[[Any], Any]]


# ---- ps02 and ps03: weights, in NumPy ----


def softmax_gradient(weights: Array, gradient: Array) -> Array:
    """Hand a gradient of weights (…, n) on to the scores (…, n), by PyTorch's automatic differentiation."""
    with torch.enable_grad(), np.errstate(divide="ignore"):
        scores = torch.from_numpy(np.log(weights)).requires_grad_()
        torch.softmax(scores, dim=-1).backward(torch.from_numpy(np.ascontiguousarray(gradient)))
    assert scores.grad is not None
    return scores.grad.numpy()


def limit_weights(scores: Array) -> Array:
    """Put the whole weight on each query's best key, (…, L_q, L_k); of several equal ones, on the first."""
    queries, keys = np.zeros((*scores.shape[:-1], 1)), np.zeros((*scores.shape[:-2], scores.shape[-1], 1))
    return functional.hard_lookup(queries, keys, keys, lambda *_: scores)[1]


# ---- ps04 and ps05: self-attention, heads, cross-attention ----


def self_attention(X: Array, W: Array, d_k: int) -> tuple[Array, Array]:
    """Compute self-attention with the matrix [W_Q W_K W_V]: output (…, L, d_v) and weights (…, L, L)."""
    return functional.attention(X @ W[:, :d_k], X @ W[:, d_k : 2 * d_k], X @ W[:, 2 * d_k :])


def split_heads(x: Array, n_heads: int) -> Array:
    """Give each head an axis: (…, L, H·d) -> (…, H, L, d)."""
    flat = torch.from_numpy(x.reshape(-1, *x.shape[-2:]))
    found = layers.split_heads(flat, n_heads).numpy()
    return found.reshape(*x.shape[:-2], *found.shape[1:])


def merge_heads(x: Array) -> Array:
    """Put heads side by side: (…, H, L, d) -> (…, L, H·d)."""
    found = layers.merge_heads(torch.from_numpy(x.reshape(-1, *x.shape[-3:]))).numpy()
    return found.reshape(*x.shape[:-3], *found.shape[1:])


def cross_attention(
    X_q: Tensor, X_kv: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor, W_O: Tensor, n_heads: int
) -> tuple[Tensor, Tensor]:
    """Let the rows of X_q ask those of X_kv: (…, L_q, d_out) and weights (…, H, L_q, L_k)."""
    batch, (asking, asked) = X_q.shape[:-2], (x.reshape(-1, *x.shape[-2:]) for x in (X_q, X_kv))
    q, k, v = (layers.split_heads(x, n_heads) for x in (asking @ W_Q, asked @ W_K, asked @ W_V))
    heads, weights = layers.attention(q, k, v)
    output = layers.merge_heads(heads) @ W_O
    return output.reshape(*batch, *output.shape[1:]), weights.reshape(*batch, *weights.shape[1:])


# ---- ps06: positions ----


def encode(positions: Array, d: int, base: float = 10000.0) -> Array:
    """Encode whole positions from 0 on: (…) -> (…, d)."""
    table = functional.sinusoidal_encoding(int(positions.max()) + 1, d, base)
    return table[positions]


# ---- ps07 and ps09: blocks ----


class EncoderBlock(layers.EncoderBlock):
    """The course's encoder block, called as that of ps07."""

    def __init__(self, d: int, n_heads: int, d_ff: int, place: Any) -> None:
        super().__init__(d, n_heads, d_ff, norm=place)

    @property
    def norm_1(self) -> nn.Module:
        """The norm of the attention."""
        return self.around_attention.norm  # type: ignore[return-value]

    @property
    def norm_2(self) -> nn.Module:
        """The norm of the feed-forward network."""
        return self.around_feed_forward.norm  # type: ignore[return-value]

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
        """Map `x`, (B, L, d), to the same shape."""
        return super().forward(x, mask)[0]


class DecoderBlock(layers.DecoderBlock):
    """The course's decoder block, called as that of ps09: post-norm, with masks of its own."""

    def __init__(self, d: int, n_heads: int, d_ff: int) -> None:
        super().__init__(d, n_heads, d_ff, norm="post")

    @property
    def norm_1(self) -> nn.Module:
        """The norm of the self-attention."""
        return self.around_self_attention.norm  # type: ignore[return-value]

    @property
    def norm_2(self) -> nn.Module:
        """The norm of the cross-attention."""
        return self.around_cross_attention.norm  # type: ignore[return-value]

    @property
    def norm_3(self) -> nn.Module:
        """The norm of the feed-forward network."""
        return self.around_feed_forward.norm  # type: ignore[return-value]

    def forward(self, x: Tensor, memory: Tensor, real: Tensor) -> Any:  # type: ignore[override]
        """Map `x`, (B, L_t, d), with the encoding (B, L_s, d) and its real words (B, L_s), to the shape of `x`."""
        return super().forward(x, memory, layers.causal_mask(x.shape[1]), real.unsqueeze(1))[0]


class Embed(layers.Embedding):
    """The course's embedding with learned positions, called as that of ps09."""

    def __init__(self, n_vocab: int, d: int, max_length: int) -> None:
        config = layers.TransformerConfig(
            n_vocab, n_vocab, d_model=d, n_heads=1, dropout=0.0, position="learned", max_length=max_length
        )
        super().__init__(n_vocab, config)
        table = nn.Embedding(max_length, d)
        table.weight = self.positions.table
        self.positions.weight = table.weight


class Ends(nn.Module):
    """The two tied ends of the course's Transformer, called as those of ps09."""

    def __init__(self, n_vocab: int, d: int) -> None:
        super().__init__()
        config = layers.TransformerConfig(
            n_vocab, n_vocab, d_model=d, n_heads=1, n_encoder_layers=0, n_decoder_layers=0, tie="target"
        )
        whole = layers.Transformer(config)
        self.tokens, self.output = whole.target_embedding.tokens, whole.output

    def embed(self, ids: Tensor) -> Any:
        """Look the ids up: (…) -> (…, d)."""
        return self.tokens(ids)

    def logits(self, x: Tensor) -> Any:
        """Compare vectors with all tokens: (…, d) -> (…, n_vocab)."""
        return self.output(x)


class _Wired:
    """Parts of ps09, as the course's Transformer wires its own."""

    def __init__(self, parts: Any, n_candidates: int) -> None:
        self._wired, self._n_candidates = parts, n_candidates
        self.parts = layers.Parts(
            source_mask=lambda ids: layers.padding_mask(ids).repeat_interleave(n_candidates, dim=0)
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._wired, name)

    def encode(self, source: Tensor) -> Tensor:
        """Read each source once, and hand its encoding to each of its candidates."""
        once = _Wired(self._wired, 1)
        return layers.Transformer.encode(once, source).repeat_interleave(self._n_candidates, dim=0)  # type: ignore[arg-type]


def candidate_logits(parts: Any, source: Tensor, candidates: Tensor) -> Tensor:
    """Score several translations of each source: (B, L_s), (B, N, L_t) -> (B, N, L_t, n)."""
    wired = _Wired(parts, candidates.shape[1])
    hidden = layers.Transformer.hidden(wired, source, candidates.flatten(0, 1))  # type: ignore[arg-type]
    found: Tensor = parts.output(hidden)
    return found.unflatten(0, (-1, candidates.shape[1]))


# ---- ps08: masks, writing ----


def decoder_mask(ids: Tensor, n_queries: int) -> Tensor:
    """Hide padding and what comes later from the last positions: ids (B, L_k) -> (B, 1, L_q, L_k)."""
    causal = layers.causal_mask(ids.shape[1])[-n_queries:]
    return (causal & layers.padding_mask(ids)).unsqueeze(1)


def write_on(next_logits: Any, start: Array, uniforms: Array, temperature: float) -> Array:
    """Add tokens to each text at temperature 0, for which nothing is drawn: (B, L), (B, n) -> (B, L + n)."""
    from course_lib.chapters.ch08_masking.language_model import generate

    if temperature:
        raise ValueError(f"the course's part writes at temperature 0, not {temperature}")

    def model(ids: Tensor) -> Tensor:
        return torch.from_numpy(np.asarray(next_logits(ids.numpy()))).unsqueeze(1)

    ids = generate(model, torch.from_numpy(np.asarray(start)), max_tokens=uniforms.shape[1])  # type: ignore[arg-type]
    missing = start.shape[1] + uniforms.shape[1] - ids.shape[1]
    return np.pad(ids.numpy(), [(0, 0), (0, missing)], constant_values=PAD_ID)


# ---- The examples ----


def _normal(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape)


def _tensor(*shape: int, seed: int = 0) -> Tensor:
    return torch.from_numpy(_normal(*shape, seed=seed).astype(np.float32))


class NoGradient(Exception):
    """A part cannot be trained through."""


def _with_gradient(function: Callable[[Tensor], Tensor], x: Tensor) -> list[Array]:
    """Return what a function makes of `x`, and the gradient of its squares."""
    x.requires_grad_()
    y = function(x)
    if not isinstance(y, Tensor) or not y.requires_grad:
        raise NoGradient
    (y**2).sum().backward()
    if x.grad is None:
        raise NoGradient
    return [y.detach().numpy(), x.grad.numpy()]


def _scores(*shape: int) -> Array:
    scores = _normal(*shape).astype(np.float32)
    scores[..., -1] = -np.inf
    scores[0] *= 1000
    return scores


def _softmax_shares(*shape: int) -> Array:
    return functional.softmax(_normal(*shape), axis=-1).astype(np.float32)


def _gradient_of(*shape: int) -> Callable[[Any], Any]:
    return _given(_softmax_shares(*shape), _normal(*shape, seed=1).astype(np.float32))


def _attended(L_q: int, *batch: int) -> Callable[[Any], Any]:
    return _given(
        _normal(*batch, L_q, 7), _normal(*batch, 7, 7, seed=1), _normal(*batch, 7, 2, seed=2), n_results=2
    )


def _crossed(n_heads: int, L_q: int, L_k: int) -> Callable[[Any], Any]:
    W_Q, W_K, W_V, W_O = (
        _tensor(*shape, seed=seed) / 3 for seed, shape in enumerate([(8, 8), (8, 8), (8, 12), (12, 8)])
    )

    def example(part: Any) -> Any:
        def output_and_weights(x: Tensor) -> Any:
            return part(x, _tensor(2, L_k, 8, seed=9), W_Q, W_K, W_V, W_O, n_heads)

        weights = output_and_weights(_tensor(2, L_q, 8))[1]
        return [weights, *_with_gradient(lambda x: output_and_weights(x)[0], _tensor(2, L_q, 8))]

    return example


def _filled(module: nn.Module) -> nn.Module:
    """Draw all weights of a module anew, those of its norms, too."""
    with torch.no_grad():
        for n, p in enumerate(module.parameters()):
            p.copy_(_tensor(*p.shape, seed=n) / 3 + (p.ndim == 1))
    return module


def _copy(source: nn.Module, own: nn.Module, names: tuple[str, ...]) -> None:
    """Copy weights into the parts of a module, by their names."""
    for name in names:
        getattr(own, name).load_state_dict(getattr(source, name).state_dict())


def _values_alone(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None, dropout: float
) -> tuple[Tensor, None]:
    return V, None


class _Nothing(nn.Module):
    def forward(
        self, x: Tensor, context: Tensor | None = None, mask: Tensor | None = None
    ) -> tuple[Tensor, None]:
        return 0 * x, None


def _encoded(place: str) -> Callable[[Any], Any]:
    def example(part: Any) -> Any:
        with seeded(0):
            course = _filled(EncoderBlock(8, 2, 16, place))
            names = ("attention", "feed_forward", "norm_1", "norm_2")
            own = part(8, 2, 16, place)
        _copy(course, own, names)
        mask = torch.tensor([[[True, True, True, True]], [[True, True, True, False]]])
        found = _with_gradient(lambda x: own(x, mask=mask), _tensor(2, 4, 8))
        own.attention.attention_function = _values_alone  # as a set after it does
        return [*found, own(_tensor(2, 4, 8)).detach().numpy()]

    return example


def _decoded(n_source: int) -> Callable[[Any], Any]:
    def example(part: Any) -> Any:
        with seeded(0):
            course = _filled(DecoderBlock(8, 2, 16))
            own = part(8, 2, 16)
        names = ("self_attention", "cross_attention", "feed_forward", "norm_1", "norm_2", "norm_3")
        _copy(course, own, names)
        own(_tensor(1, 1, 8), _tensor(1, 2, 8), torch.ones(1, 2, dtype=torch.bool))  # a smaller batch before
        real = torch.arange(n_source).expand(2, -1) < torch.tensor([[n_source], [n_source - 1]])
        found = _with_gradient(lambda x: own(x, _tensor(2, n_source, 8, seed=1), real), _tensor(2, 3, 8))
        own.self_attention.attention_function, own.cross_attention = (
            _values_alone,
            _Nothing(),
        )  # as a set after it does
        return [*found, own(_tensor(2, 3, 8), _tensor(2, n_source, 8, seed=1), real).detach().numpy()]

    return example


def _embedded(ids: list[list[int]]) -> Callable[[Any], Any]:
    def example(part: Any) -> Any:
        with seeded(0):
            own = part(7, 4, 9)
        with torch.no_grad():
            own.tokens.weight.copy_(_tensor(7, 4))
            own.positions.weight.copy_(_tensor(9, 4, seed=1))
        own(torch.tensor(ids)[:1, :1])  # a smaller batch before
        y = own(torch.tensor(ids))
        (y**2).sum().backward()
        gradients = [own.tokens.weight.grad.numpy(), own.positions.weight.grad.numpy()]
        own.tokens = nn.Embedding.from_pretrained(_tensor(7, 4, seed=2))  # as a set after it does
        return [y.detach().numpy(), *gradients, own(torch.tensor(ids)).detach().numpy()]

    return example


def _ended(ids: list[int]) -> Callable[[Any], Any]:
    def example(part: Any) -> Any:
        with seeded(0):
            own = part(7, 4)
        own.logits(own.embed(torch.tensor(ids)))  # with other weights before
        with torch.no_grad():
            own.tokens.weight.copy_(_tensor(7, 4))
        y = own.logits(own.embed(torch.tensor(ids)))
        (y**2).sum().backward()
        parameters = sum(p.numel() for p in own.parameters())
        return [y.detach().numpy(), own.tokens.weight.grad.numpy(), np.array(parameters)]

    return example


def _wired_example(n_candidates: int) -> Callable[[Any], Any]:
    def example(part: Any) -> Any:
        with seeded(0):
            config = layers.TransformerConfig(
                9, 9, d_model=8, n_heads=2, d_ff=8, n_encoder_layers=2, n_decoder_layers=2, dropout=0.0
            )
            whole = layers.Transformer(config)
        source = torch.tensor([[4, 5, 6, 2], [7, 2, 0, 0]])
        candidates = torch.tensor([[[1, 4, 5]], [[1, 8, 3]]]).repeat(1, n_candidates, 1)
        candidates[:, -1, 1] = 6
        y = part(whole, source, candidates)
        (y**2).sum().backward()
        gradient = whole.source_embedding.tokens.weight.grad
        return [y.detach().numpy(), np.asarray(gradient)]

    return example


def _masked(allowed: list[list[bool]]) -> Callable[[Any], Any]:
    def example(part: Any) -> Any:
        mask = torch.tensor(allowed)
        arriving = _tensor(2, *mask.shape, seed=1)
        x = _tensor(2, *mask.shape) * 1000 + 3 * _tensor(2, *mask.shape, seed=2)
        return _with_gradient(lambda scores: part(scores, mask) * arriving, x)

    return Example(example, ("The weights, each times a number", "Their gradient"))


def _written(n_sentences: int) -> Callable[[Any], Any]:
    follows = np.array([3, 4, 3, 5, 3, EOS_ID])  # the token after each token: 1, 4, 3, 5, </s>

    def next_logits(ids: Any) -> Array:
        ids = np.asarray(ids)
        whole = ids[:, 0] == BOS_ID  # otherwise this is no text from <s> on, and 3 follows
        return 3.0 * np.eye(6)[np.where(whole, follows[ids[:, -1]], 3)]

    def example(part: Any) -> Any:
        start = np.array([[BOS_ID, 4], [BOS_ID, 5]])[-n_sentences:]  # the second ends at once
        return part(next_logits, start, np.zeros((n_sentences, 6)), 0)

    return example


def _given(*arguments: Any, n_results: int = 1) -> Callable[[Any], Any]:
    """Return an example that calls a part with copies of some arrays, and looks whether it has changed them."""

    def example(part: Any) -> Any:
        copies = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
        found = part(*copies)
        if n_results > 1 and (not hasattr(found, "__len__") or len(found) != n_results):
            raise WrongCount(n_results)
        return [*(found if n_results > 1 else (found,)), *copies]

    results = [f"result {n} of {n_results}" for n in range(1, n_results + 1)] if n_results > 1 else [""]
    return Example(example, (*results, *(CHANGED for _ in arguments)))


def _course(part: Any) -> Callable[[], Any]:
    return lambda: part


PARTS = {
    (part.problem_set, part.name): part
    for part in (
        Part(
            "ps02",
            "q1",
            "softmax",
            _course(functional.softmax),
            (_given(_scores(2, 3, 4), -1), _given(_scores(2, 3), -1)),
        ),
        Part("ps02", "q2", "attention", _course(functional.attention), (_attended(3), _attended(7, 2))),
        Part(
            "ps02",
            "q4",
            "softmax_gradient",
            _course(softmax_gradient),
            (_gradient_of(4), _gradient_of(2, 3, 5)),
        ),
        Part(
            "ps03",
            "q2",
            "limit_weights",
            _course(limit_weights),
            (_given(_normal(3, 5)), _given(_normal(2, 2, 4))),
        ),
        Part(
            "ps04",
            "q1",
            "self_attention",
            _course(self_attention),
            (
                _given(_normal(5, 6), _normal(6, 7), 2, n_results=2),
                _given(_normal(2, 3, 6), _normal(6, 9), 2, n_results=2),
            ),
        ),
        Part(
            "ps05",
            "q1",
            "split_heads",
            _course(split_heads),
            (_given(_normal(3, 6), 3), _given(_normal(2, 3, 8), 2)),
        ),
        Part(
            "ps05",
            "q1",
            "merge_heads",
            _course(merge_heads),
            (_given(_normal(2, 3, 4)), _given(_normal(2, 4, 3, 2))),
        ),
        Part(
            "ps05", "q2", "cross_attention", _course(cross_attention), (_crossed(2, 3, 5), _crossed(4, 5, 5))
        ),
        Part(
            "ps06",
            "q1",
            "encode",
            _course(encode),
            (_given(np.arange(6), 8), _given(np.array([[0, 7], [3, 40]]), 6, 50.0)),
        ),
        Part(
            "ps07",
            "q5",
            "Block",
            _course(EncoderBlock),
            (_encoded("post"), _encoded("pre")),
        ),
        Part(
            "ps08",
            "q1",
            "decoder_mask",
            _course(decoder_mask),
            (
                lambda part: part(torch.tensor([[1, 7, 8, 0]]), 4),
                lambda part: part(torch.tensor([[0, 7, 8], [1, 5, 0]]), 2),
            ),
        ),
        Part(
            "ps08",
            "q2",
            "masked_softmax",
            _course(layers.masked_softmax),
            (
                _masked([[True, False, False], [True, True, False], [True, True, True]]),
                _masked([[True, False, True, True], [False, False, False, False]]),
            ),
        ),
        Part("ps08", "q4", "write_on", _course(write_on), (_written(1), _written(2))),
        Part("ps09", "q2", "Block", _course(DecoderBlock), (_decoded(4), _decoded(6))),
        Part(
            "ps09",
            "q3",
            "candidate_logits",
            _course(candidate_logits),
            (_wired_example(1), _wired_example(2)),
        ),
        Part("ps09", "q5", "Embed", _course(Embed), (_embedded([[1, 2, 3]]), _embedded([[4, 0], [6, 6]]))),
        Part("ps09", "q5", "Ends", _course(Ends), (_ended([3, 1]), _ended([0, 6, 2]))),
    )
}
