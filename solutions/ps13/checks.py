"""What decides the questions of ps13: attention in pieces, in chunks, by guesses, from a small cache; its time."""

from itertools import combinations

import numpy as np
import torch

from course_grading.questions import Misconception, Part, Question, misnamed

# ---- q1: a cache in pieces ----
#
# What the text says, and where it is tried:
# - n queries, c ≥ 1 keys, d_v numbers a value: all differ, all alike, 1
# - scores some thousands above and below 0, far larger for one query than for another: where all keys are allowed, and
#   in the merging; they are multiples of 1/64, so that single precision holds them
# - some keys hidden: what is hidden has the largest score, by some hundreds; what a query may see lies around 0, below
#   0 alone, or far below
# - all keys hidden: only what comes for such queries is looked at, beside others that see something
# - merging: either m is the larger one, or they are equal, a little or far apart; results that show nothing, on either
#   side or on both, are a part of their own, in which what is changed in place costs nothing

ASK_Q1 = """
def entry_point(what, *given):
    import numpy as np

    def three(result, who):
        if not isinstance(result, (tuple, list)) or len(result) != 3:
            raise ValueError(f"{who} should return three arrays: m, ℓ and o")
        return list(result)

    if what == "merge":
        return three(merge(*map(tuple, given)), "merge")
    if what == "merge nothing":
        return three(merge(*(tuple(array.copy() for array in result) for result in given)), "merge")
    if what != "all hidden":
        return three(piece(*given), "piece")
    hidden = ~given[2].any(1)
    return [np.asarray(array)[hidden] for array in three(piece(*(x.copy() for x in given)), "piece")]
"""


def _summary(scores, V, allowed):
    """Return m, ℓ and o of a piece, query by query."""
    found = []
    for row, own in zip(scores, allowed, strict=True):
        if own.any():
            weights = np.exp(row[own] - row[own].max())
            found.append((row[own].max(), weights.sum(), weights @ V[own]))
        else:
            found.append((-np.inf, 0.0, np.zeros(V.shape[1])))
    return [np.array(column) for column in zip(*found, strict=True)]


def _joined(one, other):
    """Return m, ℓ and o of two pieces together."""
    m = np.maximum(one[0], other[0])
    with np.errstate(invalid="ignore"):
        factors = [np.where(part[0] == -np.inf, 0.0, np.exp(part[0] - m)) for part in (one, other)]
    ell, o = (
        sum(
            factor.reshape(-1, *[1] * (part[n].ndim - 1)) * part[n]
            for factor, part in zip(factors, (one, other), strict=True)
        )
        for n in (1, 2)
    )
    return [m, ell, o]


def _asked_q1(of_piece=_summary, of_both=_joined):
    """Answer `entry_point` with other functions."""

    def answer(what, *given):
        if what.startswith("merge"):
            return of_both(*given)
        found = of_piece(*given)
        return [array[~given[2].any(1)] for array in found] if what == "all hidden" else found

    return answer


def _piece_by(m=None, weights=None, end=None):
    """Make a mistake in `piece`: in the m of scores and allowed, in the weights, or in what is returned."""

    def answer(what, *given):
        if what.startswith("merge"):
            raise ValueError("the other function is asked for")

        def mistaken(scores, V, allowed):
            largest = (m or _largest)(scores, allowed)
            found = (weights or _weights)(scores, allowed, largest)
            three = [largest, found.sum(1), found @ V]
            return end(*three) if end else three

        return _asked_q1(of_piece=mistaken)(what, *given)

    return answer


def _largest(scores, allowed):
    return np.where(allowed, scores, -np.inf).max(1)


def _weights(scores, allowed, m):
    return np.where(allowed, np.exp(scores - np.where(m > -np.inf, m, 0)[:, None]), 0)


def _both_by(mistake):
    """Make a mistake in `merge`."""

    def answer(what, *given):
        if not what.startswith("merge"):
            raise ValueError("the other function is asked for")
        return mistake(*given)

    return answer


def _factors(one, other, take):
    """Return factors for both ℓ and for both o."""
    m = np.maximum(one[0], other[0])
    f, g = take(one[0], m), take(other[0], m)
    return m, f, g


def _scaled(take_ell, take_o):
    """Merge with factors that are made from each m and the larger one."""

    def mistake(one, other):
        m, f, g = _factors(one, other, take_ell)
        _, f_o, g_o = _factors(one, other, take_o)
        return [m, f * one[1] + g * other[1], f_o[:, None] * one[2] + g_o[:, None] * other[2]]

    return mistake


def _second_as_it_is(one, other):
    """Merge with a factor for the first result alone."""
    m = np.maximum(one[0], other[0])
    f = _right_factor(one[0], m)
    return [m, f * one[1] + other[1], f[:, None] * one[2] + other[2]]


def _right_factor(m, larger):
    return np.exp(m - np.where(larger > -np.inf, larger, 0))


def _no_factor(m, larger):
    return np.ones_like(m)


def _in_64ths(x):
    return np.round(64 * x) / 64


def all_allowed(rng):
    """Yield pieces of which all queries may see all keys; their scores are some thousands apart."""
    for n, c, d_v in ((3, 5, 2), (4, 4, 4), (1, 1, 3), (2, 7, 1)):
        apart = rng.permutation(np.linspace(-3000, 3000, n) if n > 1 else np.array([2000.0]))
        scores = _in_64ths(rng.normal(0, 1.5, (n, c)) + np.round(apart)[:, None])
        yield ["all allowed", scores, rng.normal(0.5, 1, (c, d_v)), np.ones((n, c), bool)]


def some_hidden(rng):
    """Yield pieces of which every query may see some keys; a hidden one has the largest score."""
    for n, c, d_v in ((3, 5, 2), (4, 4, 4), (1, 2, 3), (5, 6, 1)):
        scores, allowed = _in_64ths(rng.normal(0, 1.5, (n, c))), rng.random((n, c)) < 0.6
        for row in range(n):
            shown, hidden = rng.permutation(c)[:2]
            allowed[row, shown], allowed[row, hidden] = True, False
            scores[row, hidden] += 800
        scores[0] -= 1500
        if n > 1:
            scores[1, allowed[1]] -= 20
        yield ["some hidden", scores, rng.normal(0.5, 1, (c, d_v)), allowed]


def all_hidden(rng):
    """Yield pieces of which some queries may see no key, or none may; the others may see all."""
    for n, c, d_v, n_hidden in ((4, 3, 2, 2), (3, 3, 3, 1), (1, 4, 2, 1), (2, 1, 3, 2)):
        allowed = np.ones((n, c), bool)
        allowed[rng.permutation(n)[:n_hidden]] = False
        yield ["all hidden", _in_64ths(rng.normal(0, 1.5, (n, c))), rng.normal(0.5, 1, (c, d_v)), allowed]


def _result(rng, m, d_v):
    """Draw ℓ and o to a given m."""
    shown = m > -np.inf
    return [
        m,
        np.where(shown, rng.uniform(1, 4, len(m)), 0.0),
        shown[:, None] * rng.normal(1, 1, (len(m), d_v)),
    ]


