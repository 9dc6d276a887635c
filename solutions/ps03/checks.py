"""What decides the questions of ps03: a fuzzy dictionary, its limit, its decoder, its kernel and its gradients."""

from dataclasses import replace

import numpy as np

from course_grading.parsons import Distractor, Ordering
from course_grading.parsons import question as question_of_order
from course_grading.questions import Misconception, Part, Question
from course_lib.exercises.hints import compare, described, settled
from course_lib.exercises.parsons import Puzzle


def softmax(scores, axis=-1):
    """Turn finite scores into weights."""
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def unit(x, axis=-1):
    """Divide by the length."""
    return x / np.linalg.norm(x, axis=axis, keepdims=True)


# ---- q1: no key is louder than another ----
# The text says, and a case is there for:
# any axes before, none included; L_q and L_k equal or not, d_k and d_v too; sizes of 1
# queries and keys of any length but zero, very short ones too; cosines of both signs
# beta 0 (in a batch), moderate, or so large that exponentials overflow or vanish, with scores nearly equal or not


def looked_up(weights, values):
    """Return output and weights, as the question asks."""
    return [weights @ values, weights]


def cosine_lookup(queries, keys, values, beta):
    """Look up by cosine: (…, L_q, d_k), (…, L_k, d_k), (…, L_k, d_v), number -> output and weights."""
    return looked_up(softmax(beta * (unit(queries) @ unit(keys).mT)), values)


def from_scores(scores):
    """Make a mistaken lookup from the scores that it computes, the sharpness included."""
    return lambda q, k, v, beta: looked_up(softmax(scores(q, k, beta)), v)


def dictionaries(rng, *batch, shapes=((3, 5, 4, 2), (1, 2, 3, 5), (6, 4, 1, 1), (3, 3, 3, 3)), beta=None):
    """Yield queries, keys and values, of lengths between a half and four, and a moderate sharpness."""
    for L_q, L_k, d_k, d_v in shapes:
        yield [
            unit(rng.standard_normal((*batch, L_q, d_k))) * rng.uniform(0.5, 4, (*batch, L_q, 1)),
            unit(rng.standard_normal((*batch, L_k, d_k))) * rng.uniform(0.5, 4, (*batch, L_k, 1)),
            rng.standard_normal((*batch, L_k, d_v)),
            float(rng.uniform(1.5, 4.0)) if beta is None else beta,
        ]


def one_dictionary(rng):
    """Yield dictionaries of all sizes; in the last, some queries and keys are very short, and one key is near each."""
    yield from dictionaries(rng)
    for queries, keys, *rest in dictionaries(rng, shapes=((4, 4, 4, 2),)):
        keys = np.linalg.qr(keys)[0] * [[2e-3], [1], [2e-3], [3]]
        queries = unit(unit(keys) + 0.1 * unit(queries)) * [[1], [2e-3], [2e-3], [2]]
        yield [queries, keys, *rest]


def several_dictionaries(rng):
    """Yield dictionaries with one axis before and with two, as many as there are keys, too; one without sharpness."""
    yield from dictionaries(rng, 4, shapes=((3, 5, 4, 2), (4, 4, 4, 4)))
    yield from dictionaries(rng, 2, shapes=((4, 3, 2, 3),), beta=0.0)
    yield from dictionaries(rng, 2, 3, shapes=((3, 5, 4, 2), (6, 4, 2, 1)))


def sharp_dictionaries(rng):
    """Yield lookups whose exponentials are too large: a loud key that clearly loses, and a close race.

    The last query points away from all keys, so that its scores are far below those of the others.
    """
    for is_close in (False, True):
        beta = float(rng.integers(2000, 4000))
        share = 1 + 1 / beta if is_close else 0.5
        keys = np.linalg.qr(rng.standard_normal((5, 5)))[0][:4]  # at right angles, of length 1
        queries = keys[[0, 1, 1, 0]] + share * keys[[2, 3, 2, 1]]
        queries[3] = -queries[3] - 2 * keys[2] - 2 * keys[3]
        queries *= rng.uniform(1.2, 2, (4, 1))
        keys = keys * rng.uniform([[0.5], [0.5], [4], [4]], [[1], [1], [6], [6]])
        yield [queries, keys, rng.standard_normal((4, 2)), beta]


def whole_matrix(q, k, v, beta):
    """Normalise over all queries and keys together."""
    scores = beta * (unit(q) @ unit(k).mT)
    exponentials = np.exp(scores - scores.max())
    return looked_up(exponentials / exponentials.sum(), v)


def one_shift(q, k, v, beta):
    """Take the largest of all scores away, not the largest of each row."""
    scores = beta * (unit(q) @ unit(k).mT)
    exponentials = np.exp(scores - scores.max())
    return looked_up(exponentials / exponentials.sum(axis=-1, keepdims=True), v)


def unstably(scores):
    """As `from_scores`, but exponentiate the scores as they are."""

    def answer(q, k, v, beta):
        exponentials = np.exp(scores(q, k, beta))
        return looked_up(exponentials / exponentials.sum(axis=-1, keepdims=True), v)

    return answer


overflowing = unstably(lambda q, k, beta: beta * (unit(q) @ unit(k).mT))

FROM_THE_END = (
    "With several dictionaries axis 1 is not the last axis. Count from the end: axis=-1 is the last, however many come "
    "before."
)


def winner_takes_all(q, k, v, beta):
    """Give everything to the key with the largest cosine."""
    cosines = unit(q) @ unit(k).mT
    return looked_up((cosines == cosines.max(axis=-1, keepdims=True)).astype(float), v)


READY_MADE = (  # a softmax, a cosine, a lookup or an attention; visible and hidden tests have the same list
    "course_lib.*softmax",
    "course_lib.*lookup",
    "course_lib.*attention",
    "scipy.special.*softmax",
    "scipy.spatial.distance.*",
    "sklearn.*cosine*",
    "torch.*softmax*",
    "torch.*softmin",
    "torch.*cosine_similarity*",
    "torch.*scaled_dot_product*",
    "torch.*multi_head_attention*",
)

