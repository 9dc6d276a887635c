"""What decides the questions of ps05: heads, cross-attention, and why the order of keys and values does not matter."""

import inspect
from collections.abc import Iterator

import numpy as np
import torch

from course_lib.grading.questions import Misconception, Part, Question
from course_lib.hints import TOLERANCE, difference
from course_lib.proofs import INVARIANCE, NotationError, Term, Verdict, check, parse
from course_lib.proofs.terms import Attention, Matrix, Softmax, Transpose

NOTHING = np.zeros(0)  # equals no answer

# ---- q1: heads apart and together ----


def split_heads(x, n_heads):
    """Give each head its columns: (…, L, H·d) -> (…, H, L, d)."""
    return np.stack(np.split(x, n_heads, axis=-1), axis=-3)


def merge_heads(x):
    """Put the heads side by side: (…, H, L, d) -> (…, L, H·d)."""
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


ASK_Q1 = """
def ask(which, *arguments):
    return (split_heads if which == "split" else merge_heads)(*arguments)
"""


def either(which, *arguments):
    """Answer whichever half of the question is asked."""
    return (split_heads if which == "split" else merge_heads)(*arguments)


def _splitting(message, wrong):
    """Make a misconception about split_heads."""
    return Misconception(
        message, lambda which, x, n_heads=0: wrong(x, n_heads) if which == "split" else NOTHING
    )


def _merging(message, wrong):
    """Make a misconception about merge_heads."""
    return Misconception(message, lambda which, x, n_heads=0: wrong(x) if which == "merge" else NOTHING)


def wide(rng, *batch):
    """Yield sequences whose columns belong to several heads; lengths, heads and widths differ."""
    for length, n_heads, d in ((5, 2, 3), (3, 4, 2), (7, 3, 1), (4, 1, 6)):
        yield ["split", rng.standard_normal((*batch, length, n_heads * d)), n_heads]


def stacked(rng, *batch):
    """Yield the outputs of several heads."""
    for length, n_heads, d in ((5, 2, 3), (3, 4, 2), (7, 3, 1), (4, 1, 6)):
        yield ["merge", rng.standard_normal((*batch, n_heads, length, d))]


Q1 = Question(
    "q1",
    ASK_Q1,
    either,
    [
        Part("split_heads, one sequence", 1, wide),
        Part("merge_heads, one sequence", 1, stacked),
        Part(
            "both, several sequences at once",
            1,
            lambda rng: [*wide(rng, 2), *stacked(rng, 6), *wide(rng, 3, 2), *stacked(rng, 2, 5)],
        ),
    ],
    [
        _splitting(
            "split_heads: your reshape cuts the rows into pieces, so that a head holds parts of different words. "
            "Give the columns two axes first, (…, L, H, d), and then exchange the axes L and H.",
            lambda x, n: x.reshape(*x.shape[:-2], n, x.shape[-2], -1),
        ),
        _splitting(
            "split_heads: your heads take turns, column by column. Head h gets d columns that stand together, "
            "h·d to (h+1)·d − 1.",
            lambda x, n: np.stack([x[..., h::n] for h in range(n)], axis=-3),
        ),
        _splitting(
            "split_heads: your heads come after the words, (…, L, H, d). Exchange the two axes: "
            "each head is to hold all words.",
            lambda x, n: x.reshape(*x.shape[:-1], n, -1),
        ),
        _splitting(
            "split_heads: your heads stand before the sequences. Axes in front stay in front: (…, H, L, d).",
            lambda x, n: np.stack(np.split(x, n, axis=-1)),
        ),
        _splitting(
            "split_heads: n_heads is the number of heads, not the width of one.",
            lambda x, n: np.moveaxis(x.reshape(*x.shape[:-1], -1, n), -2, -3),
        ),
        _merging(
            "merge_heads: your reshape joins words instead of heads. Bring the axis of the heads next to the last "
            "one before you join the two: (…, L, H, d).",
            lambda x: x.reshape(*x.shape[:-3], x.shape[-2], -1),
        ),
        _merging(
            "merge_heads: your columns take turns between the heads. All columns of head 0 come first, then all of "
            "head 1.",
            lambda x: np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1),
        ),
        _merging(
            "merge_heads: you add the heads. Put them side by side, so that none is lost.",
            lambda x: x.sum(axis=-3),
        ),
        _merging(
            "merge_heads: your heads stand below each other. Side by side is the last axis.",
            lambda x: x.reshape(*x.shape[:-3], -1, x.shape[-1]),
        ),
    ],
)

# ---- q2: several listeners follow a text ----


