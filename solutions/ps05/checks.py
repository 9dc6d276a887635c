"""What decides the questions of ps05: heads, cross-attention, and why the order of keys and values does not matter."""

import inspect
import re
from collections.abc import Iterator
from itertools import permutations

import numpy as np
import torch

from course_grading.parsons import Distractor, Ordering
from course_grading.parsons import question as question_of_order
from course_grading.questions import Misconception, Part, Question
from course_lib import functional
from course_lib.exercises.hints import TOLERANCE, compare, described, difference, settled
from course_lib.exercises.parsons import Puzzle
from course_lib.exercises.proofs import INVARIANCE, NotationError, Term, Verdict, check, parse
from course_lib.exercises.proofs.terms import Attention, Matrix, Softmax, Transpose


def _impossible(*given):
    raise ValueError("this mistake is not about this half of the question")


# ---- q1: heads apart and together ----
# What the text says: head h has the columns h·d to (h+1)·d − 1; heads come before words; any number of axes in
# front, which stay; whole numbers or not; H, L, d from 1 on, alike or not.


def split_heads(x, n_heads):
    """Give each head its columns: (…, L, H·d) -> (…, H, L, d)."""
    return np.stack(np.split(x, n_heads, axis=-1), axis=-3)


def merge_heads(x):
    """Put the heads side by side: (…, H, L, d) -> (…, L, H·d)."""
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


ASK_Q1 = """
def entry_point(which, *arguments):
    return (split_heads if which == "split" else merge_heads)(*arguments)
"""


def _heads(split=split_heads, merge=merge_heads):
    """Answer whichever half of the question is asked."""
    return lambda which, *arguments: (split if which == "split" else merge)(*arguments)


def describe_heads(which, *arguments) -> str:
    """Say which function was called, and with what."""
    function = split_heads if which == "split" else merge_heads
    return f"{function.__name__} with {described(function, arguments)}"


WRONG_SPLITS = {
    "split_heads: your reshape cuts the rows into pieces, so that a head holds parts of different words. "
    "Give the columns two axes first, (…, L, H, d), and then exchange the axes L and H.": lambda x, n: (
        x.reshape(*x.shape[:-2], n, x.shape[-2], -1)
    ),
    "split_heads: your heads take turns, column by column. Head h gets d columns that stand together, "
    "h·d to (h+1)·d − 1.": lambda x, n: np.stack([x[..., h::n] for h in range(n)], axis=-3),
    "split_heads: your heads come after the words, (…, L, H, d). Exchange the two axes: "
    "each head is to hold all words.": lambda x, n: x.reshape(*x.shape[:-1], n, -1),
    "split_heads: your heads stand before the sequences. Axes in front stay in front: (…, H, L, d).": (
        lambda x, n: np.stack(np.split(x, n, axis=-1))
    ),
    "split_heads: you exchange the first two axes. Count from the end, so that axes in front stay where they are: "
    "the axes L and H are −3 and −2.": lambda x, n: x.reshape(*x.shape[:-1], n, -1).swapaxes(0, 1),
    "split_heads: you exchange the axes 1 and 2, which are L and H only where one axis stands in front. Count from the "
    "end: −3 and −2.": lambda x, n: x.reshape(*x.shape[:-1], n, -1).swapaxes(1, 2),
    "split_heads: you count the axis of the heads from the front. Count from the end, so that any number of axes may "
    "stand before: it is axis −3.": lambda x, n: np.stack(np.split(x, n, axis=-1), axis=min(x.ndim - 2, 1)),
    "split_heads: n_heads is the number of heads, not the width of one.": lambda x, n: np.moveaxis(
        x.reshape(*x.shape[:-1], -1, n), -2, -3
    ),
    "split_heads: your last head stands first. Head 0 has the first d columns.": lambda x, n: split_heads(
        x, n
    )[..., ::-1, :, :],
    "split_heads: your words stand in the last axis, (…, H, d, L). Each row of a head is a word: (…, H, L, d).": (
        lambda x, n: split_heads(x, n).swapaxes(-1, -2)
    ),
    "split_heads: all sequences get what the first one holds.": lambda x, n: (
        _impossible()
        if x.ndim < 3
        else np.broadcast_to(
            split_heads(x.reshape(-1, *x.shape[-2:])[0], n),
            split_heads(x, n).shape,
        )
    ),
}
WRONG_MERGES = {
    "merge_heads: your reshape joins words instead of heads. Bring the axis of the heads next to the last "
    "one before you join the two: (…, L, H, d).": lambda x: x.reshape(*x.shape[:-3], x.shape[-2], -1),
    "merge_heads: your columns take turns between the heads. All columns of head 0 come first, then all of "
    "head 1.": lambda x: np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1),
    "merge_heads: you add the heads. Put them side by side, so that none is lost.": lambda x: x.sum(axis=-3),
    "merge_heads: you average the heads. Put them side by side, so that none is lost.": lambda x: x.mean(
        axis=-3
    ),
    "merge_heads: you return head 0 alone. Put all heads side by side.": lambda x: x[..., 0, :, :],
    "merge_heads: your heads stand below each other. Side by side is the last axis.": lambda x: x.reshape(
        *x.shape[:-3], -1, x.shape[-1]
    ),
    "merge_heads: your last head stands first. Its columns come last.": lambda x: merge_heads(
        x[..., ::-1, :, :]
    ),
    "merge_heads: you join along the first axis as if it held the heads. Axes in front stay in front: the heads are "
    "axis −3.": lambda x: np.concatenate(list(x), axis=-1),
    "merge_heads: you exchange the first two axes. Count from the end, so that axes in front stay where they are: "
    "the axes H and L are −3 and −2.": lambda x: x.swapaxes(0, 1).reshape(*x.shape[:-3], x.shape[-2], -1),
    "merge_heads: you count the axis of the heads from the front. Count from the end, so that any number of axes may "
    "stand before: it is axis −3.": lambda x: np.concatenate(
        list(np.moveaxis(x, min(x.ndim - 3, 1), 0)), axis=-1
    ),
    "merge_heads: all sequences get what the first one holds.": lambda x: (
        _impossible()
        if x.ndim < 4
        else np.broadcast_to(merge_heads(x.reshape(-1, *x.shape[-3:])[0]), merge_heads(x).shape)
    ),
}