Q1 = Question(
    "q1",
    "cosine_lookup",
    cosine_lookup,
    [
        Part("one dictionary", 2, one_dictionary),
        Part("several dictionaries at once", 1, several_dictionaries),
        # Single precision knows a score of 4000 to three digits after the point.
        Part("very sharp", 1, sharp_dictionaries, tolerance=5e-3),
    ],
    [
        Misconception(
            "With this sharpness you give everything to the key with the largest cosine. Cosines that differ by little "
            "share the weight: take the exponentials, after the largest score of the row is taken away.",
            winner_takes_all,
            "With some sharpness you give everything to the key with the largest cosine. Cosines that differ by little "
            "share the weight, also with a large sharpness.",
        ),
        Misconception(
            "All weights of a row are equal in your answer, as if all keys were the same, or the sharpness 0.",
            from_scores(lambda q, k, beta: 0 * (q @ k.mT)),
        ),
        Misconception(
            "Queries and keys have changed places: row i of the weights belongs to query i.",
            lambda q, k, v, beta: cosine_lookup(k, q, v, beta),
        ),
        Misconception(
            "All queries get the weights of the first one. Each has weights of its own.",
            lambda q, k, v, beta: looked_up(
                np.repeat(cosine_lookup(q[..., :1, :], k, v, beta)[1], q.shape[-2], axis=-2), v
            ),
        ),
        Misconception(
            "Your keys still have their lengths. Divide each key by its length.",
            from_scores(lambda q, k, beta: beta * (unit(q) @ k.mT)),
        ),
        Misconception(
            "Your queries still have their lengths: a long query is a sharp one. Divide each by its length.",
            from_scores(lambda q, k, beta: beta * (q @ unit(k).mT)),
        ),
        Misconception(
            "Your scores are dot products: a long key is loud in them. Divide queries and keys by their lengths.",
            from_scores(lambda q, k, beta: beta * (q @ k.mT)),
        ),
        Misconception(
            "You divide by the squared length. The length is the root of the sum of squares.",
            from_scores(
                lambda q, k, beta: (
                    beta
                    * (unit(q) / np.linalg.norm(q, axis=-1, keepdims=True))
                    @ (unit(k) / np.linalg.norm(k, axis=-1, keepdims=True)).mT
                )
            ),
        ),
        Misconception(
            "You take lengths down the columns. A query or a key is a row: its length is along the last axis.",
            from_scores(lambda q, k, beta: beta * (unit(q, -2) @ unit(k, -2).mT)),
        ),
        Misconception(
            "You divide all keys by one number, and all queries by one. Each has a length of its own: mind the axis.",
            from_scores(lambda q, k, beta: beta * (q / np.linalg.norm(q)) @ (k / np.linalg.norm(k)).mT),
        ),
        Misconception(FROM_THE_END, from_scores(lambda q, k, beta: beta * (unit(q, 1) @ unit(k, 1).mT))),
        Misconception(
            FROM_THE_END,
            lambda q, k, v, beta: looked_up(softmax(beta * (unit(q, 1) @ unit(k, 1).mT), axis=1), v),
        ),
        Misconception(
            FROM_THE_END, lambda q, k, v, beta: looked_up(softmax(beta * (unit(q) @ unit(k).mT), axis=1), v)
        ),
        Misconception(
            "Your weights sum to 1 over the queries. Each query shares out its weight over the keys: the last axis.",
            lambda q, k, v, beta: looked_up(softmax(beta * (unit(q) @ unit(k).mT), axis=-2), v),
        ),
        Misconception(
            "All your weights together sum to 1. Each query has a weight of 1 to share out: one sum for each row.",
            whole_matrix,
        ),
        Misconception(
            "The sharpness has no effect: multiply the cosines by beta before the softmax.",
            from_scores(lambda q, k, beta: unit(q) @ unit(k).mT),
        ),
        Misconception(
            "You divide by the sharpness. It multiplies the cosines: the larger, the more decided the weights.",
            from_scores(lambda q, k, beta: unit(q) @ unit(k).mT / beta),
        ),
        Misconception(
            "You divide by the sharpness. It multiplies the cosines: the larger, the more decided the weights.",
            unstably(lambda q, k, beta: unit(q) @ unit(k).mT / beta),
        ),
        Misconception(
            "You take cosines without their sign. A key that points away from the query has a negative cosine, and the "
            "least weight.",
            from_scores(lambda q, k, beta: beta * np.abs(unit(q) @ unit(k).mT)),
        ),
        Misconception(
            "You put 0 for negative cosines. A key that points away from the query has less weight than one at right "
            "angles.",
            from_scores(lambda q, k, beta: beta * np.maximum(unit(q) @ unit(k).mT, 0)),
        ),
        Misconception(
            "You divide by √d_k as well. Here the sharpness alone scales the scores.",
            from_scores(lambda q, k, beta: beta * (unit(q) @ unit(k).mT) / np.sqrt(k.shape[-1])),
        ),
        Misconception(
            "You return the output alone; asked for are the output and the weights.",
            lambda *given: cosine_lookup(*given)[0],
        ),
        Misconception(
            "Output and weights have changed places: the output comes first.",
            lambda *given: cosine_lookup(*given)[::-1],
        ),
        Misconception(
            "You take away the largest score of all queries. In a row that lies far below it every exponential is 0, "
            "and 0/0 is NaN: each row has a largest score of its own.",
            one_shift,
        ),
        Misconception(
            "With a large sharpness your exponentials overflow, and ∞/∞ is NaN. Take the largest score of each row "
            "away before you exponentiate.",
            overflowing,
        ),
    ],
    forbidden=READY_MADE,
)

# ---- q2: where the sharpness leads ----
# The text says, and a case is there for:
# finite scores of any size and sign, differences as small as float64 knows; a best score of 0
# −∞ beside scores far below −10⁹, down to the lowest finite one
# equal is exactly equal: two, three or all tie, anywhere in the row
# nothing but −∞ gives zeros, in one row or in all; L_k = 1; any axes before, none included


def limit_weights(scores):
    """Return the limit of softmax(β s) as β grows: (…, L_q, L_k) -> (…, L_q, L_k)."""
    winners = (scores == scores.max(axis=-1, keepdims=True)) & np.isfinite(scores)
    return winners / np.maximum(winners.sum(axis=-1, keepdims=True), 1)


def stable(scores):
    """Turn scores into weights, where they may be −∞, too: zeros for a row of nothing else."""
    largest = scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isfinite(largest), largest, 0))
    return exponentials / np.maximum(exponentials.sum(axis=-1, keepdims=True), 1e-300)


LOWEST = float(np.finfo(float).min)  # of all finite numbers