def _cross(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads, scale=None, axis=-1, split=split_heads, merge=merge_heads):
    """Return output and weights of multi-head cross-attention, with one thing wrong if so asked."""
    arrays = (np.asarray(array).astype(np.float64) for array in (X_q, X_kv, W_Q, W_K, W_V, W_O))
    X_q, X_kv, W_Q, W_K, W_V, W_O = arrays
    Q, K, V = (split(x, n_heads) for x in (X_q @ W_Q, X_kv @ W_K, X_kv @ W_V))
    scores = Q @ K.mT / np.sqrt(scale(Q.shape[-1], V.shape[-1]) if scale else Q.shape[-1])
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    weights = weights / weights.sum(axis=axis, keepdims=True)
    return merge(weights @ V) @ W_O, weights


def _which(cross):
    """Make an answer from a function that returns output and weights."""

    def answer(which, *arguments):
        output, weights = cross(*arguments)
        return weights if which == "weights" else [output, weights]

    return answer


def _with(**changed):
    return _which(lambda *arguments: _cross(*arguments, **changed))


def _without_W_O(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    return _cross(X_q, X_kv, W_Q, W_K, W_V, np.eye(len(W_O)), n_heads)


def _mean_weights(*arguments):
    output, weights = _cross(*arguments)
    return output, weights.mean(axis=-3)


def _one_wide_head(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    output, weights = _cross(X_q, X_kv, W_Q, W_K, W_V, W_O, 1)
    return output, np.repeat(weights, n_heads, axis=-3)


def _cut(x, n_heads):
    return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)


def _heads_in_front(*arguments):
    output, weights = _cross(*arguments)
    return output, np.moveaxis(weights, -3, 0)


def _scores(*arguments):
    X_q, X_kv, W_Q, W_K, *_, n_heads = (np.asarray(argument) for argument in arguments)
    Q, K = split_heads(X_q @ W_Q, int(n_heads)), split_heads(X_kv @ W_K, int(n_heads))
    return _cross(*arguments)[0], Q @ K.mT / np.sqrt(Q.shape[-1])


def _take_turns(x, n_heads):
    return np.stack([x[..., h::n_heads] for h in range(n_heads)], axis=-3)


def _join_words(x):
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)


ASK_Q2 = """
def ask(which, *arguments):
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
    right = _with()(which, *arguments)
    if which == "output":
        found = answer[0] if isinstance(answer, list) and len(answer) == 2 else answer
        fault = difference(found, right[0], TOLERANCE)
        return "" if not fault or _reads_out(answer, *arguments) else fault
    return difference(answer, right, TOLERANCE)


def recordings(rng, which, *batch, dtype=torch.float64):
    """Yield frames, words, the four matrices and the number of heads; no two sizes alike where it matters."""
    for L_q, L_k, d_q, d_kv, n_heads, d_k, d_v, d_out in (
        (5, 3, 6, 8, 2, 4, 7, 9),
        (2, 6, 3, 5, 3, 4, 1, 7),
        (4, 7, 5, 3, 6, 2, 8, 1),
    ):
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
        yield [which, *(torch.from_numpy(x).to(dtype) for x in sequences + matrices), n_heads]


Q2 = Question(
    "q2",
    ASK_Q2,
    None,
    [
        Part("the weights of each head", 2, lambda rng: recordings(rng, "weights")),
        Part("what the weights read out", 1, lambda rng: recordings(rng, "output")),
        Part(
            "several recordings at once",
            1,
            lambda rng: [
                *recordings(rng, "both", 3),
                *recordings(rng, "both", 2, 2),
                *recordings(rng, "both", 5, dtype=torch.float32),
            ],
        ),
    ],
    [
        Misconception(
            "You divide by the root of all columns of the queries, √(H·d_k). Each head divides by the root of its "
            "own width, √d_k.",
            lambda *given: _with(scale=lambda d_k, d_v: given[-1] * d_k)(*given),
        ),
        Misconception(
            "The scores are not scaled: each head divides them by √d_k.", _with(scale=lambda d_k, d_v: 1)
        ),
        Misconception(
            "You divide by d_k; it should be its root, √d_k.", _with(scale=lambda d_k, d_v: d_k**2)
        ),
        Misconception(
            "You divide by the root of the width of a value, √d_v. The scores come from queries and keys: √d_k.",
            _with(scale=lambda d_k, d_v: d_v),
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
            _which(_mean_weights),
        ),
        Misconception(
            "All your heads have the same weights: the scores are computed from all columns together. "
            "Each head has its own columns of queries and keys, and so its own scores.",
            _which(_one_wide_head),
        ),
        Misconception(
            "The axis of the heads stands before all others. Expected are weights (…, H, L_q, L_k): several "
            "recordings stay in front.",
            _which(_heads_in_front),
        ),
        Misconception(
            "You return the scores; expected are the weights, what the softmax makes of them.",
            _which(_scores),
        ),
        Misconception(
            "Your results have changed places: the output comes first, then the weights.",
            _which(lambda *given: _cross(*given)[::-1]),
        ),
    ],
    forbidden=(
        "torch.nn.functional.scaled_dot_product_attention",
        "torch.nn.functional.multi_head_attention_forward",
        "torch.nn.MultiheadAttention",
        "course_lib.functional.attention",
        "course_lib.layers.attention",
        "course_lib.layers.fused_attention",
        "course_lib.layers.MultiHeadAttention",
    ),
    accepts=crosses,
)

# ---- q3: shuffled, and put back ----


def original_weights(weights, order):
    """Bring the columns back from a shuffled text: (…, L_q, L_k), (…, L_k) -> (…, L_q, L_k)."""
    return np.take_along_axis(weights, np.argsort(order, axis=-1)[..., None, :], axis=-1)


def total_order(first, second):
    """Return the one order that does what two do one after the other."""
    return first[second]


ASK_Q3 = """
def ask(which, *arguments):
    return (original_weights if which == "weights" else total_order)(*arguments)