def two_results(rng):
    """Yield results of two pieces for the same queries, of which each shows something."""
    for n, d_v in ((6, 2), (6, 6), (6, 1)):
        m = _in_64ths(rng.normal(0, 1, n) + rng.choice([-2000, 0, 2000], n))
        apart = rng.permutation([0.0, 0.75, -0.75, 1.5, -900.0, 900.0])
        yield ["merge", _result(rng, m, d_v), _result(rng, m + apart, d_v)]
    m = _in_64ths(rng.normal(0, 1, 1))
    yield ["merge", _result(rng, m, 3), _result(rng, m + rng.choice([-0.5, 0.5]), 3)]


def with_nothing(rng):
    """Yield results of two pieces of which one shows nothing, or both; what the other shows is right as it is."""
    nothing = -np.inf
    for d_v in (2, 5, 1):
        low, high = _in_64ths(rng.uniform([-9, 1], [-1, 9]))
        pairs = [[low, nothing], [nothing, low], [high, nothing], [nothing, high], [nothing, nothing]]
        pairs = rng.permutation(pairs)
        yield ["merge nothing", _result(rng, pairs[:, 0], d_v), _result(rng, pairs[:, 1], d_v)]


def _told_q1(what, *given):
    if what.startswith("merge"):
        return f"merge of m = {np.round(given[0][0], 2).tolist()} and m = {np.round(given[1][0], 2).tolist()}"
    scores, V, allowed = given
    hidden = int((~allowed.any(1)).sum())
    those = f", of which {hidden} may look at no key" if hidden else ""
    return (
        f"piece of {len(scores)} queries{those}, {len(V)} keys, d_v = {V.shape[1]}, "
        f"scores from {scores.min():.0f} to {scores.max():.0f}"
    )


M_L_O = "m", "ℓ", "o"
Q1 = Question(
    "q1",
    ASK_Q1,
    _asked_q1(),
    [
        Part("all keys allowed", 1, all_allowed, tolerance=1e-3, results=M_L_O),
        Part("some keys hidden", 0.5, some_hidden, tolerance=2e-4, results=M_L_O),
        Part("all keys hidden", 0.5, all_hidden, results=M_L_O),
        Part("two pieces merged", 1, two_results, tolerance=1e-3, results=M_L_O),
        Part("a piece that shows nothing merged", 1, with_nothing, results=M_L_O),
    ],
    [
        Misconception(
            "piece: the largest score is not taken away in the exponent, so that large scores overflow or vanish.",
            _piece_by(weights=lambda scores, allowed, m: np.where(allowed, np.exp(scores), 0)),
        ),
        Misconception(
            "piece: m is the smallest score. It should be the largest.",
            _piece_by(
                m=lambda scores, allowed: np.where(
                    allowed.any(1), np.where(allowed, scores, np.inf).min(1), -np.inf
                )
            ),
        ),
        Misconception(
            "piece: one largest score is taken for all queries. Each has its own, and they may be thousands apart.",
            _piece_by(m=lambda scores, allowed: np.full(len(scores), _largest(scores, allowed).max())),
        ),
        Misconception(
            "piece: one largest score is taken away for all queries. Each has its own.",
            _piece_by(weights=lambda scores, allowed, m: np.where(allowed, np.exp(scores - m.max()), 0)),
        ),
        Misconception(
            "piece: o is divided by ℓ already. That comes at the very end, after all merging.",
            _piece_by(end=lambda m, ell, o: [m, ell, o / np.where(ell > 0, ell, 1)[:, None]]),
        ),
        Misconception(
            "piece: o is divided by ℓ already. That comes at the very end, and where ℓ is 0 it gives NaN.",
            _piece_by(end=lambda m, ell, o: [m, ell, o / ell[:, None]]),
        ),
        Misconception(
            "piece: the weights are divided by their sum already, so that ℓ is 1. That comes at the very end.",
            _piece_by(
                end=lambda m, ell, o: [m, (ell > 0) * 1.0, o / np.where(ell > 0, ell, 1)[:, None]],
            ),
        ),
        Misconception(
            "piece: a query looks where it may not, and does not look where it may: allowed is True where it may.",
            _piece_by(
                m=lambda scores, allowed: _largest(scores, ~allowed),
                weights=lambda scores, allowed, m: _weights(scores, ~allowed, m),
            ),
        ),
        Misconception(
            "piece: allowed is not used.",
            _piece_by(
                m=lambda scores, allowed: scores.max(1),
                weights=lambda scores, allowed, m: np.exp(scores - m[:, None]),
            ),
        ),
        Misconception(
            "piece: the largest score is taken of all keys. One that is not allowed counts for nothing.",
            _piece_by(m=lambda scores, allowed: scores.max(1)),
        ),
        Misconception(
            "piece: what is not allowed has the score 0, and so a weight. Its score should be −∞.",
            _piece_by(
                m=lambda scores, allowed: np.where(allowed, scores, 0).max(1),
                weights=lambda scores, allowed, m: np.exp(np.where(allowed, scores, 0) - m[:, None]),
            ),
        ),
        Misconception(
            "piece: what is not allowed counts as 0 where m is taken, which is above negative scores. It should be "
            "−∞.",
            _piece_by(
                m=lambda scores, allowed: np.where(
                    allowed.any(1), np.where(allowed, scores, 0).max(1), -np.inf
                )
            ),
        ),
        Misconception(
            "piece: what is not allowed counts as some finite number, which is above the lowest scores. It should be "
            "−∞.",
            _piece_by(
                m=lambda scores, allowed: np.where(
                    allowed.any(1), np.where(allowed, scores, -1000).max(1), -np.inf
                )
            ),
        ),
        Misconception(
            "piece: m is right, but what is not allowed still has a weight.",
            _piece_by(weights=lambda scores, allowed, m: np.exp(scores - m[:, None])),
        ),
        Misconception(
            "piece: a query that may look at no key has NaN. −∞ − (−∞) is no number: take away something else there.",
            _piece_by(
                weights=lambda scores, allowed, m: np.exp(np.where(allowed, scores, -np.inf) - m[:, None])
            ),
        ),
        Misconception(
            "piece: a query that may look at no key has m = 0. It should be −∞: any score of another piece is larger, "
            "also −5.",
            _piece_by(m=lambda scores, allowed: np.nan_to_num(_largest(scores, allowed), neginf=0.0)),
        ),
        Misconception(
            "piece: a query that may look at no key has a large, finite m. It should be −∞; then its ℓ is 0, too.",
            _piece_by(
                m=lambda scores, allowed: np.where(allowed, scores, -1e9).max(1),
                weights=lambda scores, allowed, m: np.exp(np.where(allowed, scores, -1e9) - m[:, None]),
            ),
        ),
        Misconception(
            "merge: the sums are added as they are. Each has its own m; first bring both to the larger one.",
            _both_by(_scaled(_no_factor, _no_factor)),
        ),
        Misconception(
            "merge: ℓ is right, but the o are added without their factors.",
            _both_by(_scaled(_right_factor, _no_factor)),
        ),
        Misconception(
            "merge: o is right, but the ℓ are added without their factors.",
            _both_by(_scaled(_no_factor, _right_factor)),
        ),
        Misconception(
            "merge: the sign in the exponent is wrong. It is the old m minus the larger one, which is never above 0.",
            _both_by(_scaled(lambda m, larger: np.exp(larger - m), lambda m, larger: np.exp(larger - m))),
        ),
        Misconception(
            "merge: the result of the second piece has no factor. Its m may be the smaller one.",
            _both_by(_second_as_it_is),
        ),
        Misconception(
            "merge: the m of the second piece is taken, though that of the first may be larger.",
            _both_by(
                lambda one, other: [
                    other[0],
                    np.exp(one[0] - other[0]) * one[1] + other[1],
                    np.exp(one[0] - other[0])[:, None] * one[2] + other[2],
                ]
            ),
        ),
        Misconception(
            "merge: each result is multiplied by e to its own m, which overflows or vanishes. What counts is the "
            "difference to the larger one.",
            _both_by(_scaled(lambda m, larger: np.exp(m), lambda m, larger: np.exp(m))),
        ),
        Misconception(
            "merge: o is divided by ℓ already. Then a third piece cannot be merged any more.",
            _both_by(
                lambda one, other: [
                    *_joined(one, other)[:2],
                    _joined(one, other)[2] / _joined(one, other)[1][:, None],
                ]
            ),
        ),
        Misconception(
            "merge: if both pieces show nothing, there is NaN: −∞ − (−∞) is no number. Take away something else there.",
            _both_by(
                _scaled(lambda m, larger: np.exp(m - larger), lambda m, larger: np.exp(m - larger)),
            ),
        ),
        Misconception(
            "merge: if both pieces show nothing, m is 0. It should be −∞ again, since a third piece may come.",
            _both_by(
                lambda one, other: [
                    np.nan_to_num(_joined(one, other)[0], neginf=0.0),
                    *_joined(one, other)[1:],
                ]
            ),
        ),
    ],
    describe=_told_q1,
)