def one_best(rng):
    """Yield scores with one winner a row: by a wide margin or by the least that float64 knows, tiny, or far below 0.

    The best score is 0 in two rows; others hold the lowest numbers of float64 beside −∞.
    """
    for L_q, L_k, scale in ((3, 5, 1.0), (4, 2, 1.0), (3, 7, 1e-300)):
        scores = rng.standard_normal((L_q, L_k))
        first, second = rng.choice(L_k, 2, replace=False)
        scores[0, first] = 4.0
        scores[0, second] = np.nextafter(4.0, 5.0)
        scores[1] = -np.abs(scores[1]) * 1e30
        scores[-1] += 10
        scores[-1, second] = -np.inf
        scores[1, first] = -np.inf
        yield [scale * scores]
    yield [np.array([[float(rng.normal())], [-1e30]])]
    yield [rng.permuted([[0.0, -1.0, -5.0, -2.0], [-np.inf, -np.inf, 0.0, -1e-300]], axis=1)]
    yield [
        rng.permuted(
            [[-np.inf, LOWEST, -np.inf], [-1.5e308, -np.inf, LOWEST], [-1e200, -np.inf, -2e200]], axis=1
        )
    ]


def tied(rng):
    """Yield scores of which two, three or all tie for the best, at the beginning, at the end or in between."""
    for L_q, L_k in ((6, 4), (5, 5)):
        scores = rng.integers(-7, 0, (L_q, L_k)).astype(float)
        scores[0, :2] = 4.0
        scores[1, 1:4] = 5.0
        scores[2, :] = -2.0
        scores[3, [0, -1]] = 6.0
        scores[4] = [1.5, *[-np.inf] * (L_k - 2), 1.5]
        yield [scores]


def several(rng):
    """Yield scores of several dictionaries: one clear winner a row, the higher the further down; one key excluded."""
    for shape in ((2, 6, 4), (4, 4, 4), (3, 2, 3, 5)):
        scores = rng.permuted(np.broadcast_to(np.arange(float(shape[-1])), shape), axis=-1)
        yield [np.where(scores == 0, -np.inf, scores) + np.arange(shape[-2])[:, None]]


def nothing_allowed(rng):
    """Yield scores with one winner a row, the higher the further down, or with nothing but −∞.

    The first two rows have the same winner.
    """
    for L_q, L_k in ((4, 3), (3, 6), (4, 4)):
        scores = rng.permuted(np.tile(np.arange(float(L_k)), (L_q, 1)), axis=1) + np.arange(L_q)[:, None]
        scores[1] = scores[0] + 1
        scores[0, scores[0].argmin()] = -np.inf
        scores[-1] = -np.inf
        yield [scores]
    yield [np.full((1, 1), -np.inf)]
    yield [np.full((2, 3), -np.inf)]


def shared_by(is_winner):
    """Share the weight among winners."""

    def weights(scores):
        winners = is_winner(scores)
        return winners / np.maximum(winners.sum(axis=-1, keepdims=True), 1)

    return weights


def _largest(scores, axis=-1):
    return scores == scores.max(axis=axis, keepdims=True)


def _winners_along(axis, shared):
    """Look for winners along one axis, let them share along another."""

    def weights(scores):
        winners = _largest(scores, axis) & np.isfinite(scores)
        return winners / np.maximum(winners.sum(axis=shared, keepdims=True), 1)

    return weights


def _large_sharpness(beta):
    return lambda scores: stable(beta * scores)


def _large_sharpness_of_gaps(beta):
    """As `_large_sharpness`, after the largest score is taken away."""
    return lambda scores: stable(beta * (scores - np.maximum(scores.max(axis=-1, keepdims=True), LOWEST)))


def nearly_equal(scores):
    """Let all share that are close to the best score."""
    best = scores.max(axis=-1, keepdims=True)
    return shared_by(lambda s: np.isclose(s, best) & np.isfinite(s))(scores)


def _filled(finite):
    """Put a large negative number in the place of −∞."""
    return lambda scores: (
        limit_weights(np.where(scores == -np.inf, finite, scores))
        * (scores > -np.inf).any(axis=-1, keepdims=True)
    )