def _wrong_heads():
    """Yield mistakes of one half, then of both."""
    for told, wrong in WRONG_SPLITS.items():
        yield Misconception(told, _heads(split=wrong))
    for told, wrong in WRONG_MERGES.items():
        yield Misconception(told, _heads(merge=wrong))
    for told, split in WRONG_SPLITS.items():
        for also_told, merge in WRONG_MERGES.items():
            yield Misconception(f"{told} Besides: {also_told}", _heads(split, merge))


def sizes(rng):
    """Yield lengths, numbers of heads and their widths: some that differ, some alike, and 1 for each."""
    yield tuple(int(n) for n in 2 + rng.permutation(5)[:3])
    yield from ((3, 3, 3), (4, 1, 5), (1, 2, 3), (3, 4, 1))


def wide(rng):
    """Yield sequences whose columns belong to several heads."""
    for length, n_heads, d in sizes(rng):
        yield ["split", rng.standard_normal((length, n_heads * d)), n_heads]


def stacked(rng):
    """Yield the outputs of several heads."""
    for length, n_heads, d in sizes(rng):
        yield ["merge", rng.standard_normal((n_heads, length, d))]


def batches(rng):
    """Yield several sequences at once: axes in front of any number, as long as others or not."""
    for batch in ((2,), (3, 2), (1,), (3,)):
        length, n_heads, d = (3, 3, 3) if batch == (3,) else next(sizes(rng))
        yield ["split", rng.standard_normal((*batch, length, n_heads * d)), n_heads]
        yield ["merge", rng.standard_normal((*batch, n_heads, length, d))]


Q1 = Question(
    "q1",
    ASK_Q1,
    _heads(),
    [
        Part("split_heads, one sequence", 1, wide),
        Part("merge_heads, one sequence", 1, stacked),
        Part("both, several sequences at once", 1, batches),
    ],
    [*_wrong_heads()],
    describe=describe_heads,
)

# ---- q2a: lines to order, the loop over the heads ----
# What the text says: columns of a head stand together; d_v = d_k or not; √d_k; head 0 first; one head, too, in the
# company of others. Every order that computes it, with lines too many or without.

PUZZLE = Puzzle(
    """
  | def joined_heads(Q, K, V, n_heads):
A |         theirs = slice(head, None, n_heads)
B |     d_v = V.shape[-1] // n_heads
C |         weights = softmax(scores)
D |     for head in range(n_heads):
E |         scores = Q[:, mine] @ K[:, mine].T / np.sqrt(Q.shape[-1])
F |     found = []
G |         mine = slice(head * d_k, (head + 1) * d_k)
H |         found.append(weights @ V[:, mine])
I |         scores = Q[:, mine] @ K[:, mine].T / np.sqrt(d_k)
J |         theirs = slice(head * d_v, (head + 1) * d_v)
K |         weights = softmax(scores, axis=0)
L |     d_k = Q.shape[-1] // n_heads
M |         found.append(weights @ V[:, theirs])
  |     return np.concatenate(found, axis=-1)
""",
    {"softmax": functional.softmax},
)


def joined_heads(Q, K, V, n_heads):
    """Return what all heads find, side by side."""
    heads = [np.split(part, n_heads, axis=-1) for part in (Q, K, V)]
    return np.concatenate([functional.attention(*head)[0] for head in zip(*heads, strict=True)], axis=-1)


def projected(rng):
    """Yield queries, keys and values of several heads, with d_v larger than d_k, smaller and equal."""
    for L_q, L_k, d_k, d_v, n_heads in [(2, 3, 2, 3, 2), (4, 3, 3, 2, 3), (3, 5, 2, 2, 3), (2, 4, 3, 2, 1)]:
        yield [
            rng.standard_normal((L_q, n_heads * d_k)),
            rng.standard_normal((L_k, n_heads * d_k)),
            rng.standard_normal((L_k, n_heads * d_v)),
            n_heads,
        ]


Q2A = question_of_order(
    "q2a",
    Ordering(
        PUZZLE,
        joined_heads,
        projected,
        {
            "A": Distractor(
                "lets the heads take turns, column by column. Those of a head stand together.", "J"
            ),
            "E": Distractor(
                "divides by the root of all columns, √(H·d_k). Each head divides by the root of its own width.",
                "I",
            ),
            "H": Distractor(
                "cuts the values as the queries are cut: that is right where d_v = d_k only.", "M"
            ),
            "K": Distractor(
                "lets the weights sum to 1 over the queries. Each query shares out 1 among the keys.", "C"
            ),
        },
    ),
)

# ---- q2: several listeners follow a text ----
# What the text says: columns h·d_k to (h+1)·d_k − 1 belong to head h, and so for d_v; √d_k; d_v = d_k or not; any
# number of axes in front; tensors in single precision; weights (…, H, L_q, L_k); sizes from 1 on, alike or not.

FINISHED_ATTENTION = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention",
    "torch.nn.attention.flex_attention.flex_attention",
    "torch.*scaled_dot_product*",
    "torch.*native_multi_head_attention*",
    "course_lib.functional.*attention",
    "course_lib.model.*.*attention",
    "course_lib.model.MultiHeadAttention",
    "course_lib.fast.*attention*",
)


def _cross(
    X_q,
    X_kv,
    W_Q,
    W_K,
    W_V,
    W_O,
    n_heads,
    scale=None,
    axis=-1,
    axis_of_a_head=None,
    split=split_heads,
    merge=merge_heads,
):
    """Return output and weights of multi-head cross-attention, with one thing wrong if so asked."""
    arrays = (np.asarray(array).astype(np.float64) for array in (X_q, X_kv, W_Q, W_K, W_V, W_O))
    X_q, X_kv, W_Q, W_K, W_V, W_O = arrays
    Q, K, V = (split(x, n_heads) for x in (X_q @ W_Q, X_kv @ W_K, X_kv @ W_V))
    scores = Q @ K.mT / np.sqrt(scale(Q, V, X_q) if scale else Q.shape[-1])
    if axis_of_a_head is None:
        weights = _softmax(scores, axis)
    else:  # counted where there is no axis of heads
        weights = np.moveaxis(_softmax(np.moveaxis(scores, -3, 0), axis_of_a_head + 1), 0, -3)
    return merge(weights @ V) @ W_O, weights


def _softmax(scores, axis):
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def _which(cross):
    """Make an answer from a function that returns output and weights."""

    def answer(which, *arguments):
        output, weights = cross(*arguments)
        return weights if which == "weights" else [output, weights]

    return answer