# ---- q2: a recurrent network, many tokens at a time ----
#
# What the text says, and where it is tried:
# - n ≥ 1: 1, 2 and more, up to 128; n, d_k and d_v all differ, all alike, 1
# - gamma: 0.5, between, 1
# - the state: 0 where the chunk alone is asked for; what it brings is the difference to outputs with the state 0
# - no loop: the arrays made of those given and the lines that run, for 40 and for 120 tokens, if the first token of the
#   chunk is seen in what is returned; powers of γ that are made one by one cost nothing, n² of them are a loop
# - inputs that stay as they are: with the new state alone

A_LOOP = "a loop over the tokens"

ASK_Q2 = f"""
from course_lib.exercises.calls import pieces, steps
import numpy as np


def entry_point(which, *given):
    if which == "state":
        return pair(chunk(*given))[1]
    Q, K, V, S, gamma = given
    copies = lambda S: (Q.copy(), K.copy(), V.copy(), S.copy(), gamma)
    if which == "chunk":
        return pair(chunk(*copies(S)))[0]
    if which == "before":
        return np.asarray(pair(chunk(*copies(S)))[0]) - np.asarray(pair(chunk(*copies(0 * S)))[0])
    found, n_lines, n_arrays = [], [], []
    for n in (40, 120):
        first = lambda *given: [*(array[:n].copy() for array in given[:3]), *given[3:]]
        result, lines = steps(chunk, *first(*copies(S)))
        _, arrays = pieces(chunk, *first(*copies(S)))
        found, n_lines, n_arrays = [*found, pair(result)], [*n_lines, lines], [*n_arrays, arrays]
    if n_arrays[1] - n_arrays[0] >= 40 or n_lines[1] - n_lines[0] >= 1200:
        return {A_LOOP!r}
    n = len(Q)
    changed = []
    for token in (0, n - 1):
        given = copies(S)
        given[2][token] += 100
        changed.append(pair(chunk(*given)))
    same = lambda before, after: np.allclose(np.asarray(before), np.asarray(after), rtol=1e-9)
    (outputs, state), (first, new_state), (last, _) = found[-1], *changed
    if same(outputs[-1], first[-1]) and same(state[-1], new_state[-1]) and same(outputs[0], last[0]):
        raise ValueError("neither end of the chunk is seen from the other in what chunk returns")
    return "none"


def pair(result):
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise ValueError("expected is a pair: the outputs and the new state")
    return result
"""


def _run(Q, K, V, S, gamma):
    """Run the network token by token: return outputs and state."""
    rows = []
    for q, k, v in zip(Q, K, V, strict=True):
        S = gamma * S + np.outer(k, v)
        rows.append(q @ S)
    return np.array(rows), S


def _right_q2(which, Q, K, V, S, gamma):
    if which == "loop":
        return "none"
    if which == "before":
        return _run(Q, 0 * K, V, S, gamma)[0]
    return _run(Q, K, V, S, gamma)[which == "state"]


def _exchanged(which, Q, K, V, S, gamma):
    if which == "loop":
        raise ValueError("no result is asked for")
    return _right_q2(which, K, Q, V, S, gamma)


def _of_q2(wanted, value):
    """Make a mistake in one of the results."""

    def answer(which, Q, K, V, S, gamma):
        if which != wanted:
            raise ValueError("another result is asked for")
        return value(Q, K, V, S, gamma, np.arange(len(Q)))

    return answer


def _inside(weights):
    """Compute what the tokens of a chunk bring, with other weights: a function of gamma and i − j."""
    return _of_q2("chunk", lambda Q, K, V, S, gamma, i: (Q @ K.T * weights(gamma, i[:, None] - i)) @ V)


def _phi(x):
    """The chapter's φ, elu(x) + 1."""
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def _divided(f):
    """Divide what the tokens of a chunk bring by the sums of their weights, which f of queries and keys makes."""

    def value(Q, K, V, S, gamma, i):
        back = i[:, None] - i
        weights = f(Q) @ f(K).T * (back >= 0) * gamma ** np.maximum(back, 0).astype(float)
        return weights @ V / weights.sum(1, keepdims=True)

    return _of_q2("chunk", value)


def _with_phi(which, Q, K, V, S, gamma):
    if which == "loop":
        raise ValueError("no result is asked for")
    return _right_q2(which, _phi(Q), _phi(K), V, S, gamma)


def _before(power):
    """Compute what the state brings, with other powers: a function of the place and n."""
    return _of_q2("before", lambda Q, K, V, S, gamma, i: gamma ** (power(i, len(i)) + 0.0)[:, None] * (Q @ S))


def _state(old, new):
    """Compute the new state, with other powers: functions of n, and of the place and n."""
    return _of_q2(
        "state",
        lambda Q, K, V, S, gamma, i: (
            gamma ** float(old(len(i))) * S + (gamma ** (new(i, len(i)) + 0.0)[:, None] * K).T @ V
        ),
    )


def chunks(which, empty=False):
    """Return a function that yields chunks, and a state that is 0 or not."""

    def cases(rng):
        for n, d_k, d_v, gamma in (
            (5, 3, 2, 0.5 + 0.3 * rng.random()),
            (4, 4, 4, 0.7 + 0.2 * rng.random()),
            (1, 2, 3, 0.6),
            (2, 1, 1, 0.5),
            (6, 2, 5, 1.0),
            (128, 3, 2, 0.9 + 0.08 * rng.random()),
        ):
            Q, K, V = (rng.normal(0.3, 1, (n, width)) for width in (d_k, d_k, d_v))
            yield [which, Q, K, V, rng.normal(0.3, 1, (d_k, d_v)) * (not empty), float(gamma)]

    return cases


def long_chunks(rng):
    """Yield a chunk of 120 tokens."""
    Q, K, V = (rng.normal(0.3, 1, (120, width)) for width in (2, 2, 3))
    yield ["loop", Q, K, V, rng.normal(0, 1, (2, 3)), 0.98]