def _divided_by_the_best(scores):
    """Take those for winners whose score is once the best one."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = scores / scores.max(axis=-1, keepdims=True)
    return shared_by(lambda scores: ratio == 1)(scores)


def _one_of_the_best(last):
    """Give everything to the first of the best keys, or to the last."""

    def weights(scores):
        best = scores.shape[-1] - 1 - scores[..., ::-1].argmax(axis=-1) if last else scores.argmax(axis=-1)
        return np.eye(scores.shape[-1])[best]

    return weights


EXCLUDED = (
    "A key with the score −∞ gets weight in your answer, although others are allowed. If you put a number in the place "
    "of −∞, finite scores may lie below it."
)
NEARLY_EQUAL = (
    "In your answer, scores that differ by very little share the weight. In the limit the better one takes everything. "
    "A large sharpness is not the limit, and nearly equal is not equal: find the best score and compare by ==."
)

Q2 = Question(
    "q2",
    "limit_weights",
    limit_weights,
    [
        Part("one best key", 1, one_best),
        Part("several keys tie", 1, tied),
        Part("nothing allowed", 1, nothing_allowed),
        Part("several dictionaries at once", 1, several),
    ],
    [
        Misconception(NEARLY_EQUAL, mistake)
        for mistake in (
            nearly_equal,
            *(_large_sharpness(10.0**power) for power in range(2, 17)),
            *(_large_sharpness_of_gaps(10.0**power) for power in (16, 18, 20, 30, 50, 100, 200, 300, 308)),
            lambda scores: limit_weights(scores.astype(np.float32).astype(float)),
        )
    ]
    + [
        Misconception(
            "Several keys tie for the best score, and you give everything to one of them. In the limit they share.",
            lambda scores: _one_of_the_best(False)(scores) * np.isfinite(scores).any(axis=-1, keepdims=True),
        ),
        Misconception(
            "Several keys tie for the best score, and you give everything to the last of them. In the limit they "
            "share.",
            lambda scores: _one_of_the_best(True)(scores) * np.isfinite(scores).any(axis=-1, keepdims=True),
        ),
        Misconception(
            "Several keys tie for the best score, or all are excluded, and you give everything to one key. In the "
            "limit the best share; and where all are excluded, none gets weight.",
            _one_of_the_best(False),
        ),
        *(
            Misconception(EXCLUDED, _filled(finite), EXCLUDED)
            for finite in (
                *(-(10.0**power) for power in (*range(2, 31), 50, 99, 100, 200, 300, 308)),
                LOWEST,
                0.0,
            )
        ),
        Misconception(
            "Where the best score is very low, your weights are zeros. Only a score of −∞ is excluded; finite ones may "
            "be of any size.",
            shared_by(lambda scores: _largest(scores) & (scores > -1e100)),
        ),
        Misconception(
            "You divide by the best score, which may be 0. Compare with it by ==.",
            _divided_by_the_best,
        ),
        Misconception(
            "Each of the best keys gets 1 in your answer. They share: the weights of a row sum to 1.",
            lambda scores: 1.0 * (_largest(scores) & np.isfinite(scores)),
        ),
        Misconception(
            "Where all keys are excluded, they all equal the largest score, −∞, and you let them share. The weights "
            "there are zeros: nothing was found.",
            shared_by(_largest),
        ),
        Misconception(
            "Where all keys are excluded, you give each of them 1. The weights there are zeros: nothing was found.",
            lambda scores: 1.0 * _largest(scores),
        ),
        Misconception(FROM_THE_END, _winners_along(1, 1)),
        Misconception(FROM_THE_END, _winners_along(1, -1)),
        Misconception(
            "You look for the best key along the wrong axis: each query (a row) has a best key.",
            _winners_along(-2, -2),
        ),
        Misconception(
            "You look for one best score among all queries. Each row has a best score of its own.",
            shared_by(lambda scores: scores == scores.max()),
        ),
        Misconception(
            "You let the winners of all rows share. Each row has a weight of 1 to share out.",
            lambda scores: (winners := _largest(scores) & np.isfinite(scores)) / max(winners.sum(), 1),
        ),
        Misconception(
            "Where all keys are excluded, your result is NaN, from 0/0 or −∞ − (−∞). The weights there are zeros.",
            lambda scores: np.where(
                np.isfinite(scores).any(-1, keepdims=True), limit_weights(scores), np.nan
            ),
        ),
    ],
)

# ---- q3: back to a word, or to none ----
# The text says, and a case is there for:
# a distance of exactly the radius is within, any more is not; one near key is enough; distances are Euclidean
# the nearest place to the blend, also where another has the larger dot product; as many answers as queries
# more words than keys, or fewer; one query, one key, one word; widths alike or not


def distances(a, b):
    """Return all distances between rows: (n, d), (m, d) -> (n, m)."""
    return np.linalg.norm(a[:, None, :] - b, axis=-1)


def told(known, chosen, words):
    """Put chosen words where the query is known, None elsewhere."""
    return [words[j] if yes else None for yes, j in zip(known, chosen, strict=True)]


def _known(queries, keys, radius):
    return distances(queries, keys).min(axis=1) <= radius


def _nearest(blends, places):
    return distances(blends, places).argmin(axis=1)


def decode(queries, keys, radius, blends, places, words):
    """Return the word nearest to each blend, or None where no key is near the query."""
    return told(_known(queries, keys, radius), _nearest(blends, places), words)


def _deciding(known):
    return lambda q, k, r, blends, places, words: told(known(q, k, r), _nearest(blends, places), words)


WORDS = ["Paris", "London", "Berlin", "Brussels", "Rome", "Madrid", "Vienna", "Lisbon"]


def decodings(rng, every=False, shapes=((8, 4, 2, 3), (9, 3, 5, 2), (7, 6, 1, 4), (8, 9, 3, 3))):
    """Yield queries of which about half are known, or all; blends that lie anywhere; eight words."""
    for L_q, L_k, d_k, d_v in shapes:
        queries, keys = 2 * rng.standard_normal((L_q, d_k)), 2 * rng.standard_normal((L_k, d_k))
        ways = np.sort(distances(queries, keys).min(axis=1))
        scale = 3.0 / (ways[L_q // 2 - 1 : L_q // 2 + 1].mean())  # so that half are within a radius of 3
        yield [
            scale * queries,
            scale * keys,
            1e6 if every else 3.0,
            4 * rng.standard_normal((L_q, d_v)),
            4 * rng.standard_normal((8, d_v)) * rng.uniform(0.3, 2, (8, 1)),
            [WORDS[j] for j in rng.permutation(8)],
        ]


def known_queries(rng):
    """Yield queries that are all known; in the last case one query, one key and one word."""
    yield from decodings(rng, every=True)
    one = [rng.standard_normal((1, width)) for width in (3, 3, 2, 2)]
    yield [one[0], one[1], 1e6, one[2], one[3], ["Oslo"]]


def clear_blends(rng):
    """As `decodings`, but whoever looks for a place finds the same, by distance or dot product.

    The places are equally far out, at right angles or opposite, and a blend lies along one of them, near it or not.
    No query lies so near the edge that a radius of one in a hundred more or less would count.
    """
    for queries, keys, radius, blends, _, words in decodings(rng):
        ways = distances(queries, keys).min(axis=1, keepdims=True)
        nearest = keys[distances(queries, keys).argmin(axis=1)]
        queries = np.where(abs(ways / radius - 1) < 0.02, nearest + 0.9 * (queries - nearest), queries)
        d_v = blends.shape[-1]
        places = 9 * np.concatenate([np.eye(d_v), -np.eye(d_v)])
        along = places[rng.integers(2 * d_v, size=len(blends))] * rng.uniform(0.4, 1.8, (len(blends), 1))
        yield [
            queries,
            keys,
            radius,
            along + 0.2 * rng.standard_normal(along.shape),
            places,
            words[: 2 * d_v],
        ]


def on_the_edge(rng):
    """Yield a query on the edge and one just beyond, a known one with a blend far from any place, and missing ones."""
    order = rng.permutation(7)
    turn = float(rng.choice([-1.0, 1.0]))
    queries = np.array(
        [[3.0, 4.0], [40.0, 1.0], [20.0, 20.0], [3.0, 4.000375], [-58.0, 12.0], [60.0, 60.0], [-60.0, 10.0]]
    )
    keys = np.array([[0.0, 0.0], [40.0, 0.0], [-60.0, 9.0]])
    blends = np.array(
        [
            [1.0, 100.0, 0.0],
            [-90.0, 0.0, 3.0],
            [9.0, 1.0, 1.0],
            [8.0, 1.0, 1.0],
            [2.0, 2.0, 30.0],
            [0.0, -9.0, 0.0],
            [3.0, 0.0, -1.0],
        ]
    )
    places = np.array([[9.0, 0.0, 0.0], [-9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, -9.0, 0.0], [0.0, 0.0, 9.0]])
    yield [
        turn * queries[order],
        turn * keys[rng.permutation(3)],
        5.0,
        blends[order],
        places,
        [WORDS[j] for j in rng.permutation(8)[:5]],
    ]
    near_one = np.array([[0.5, 0.0], [-3.0, 0.0]])  # and near, or not, to both on average
    yield [near_one, np.array([[0.0, 0.0], [6.0, 0.0]]), 5.0, 3 * near_one, near_one, ["Rome", "Paris"]]


def _in_two_dimensions(queries, keys, radius, blends, places, words):
    """Look at the first two numbers of each point."""
    return decode(queries[:, :2], keys[:, :2], radius, blends[:, :2], places[:, :2], words)


Q3 = Question(
    "q3",
    "decode",
    decode,
    [
        Part("blends of known queries", 1, known_queries),
        Part("known and missing keys", 2, lambda rng: [*clear_blends(rng), *on_the_edge(rng)]),
    ],
    [
        Misconception(
            "You choose the place with the largest dot product, which prefers places far out. Choose the one with the "
            "smallest distance.",
            lambda q, k, r, blends, places, words: told(
                _known(q, k, r), (blends @ places.T).argmax(axis=1), words
            ),
        ),
        Misconception(
            "You choose the place with the largest cosine, which forgets how far out a place lies. Choose the one with "
            "the smallest distance.",
            lambda q, k, r, blends, places, words: told(
                _known(q, k, r), (blends @ unit(places).T).argmax(axis=1), words
            ),
        ),
        Misconception(
            "You answer with the word that has the number of the nearest key. Look for the place nearest to the blend.",
            lambda q, k, r, blends, places, words: told(
                _known(q, k, r), distances(q, k).argmin(axis=1), words
            ),
        ),
        Misconception(
            "You answer every query. One that has no key within the radius is to be answered with None.",
            _deciding(lambda q, k, r: [True] * len(q)),
        ),
        Misconception(
            "You compare the distance from the blend to the places with the radius. Whether a key is missing shows in "
            "the distance from the query to the keys.",
            lambda q, k, r, blends, places, words: told(
                distances(blends, places).min(axis=1) <= r, _nearest(blends, places), words
            ),
        ),
        Misconception(
            "A query whose nearest key is exactly as far as the radius counts as known: ≤, not <.",
            _deciding(lambda q, k, r: distances(q, k).min(axis=1) < r),
        ),
        Misconception(
            "You count a query as known that lies just beyond the radius. No more than the radius itself is within: "
            "compare the distance as it is, neither rounded nor with something added.",
            _deciding(lambda q, k, r: distances(q, k).min(axis=1) <= 1.001 * r),
        ),
        Misconception(
            "You look at the first key only. A query is known if any of the keys is within the radius.",
            _deciding(lambda q, k, r: distances(q, k)[:, 0] <= r),
        ),
        Misconception(
            "You ask whether the mean distance to the keys is within the radius. One near key is enough: it is the "
            "nearest that decides.",
            _deciding(lambda q, k, r: distances(q, k).mean(axis=1) <= r),
        ),
        Misconception(
            "Your distances leave out all numbers of a point after the second. Sum the squares over the whole last "
            "axis.",
            _in_two_dimensions,
        ),
        Misconception(
            "None and the words have changed places: a query with a key within the radius is the one that is known.",
            _deciding(lambda q, k, r: distances(q, k).min(axis=1) > r),
        ),
        Misconception(
            "You choose the place nearest to the query. Look for the one nearest to the blend.",
            lambda q, k, r, blends, places, words: told(_known(q, k, r), _nearest(q, places), words),
        ),
        Misconception(
            "You choose the place nearest to the first blend, for all queries. Each query has a blend of its own.",
            lambda q, k, r, blends, places, words: told(
                _known(q, k, r), np.repeat(_nearest(blends[:1], places), len(q)), words
            ),
        ),
        Misconception(
            "You compare a squared distance with the radius: take the root, or square the radius.",
            _deciding(lambda q, k, r: (distances(q, k) ** 2).min(axis=1) <= r),
        ),
        Misconception(
            "You ask whether all keys are within the radius. One is enough: it is the nearest that decides.",
            _deciding(lambda q, k, r: (distances(q, k) <= r).all(axis=1)),
        ),
        Misconception(
            "Your distances between blends and places are sums of absolute differences. Asked for are Euclidean ones: "
            "the root of the sum of squares.",
            lambda q, k, r, blends, places, words: told(
                _known(q, k, r), np.abs(blends[:, None, :] - places).sum(axis=-1).argmin(axis=1), words
            ),
        ),
        Misconception(
            "Your distances are sums of absolute differences. Asked for are Euclidean ones: the root of the sum of "
            "squares.",
            lambda q, k, r, blends, places, words: told(
                np.abs(q[:, None] - k).sum(-1).min(axis=1) <= r,
                np.abs(blends[:, None] - places).sum(-1).argmin(axis=1),
                words,
            ),
        ),
        Misconception(
            "Your distances between queries and keys are sums of absolute differences. Asked for are Euclidean ones: "
            "the root of the sum of squares.",
            _deciding(lambda q, k, r: np.abs(q[:, None] - k).sum(-1).min(axis=1) <= r),
        ),
        Misconception(
            "Your distances between queries and keys are the largest differences. Asked for are Euclidean ones: the "
            "root of the sum of squares.",
            _deciding(lambda q, k, r: np.abs(q[:, None] - k).max(-1).min(axis=1) <= r),
        ),
        Misconception(
            "You choose the place with the largest distance from the blend. Choose the one with the smallest.",
            lambda q, k, r, blends, places, words: told(
                _known(q, k, r), distances(blends, places).argmax(axis=1), words
            ),
        ),
        Misconception(
            "Your answers stand in the reverse order: the first belongs to the first query.",
            lambda *given: decode(*given)[::-1],
        ),
        Misconception(
            "You return the numbers of the words. Asked for are the words themselves.",
            lambda q, k, r, blends, places, words: told(
                _known(q, k, r), _nearest(blends, places), range(len(words))
            ),
        ),
        Misconception(
            "A missing key is to be answered with None itself, which is no word: no quotation marks.",
            lambda *given: [str(answer) for answer in decode(*given)],
        ),
        Misconception(
            "You leave missing keys out. The list has an entry for each query: None, if its key is missing.",
            lambda *given: [answer for answer in decode(*given) if answer is not None],
        ),
    ],
)

# ---- q4: a bell curve out of dot products ----

# The text says, and a case is there for:
# a bandwidth below 1 and above; keys of equal or different lengths; any axes before, none included
# one number more on every query and key; L_q and L_k equal or not; sizes of 1; any right way counts

# What has the wrong shape is told in words, in the place of weights.
ASK_Q4 = """
import numpy as np
from course_lib import functional