def _with(**changed):
    return _which(lambda *arguments: _cross(*arguments, **changed))


def _weights_changed(change):
    """Make a mistake in the weights that are returned, after they were used."""

    def cross(*arguments):
        output, weights = _cross(*arguments)
        return output, change(weights)

    return _which(cross)


def _without_W_O(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    return _cross(X_q, X_kv, W_Q, W_K, W_V, np.eye(len(W_O)), n_heads)


def _one_wide_head(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    output, weights = _cross(X_q, X_kv, W_Q, W_K, W_V, W_O, 1)
    return output, np.repeat(weights, n_heads, axis=-3)


def _head_0_for_all(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    weights = np.repeat(_cross(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads)[1][..., :1, :, :], n_heads, axis=-3)
    V = split_heads(np.asarray(X_kv @ W_V), n_heads)
    return merge_heads(weights @ V) @ np.asarray(W_O), weights


def _values_take_turns(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    weights = _cross(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads)[1]
    return merge_heads(weights @ _take_turns(np.asarray(X_kv @ W_V), n_heads)) @ np.asarray(W_O), weights


def _first_recording_for_all(X_q, X_kv, *matrices):
    if X_q.ndim < 3:
        _impossible()
    X_q, X_kv = (x.reshape(-1, *x.shape[-2:])[:1].expand(x.shape) for x in (X_q, X_kv))
    return _cross(X_q, X_kv, *matrices)


def _scores(*arguments):
    X_q, X_kv, W_Q, W_K, *_, n_heads = (np.asarray(argument) for argument in arguments)
    Q, K = split_heads(X_q @ W_Q, int(n_heads)), split_heads(X_kv @ W_K, int(n_heads))
    return _cross(*arguments)[0], Q @ K.mT / np.sqrt(Q.shape[-1])


def _cut(x, n_heads):
    return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)


def _take_turns(x, n_heads):
    return np.stack([x[..., h::n_heads] for h in range(n_heads)], axis=-3)


def _join_words(x):
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)


ASK_Q2 = """
def entry_point(which, *arguments):
    result = cross_attention(*arguments)
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise ValueError("cross_attention must return two tensors, the output and the weights")
    return result[1] if which == "weights" else list(result)
"""


def _reads_out(answer, X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads) -> bool:
    """Whether an output is what weights, right or wrong, read out of the values: that mistake is paid for already."""
    if not isinstance(answer, list) or len(answer) != 2:
        return False
    try:
        output, weights = answer[0], np.asarray(answer[1], dtype=np.float64)
    except (TypeError, ValueError):
        return False
    shape = (*X_q.shape[:-2], n_heads, X_q.shape[-2], X_kv.shape[-2])
    if weights.shape != shape or not np.ptp(weights) > 1e-3:  # level weights show no head of its own
        return False
    V = split_heads(np.asarray(X_kv @ W_V, dtype=np.float64), n_heads)
    return not difference(output, merge_heads(weights @ V) @ np.asarray(W_O), TOLERANCE)


def crosses(answer, which, *arguments) -> str:
    """Say what is wrong with the weights, the output, or both; "" if nothing is."""
    output, weights = _cross(*arguments)
    if which == "weights":
        return _fault("weights", answer, weights)
    if not isinstance(answer, list) or len(answer) != 2:
        return compare(settled(answer), [output, weights], TOLERANCE, tell=False)
    fault = _fault("output", answer[0], output)
    if which == "output":
        return "" if not fault or _reads_out(answer, *arguments) else fault
    return fault or _fault("weights", answer[1], weights)


def _fault(name, found, right) -> str:
    fault = compare(settled(found), right, TOLERANCE, tell=False)
    return f"The {name}: {fault[:1].lower()}{fault[1:]}" if fault else ""


def describe_cross(which, *arguments) -> str:
    """Say with what cross_attention was called."""
    return f"cross_attention with {described(_cross, arguments)}"


DIFFERENT = (5, 3, 6, 8, 2, 4, 7, 9)  # L_q, L_k, d_q, d_kv, H, d_k, d_v, d_out
NARROW_VALUES = (2, 6, 3, 5, 3, 4, 1, 7)
ALIKE = (4, 4, 8, 8, 4, 2, 2, 8)  # as in self-attention
ONE_HEAD = (3, 5, 4, 2, 1, 3, 2, 5)
ONE_QUERY = (1, 4, 5, 3, 6, 2, 8, 11)  # several columns: a single sum may nearly cancel
ONE_COLUMN = (9, 4, 5, 3, 2, 2, 3, 1)
ONE_KEY = (3, 1, 2, 5, 2, 1, 3, 4)


def recording(rng, which, sizes, batch=()):
    """Return frames, words, the four matrices and the number of heads, in single precision as tensors are."""
    L_q, L_k, d_q, d_kv, n_heads, d_k, d_v, d_out = sizes
    shapes = (
        (*batch, L_q, d_q),
        (*batch, L_k, d_kv),
        (d_q, n_heads * d_k),
        (d_kv, n_heads * d_k),
        (d_kv, n_heads * d_v),
        (n_heads * d_v, d_out),
    )
    sequences = [rng.standard_normal(shape) for shape in shapes[:2]]
    matrices = [rng.standard_normal(shape) / np.sqrt(shape[0]) for shape in shapes[2:]]
    return [which, *(torch.from_numpy(x).float() for x in sequences + matrices), n_heads]


def recordings(which, *sizes):
    """Make a function that draws single recordings of these sizes."""
    return lambda rng: [recording(rng, which, each) for each in sizes]


def several_recordings(rng):
    """Yield several recordings at once; as many as heads and frames, or not."""
    yield recording(rng, "both", DIFFERENT, (3,))
    yield recording(rng, "both", NARROW_VALUES, (2, 2))
    yield recording(rng, "both", ALIKE, (4,))
    yield recording(rng, "both", ONE_QUERY, (1,))
    yield recording(rng, "both", ONE_COLUMN, (2,))


Q2 = Question(
    "q2",
    ASK_Q2,
    None,
    [
        Part(
            "the weights of each head",
            2,
            recordings("weights", DIFFERENT, ALIKE, ONE_HEAD, ONE_QUERY, ONE_KEY),
        ),
        Part("what the weights read out", 1, recordings("output", DIFFERENT, NARROW_VALUES, ALIKE)),
        Part("several recordings at once", 1, several_recordings),
    ],
    [
        Misconception(
            "You divide by the root of all columns of the queries, √(H·d_k). Each head divides by the root of its "
            "own width, √d_k.",
            _with(scale=lambda Q, V, X_q: Q.shape[-3] * Q.shape[-1]),
        ),
        Misconception(
            "The scores are not scaled: each head divides them by √d_k.", _with(scale=lambda Q, V, X_q: 1)
        ),
        Misconception(
            "You divide by d_k; it should be its root, √d_k.", _with(scale=lambda Q, V, X_q: Q.shape[-1] ** 2)
        ),
        Misconception(
            "You multiply by √d_k; the scores are divided by it.",
            _with(scale=lambda Q, V, X_q: 1 / Q.shape[-1]),
        ),
        Misconception(
            "You divide by the root of the width of a value, √d_v. The scores come from queries and keys: √d_k.",
            _with(scale=lambda Q, V, X_q: V.shape[-1]),
        ),
        Misconception(
            "You divide by the root of the width of the frames, √d_q. Each head divides by the root of its own "
            "width, √d_k.",
            _with(scale=lambda Q, V, X_q: X_q.shape[-1]),
        ),
        Misconception(
            "You divide by the number of heads, H. Each head divides by the root of its own width, √d_k.",
            _with(scale=lambda Q, V, X_q: Q.shape[-3] ** 2),
        ),
        Misconception(
            "You divide by the root of the number of heads, √H. Each head divides by the root of its own width, √d_k.",
            _with(scale=lambda Q, V, X_q: Q.shape[-3]),
        ),
        Misconception(
            "You divide by the width of the frames, d_q. Each head divides by the root of its own width, √d_k.",
            _with(scale=lambda Q, V, X_q: X_q.shape[-1] ** 2),
        ),
        Misconception(
            "You divide by the root of the number of words, √L_k. Each head divides by that of its own width, √d_k.",
            _which(
                lambda X_q, X_kv, *others: _cross(
                    X_q, X_kv, *others, scale=lambda Q, V, frames: X_kv.shape[-2]
                )
            ),
        ),
        Misconception(
            "You always divide by 2, which is right where d_k = 4, as in the example. Each head divides by √d_k.",
            _with(scale=lambda Q, V, X_q: 4),
        ),
        Misconception(
            "Your weights sum to 1 over the frames. Each frame shares out its weight among the words: "
            "softmax over the last axis.",
            _with(axis=-2),
        ),
        Misconception(
            "Your weights sum to 1 over the heads. Each head shares out its weight among the words: "
            "softmax over the last axis.",
            _with(axis=-3),
        ),
        Misconception(
            "You take the softmax of each head over axis 1, which holds the words only where there is a single "
            "recording. Count from the end: dim=-1.",
            _with(axis_of_a_head=1),
        ),
        Misconception(
            "You take the softmax over axis 2, which holds the words only where there is a single recording. Count "
            "from the end: dim=-1.",
            _with(axis=2),
        ),
        Misconception(
            "Your heads hold parts of different words: the reshape cuts rows into pieces. Give the columns two axes, "
            "(…, L, H, d), and then exchange L and H.",
            _with(split=_cut),
        ),
        Misconception(
            "Your heads hold parts of different words, and so does what you join of them: exchange the axes L and H "
            "after splitting and before joining.",
            _with(split=_cut, merge=_join_words),
        ),
        Misconception(
            "Your heads take turns, column by column. Head h gets columns that stand together, h·d to (h+1)·d − 1.",
            _with(split=_take_turns),
        ),
        Misconception(
            "In the columns of the values your heads take turns. Head h gets d_v columns that stand together, "
            "h·d_v to (h+1)·d_v − 1.",
            _which(_values_take_turns),
        ),
        Misconception(
            "What the heads found is mixed, column by column. Side by side is head 0 first, then all of head 1: "
            "torch.cat(…, dim=-1).",
            _with(merge=lambda x: np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1)),
        ),
        Misconception(
            "Before W_O the heads are not joined as they should be: the axis of the heads must stand next to the "
            "last one when the two become one.",
            _with(merge=_join_words),
        ),
        Misconception(
            "The last head stands first where you join them: head 0 comes first, and W_O counts on it.",
            _with(merge=lambda x: merge_heads(x[..., ::-1, :, :])),
        ),
        Misconception(
            "W_O is missing: it maps what the heads found, side by side, to the output.", _which(_without_W_O)
        ),
        Misconception(
            "You average the weights over the heads; expected is one map for each head.",
            _weights_changed(lambda weights: weights.mean(axis=-3)),
        ),
        Misconception(
            "All your heads have the same weights: the scores are computed from all columns together. "
            "Each head has its own columns of queries and keys, and so its own scores.",
            _which(_one_wide_head),
        ),
        Misconception(
            "All your heads have the weights of head 0. Each head has its own columns of queries and keys.",
            _which(_head_0_for_all),
        ),
        Misconception(
            "The axis of the heads stands before all others. Expected are weights (…, H, L_q, L_k): several "
            "recordings stay in front.",
            _weights_changed(lambda weights: np.moveaxis(weights, -3, 0)),
        ),
        Misconception(
            "The axis of the heads stands behind that of the frames. Expected are weights (…, H, L_q, L_k).",
            _weights_changed(lambda weights: np.moveaxis(weights, -3, -2)),
        ),
        Misconception(
            "The axis of the heads stands last. Expected are weights (…, H, L_q, L_k).",
            _weights_changed(lambda weights: np.moveaxis(weights, -3, -1)),
        ),
        Misconception(
            "Your weights are transposed: a row belongs to a frame, (…, H, L_q, L_k).",
            _weights_changed(lambda weights: weights.mT),
        ),
        Misconception(
            "You return the scores; expected are the weights, what the softmax makes of them.",
            _which(_scores),
        ),
        Misconception(
            "Your results have changed places: the output comes first, then the weights.",
            _which(lambda *given: _cross(*given)[::-1]),
        ),
        Misconception(
            "All recordings get what the first one gets. Each has its own frames and words.",
            _which(_first_recording_for_all),
        ),
    ],
    forbidden=FINISHED_ATTENTION,
    accepts=crosses,
    describe=describe_cross,
)

# ---- q3: shuffled, and put back ----
# What the text says: column i belongs to word order[i]; as many axes in front as one likes, each recording with an
# order of its own; all sizes from 1 on, up to some hundred words, and alike or not (as many frames or recordings as
# words); weights of a frame may be equal, or 0; total_order is first `first`, then `second`; nothing given is changed.


def original_weights(weights, order):
    """Bring the columns back from a shuffled text: (…, L_q, L_k), (…, L_k) -> (…, L_q, L_k)."""
    return np.take_along_axis(weights, np.argsort(order, axis=-1)[..., None, :], axis=-1)


def total_order(first, second):
    """Return the one order that does what two do one after the other."""
    return first[second]


ASK_Q3 = """
def entry_point(which, *arguments):
    return (original_weights if which == "weights" else total_order)(*arguments)
"""


def _orders(weights=original_weights, total=total_order):
    """Answer whichever half of the question is asked."""
    return lambda which, *arguments: (weights if which == "weights" else total)(*arguments)


def describe_orders(which, *arguments) -> str:
    """Say which function was called, and with what."""
    function = original_weights if which == "weights" else total_order
    return f"{function.__name__} with {described(function, arguments)}"


def an_order(rng, length, ring):
    """Draw an order in which `ring` words take each other's places in a circle, and the others in another circle.

    With four words or more in one of them it neither equals its inverse nor becomes it when it is used twice.
    """
    places = rng.permutation(length)
    order = np.empty(length, dtype=np.int64)
    for circle in (places[:ring], places[ring:]):
        order[circle] = np.roll(circle, 1)
    return order


def shuffled_text(rng, L_q, L_k, ring):
    """Return the weights of one shuffled text, and how it was shuffled."""
    return ["weights", rng.dirichlet(np.ones(L_k), size=L_q), an_order(rng, L_k, ring)]


def shuffled_batch(rng, L_q, L_k, *batch):
    """Return the weights of several shuffled texts: no two in the same order."""
    rings = [(0, *rest) for rest in permutations(range(1, L_k))]  # as one reads them round the circle, from 0
    orders = np.empty((int(np.prod(batch)), L_k), dtype=np.int64)
    for order, ring in zip(orders, rng.permutation(rings), strict=False):
        order[ring] = np.roll(ring, 1)
    return ["weights", rng.dirichlet(np.ones(L_k), size=(*batch, L_q)), orders.reshape(*batch, L_k)]


def shuffled_texts(rng):
    """Yield single recordings."""
    for L_q, L_k, ring in (
        (3, 5, 5),
        (5, 5, 4),
        (8, 4, 4),
        (1, 7, 4),
        (2, 1, 1),
        (6, 6, 5),
        (2, 12, 7),
        (1, 300, 180),
    ):
        yield shuffled_text(rng, L_q, L_k, ring)
    _, weights, order = shuffled_text(rng, 4, 6, 5)
    weights[0] = 1 / 6  # all words alike
    weights[1, rng.permutation(6)[:3]] = weights[1].max()  # some alike
    weights[2, rng.permutation(6)[:3]] = 0
    weights[3] = np.arange(6) == rng.integers(6)  # one word alone
    yield ["weights", weights / weights.sum(axis=-1, keepdims=True), order]


def shuffled_batches(rng):
    """Yield several recordings at once, or one as a batch."""
    for L_q, L_k, *batch in (
        *((3, 5, 4), (2, 6, 2, 3), (4, 4, 4), (1, 5, 1), (2, 5, 5), (3, 5, 3)),
        *((2, 5, 2, 1, 3), (3, 5, 2, 3, 2), (4, 4, 4, 1), (2, 5, 1, 1, 1, 1)),
    ):
        yield shuffled_batch(rng, L_q, L_k, *batch)


def two_orders(rng):
    """Yield two orders which give something else when they change places, and neither takes back the other."""
    for length in (4, 6, 9, 300):
        names = rng.permutation(length)
        first, second = np.roll(np.arange(length), -1), np.array([1, 2, 0, *range(3, length)])
        if length > 4:  # what becomes of the first three words tells this from the known mistakes
            second[3:] = 3 + rng.permutation(length - 3)
        numbers = np.argsort(names)
        yield ["total", names[first[numbers]], names[second[numbers]]]
    yield ["total", np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)]