"""


def put_back(which, *arguments):
    """Answer whichever half of the question is asked."""
    return (original_weights if which == "weights" else total_order)(*arguments)


def _by_kind(weights=None, total=None):
    """Make an answer that is wrong about one half of the question."""

    def answer(which, *arguments):
        wrong = weights if which == "weights" else total
        return wrong(*arguments) if wrong else NOTHING

    return answer


def an_order(rng, length):
    """Draw an order that neither equals its inverse nor becomes it when it is used twice."""
    while True:
        order = rng.permutation(length)
        inverse = np.argsort(order)
        if (order != inverse).any() and (order[order] != inverse).any():
            return order


def shuffled_texts(rng, *batch):
    """Yield weights of a shuffled text, and how it was shuffled: each recording's own order."""
    for L_q, L_k in ((3, 5), (8, 4), (1, 7)):
        orders = [an_order(rng, L_k) for _ in range(int(np.prod(batch)))]
        yield ["weights", rng.random((*batch, L_q, L_k)), np.array(orders).reshape(*batch, L_k)]


def two_orders(rng):
    """Yield two orders which give something else when they change places."""
    for length in (4, 6, 9):
        first, second = an_order(rng, length), an_order(rng, length)
        while (first[second] == second[first]).all() or (first[second] == np.argsort(first[second])).all():
            second = an_order(rng, length)
        yield ["total", first, second]


Q3 = Question(
    "q3",
    ASK_Q3,
    put_back,
    [
        Part("original_weights, one recording", 1, shuffled_texts),
        Part(
            "original_weights, each recording in its own order",
            1,
            lambda rng: [*shuffled_texts(rng, 4), *shuffled_texts(rng, 2, 3)],
        ),
        Part("total_order", 1, two_orders),
    ],
    [
        Misconception(
            "original_weights: you shuffle the columns once more. Column i of what you are given belongs to word "
            "order[i], and is to move there: you need the inverse order.",
            _by_kind(weights=lambda w, order: np.take_along_axis(w, order[..., None, :], -1)),
        ),
        Misconception(
            "original_weights: you use the order of the first recording for all. Each has its own.",
            _by_kind(
                weights=lambda w, order: w[..., np.argsort(order.reshape(-1, order.shape[-1])[0])],
            ),
        ),
        Misconception("original_weights: nothing has moved yet.", _by_kind(weights=lambda w, order: w)),
        Misconception(
            "total_order: the two orders have changed places. Row i after the second shuffle is row second[i] of "
            "the text after the first: which word is that?",
            _by_kind(total=lambda first, second: second[first]),
        ),
        Misconception(
            "total_order: this order takes back both shuffles; asked for is the one that does both.",
            _by_kind(total=lambda first, second: np.argsort(first[second])),
        ),
        Misconception(
            "total_order: this order takes back the first shuffle. Neither order needs its inverse here.",
            _by_kind(total=lambda first, second: np.argsort(first)[second]),
        ),
        Misconception(
            "total_order: this order takes back the second shuffle. Neither order needs its inverse here.",
            _by_kind(total=lambda first, second: first[np.argsort(second)]),
        ),
        Misconception(
            "total_order: orders are not added. Follow one row through both shuffles.",
            _by_kind(total=lambda first, second: (first + second) % len(first)),
        ),
    ],
)

# ---- q4: the checked proof ----