def entry_point(queries, keys, h):
    wide = []
    for name, function, given in (("wide_queries", wide_queries, queries), ("wide_keys", wide_keys, keys)):
        found = function(given, h)
        if found is None:
            return f"{name} returns None, as a function without `return` does."
        wide.append(np.asarray(found, dtype=float))
        expected = (*given.shape[:-1], given.shape[-1] + 1)
        if wide[-1].shape != expected:
            return f"{name} returns shape {wide[-1].shape}; expected is {expected}."
    return functional.softmax(wide[0] @ wide[1].mT)
"""


def bell_weights(queries, keys, h):
    """Return the weights of Nadaraya–Watson regression: (…, L_q, d_k), (…, L_k, d_k), number -> (…, L_q, L_k)."""
    squares = np.sum((queries[..., :, None, :] - keys[..., None, :, :]) ** 2, axis=-1)
    return softmax(-squares / (2 * h**2))


def _penalised(score):
    """Make mistaken weights from dot products, squared lengths of the keys, and h."""
    return lambda q, k, h: softmax(score(q @ k.mT, np.sum(k**2, axis=-1)[..., None, :], h))


def bells(rng, *batch, equal=False, shapes=((3, 5, 2), (4, 2, 3), (1, 6, 1), (3, 3, 3))):
    """Yield queries, keys and a bandwidth, below 1 and above in turn; the keys of any length, or all of the same."""
    for number, (L_q, L_k, d_k) in enumerate(shapes):
        keys = rng.standard_normal((*batch, L_k, d_k))
        keys = 1.5 * unit(keys) if equal else keys * rng.uniform(0.5, 1.5, (*batch, L_k, 1))
        if d_k == 1:
            keys = (
                1.5 * (-1.0) ** np.arange(L_k)[:, None] * (1 if equal else 1 + np.arange(L_k)[:, None] / L_k)
            )
        h = rng.choice([0.6, 0.7] if number % 2 else [1.3, 1.5])
        yield [rng.standard_normal((*batch, L_q, d_k)), keys, float(h)]


def bell_fault(value, queries, keys, h):
    """Say what is wrong with weights, or pass on what is wrong with shapes."""
    if isinstance(value, str):
        return value
    fault = compare(settled(value), bell_weights(queries, keys, h), 2e-5, tell=False)
    return fault and f"The softmax of your q'·k' is not the bell curve's weights. {fault}"


NO_BANDWIDTH = (
    "Your dot product is not divided by h². The bandwidth belongs to both terms: q·k/h² and ‖k‖²/(2h²)."
)

Q4 = Question(
    "q4",
    ASK_Q4,
    bell_weights,
    [
        Part("keys of equal length", 1, lambda rng: bells(rng, equal=True)),
        Part("keys of any length", 2, bells),
        Part(
            "several dictionaries at once",
            1,
            lambda rng: [
                *bells(rng, 4, shapes=((3, 5, 2), (4, 4, 4))),
                *bells(rng, 2, 3, shapes=((3, 5, 2), (4, 2, 3))),
            ],
        ),
    ],
    [
        Misconception(
            "The penalty for the length of a key is missing (or is the same for all keys): −‖k‖²/(2h²) belongs into "
            "the new entry of each key.",
            _penalised(lambda dots, squares, h: dots / h**2),
        ),
        Misconception(
            "Your penalty has the wrong sign: a long key must lose by it.",
            _penalised(lambda dots, squares, h: (dots + squares / 2) / h**2),
        ),
        Misconception(
            "Your penalty is twice as large as it should be, beside the dot product: 2 q·k stands beside ‖k‖² once.",
            _penalised(lambda dots, squares, h: (dots - squares) / h**2),
        ),
        Misconception(
            "Your penalty is half as large as it should be, beside the dot product: 2 q·k stands beside ‖k‖² once.",
            _penalised(lambda dots, squares, h: (dots - squares / 4) / h**2),
        ),
        Misconception(
            "Your penalty is not divided by h²: the bandwidth belongs to both terms.",
            _penalised(lambda dots, squares, h: dots / h**2 - squares / 2),
        ),
        Misconception(
            NO_BANDWIDTH,
            _penalised(lambda dots, squares, h: dots - squares / (2 * h**2)),
        ),
        Misconception(NO_BANDWIDTH, _penalised(lambda dots, squares, h: dots - squares / 2)),
        Misconception(
            "The factor 2 of 2 q·k is missing: 2 q·k stands beside ‖k‖², and both are divided by 2h².",
            _penalised(lambda dots, squares, h: (dots - squares) / (2 * h**2)),
        ),
        Misconception(
            "Your penalty is divided by h² twice: once it is in the keys, do not divide the 1 opposite it as well.",
            _penalised(lambda dots, squares, h: dots / h**2 - squares / (2 * h**4)),
        ),
        Misconception(
            "Your penalty is the length of a key; it should be the squared length.",
            _penalised(lambda dots, squares, h: (dots - np.sqrt(squares) / 2) / h**2),
        ),
        Misconception(
            "The bandwidth enters as h; it should enter as h².",
            _penalised(lambda dots, squares, h: (dots - squares / 2) / h),
        ),
        Misconception(
            "Your scores are those of −‖q − k‖² alone: divide by 2h².",
            _penalised(lambda dots, squares, h: 2 * dots - squares),
        ),
        Misconception(
            "Your scores are twice as large as they should be: −‖q − k‖² is divided by 2h².",
            _penalised(lambda dots, squares, h: (2 * dots - squares) / h**2),
        ),
        Misconception(
            "Your scores are divided by √d_k. The machine here takes the dot products as they are.",
            lambda q, k, h: bell_weights(q, k, h * q.shape[-1] ** 0.25),
        ),
        Misconception(
            "The bandwidth multiplies where it should divide: a wide bell curve, with a large h, has weights that are "
            "nearly equal.",
            _penalised(lambda dots, squares, h: (dots - squares / 2) * h**2),
        ),
        Misconception(
            "Opposite a key's penalty, in the query, stands another number than 1, such as the query's own squared "
            "length: then the penalty does not enter as it is.",
            lambda q, k, h: softmax(
                q @ k.mT / h**2 + np.sum(q**2, -1)[..., :, None] * np.sum(k**2, -1)[..., None, :] / (4 * h**4)
            ),
        ),
        Misconception(
            "Your weights grow with the distance: the sign of the scores is turned. The nearest key weighs most.",
            _penalised(lambda dots, squares, h: (squares / 2 - dots) / h**2),
        ),
    ],
    accepts=bell_fault,
    describe=lambda *given: described(bell_weights, given),
)

# ---- q5a: lines to order, the gradient of the scores of one query ----
# The text says, and a case is there for: several keys, one; values of one number, and of more; β below and above 1;
# every order that computes the gradient, also by two signs that cancel

PUZZLE = Puzzle("""
  | def score_slopes(w, values, t, beta):
  |     o = w @ values