def _first_row_alone(weights, order):
    changed = weights.copy()
    changed[..., 0, :] = original_weights(weights, order)[..., 0, :]
    return changed


def _rows(order):
    """Move rows in place of columns, as indexing without a colon does."""

    def moved(weights, given):
        if weights.shape[-2] == weights.shape[-1]:
            return np.take_along_axis(weights, order(given)[..., None], axis=-2)
        return weights[order(given)] if given.ndim == 1 else _impossible()

    return moved


Q3 = Question(
    "q3",
    ASK_Q3,
    _orders(),
    [
        Part("original_weights, one recording", 1, shuffled_texts),
        Part("original_weights, each recording in its own order", 1, shuffled_batches),
        Part("total_order", 1, two_orders),
    ],
    [
        Misconception(
            "original_weights: you shuffle the columns once more. Column i of what you are given belongs to word "
            "order[i], and is to move there: you need the inverse order.",
            _orders(weights=lambda w, order: np.take_along_axis(w, order[..., None, :], -1)),
        ),
        Misconception(
            "original_weights: you use the order of the first recording for all. Each has its own.",
            _orders(
                weights=lambda w, order: w[..., np.argsort(order.reshape(-1, order.shape[-1])[0])],
            ),
        ),
        Misconception(
            "original_weights: your index takes the orders of all recordings for each of them, so there is an axis too "
            "many. Each recording has an order of its own: go through them one by one, or use np.take_along_axis.",
            _orders(weights=lambda w, order: w[..., np.argsort(order)]),
        ),
        Misconception(
            "original_weights: your inverse is taken across the recordings. Each order is a row: "
            "np.argsort(order, axis=-1).",
            _orders(
                weights=lambda w, order: np.take_along_axis(w, np.argsort(order, axis=0)[..., None, :], -1)
            ),
        ),
        Misconception("original_weights: nothing has moved yet.", _orders(weights=lambda w, order: w)),
        Misconception(
            "original_weights: only the first row is put back. The columns of all rows move.",
            _orders(weights=_first_row_alone),
        ),
        Misconception(
            "original_weights: you move the rows, which are the frames. The words are the columns: weights[:, …].",
            _orders(weights=_rows(np.argsort)),
            sometimes="original_weights: where there are as many frames as words, you move the rows, which are the "
            "frames. The words are the columns.",
        ),
        Misconception(
            "original_weights: you move the rows, which are the frames. The words are the columns: weights[:, …].",
            _orders(weights=_rows(lambda order: order)),
        ),
        Misconception(
            "original_weights: you read the columns backwards. They go back to the words that order names.",
            _orders(weights=lambda w, order: w[..., ::-1]),
        ),
        Misconception(
            "original_weights: you sort the weights by their size. They go back to the words that order names.",
            _orders(weights=lambda w, order: np.sort(w, axis=-1)),
        ),
        Misconception(
            "total_order: the two orders have changed places. Row i after the second shuffle is row second[i] of "
            "the text after the first: which word is that?",
            _orders(total=lambda first, second: second[first]),
        ),
        Misconception(
            "total_order: this order takes back both shuffles; asked for is the one that does both.",
            _orders(total=lambda first, second: np.argsort(first[second])),
        ),
        Misconception(
            "total_order: this order takes back both shuffles, and in the wrong turn; asked for is the one that does "
            "both, `first` first.",
            _orders(total=lambda first, second: np.argsort(second[first])),
        ),
        Misconception(
            "total_order: this order takes back the first shuffle. Neither order needs its inverse here.",
            _orders(total=lambda first, second: np.argsort(first)[second]),
        ),
        Misconception(
            "total_order: this order takes back the second shuffle. Neither order needs its inverse here.",
            _orders(total=lambda first, second: first[np.argsort(second)]),
        ),
        Misconception(
            "total_order: you write second[i] to the place first[i], and so take back the first shuffle. Read: which "
            "word stands at place second[i] after the first shuffle?",
            _orders(total=lambda first, second: second[np.argsort(first)]),
        ),
        Misconception(
            "total_order: this order takes back the second shuffle, then does the first. Neither order needs its "
            "inverse here.",
            _orders(total=lambda first, second: np.argsort(second)[first]),
        ),
        Misconception(
            "total_order: you return the first order alone; the second shuffle is missing.",
            _orders(total=lambda first, second: first),
        ),
        Misconception(
            "total_order: you return the second order alone; the first shuffle is missing.",
            _orders(total=lambda first, second: second),
        ),
        Misconception(
            "total_order: orders are not added. Follow one row through both shuffles.",
            _orders(total=lambda first, second: (first + second) % len(first)),
        ),
    ],
    describe=describe_orders,
)