Q2 = Question(
    "q2",
    ASK_Q2,
    _right_q2,
    [
        Part("what the tokens of the chunk bring", 1, chunks("chunk", empty=True)),
        Part("what the state brings", 1, chunks("before"), tolerance=2e-4),
        Part("the new state", 1, chunks("state")),
        Part("no loop over the tokens", 1, long_chunks),
    ],
    [
        Misconception(
            "Within the chunk tokens see later ones. The matrix of powers is triangular.",
            _inside(lambda gamma, back: gamma ** np.abs(back).astype(float)),
        ),
        Misconception(
            "Within the chunk tokens see later ones, and more of them the later they are.",
            _inside(lambda gamma, back: gamma ** back.astype(float)),
        ),
        Misconception(
            "Within the chunk a token does not see itself. It is written before the output is read.",
            _inside(lambda gamma, back: (back > 0) * gamma ** np.maximum(back, 0).astype(float)),
        ),
        Misconception(
            "Within the chunk a token does not see itself, and forgetting begins one step late: the output is read "
            "before the token is written.",
            _inside(lambda gamma, back: (back > 0) * gamma ** (np.maximum(back, 1) - 1.0)),
        ),
        *(
            Misconception(
                "Within the chunk the triangle of powers is upside down: a token sees later ones, and no earlier ones.",
                _inside(weights),
            )
            for weights in (
                lambda gamma, back: (back <= 0) * gamma ** np.abs(back).astype(float),
                lambda gamma, back: (back <= 0) * gamma ** back.astype(float),
            )
        ),
        Misconception(
            "Within the chunk nothing is forgotten.", _inside(lambda gamma, back: (back >= 0) * 1.0)
        ),
        Misconception(
            "Within the chunk too much is forgotten, by one step. A token sees itself in full, and the one before it "
            "times γ.",
            _inside(lambda gamma, back: (back >= 0) * gamma ** (np.maximum(back, 0) + 1.0)),
        ),
        Misconception(
            "Within the chunk γ is applied once, however far back a token lies.",
            _inside(lambda gamma, back: (back >= 0) * np.where(back > 0, gamma, 1.0)),
        ),
        Misconception(
            "Within the chunk the scores are divided by √d_k. This network has no such scale.",
            _of_q2(
                "chunk",
                lambda Q, K, V, S, gamma, i: _right_q2("chunk", Q, K, V, S, gamma) / K.shape[1] ** 0.5,
            ),
        ),
        Misconception(
            "φ is applied to queries and keys, as in the chapter. This network leaves it out.", _with_phi
        ),
        Misconception(
            "Within the chunk the weighted sum of values is divided by the sum of the weights. This network leaves the "
            "division out.",
            _divided(lambda x: x),
        ),
        Misconception(
            "Within the chunk φ is applied, and the weighted sum of values is divided by the sum of the weights, as in "
            "the chapter. This network leaves out both.",
            _divided(_phi),
        ),
        Misconception("Queries and keys have changed places.", _exchanged),
        Misconception(
            "The state of before is not in the outputs.",
            _of_q2("before", lambda Q, K, V, S, gamma, i: 0 * (Q @ S)),
        ),
        Misconception(
            "What the state brings is one step too strong: it fades before the first token, too.",
            _before(lambda i, n: i),
        ),
        Misconception("What the state brings does not fade.", _before(lambda i, n: 0 * i)),
        Misconception(
            "What the state brings has faded by one step in all rows. It fades with each token.",
            _before(lambda i, n: 0 * i + 1),
        ),
        Misconception(
            "What the state brings has faded by the whole chunk in all rows. It fades with each token.",
            _before(lambda i, n: 0 * i + n),
        ),
        Misconception(
            "What the state brings fades by one step too many: the first row has γ, not γ².",
            _before(lambda i, n: i + 2),
        ),
        Misconception(
            "What the state brings grows from row to row. The first has γ, the last γ to the power of n.",
            _before(lambda i, n: n - i),
        ),
        Misconception(
            "The new state has lost the old one.",
            _of_q2("state", lambda Q, K, V, S, gamma, i: _run(Q, K, V, 0 * S, gamma)[1]),
        ),
        Misconception(
            "In the new state the old one has not faded.", _state(lambda n: 0, lambda i, n: n - 1 - i)
        ),
        Misconception(
            "In the new state the old one has faded by one step. It fades with each of the n tokens.",
            _state(lambda n: 1, lambda i, n: n - 1 - i),
        ),
        Misconception(
            "In the new state the old one has faded by n − 1 steps. It fades with each of the n tokens.",
            _state(lambda n: n - 1, lambda i, n: n - 1 - i),
        ),
        Misconception(
            "In the new state the old one has faded by n + 1 steps. It fades with each of the n tokens.",
            _state(lambda n: n + 1, lambda i, n: n - 1 - i),
        ),
        Misconception("In the new state no token has faded.", _state(lambda n: n, lambda i, n: 0 * i)),
        Misconception(
            "In the new state no token has faded, and the old state has not either.",
            _state(lambda n: 0, lambda i, n: 0 * i),
        ),
        Misconception(
            "In the new state all tokens have faded by one step too many. The last one comes in full.",
            _state(lambda n: n, lambda i, n: n - i),
        ),
        Misconception(
            "In the new state the last token has faded most. It is the youngest; the first has faded most.",
            _state(lambda n: n, lambda i, n: i),
        ),
        Misconception("The state is returned as it was.", _of_q2("state", lambda Q, K, V, S, gamma, i: S)),
        Misconception(
            "The new state holds the last token alone, beside the old state that faded once.",
            _of_q2("state", lambda Q, K, V, S, gamma, i: gamma * S + np.outer(K[-1], V[-1])),
        ),
        Misconception(
            "The new state comes back transposed: it has a row for each number of a key.",
            _of_q2("state", lambda Q, K, V, S, gamma, i: _right_q2("state", Q, K, V, S, gamma).T),
            sometimes="The new state comes back transposed where that shows.",
        ),
        Misconception(
            "There is a loop over the tokens, or over pairs of them. Within the chunk use a matrix of powers of γ.",
            lambda which, *given: _only_a_loop(which),
        ),
    ],
    describe=lambda which, Q, K, V, S, gamma: (
        f"chunk of {len(Q)} tokens with d_k = {K.shape[1]}, d_v = {V.shape[1]}, gamma = {gamma:.3g}, "
        f"the state {'0' if not S.any() else 'not 0'}"
    ),
)


def _only_a_loop(which):
    if which != "loop":
        raise ValueError("a result is asked for")
    return A_LOOP


# ---- q3: which of them is right? ----
#
# What the text says, and where it is tried: all six programs in each part, in any order; a part asks whether the word
# is that of its fault, so that a mistake costs where it is made, and one word for all gets nothing. An error stops a
# part only at the program with its own fault, or the right one. The programs are those of the notebook, written anew;
# a number in place of the word says which it is, so that no program holds the word that is asked for.