ASK_Q4 = """
def ask(how_far):
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
    """Return which stage the steps reach before the first that fails, and what is to be said."""
    try:
        report = check(INVARIANCE, steps)
    except ValueError:
        return 0, "proof() must return a list of pairs of text, (line, rule), at most 100 of them."
    reached, told = 0, ""
    for number, step in enumerate(report.steps, start=1):
        if step.verdict is not Verdict.ACCEPTED:
            told = f"Step {number} is the first that fails. {step.message[:1].upper()}{step.message[1:]}"
            break
        try:
            reached = max(reached, _stage(parse(step.line, INVARIANCE)))
        except NotationError:  # never of a line that was accepted
            break
    if report.proved:
        return 3, ""
    return reached, told or (
        f"Every step holds, but the proof is not at its end: the last line is to be {INVARIANCE.goal}."
        if report.steps
        else "There is no step in your proof yet."
    )


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


def build(kind):
    """Make an attention of some kind, which returns its output alone."""

    def attention(Q, K, V):
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
        if kind == "mirror":
            scores = scores + abs(j - (len(K) - 1) / 2)
        if kind == "late":
            scores = scores + np.maximum(j - 1, 0)
        if kind == "faint":
            scores = scores + 0.005 * j
        if kind == "average":
            scores = 0 * scores
        if (
            kind == "causal"
            or (kind == "square" and len(Q) == len(K))
            or (kind == "oblong" and len(Q) != len(K))
        ):
            scores = np.where(j <= i, scores, -np.inf)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
        if kind == "single":
            weights = weights.astype(np.float32)
        if kind == "ranked":
            weights = np.sort(weights, axis=-1)
        if kind == "ties":
            weights = np.eye(len(K))[np.round(scores).argmax(axis=-1)]
        return weights @ V

    return attention


# Functions are no plain values, so that the attentions are made in the student's kernel, from a word.
ASK_Q5 = f"""
import numpy as np

{inspect.getsource(build)}

def ask(kind, times):
    return [is_invariant(build(kind)) for _ in range(times)]
"""

LET_THROUGH = {
    "clock": "one that adds to each key something that depends on its place",
    "causal": "one with a causal mask, which keeps each query from the keys behind its own place",
    "ranked": "one that gives its largest weight to the last value, whatever its key: weights and values "
    "no longer belong together",
    "mirror": "one that prefers both ends of the text. Read backwards it looks the same; so try all orders, "
    "not the reversal alone",
    "ring": "one that mixes each key with the one behind it, and the last with the first. Shifting all "
    "in a circle does not show it; so try all orders",
    "late": "one that treats its first two words alike and only then counts places. "
    "Exchanging these two does not show it; so try all orders",
    "square": "one that is masked only if there are as many keys as queries. Try lengths that agree, too",
    "oblong": "one that is masked only if the numbers of keys and queries differ. Try lengths that differ",
    "faint": "one in which places count little. What differs by more than 10⁻³ is not rounding",
    "ties": "one that takes the first of several keys that match about equally well. "
    "It betrays itself in some draws only; try a few hundred",
}
TURNED_AWAY = {
    "plain": "plain attention. Shuffle keys and values in the same order, leave the queries alone, and "
    "allow for rounding",
    "distance": "one that scores by distances. Shuffle keys and values in the same order, leave the queries "
    "alone, and allow for rounding",
    "average": "one that gives all keys the same weight. Shuffle keys and values alike, and allow for rounding",
    "single": "one that computes in single precision. Its rounding is as large as 10⁻⁶; what counts is an "
    "absolute difference of more than 10⁻³",
    "asker": "one that adds something to the queries, each by its own place. Queries may know "
    "where they stand: leave them as they are, and shuffle only keys and values",
}


def _is_truth_value(one) -> bool:
    return isinstance(one, bool) or (isinstance(one, np.ndarray) and one.shape == () and one.dtype == bool)


def tells_apart(answer, kind, times) -> str:
    """Say what a property test gets wrong about an attention of some kind; "" if nothing."""
    invariant = kind in TURNED_AWAY
    fault = difference(answer, [invariant] * times, TOLERANCE)
    if not fault:
        return ""
    told = answer if isinstance(answer, list) else []
    if any(one is None for one in told):
        return "is_invariant returns None: is its `return` missing?"
    if len(told) != times or not all(_is_truth_value(one) for one in told):
        return "is_invariant must return True or False."
    if invariant:
        return f"Your test turns away an attention that is invariant: {TURNED_AWAY[kind]}."
    by_luck = "" if all(told) else " sometimes"
    return f"Your test{by_luck} lets through an attention that is not invariant: {LET_THROUGH[kind]}."


def _kinds(*kinds, times=3):
    return lambda rng: [[kind, times] for kind in kinds]


Q5 = Question(
    "q5",
    ASK_Q5,
    None,
    [
        Part("what is plain to see", 2, _kinds("plain", "distance", "average", "clock", "causal", "ranked")),
        Part("orders of every kind", 1, _kinds("plain", "asker", "mirror", "ring", "late")),
        Part(
            "sizes and numbers of every kind",
            1,
            _kinds("plain", "single", "square", "oblong", "faint", "ties"),
        ),
    ],
    accepts=tells_apart,
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