# ---- q4: the checked proof ----

ASK_Q4 = """
def entry_point(how_far):
    return proof()
"""

STAGES = (
    "the transpose of the shuffled keys is taken apart",
    "the permutation has left the softmax",
    "the whole proof",
)


def _inside(term: Term) -> Iterator[Term]:
    yield term
    for part in term.parts:
        yield from _inside(part)


def _shuffled(term: Term) -> bool:
    return any(isinstance(part, Matrix) and part.is_permutation for part in _inside(term))


def _stage(term: Term) -> int:
    """Say how far a line is: 2 where no P stands in a softmax, 1 where none stands below a transposed product."""
    kinds = [part for part in _inside(term) if _shuffled(part)]
    if any(isinstance(part, Attention) for part in kinds):
        return 0
    if not any(isinstance(part, Softmax) for part in kinds):
        return 2
    return int(not any(isinstance(part, Transpose) and not isinstance(part.of, Matrix) for part in kinds))


def how_far_it_gets(steps) -> tuple[int, str]:
    """Return which stage the steps reach before the first that fails, and what is to be said.

    Who begins with the given line, or goes on by steps after the goal, has proved it all the same.
    """
    try:
        report = check(INVARIANCE, steps)
        given = int(bool(report.steps) and _parsed(report.steps[0].line) == _parsed(INVARIANCE.start))
        report = check(INVARIANCE, steps[given:])
    except ValueError:
        return 0, "proof() must return a list of pairs of text, (line, rule), at most 100 of them."
    reached, told = 0, ""
    for number, step in enumerate(report.steps, start=1 + given):
        if step.verdict is not Verdict.ACCEPTED:
            told = f"Step {number} is the first that fails. {step.message[:1].upper()}{step.message[1:]}"
            break
        line = _parsed(step.line)
        if line is None:  # never of a line that was accepted
            break
        if line == _parsed(INVARIANCE.goal):
            return 3, ""
        reached = max(reached, _stage(line))
    return reached, told or (
        f"Every step holds, but the proof is not at its end: the last line is to be {INVARIANCE.goal}."
        if report.steps
        else "There is no step in your proof yet."
    )