ASK_Q3 = """
def entry_point(fault, code, stops):
    code %= 8

    def unknown(large, draft, start, k, end):
        start = list(start)
        written, passes = [], 0

        def agreed(own, guesses):
            right = [own[n] == guess for n, guess in enumerate(guesses)]
            if code == 4:
                return right.count(True)
            n = 0
            while n < len(right) and right[n]:
                n += 1
            return max(n - 1, 0) if code == 0 else n

        while end not in written and len(start) + len(written) < 100:
            so_far = start + written
            guesses = [int(token) for token in draft(list(so_far), k)]
            own = [int(token) for token in large(so_far + guesses)][len(so_far) - 1:]
            passes += 1
            n = agreed(own, guesses)
            written = written + guesses[:n]
            if not (code == 2 and n == k):
                written = written + [own[-1 if code == 7 else n]]
        if code != 5 and end in written:
            written = written[:written.index(end) + 1]
        return written, passes

    try:
        found = examine(unknown)
    except Exception:
        if stops:
            raise
        return False
    word = str(found).strip().upper()
    if word not in ("RIGHT", *"ABCDE"):
        raise ValueError(f"the word is '{str(found)[:40]}'; expected is 'right' or a letter from A to E")
    return word == fault
"""

KINDS = "right", *"ABCDE"
CODES = {"right": 3, "A": 4, "B": 7, "C": 2, "D": 0, "E": 5}


def programs(fault):
    """Return a function that yields all programs, in any order."""
    return lambda rng: [
        [fault, CODES[kind] + 8 * int(rng.integers(2**20)), kind in (fault, "right")]
        for kind in rng.permutation(KINDS).tolist()
    ]


def _kind(code):
    return next(kind for kind, number in CODES.items() if number == code % 8)


def _also_for(fault, *others):
    """Take the program with a fault, or not, for what it is, and others as well."""

    def answer(asked, code, stops):
        if asked != fault:
            raise ValueError("another fault is asked for")
        return _kind(code) in others

    return answer


SEEN_BY = {
    "A": "Its draft must be wrong first and then right again: guess what the large model writes after the wrong guess.",
    "B": "Its draft must be wrong before the last place.",
    "C": "Its draft must be right in all places, and the passes must be counted, for a text that takes fewer of them "
    "with one token more a pass.",
    "D": "Its draft must be right in some places and not in all, and the passes must be counted. With a perfect "
    "draft C and D are the same.",
    "E": "In its last pass something must be written behind the end token.",
}

Q3 = Question(
    "q3",
    ASK_Q3,
    lambda fault, code, stops: fault == _kind(code),
    [Part(f"fault {fault} recognised", 1 if fault == "A" else 0.5, programs(fault)) for fault in "ABCDE"],
    [
        *(
            Misconception(f"examine does not see fault {fault}. {how}", _also_for(fault))
            for fault, how in SEEN_BY.items()
        ),
        *(
            Misconception(
                f"examine says '{fault}' of the right program, too. What would it have to return if it had the fault?",
                _also_for(fault, fault, "right"),
            )
            for fault in SEEN_BY
        ),
        *(
            Misconception(
                f"examine says '{fault}' of the program with the fault {other}, too. Find a draft with which "
                "these two return different things.",
                _also_for(fault, fault, other),
            )
            for fault in SEEN_BY
            for other in SEEN_BY
            if other != fault
        ),
        *(
            Misconception(
                f"examine says '{fault}' of the program with the fault {other}, and not of that with {fault}.",
                _also_for(fault, other),
            )
            for fault in SEEN_BY
            for other in SEEN_BY
            if other != fault
        ),
        *(
            Misconception(
                f"examine says '{fault}' of the right program, and not of that with the fault {fault}.",
                _also_for(fault, "right"),
            )
            for fault in SEEN_BY
        ),
        *(
            Misconception(
                f"examine says '{fault}' of every program.",
                _also_for(fault, *KINDS),
            )
            for fault in SEEN_BY
        ),
        *(
            Misconception(
                f"examine says '{fault}' of the right program, and of others. What would it have to return if it had "
                "the fault?",
                _also_for(fault, fault, "right", *others),
            )
            for fault in SEEN_BY
            for n in (1, 2, 3)
            for others in combinations([kind for kind in SEEN_BY if kind != fault], n)
        ),
    ],
    describe=lambda fault, code, stops: (
        "the right program" if _kind(code) == "right" else f"the program with the fault {_kind(code)}"
    ),
)

# ---- q4: four wrong lines ----
#
# What the text says, and where it is tried. Each line is a part of its own, in which the others do not show, however
# they were mended:
# - line 4, √d_k: the last of the tokens of one call, a window longer than the text; r < d_k, r > d_k
# - line 6, places: queries are 0, so that the scores are; a window longer than the text; calls of one token and of
#   more; short windows, with which only the answer's own outputs are compared, in several calls and in one
# - line 7, the window: queries are 0; one call; windows of 1, 2 and 4
# - line 10, taking back: what is kept; 0, 1, several, all tokens, again and again, between calls. And what comes next:
#   the answer's own outputs are compared, after tokens were taken back and where they never came
# - d, d_k, d_v and r all differ where they may
# - the diagnosis: each line by itself; letters, in either case; four entries in all

ASK_Q4 = """
import torch

def entry_point(what, weights, window, steps):
    def run(steps):
        cache, outputs = Cache(**weights, window=window), []
        for step in steps:
            if isinstance(step, int):
                cache.take_back(step)
            else:
                outputs.append(torch.as_tensor(cache.add(step)))
        return cache.kept, outputs

    if what in ("taken back", "split"):
        (_, one), (_, other) = map(run, steps)
        n = len(one[-1])
        one, other = one[-1].double(), other[-1][-n:].double()
        same = one.shape == other.shape and torch.allclose(one, other, rtol=0, atol=1e-3, equal_nan=True)
        return "the same" if same else "not the same"
    if what in ("last", "outputs", "kept"):
        kept, outputs = run(steps)
        if what == "kept":
            return kept
        return torch.cat(outputs) if what == "outputs" else outputs[-1][-1]
    found = diagnosis()
    if not isinstance(found, dict):
        raise ValueError("expected is a dictionary with four entries")
    if len(found) != 4:
        raise ValueError(f"four lines are wrong; you name {len(found)}")
    if not all(str(line).strip().isdigit() for line in found):
        raise ValueError("on the left stands the number of a line, on the right a letter")
    letter = {str(line).strip(): str(letter).strip().upper() for line, letter in found.items()}.get(str(what))
    return "not named" if letter is None else letter
"""

HIDDEN_BY = {4: "B", 6: "D", 7: "F", 10: "A"}


def _fresh(kept, n):
    return kept[: len(kept) - n]


def run_cache(
    what, weights, window, steps, scale=lambda w: w["W_Q"].shape[1] ** 0.5, first=lambda before, n: before,
    seen=lambda back, window: (back >= 0) & (back < window), back=_fresh, left=lambda kept, window: kept,
):  # fmt: skip
    """Return all outputs or what is kept; each further argument is a place where something can go wrong.

    Two lists of steps are compared: whether the tokens of the first one's last call get the same outputs.
    """
    if what in ("taken back", "split"):
        one, other = (
            run_cache("outputs", weights, window, each, scale, first, seen, back, left) for each in steps
        )
        n = len(steps[0][-1])
        same = torch.allclose(one[-n:], other[-n:], rtol=0, atol=1e-3, equal_nan=True)
        return "the same" if same else "not the same"
    w = {name: t.double() for name, t in weights.items()}
    kept, outputs = torch.zeros(0, w["W_C"].shape[1]).double(), []
    for step in steps:
        if isinstance(step, int):
            kept = back(kept, step)
            continue
        before, x = len(kept), step.double()
        kept = torch.cat([kept, x @ w["W_C"]])
        K, V = kept @ w["U_K"], kept @ w["U_V"]
        places = first(before, len(x)) + torch.arange(len(x))
        allowed = seen(places[:, None] - torch.arange(len(kept)), window)
        scores = (x @ w["W_Q"] @ K.T / scale(w)).masked_fill(~allowed, -torch.inf)
        outputs.append(scores.softmax(1) @ V)
        kept = left(kept, window)
    if what == "kept":
        return kept
    return torch.cat(outputs) if what == "outputs" else outputs[-1][-1]