A |     gap = values
B |     miss = o - t
C |     scale = beta
D |     gap = values - o
E |     miss = t - o
F |     slopes = scale * (gap @ miss)
G |     scale = beta * w
H |     scale = w
I |     gap = o - values
  |     return slopes
""")


def score_slopes(w, values, t, beta):
    """Return the gradient of the scores of one query."""
    along = values @ (w @ values - t)
    return beta * w * (along - w @ along)


def answers_to_one_query(rng):
    """Yield weights, values, a target and a sharpness; the answer is nowhere near the target."""
    for n_keys, d_v, beta in [(3, 2, 2.5), (5, 3, 0.4), (2, 1, 3.0), (1, 2, 2.0)]:
        w = softmax(rng.standard_normal(n_keys))
        yield [w, rng.standard_normal((n_keys, d_v)), 3 + rng.random(d_v), beta]


Q5A = question_of_order(
    "q5a",
    Ordering(
        PUZZLE,
        score_slopes,
        answers_to_one_query,
        {
            "A": Distractor(
                "leaves out −o. When one weight rises the others fall: the answer moves by v_j − o.", "D"
            ),
            "C": Distractor(
                "leaves out the weight: the less a key weighs, the less its score moves the answer.", "G"
            ),
            "E": Distractor(
                "points from the answer to the target. The derivative of ½‖o − t‖² with respect to o is o − t.",
                "B",
            ),
            "H": Distractor("leaves out β, which multiplies the scores in the softmax.", "G"),
            "I": Distractor(
                "turns a sign. When the weight of key j rises, the answer moves towards its value: by v_j − o.",
                "D",
            ),
        },
    ),
)

# ---- q5: what a dictionary learns from ----
# The text says, and a case is there for:
# one query or several, whose shares add up; L_q and L_k equal or not, widths too; sizes of 1, one key alone too
# targets near, or so far away (10¹⁰) that small differences drown in rounding errors: formulas do not
# any sharpness above 0, below ½ and above 1 too; keys so far from a query that they hardly weigh (by themselves, too)
# each input counts: the next case has another one, and all else is the same

ASK_Q5 = """
def entry_point(first_row, which, queries, keys, values, targets, beta):
    gradient = value_gradient if which == "values" else key_gradient
    found = gradient(queries, keys, values, targets, beta)
    return found[first_row:] if first_row and len(found) == len(keys) else found