def _parsed(line: str) -> Term | None:
    try:
        return parse(line, INVARIANCE)
    except NotationError:
        return None


def gets_as_far(answer, how_far) -> str:
    """Say what keeps a proof from getting as far as that; "" if nothing does."""
    reached, told = how_far_it_gets(answer)
    return "" if reached > STAGES.index(how_far) else told


Q4 = Question(
    "q4",
    ASK_Q4,
    None,
    [
        Part(stage, points, lambda rng, stage=stage: [[stage]])
        for stage, points in zip(STAGES, (1, 2, 2), strict=True)
    ],
    accepts=gets_as_far,
)

# ---- q5: a property test ----
# What the text says: any sizes from 1 on; keys and values move alike, queries do not; up to 10⁻⁵ is rounding, more
# than 10⁻³ in one entry is not, however large the entry and however small the mean; some faults show for some orders,
# some of the four sizes (alike or not, small or large) or some numbers only (negative, broken, large), or in one row,
# column or entry of the output, at an end or in the middle; 100 draws at least, 5000 at most.


def bonus(kind, i, j, Q, K, V):
    """Return what some kinds of attention add to the scores, by the places i of queries and j of keys."""
    if kind == "mirror":
        return abs(j - (len(K) - 1) / 2)
    if kind == "late":
        return np.maximum(j - 1, 0)
    if kind == "early":
        return np.maximum(len(K) - 2 - j, 0)
    if kind == "opening":
        return 2.0 * (j == 0)
    if kind == "closing":
        return 2.0 * (j == len(K) - 1)
    if kind == "square":
        return j * (len(Q) == len(K))
    if kind == "tall":
        return j * (len(Q) > len(K))
    if kind == "wide":
        return j * (len(Q) < len(K))
    if kind == "long":
        return j * (len(K) >= 4)
    if kind == "widths":
        return j * (Q.shape[1] != V.shape[1])
    if kind == "negative":
        return j * all((x < 0).any() for x in (Q, K, V))
    if kind == "broken":
        return j * all((x != np.round(x)).any() for x in (Q, K, V))
    if kind == "slim":
        return j * (min(Q.shape[1], V.shape[1]) < 4)
    if kind == "grand":
        return j * (max(*Q.shape, *V.shape) >= 5)
    if kind == "loud":
        return j * all((abs(x) > 1).any() for x in (Q, K, V))
    if kind == "plus":
        return j * (Q[0, 0] > 0)
    if kind == "minus":
        return j * (Q[0, 0] <= 0)
    if kind == "top":
        return j * (i == 0)
    if kind == "inner":
        return j * (i == 1) * (len(Q) > 2)
    if kind == "bottom":
        return j * (i == len(Q) - 1) * (len(Q) != len(K))
    if kind == "faint":
        return 0.005 * j
    return 0