def _right_q4(what, *given):
    return HIDDEN_BY[what] if what in HIDDEN_BY else run_cache(what, *given)


def _cache(**wrong):
    """Make a mistake in the cache alone."""

    def answer(what, *given):
        if what in HIDDEN_BY:
            raise ValueError("the diagnosis is asked for")
        return run_cache(what, *given, **wrong)

    return answer


def weights_for(rng, d, d_k, d_v, r, asks=True):
    """Draw weights, in single precision; queries are 0 unless it asks."""
    shapes = {"W_Q": (d, d_k), "W_C": (d, r), "U_K": (r, d_k), "U_V": (r, d_v)}
    w = {name: torch.tensor(rng.normal(0, shape[0] ** -0.5, shape)).float() for name, shape in shapes.items()}
    return w | {"W_Q": asks * w["W_Q"]}


def _tokens(rng, n, d):
    return torch.tensor(rng.normal(0, 1.5, (n, d))).float()


def for_line_4(rng):
    """Yield texts that come in one call."""
    for n, d, d_k, d_v, r in ((5, 6, 3, 2, 12), (4, 7, 8, 5, 2), (6, 4, 1, 3, 4)):
        yield ["last", weights_for(rng, d, d_k, d_v, r), 50, [_tokens(rng, n, d)]]


def for_line_6(rng):
    """Yield texts that come in several calls, of one token or of more."""
    for calls, d, d_k, d_v, r in (((4, 1, 3), 6, 3, 2, 5), ((1, 1, 1, 1), 5, 2, 4, 3), ((2, 5), 7, 4, 4, 2)):
        steps = [_tokens(rng, n, d) for n in calls]
        yield ["outputs", weights_for(rng, d, d_k, d_v, r, asks=False), 50, steps]
    for window, calls in ((2, (4, 1, 3)), (3, (2, 1, 1, 1)), (2, (1, 5))):
        steps = [_tokens(rng, n, 5) for n in calls]
        yield ["split", weights_for(rng, 5, 3, 2, 4, asks=False), window, [steps, [torch.cat(steps)]]]


def for_line_7(rng):
    """Yield texts that are longer than the window."""
    for window, n, d, d_k, d_v, r in ((1, 4, 6, 3, 2, 5), (2, 5, 5, 4, 3, 2), (4, 9, 3, 2, 5, 6)):
        yield ["outputs", weights_for(rng, d, d_k, d_v, r, asks=False), window, [_tokens(rng, n, d)]]


def for_line_10(rng):
    """Yield texts of which some tokens are taken back."""
    for steps in ((5, -2), (4, -0.5), (3, -1, 2, -3), (4, -4, 3), (2, -0.5, 2, -1, -1, 3)):
        d = 5
        done = [_tokens(rng, step, d) if step > 0 else int(-step) for step in steps]
        yield ["kept", weights_for(rng, d, 3, 2, 4), 50, done]
    for window, came, n, more in ((3, 5, 2, 3), (50, 6, 4, 2), (2, 4, 1, 1), (3, 4, 0, 2)):
        x, new = _tokens(rng, came, 5), _tokens(rng, more, 5)
        steps = [[x, n, new], [x[: came - n], new]]
        yield ["taken back", weights_for(rng, 5, 3, 2, 4, asks=False), window, steps]


def named(line):
    """Return a function that yields one question: the letter of a line."""
    return lambda rng: [[line, {}, 1, []]]


def _unlike(asked):
    """Say that outputs are not the same where this is asked for, unless no token was taken back."""

    def answer(what, weights, window, steps):
        if what != asked:
            raise ValueError("something else is asked for")
        back = steps[0][1]
        return "the same" if isinstance(back, int) and back == 0 else "not the same"

    return answer


WHY = {
    "A": "A hides a fault in what is taken back: then nothing ever is.",
    "B": "B hides a fault in the scale of the scores: √r and √d_k are the same then.",
    "C": "C hides none of the four faults. How wide a value is plays no part in the scores.",
    "D": "D hides a fault in the places of the new tokens: with a single call nothing stands before them.",
    "E": "E hides none of the four faults. Even if the cache keeps the tokens themselves, queries have d_k numbers.",
    "F": "F hides a fault in the window: then all earlier tokens are inside.",
}