"""


def rows_from(gradient):
    """Make an answer to `entry_point` from a function that returns all rows."""
    return lambda first_row, *given: gradient(*given)[first_row:]


def gradient(which, queries, keys, values, targets, beta):
    """Return ∂ℓ/∂v_j or ∂ℓ/∂k_j for all j."""
    return _gradient(which, queries, keys, values, targets, beta)


def _gradient(which, queries, keys, values, targets, beta, weighted=True, centred=True, weigh=None):
    """As `gradient`, with leave to make mistakes."""
    ways = queries[:, None, :] - keys  # (L_q, L_k, d_k), from key to query
    w = softmax(-beta * np.sum(ways**2, axis=-1))
    o = w @ values
    miss = o - targets
    if which == "values":
        return (w if weighted else np.ones_like(w)).T @ miss
    moved = values - (o[:, None, :] if centred else 0)  # (L_q, L_k, d_v)
    slopes = beta * (w if weighted else 1) * np.sum(moved * miss[:, None, :], axis=-1)
    chain = 2 * ways if weigh is None else weigh(queries, keys)
    return np.sum(slopes[:, :, None] * chain, axis=0)


def _only(asked, wrong):
    """Make a mistake in one of the two gradients alone."""

    def answer(which, *given):
        if which != asked:
            raise ValueError("the mistake is in the other gradient")
        return wrong(which, *given)

    return answer


def _times(factor):
    """Make a mistake that multiplies a gradient by a factor, which depends on the arguments."""
    return lambda which, *given: gradient(which, *given) * factor(*given)


def _mistaken(**mistake):
    return lambda which, *given: _gradient(which, *given, **mistake)


def _weights(queries, keys, beta):
    return softmax(-beta * distances(queries, keys) ** 2)


def _diagonal(which, queries, keys, values, targets, beta):
    """Take w (1 − w) v for the derivative of the output with respect to a score."""
    w = _weights(queries, keys, beta)
    slopes = beta * w * (1 - w) * ((w @ values - targets) @ values.T)
    return np.einsum("ij,ijd->jd", slopes, 2 * (queries[:, None, :] - keys))


def _from_target(which, queries, keys, values, targets, beta):
    """Put v − t in the place of v − o."""
    ways = queries[:, None, :] - keys
    w = softmax(-beta * np.sum(ways**2, axis=-1))
    slopes = beta * w * np.einsum("ijv,iv->ij", values - targets[:, None, :], w @ values - targets)
    return np.einsum("ij,ijd->jd", slopes, 2 * ways)


def learning(which, *shapes):
    """Make cases: the first row that counts, which gradient, a lookup whose weights are far from 0 and 1, …

    There are near and far targets. One query is asked once more for each input, in which it alone is another one. In
    the next case the keys are far from a query that is where key 0 is, and the target is far away, too. One query is
    asked this with a near target as well, for the keys that hardly weigh alone. Several queries find one key alone.
    """

    def lookup(rng, L_q, L_k, d_k, d_v, beta):
        return [
            0.7 * rng.standard_normal((L_q, d_k)),
            0.7 * rng.standard_normal((L_k, d_k)),
            rng.standard_normal((L_k, d_v)),
            rng.standard_normal((L_q, d_v)),
            beta,
        ]

    def cases(rng):
        for n, shape in enumerate(shapes):
            given = lookup(rng, *shape, (1.4, 0.8, 0.3)[n % 3])
            yield [0, which, *given]
            others = lookup(rng, *shape, 0.6)
            for place, other in enumerate(others if n == 0 and shape[0] == 1 else ()):
                yield [0, which, *given[:place], other, *given[place + 1 :]]
            *given, targets, beta = lookup(rng, *shape, (0.4, 0.7, 0.8)[n % 3])
            yield [0, which, *given, FAR * targets, beta]
        L_q, L_k, d_k, d_v = shapes[0]
        directions = 7.0 * unit(rng.standard_normal((L_k, d_k)))
        directions[0] = 0
        _, keys, values, targets, beta = lookup(rng, *shapes[0], 0.5)
        queries = np.repeat(keys[:1], L_q, axis=0)
        yield [0, which, queries, keys[:1] + directions, values, FAR * targets, beta]
        if L_q > 1:
            queries, keys, *_, beta = lookup(rng, L_q, 1, d_k, d_v, 0.7)
            values, targets = (2.0**-14 * rng.integers(-4, 5, (n, d_v)) for n in (1, L_q))  # 0 may be 10⁻¹³
            yield [0, which, queries, keys, values, targets, beta]
            return
        near = values[:1] + rng.choice([-20.0, 20.0], (L_q, d_v))
        yield [1, which, queries, keys[:1] + directions, values, near, beta]

    return cases


def described_gradient(first_row, which, *given):
    """Name the function that was asked, the rows that count, and its inputs."""
    name = "value_gradient" if which == "values" else "key_gradient"
    rows = f" (rows from {first_row} on)" if first_row else ""
    return f"{name}{rows} with {described(look_up_and_compare, given)}"


def look_up_and_compare(queries, keys, values, targets, beta):
    """Stand for both functions, for the names of their inputs."""


AUTOMATIC = (  # automatic differentiation; visible and hidden tests have the same list
    "torch.autograd.grad",
    "torch.autograd.backward",
    "torch.Tensor.backward",
    "torch.*run_backward",
    "torch.autograd.functional.[!<]*",
    "torch.*make_dual",
    "torch._functorch.apis.grad*",
    "torch._functorch.eager_transforms.[!<]*",
    "autograd.*",
    "jax.*grad*",
    "jax.*jac*",
)
FAR = 1e10
ONE = ((1, 4, 2, 3), (1, 3, 3, 3), (1, 3, 5, 1))
SEVERAL = ((3, 5, 2, 4), (4, 4, 4, 4), (2, 7, 1, 3), (6, 2, 3, 1))

MISTAKES = [
    Misconception(
        "value_gradient: the sign is turned. The gradient points uphill: it is made of o − t.",
        _only("values", _times(lambda *given: -1)),
    ),
    Misconception(
        "key_gradient: the sign is turned. ∂ℓ/∂o is o − t, and −‖q − k‖² has the derivative 2(q − k) with respect "
        "to k.",
        _only("keys", _times(lambda *given: -1)),
    ),
    Misconception(
        "You average over the queries. This loss adds them up.",
        _times(lambda queries, *rest: 1 / len(queries)),
    ),
    Misconception(
        "You average over all numbers of the answers. This loss adds them up, and halves the sum.",
        _times(lambda q, k, v, targets, beta: 2 / targets.size),
    ),
    Misconception(
        "value_gradient: the weights are missing. A value that hardly counts in the answer hardly feels its error.",
        _only("values", _mistaken(weighted=False)),
    ),
    Misconception(
        "value_gradient: twice too large. The loss is half the squared distance, so no factor 2 is left.",
        _only("values", _times(lambda *given: 2)),
    ),
    Misconception(
        "value_gradient: the sharpness plays no part here, but for the weights themselves.",
        _only("values", _times(lambda *given: given[-1])),
    ),
    Misconception(
        "key_gradient: a factor 2 is missing, which comes from the square of the distance.",
        _only("keys", _times(lambda *given: 0.5)),
    ),
    Misconception(
        "key_gradient: twice too large. The loss is half the squared distance to the target; the only factor 2 "
        "comes from the scores.",
        _only("keys", _times(lambda *given: 2)),
    ),
    Misconception(
        "key_gradient: the sharpness is missing. The softmax gets β s, so the chain has a factor β.",
        _only("keys", _times(lambda *given: 1 / given[-1])),
    ),
    Misconception(
        "key_gradient: two factors are missing: 2, from the square of the distance, and β, for the softmax gets β s.",
        _only("keys", _times(lambda *given: 0.5 / given[-1])),
    ),
    Misconception(
        "key_gradient: the weights are missing from the derivative of the output, w (v − o).",
        _only("keys", _mistaken(weighted=False)),
    ),
    Misconception(
        "key_gradient: when one score rises, the other weights fall. The output moves by v − o, not by v.",
        _only("keys", _mistaken(centred=False)),
    ),
    Misconception(
        "key_gradient: the output moves by v − o, from where it is; not by v − t, from where it should be.",
        _only("keys", _from_target),
    ),
    Misconception(
        "key_gradient: this is the formula for dot-product scores, whose derivative is q. By distance it is "
        "2(q − k).",
        _only("keys", _mistaken(weigh=lambda q, k: np.broadcast_to(q[:, None], (len(q), *k.shape)))),
    ),
    Misconception(
        "key_gradient: the softmax has a derivative for each pair of scores. With w (1 − w) for the key's own "
        "alone, you leave out that the other weights fall: the output moves by w (v − o).",
        _only("keys", _diagonal),
    ),
    Misconception(
        "value_gradient: the error is missing: each query hands the value its weight times (o − t).",
        _only(
            "values",
            lambda which, q, k, v, t, beta: np.repeat(_weights(q, k, beta).sum(0)[:, None], v.shape[1], 1),
        ),
    ),
    Misconception(
        "value_gradient: you take the targets alone; the error is o − t.",
        _only("values", lambda which, q, k, v, t, beta: -_weights(q, k, beta).T @ t),
    ),
    Misconception(
        "value_gradient: you take the outputs alone; the error is o − t.",
        _only("values", lambda which, q, k, v, t, beta: _weights(q, k, beta).T @ _weights(q, k, beta) @ v),
    ),
    Misconception(
        "key_gradient: the sharpness is there twice. The chain has one factor β.",
        _only("keys", _times(lambda *given: given[-1])),
    ),
    Misconception(
        "key_gradient: the way from the key to the query is q − k; yours has the queries alone, as for "
        "dot-product scores, times 2.",
        _only("keys", _mistaken(weigh=lambda q, k: 2 * np.broadcast_to(q[:, None], (len(q), *k.shape)))),
    ),
    Misconception(
        "Only the first query is counted. Add up what all of them say.",
        lambda which, q, k, v, t, beta: gradient(which, q[:1], k, v, t[:1], beta),
    ),
]

Q5 = Question(
    "q5",
    ASK_Q5,
    rows_from(gradient),
    [
        Part("values, one query", 1, learning("values", *ONE)),
        Part("values, several queries", 1, learning("values", *SEVERAL)),
        # A key's gradient is small beside what it is made of: single precision loses a digit.
        Part("keys, one query", 1, learning("keys", *ONE), tolerance=1e-4),
        Part("keys, several queries", 2, learning("keys", *SEVERAL), tolerance=1e-4),
    ],
    [replace(mistake, wrong=rows_from(mistake.wrong)) for mistake in MISTAKES],
    forbidden=AUTOMATIC,
    describe=described_gradient,
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5A, Q5]