def build(code):
    """Make an attention, which returns its output alone; of which kind it is, its number says to who knows KINDS."""

    def attention(Q, K, V):
        kind = code % 64
        i, j = np.arange(len(Q))[:, None], np.arange(len(K))[None, :]
        if kind == "single":
            Q, K, V = (x.astype(np.float32) for x in (Q, K, V))
        if kind == "asker":
            Q = Q + np.cos(i + np.arange(Q.shape[1]))
        if kind == "clock":
            K = K + np.cos(j.T + np.arange(K.shape[1]))
        if kind == "ring":
            K = (K + np.roll(K, -1, axis=0)) / 2
        scores = Q @ K.T / np.sqrt(Q.shape[1])
        if kind == "distance":
            scores = -((Q[:, None] - K[None]) ** 2).sum(axis=-1)
        if kind == "average":
            scores = 0 * scores
        if kind == "necklace":
            scores = scores + np.roll(scores, 1, axis=1) + np.roll(scores, -1, axis=1)
        if kind == "causal":
            scores = np.where(j <= i, scores, -np.inf)
        scores = scores + bonus(kind, i, j, Q, K, V)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
        if kind == "single":
            weights = weights.astype(np.float32)
        if kind == "ranked":
            weights = np.sort(weights, axis=-1)
        if kind == "ties":
            weights = np.eye(len(K))[np.round(scores).argmax(axis=-1)]
        output = weights @ V
        if kind == "rough":
            waves = np.sin(1e6 * K[0, 0] + np.arange(output.size)).reshape(output.shape)
            output = output.astype(np.float64) + 4.8e-6 * np.sign(waves)
        falls = K[0, 0] > K[-1, 0]
        if kind == "swapped" and falls:
            output = output[::-1]
        if kind == "whisper" and falls:
            output[-1, 0] += 0.0015
        if kind == "swell" and falls:
            output = 1.005 * output
        if kind == "scales" and falls:
            output[:, 0] += 1
            output[:, -1] -= 1
        if kind == "left":
            output[:, 0] += np.arange(len(V)) @ V[:, 0] / len(V)
        if kind == "right":
            output[:, -1] += np.arange(len(V)) @ V[:, -1] / len(V)
        if kind == "middle" and V.shape[1] > 2:
            output[:, 1] += np.arange(len(V)) @ V[:, 1] / len(V)
        return output

    return attention


# For each kind, in the order in which they are told, what is said to whose test takes it for the other sort.
TURNED_AWAY = {
    "plain": "plain attention. Shuffle keys and values in the same order, leave the queries alone, and "
    "allow for rounding",
    "distance": "one that scores by distances. Shuffle keys and values in the same order, leave the queries "
    "alone, and allow for rounding",
    "average": "one that gives all keys the same weight. Shuffle keys and values alike, and allow for rounding",
    "asker": "one that adds something to the queries, each by its own place. Queries may know "
    "where they stand: leave them as they are, and shuffle only keys and values",
    "single": "one that computes in single precision. Its rounding is as large as 10⁻⁶; what counts is an "
    "absolute difference of more than 10⁻³",
    "rough": "one whose rounding comes near 10⁻⁵, also in small entries. What counts is an absolute difference of "
    "more than 10⁻³",
}
LET_THROUGH = {
    "clock": "one that adds to each key something that depends on its place",
    "causal": "one with a causal mask, which keeps each query from the keys behind its own place",
    "ranked": "one that gives its largest weight to the last value, whatever its key: weights and values "
    "no longer belong together",
    "mirror": "one that prefers both ends of the text. Read backwards it looks the same; so try all orders, "
    "not the reversal alone",
    "ring": "one that mixes each key with the one behind it, and the last with the first. Shifting all "
    "in a circle does not show it; so try all orders",
    "necklace": "one that adds to each key's score those of its two neighbours, in a circle. Shifting all in a "
    "circle and reading it backwards do not show it; so try all orders",
    "late": "one that treats its first two words alike and only then counts places. "
    "Exchanging these two does not show it; so try all orders",
    "early": "one that counts places, but treats its last two words alike. "
    "Exchanging these two does not show it; so try all orders",
    "opening": "one that prefers the first key, whichever it is. Try orders that move it",
    "closing": "one that prefers the last key, whichever it is. Try orders that move it",
    "square": "one that goes wrong only with as many keys as queries. Try lengths that agree, too",
    "tall": "one that goes wrong only with fewer keys than queries. Try lengths that differ, both ways",
    "wide": "one that goes wrong only with more keys than queries. Try lengths that differ, both ways",
    "long": "one that goes wrong only with four keys or more. Try all lengths from 2 to 8",
    "widths": "one that goes wrong only if a value is not as wide as a key. Try different widths",
    "negative": "one that goes wrong only where queries, keys and values all hold negative numbers. Draw all "
    "three from a normal distribution",
    "broken": "one that goes wrong only where queries, keys and values all hold numbers that are not whole. Draw all "
    "three from a normal distribution",
    "slim": "one that goes wrong only if keys or values have fewer than four numbers. Draw all four sizes from 2 to 8",
    "grand": "one that goes wrong only if one of the four sizes is 5 or more. Draw all four from 2 to 8",
    "loud": "one that goes wrong only where queries, keys and values all hold numbers above 1 or below −1. Draw all "
    "three from a standard normal distribution",
    "top": "one that goes wrong only for the first query. Compare all rows of the output",
    "bottom": "one that goes wrong only for the last query, and only if there are not as many keys as queries. Compare "
    "all rows of the output",
    "inner": "one that goes wrong only for query 1, where it is not the last. Compare all rows of the output",
    "left": "one that goes wrong only in the first column of its output. Compare all columns",
    "right": "one that goes wrong only in the last column of its output. Compare all columns",
    "middle": "one that goes wrong only in column 1 of its output, where it is not the last. Compare all columns",
    "swapped": "one that turns its output upside down for some orders. Sums, means and lengths do not show it: compare "
    "entry by entry",
    "scales": "one that adds as much to one column of its output as it takes from another. Sums of a row do not show "
    "it: compare entry by entry",
    "plus": "one that goes wrong only if the very first number of the queries is positive. Draw new numbers each time",
    "minus": "one that goes wrong only if the very first number of the queries is not positive. Draw new numbers each "
    "time, from a normal distribution",
    "faint": "one in which places count little. What differs by more than 10⁻³ is not rounding",
    "whisper": "one in which a single entry changes, by 0.0015. Look at the largest difference of all entries and "
    "all draws, not at a mean: what is more than 10⁻³ is not rounding",
    "swell": "one in which all entries change by a two-hundredth. What counts is the absolute difference: "
    "more than 10⁻³ is no rounding in large entries, either",
    "ties": "one that takes the first of several keys that match about equally well. "
    "It shows in some draws only; try a few hundred",
}
TOLD = [*TURNED_AWAY, *LET_THROUGH]
KINDS = sorted(TOLD)