Q4 = Question(
    "q4",
    ASK_Q4,
    _right_q4,
    [
        Part("line 4 mended", 1, for_line_4),
        Part("line 6 mended", 1, for_line_6),
        Part("line 7 mended", 1, for_line_7),
        Part("line 10 mended", 1, for_line_10),
        *(Part(f"line {line} named, with what hides its fault", 0.5, named(line)) for line in HIDDEN_BY),
    ],
    [
        Misconception(
            "Scores are still divided by √r. They are scores of queries and keys, which have d_k numbers: √d_k.",
            _cache(scale=lambda w: w["W_C"].shape[1] ** 0.5),
        ),
        Misconception("Scores are no longer scaled. They are divided by √d_k.", _cache(scale=lambda w: 1.0)),
        Misconception(
            "Scores are divided by √d. Queries and keys have d_k numbers: √d_k.",
            _cache(scale=lambda w: w["W_C"].shape[0] ** 0.5),
        ),
        Misconception(
            "Scores are divided by √d_v. Queries and keys have d_k numbers: √d_k.",
            _cache(scale=lambda w: w["U_V"].shape[1] ** 0.5),
        ),
        Misconception(
            "Scores are divided by d_k, and not by its root.", _cache(scale=lambda w: w["W_Q"].shape[1])
        ),
        Misconception(
            "Scores are multiplied by √d_k, and not divided by it.",
            _cache(scale=lambda w: w["W_Q"].shape[1] ** -0.5),
        ),
        Misconception(
            "In each call the places of the new tokens still begin at 0. They stand behind what is kept already.",
            _cache(first=lambda before, n: 0),
        ),
        Misconception(
            "The new tokens stand one place too far: the first of them sees the second.",
            _cache(first=lambda before, n: before + 1),
        ),
        Misconception(
            "The places of the new tokens are too large: when you count kept, it holds them already.",
            _cache(first=lambda before, n: before + n),
        ),
        Misconception(
            "New tokens see all tokens, later ones too.",
            _cache(seen=lambda back, window: back < window),
        ),
        Misconception(
            "New tokens see one another, but not what was kept before.",
            _cache(seen=lambda back, window: (back >= 0) & (back <= torch.arange(len(back))[:, None])),
        ),
        Misconception(
            "A token still sees `window` tokens before it, and itself: one too many.",
            _cache(seen=lambda back, window: (back >= 0) & (back <= window)),
        ),
        Misconception(
            "A token now sees `window` − 2 tokens before it: one too few.",
            _cache(seen=lambda back, window: (back >= 0) & ((back < window - 1) | (back == 0))),
        ),
        Misconception(
            "The window is gone: a token sees all tokens before it.",
            _cache(seen=lambda back, window: back >= 0),
        ),
        Misconception(
            "The first tokens are still taken back. It should be the last ones.",
            _cache(back=lambda kept, n: kept[n:]),
        ),
        Misconception(
            "take_back(0) takes back everything: x[:-0] is x[:0], and so empty.",
            _cache(back=lambda kept, n: kept[:-n]),
            sometimes="take_back goes wrong where 0 tokens are taken back: x[:-0] is x[:0], and so empty.",
        ),
        Misconception("take_back(n) leaves the first n tokens.", _cache(back=lambda kept, n: kept[:n])),
        Misconception("take_back(n) leaves the last n tokens.", _cache(back=lambda kept, n: kept[-n:])),
        Misconception("take_back takes nothing back.", _cache(back=lambda kept, n: kept)),
        Misconception(
            "take_back takes back one token, whatever n is.",
            _cache(back=lambda kept, n: kept[:-1]),
        ),
        *(
            Misconception(
                "Once tokens are taken back, earlier ones are missing: kept holds all tokens, also those that no "
                "window reaches any more.",
                _cache(left=left),
            )
            for left in (
                lambda kept, window: kept[-window:],
                lambda kept, window: kept[len(kept) - min(window - 1, len(kept)) :],
            )
        ),
        Misconception(
            "kept is right after take_back, but the tokens that come next do not get the outputs that they would get "
            "if the others had never come. What else of the cache counts tokens?",
            _unlike("taken back"),
        ),
        Misconception(
            "With a window that is shorter than the text, several calls give other outputs than one call. Both the "
            "latest and the earliest token that is seen go by a token's place in the text.",
            _unlike("split"),
        ),
        *misnamed(HIDDEN_BY, {4: 1, 6: 2, 7: 3, 10: 4}, WHY),
    ],
    describe=lambda what, weights, window, steps: (
        "your diagnosis"
        if what in HIDDEN_BY
        else {
            "kept": "what is kept after ",
            "last": "the last output of ",
            "outputs": "outputs of ",
            "taken back": "the last outputs of ",
            "split": "the last outputs of ",
        }[what]
        + " and of ".join(
            ", ".join(f"take_back({step})" if isinstance(step, int) else f"add({len(step)})" for step in each)
            for each in (steps if what in ("taken back", "split") else [steps])
        )
        + f", with window = {window}, "
        + ", ".join(
            f"{name} = {size}"
            for name, size in zip(
                ("d", "d_k", "r", "d_v"),
                (*weights["W_Q"].shape, *weights["U_V"].shape),
                strict=True,
            )
        )
    ),
)

# ---- q5: how long does a pass take? ----
#
# What the text says, and where it is tried:
# - each of the three times by itself, tokens_a_second by itself, from given times
# - sizes and speeds of which none is like the other; one text and several, one new token and several, a cache that is
#   empty, short and long; one, two and four bytes a number
# - fetching or arithmetic is longer; weights or caches are longer than the arithmetic alone, or only both together; a
#   number of tokens that is not whole

ASK_Q5 = """
def entry_point(part, *given):
    if part == "speed":
        return tokens_a_second(*given)
    times = seconds(*given)
    if not isinstance(times, dict):
        raise ValueError("seconds should return a dictionary with three keys")
    if part not in times:
        raise ValueError(f"what seconds returns has no entry '{part}'")
    return times[part]
"""


def times_of(part, model, machine, texts, length, new):
    """Return one of the three times."""
    if part == "arithmetic":
        return 2 * model["weights"] * texts * new / machine["operations_a_second"]
    numbers = model["weights"]
    if part == "caches":
        numbers = texts * length * model["layers"] * 2 * model["kv_heads"] * model["head_dim"]
    return numbers * model["bytes_each"] / machine["bytes_a_second"]


def speed_of(times, texts, tokens):
    """Return tokens a second."""
    return texts * tokens / max(times["arithmetic"], times["weights"] + times["caches"])


def _right_q5(part, *given):
    return speed_of(*given) if part == "speed" else times_of(part, *given)


def _time(wanted, value):
    """Make a mistake in one of the times: a function of what is right, the model, the machine and three numbers."""

    def answer(part, *given):
        if part != wanted:
            raise ValueError("another time is asked for")
        return value(times_of(part, *given), *given)

    return answer


def _speed(value):
    """Make a mistake in the tokens a second."""

    def answer(part, *given):
        if part != "speed":
            raise ValueError("a time is asked for")
        return value(*given)

    return answer


def passes(part):
    """Return a function that yields models, machines and numbers."""

    def cases(rng):
        lengths = [0, *rng.choice(np.arange(100, 5000), 3, replace=False)]
        for length, bytes_each in zip(rng.permutation(lengths), rng.permutation([1, 2, 4, 2]), strict=True):
            layers, kv_heads, head_dim, texts, new = rng.choice(np.arange(3, 40), 5, replace=False)
            model = {
                "weights": int(rng.integers(10**8, 10**10)),
                "layers": int(layers),
                "kv_heads": int(kv_heads),
                "head_dim": int(head_dim),
                "bytes_each": int(bytes_each),
            }
            machine = {
                "bytes_a_second": float(rng.integers(1, 90)) * 1e11,
                "operations_a_second": float(rng.integers(1, 90)) * 1e13,
            }
            yield [part, model, machine, int(texts), int(length), int(new)]
        yield [part, model, machine, 1, 1000, 1]

    return cases


def given_times(rng):
    """Yield times, texts, and tokens a text: all orders of the times, sums that are longer than a third time or not."""
    for weights, caches, arithmetic in ((4, 2, 1), (1, 5, 3), (2, 3, 9), (3, 3.5, 5), (0.5, 0, 2), (2, 0, 1)):
        unit = 10 ** rng.uniform(-4, -1)
        times = {"weights": weights * unit, "caches": caches * unit, "arithmetic": arithmetic * unit}
        yield ["speed", times, int(rng.integers(2, 60)), round(float(rng.uniform(1.2, 4.8)), 2)]


Q5 = Question(
    "q5",
    ASK_Q5,
    _right_q5,
    [
        Part("weights", 0.5, passes("weights")),
        Part("caches", 1, passes("caches")),
        Part("arithmetic", 0.5, passes("arithmetic")),
        Part("tokens a second", 1, given_times),
    ],
    [
        Misconception(
            "weights: they are fetched once a pass, for all texts together.",
            _time("weights", lambda right, model, machine, texts, length, new: right * texts),
        ),
        Misconception(
            "weights: they are fetched once a pass, however many tokens are computed.",
            _time("weights", lambda right, model, machine, texts, length, new: right * new),
        ),
        Misconception(
            "weights: they are fetched once a pass, however many tokens and texts there are.",
            _time("weights", lambda right, model, machine, texts, length, new: right * new * texts),
        ),
        Misconception(
            "weights: these are numbers, not bytes: bytes_each is missing.",
            _time("weights", lambda right, model, *others: right / model["bytes_each"]),
        ),
        Misconception(
            "weights: two bytes a number are taken, whatever bytes_each is.",
            _time("weights", lambda right, model, *others: 2 * right / model["bytes_each"]),
        ),
        *(
            Misconception(
                f"{part}: this is a number of bytes. How long does it take to fetch them?",
                _time(part, lambda right, model, machine, *others: right * machine["bytes_a_second"]),
            )
            for part in ("weights", "caches")
        ),
        *(
            Misconception(
                f"{part}: bytes are divided by operations_a_second. Fetching goes by bytes_a_second.",
                _time(
                    part,
                    lambda right, model, machine, *others: (
                        right * machine["bytes_a_second"] / machine["operations_a_second"]
                    ),
                ),
            )
            for part in ("weights", "caches")
        ),
        Misconception(
            "caches: keys and values are both kept, and you count one of them.",
            _time("caches", lambda right, *others: right / 2),
        ),
        Misconception(
            "caches: each layer has keys and values of its own.",
            _time("caches", lambda right, model, *others: right / model["layers"]),
        ),
        Misconception(
            "caches: each text has a cache of its own.",
            _time("caches", lambda right, model, machine, texts, length, new: right / texts),
        ),
        Misconception(
            "caches: a cache is fetched once a pass, however many new tokens read it.",
            _time("caches", lambda right, model, machine, texts, length, new: right * new),
        ),
        Misconception(
            "caches: each of the tokens in a cache has keys and values: length is not used.",
            _time(
                "caches",
                lambda right, model, machine, texts, length, new: times_of(
                    "caches", model, machine, texts, 1, new
                ),
            ),
        ),
        Misconception(
            "caches: the new tokens are counted as well. What is fetched has `length` tokens.",
            _time(
                "caches",
                lambda right, model, machine, texts, length, new: times_of(
                    "caches", model, machine, texts, length + new, new
                ),
            ),
        ),
        Misconception(
            "caches: these are numbers, not bytes: bytes_each is missing.",
            _time("caches", lambda right, model, *others: right / model["bytes_each"]),
        ),
        Misconception(
            "caches: two bytes a number are taken, whatever bytes_each is.",
            _time("caches", lambda right, model, *others: 2 * right / model["bytes_each"]),
        ),
        Misconception(
            "caches: there are kv_heads keys, of head_dim numbers each: kv_heads is missing.",
            _time("caches", lambda right, model, *others: right / model["kv_heads"]),
        ),
        Misconception(
            "caches: there are kv_heads keys, of head_dim numbers each: head_dim is missing.",
            _time("caches", lambda right, model, *others: right / model["head_dim"]),
        ),
        Misconception(
            "arithmetic: each weight takes two operations for each new token, a product and a sum.",
            _time("arithmetic", lambda right, *others: right / 2),
        ),
        Misconception(
            "arithmetic: each text has its own new tokens.",
            _time("arithmetic", lambda right, model, machine, texts, length, new: right / texts),
        ),
        Misconception(
            "arithmetic: every new token needs all weights: new is not used.",
            _time("arithmetic", lambda right, model, machine, texts, length, new: right / new),
        ),
        Misconception(
            "arithmetic: neither texts nor new is used. Every new token of every text needs all weights.",
            _time("arithmetic", lambda right, model, machine, texts, length, new: right / new / texts),
        ),
        Misconception(
            "arithmetic: the tokens in the caches were computed before. Only the new ones count.",
            _time(
                "arithmetic",
                lambda right, model, machine, texts, length, new: right / new * length,
            ),
        ),
        Misconception(
            "arithmetic: the tokens in the caches were computed before. Only the new ones count, and not both.",
            _time(
                "arithmetic",
                lambda right, model, machine, texts, length, new: right / new * (length + new),
            ),
        ),
        Misconception(
            "arithmetic: it goes by operations_a_second, not by bytes_a_second.",
            _time(
                "arithmetic",
                lambda right, model, machine, *others: (
                    right * machine["operations_a_second"] / machine["bytes_a_second"]
                ),
            ),
        ),
        Misconception(
            "arithmetic: this is a number of operations. How long do they take?",
            _time(
                "arithmetic", lambda right, model, machine, *others: right * machine["operations_a_second"]
            ),
        ),
        Misconception(
            "arithmetic: operations do not depend on bytes_each. Each weight takes two for each new token.",
            _time("arithmetic", lambda right, model, *others: right * model["bytes_each"] / 2),
        ),
        Misconception(
            "arithmetic: operations do not depend on bytes_each.",
            _time("arithmetic", lambda right, model, *others: right * model["bytes_each"]),
        ),
        Misconception(
            "tokens_a_second: fetching and arithmetic go on at the same time: the longer one counts, not the sum.",
            _speed(lambda times, texts, tokens: texts * tokens / sum(times.values())),
        ),
        Misconception(
            "tokens_a_second: weights and caches are both fetched, one after the other: their times are added, before "
            "the longer time is taken.",
            _speed(lambda times, texts, tokens: texts * tokens / max(times.values())),
        ),
        Misconception(
            "tokens_a_second: the pass takes as long as the longer of the two, not the shorter.",
            _speed(
                lambda times, texts, tokens: (
                    texts * tokens / min(times["weights"] + times["caches"], times["arithmetic"])
                )
            ),
        ),
        Misconception(
            "tokens_a_second: the arithmetic is left out. It may take longer than all the fetching.",
            _speed(lambda times, texts, tokens: texts * tokens / (times["weights"] + times["caches"])),
        ),
        Misconception(
            "tokens_a_second: the caches are fetched while the arithmetic goes on, like the weights: add both, then "
            "take the longer of fetching and arithmetic.",
            _speed(
                lambda times, texts, tokens: (
                    texts * tokens / (max(times["weights"], times["arithmetic"]) + times["caches"])
                )
            ),
        ),
        Misconception(
            "tokens_a_second: the number is rounded. It need not be whole.",
            _speed(
                lambda times, texts, tokens: round(
                    texts * tokens / max(times["weights"] + times["caches"], times["arithmetic"])
                )
            ),
        ),
        Misconception(
            "tokens_a_second: the caches are left out. They are fetched, too.",
            _speed(lambda times, texts, tokens: texts * tokens / max(times["weights"], times["arithmetic"])),
        ),
        Misconception(
            "tokens_a_second: this is for one text. All texts together are asked for.",
            _speed(lambda times, texts, tokens: speed_of(times, 1, tokens)),
        ),
        Misconception(
            "tokens_a_second: each text gains `tokens` tokens a pass.",
            _speed(lambda times, texts, tokens: speed_of(times, texts, 1)),
        ),
        Misconception(
            "tokens_a_second: these are seconds for a token. Tokens a second are asked for.",
            _speed(lambda times, texts, tokens: 1 / speed_of(times, texts, tokens)),
        ),
        Misconception(
            "tokens_a_second: these are passes a second.",
            _speed(lambda times, texts, tokens: speed_of(times, 1, 1)),
        ),
    ],
    tolerance=1e-5,
    describe=lambda part, *given: (
        f"times of {', '.join(f'{time:.3g}' for time in given[0].values())} s for weights, caches and arithmetic, "
        f"texts = {given[1]}, tokens = {given[2]}"
        if part == "speed"
        else f"'{part}' of {given[0]}, {given[1]}, texts = {given[2]}, length = {given[3]}, new = {given[4]}"
    ),
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