def _by_number(source: str) -> str:
    """Put numbers in place of the names of kinds: the student's kernel is to hold nothing that gives them away."""
    return re.sub('"(' + "|".join(KINDS) + ')"', lambda found: str(KINDS.index(found[1])), source)


# Functions are no plain values, so that the attentions are made in the student's kernel, from numbers.
ASK_Q5 = f"""
import numpy as np

{_by_number(inspect.getsource(bonus))}

{_by_number(inspect.getsource(build))}

def entry_point(codes, fewest):
    answers, drawn, compared = [], [], []
    for code in codes:
        attention, draws, calls = build(code), set(), []

        def counted(Q, K, V, attention=attention, draws=draws, calls=calls):
            draws.add((np.asarray(Q).tobytes(), K.shape, V.shape))
            calls.append(1)
            return attention(Q, K, V)

        answers.append(is_invariant(counted))
        drawn.append(len(draws))
        compared.append(len(calls) - len(draws))
    return [answers, drawn, compared]
"""


def _is_truth_value(one) -> bool:
    return isinstance(one, bool) or (isinstance(one, np.ndarray) and one.shape == () and one.dtype == bool)


FEWEST, MOST = 100, 5000  # draws
FEWEST_FOR_WHAT_IS_PLAIN = 10


def _how_often(answers, drawn, compared, fewest) -> str:
    """Say if a test that found nothing has tried too seldom, or far too often; "" if not.

    Who tries several orders of each draw may draw less often.
    """
    found_nothing = [(d, c) for one, d, c in zip(answers, drawn, compared, strict=True) if one]
    if any(d < fewest and c < 2 * fewest for d, c in found_nothing):
        return f"Your test returns True after fewer than {fewest} draws: then it is luck what it finds."
    if fewest == FEWEST and any(d > MOST for d, _ in found_nothing):
        return f"Your test draws more than {MOST} times."
    return ""


def tells_apart(answer, codes, fewest) -> str:
    """Say what a property test gets wrong about attentions, given by their numbers, and how often it draws; or ""."""
    answers, drawn, compared = answer
    answers = answers if isinstance(answers, list) else []
    if any(one is None for one in answers):
        return "is_invariant returns None: is its `return` missing?"
    answers = [settled(one) for one in answers]
    if len(answers) != len(codes) or not all(_is_truth_value(one) for one in answers):
        return "is_invariant must return True or False."
    told = _taken_for_the_other(answers, codes), _how_often(answers, drawn, compared, fewest)
    return " ".join(filter(None, told))


def _taken_for_the_other(answers, codes) -> str:
    of_kind: dict[str, list[bool]] = {}
    for code, one in zip(codes, answers, strict=True):
        of_kind.setdefault(KINDS[code % 64], []).append(bool(one))
    for kind in TOLD:
        told = of_kind.get(kind, [])
        if kind in TURNED_AWAY and not all(told):
            by_luck = " sometimes" if any(told) else ""
            return f"Your test{by_luck} turns away an attention that is invariant: {TURNED_AWAY[kind]}."
        if kind in LET_THROUGH and any(told):
            by_luck = "" if all(told) else " sometimes"
            return f"Your test{by_luck} lets through an attention that is not invariant: {LET_THROUGH[kind]}."
    return ""


def _kinds(*kinds, times=2, betrays_itself_seldom=(), times_then=4, fewest=FEWEST_FOR_WHAT_IS_PLAIN):
    """Make a function that draws one case: attentions of these kinds, several of each, in any order."""
    numbers = [KINDS.index(kind) for kind in kinds for _ in range(times)]
    numbers += [KINDS.index(kind) for kind in betrays_itself_seldom for _ in range(times_then)]
    return lambda rng: [[[int(n + 64 * rng.integers(2**20)) for n in rng.permutation(numbers)], fewest]]


Q5 = Question(
    "q5",
    ASK_Q5,
    None,
    [
        Part(
            "what is plain to see",
            2,
            _kinds(
                *("plain", "distance", "average"),
                times=3,
                betrays_itself_seldom=("clock", "causal", "ranked"),
            ),
        ),
        Part(
            "orders of every kind",
            1,
            _kinds(
                "asker",
                "mirror",
                "ring",
                "necklace",
                "late",
                "early",
                betrays_itself_seldom=("opening", "closing"),
            ),
        ),
        Part(
            "sizes and numbers of every kind, often enough, in all of the output",
            1,
            _kinds(
                *("single", "rough", "tall", "wide", "long", "widths", "slim", "grand"),
                *("negative", "broken", "loud", "plus", "minus"),
                *("top", "inner", "bottom", "left", "middle", "right", "scales", "swapped"),
                *("faint", "whisper", "swell"),
                times=1,
                betrays_itself_seldom=("square", "ties"),
                fewest=FEWEST,
            ),
        ),
    ],
    accepts=tells_apart,
    describe=lambda codes, fewest: "",
)

QUESTIONS = [Q1, Q2A, Q2, Q3, Q4, Q5]
