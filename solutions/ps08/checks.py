"""What decides the questions of ps08: masks, leaks, writing, and attention with a cache."""

import inspect

import numpy as np
import torch

from course_grading.questions import Misconception, Part, Question
from course_lib.exercises.hints import described

PAD_ID, BOS_ID, EOS_ID = range(3)

# ---- q1: the mask of a decoder ----


def decoder_mask(ids, n_queries):
    """Allow real keys that stand not later than the query: (B, L_k), L_q -> (B, 1, L_q, L_k)."""
    ids = np.asarray(ids)
    places = np.arange(ids.shape[1])
    queries = places[ids.shape[1] - n_queries :]
    return (places <= queries[:, None]) & (ids != PAD_ID)[:, None, None, :]


def batches(rng, lengths, width, in_front=False):
    """Make one batch of token ids, padded at the end or in front: (B, width)."""
    ids = np.full((len(lengths), width), PAD_ID)
    for row, length in zip(ids, lengths, strict=True):
        row[width - length if in_front else 0 :][:length] = rng.integers(3, 50, length)
    return torch.from_numpy(ids)


def at_places(rng, places, width):
    """Make one batch of sentences from one place up to another, padding before and behind: (B, width)."""
    ids = np.full((len(places), width), PAD_ID)
    for row, (first, end) in zip(ids, places, strict=True):
        row[first:end] = rng.integers(3, 50, end - first)
    return torch.from_numpy(ids)


def _lengths(ids):
    """Count the real tokens of each sentence, (B, 1, 1, 1)."""
    return (np.asarray(ids) != PAD_ID).sum(axis=1)[:, None, None, None]


def _from_the_first(ids, n_queries):
    """Take the queries for the first positions."""
    return decoder_mask(ids, ids.shape[1])[:, :, :n_queries]


def with_marks(ids):
    """Put <s> at the beginning of sentences, and </s> at their end: (B, width), padded at the end."""
    for row in ids:
        row[0], row[(row != PAD_ID).sum() - 1] = BOS_ID, EOS_ID
    return ids


# With padding, and only the last positions asking, either the rows and columns of padding are left out ("real"), so
# that a mistake with padding does not cost here, too; or all that counts is which padding any query looks at
# ("padding"), so that a mistake with the queries does not.
ASK_Q1 = """
import numpy as np

def entry_point(ids, n_queries, look_at):
    mask = decoder_mask(ids, n_queries)
    if look_at == "all":
        return mask
    found, real, (B, L) = np.asarray(mask), np.asarray(ids != 0), ids.shape
    if look_at == "real" and found.dtype == bool and found.shape == (B, 1, n_queries, L):
        return found & real[:, None, None, :] & real[:, None, -n_queries:, None]
    if look_at == "padding" and found.dtype == bool and found.size and found.size % (B * L) == 0:
        return found.reshape(B, -1, L).any(axis=1) & ~real
    return mask
"""


def _asked(mask):
    """Make an answer to `entry_point` from one that makes masks."""

    def answer(ids, n_queries, look_at):
        found, (B, L) = mask(ids, n_queries), ids.shape
        real = np.asarray(ids) != PAD_ID
        if look_at == "real" and found.shape == (B, 1, n_queries, L):
            return found & real[:, None, None, :] & real[:, None, -n_queries:, None]
        if look_at == "padding" and found.size % (B * L) == 0:
            return found.reshape(B, -1, L).any(axis=1) & ~real
        return found

    return answer


def _last_real_ones(ids, n_queries):
    """Take the last real tokens of each sentence for the queries."""
    full = decoder_mask(ids, ids.shape[1])
    first = np.maximum(_lengths(ids).ravel() - n_queries, 0)
    return np.stack([mask[:, start : start + n_queries] for mask, start in zip(full, first, strict=True)])


def _last_used_columns(ids, n_queries):
    """Take the last columns in which some sentence has a token for the queries."""
    used = (np.asarray(ids) != PAD_ID).any(axis=0).nonzero()[0]
    last = max(used.max(initial=-1) + 1, n_queries)
    return decoder_mask(ids, ids.shape[1])[:, :, last - n_queries : last]


def _on_one_side(ids, n_queries):
    """Hide as many columns as there is padding, in front where a sentence begins with it, else at the end."""
    places, lengths, L = np.arange(ids.shape[1]), _lengths(ids), ids.shape[1]
    in_front = (np.asarray(ids)[:, 0] == PAD_ID)[:, None, None, None]
    real = np.where(in_front, places >= L - lengths, places < lengths)
    return decoder_mask(np.ones_like(np.asarray(ids)), n_queries) & real


def told_ids(ids, n_queries, look_at):
    """Say what was asked."""
    aside = {
        "all": "",
        "real": ", the rows and columns of padding left aside",
        "padding": ", asked is which padding any query looks at",
    }
    return f"ids = {ids.tolist()}, n_queries = {n_queries}{aside[look_at]}"


MASKS = (
    "course_lib.functional.masks.causal_mask",
    "course_lib.functional.masks.padding_mask",
    "course_lib.functional.masks.window_mask",
    "course_lib.model.causal_mask",
    "course_lib.model.padding_mask",
    "course_lib.*_mask",
)

WRONG_MASKS = [
    (  # also where True stands at the padding alone, and there is none
        "Your mask lets nobody look at any real token.",
        lambda ids, n: np.zeros_like(decoder_mask(ids, n)),
    ),
    (  # also where padding alone is hidden, and there is none
        "Your mask lets everybody look at all real tokens, also at later ones.",
        lambda ids, n: np.ones_like(decoder_mask(ids, n)),
    ),
    (
        "Your mask is inverted: in this course True is where attention is allowed.",
        lambda ids, n: ~decoder_mask(ids, n),
    ),
    (
        "The axis of the heads is missing: with the shape (B, L_q, L_k), scores (B, H, L_q, L_k) would take your "
        "sentences for heads. Put an axis of length 1 behind B.",
        lambda ids, n: decoder_mask(ids, n)[:, 0],
    ),
    (
        "The n queries are the last positions, L − n to L − 1. You treat them as positions 0 to n − 1.",
        _from_the_first,
    ),
    (
        "You hide what comes later, but not the padding.",
        lambda ids, n: decoder_mask(np.ones_like(np.asarray(ids)), n),
    ),
    (
        "You hide the padding, but not what comes later.",
        lambda ids, n: np.repeat((np.asarray(ids) != PAD_ID)[:, None, None, :], n, axis=2),
    ),
    (
        "You hide the rows of the padding. It is the columns that must be hidden: nobody may look at padding; "
        "what padding itself looks at harms nobody.",
        lambda ids, n: (
            decoder_mask(np.ones_like(np.asarray(ids)), n)
            & (np.asarray(ids) != PAD_ID)[:, None, ids.shape[1] - n :, None]
        ),
    ),
    (
        "You hide rows and columns of the padding. Its columns are enough: a query that is padding is treated like "
        "any other.",
        lambda ids, n: decoder_mask(ids, n) & (np.asarray(ids) != PAD_ID)[:, None, ids.shape[1] - n :, None],
    ),
    (
        "You hide as many columns at the end as there is padding. Padding may stand in front: ask of each key "
        "whether it is padding.",
        lambda ids, n: (
            decoder_mask(np.ones_like(np.asarray(ids)), n) & (np.arange(ids.shape[1]) < _lengths(ids))
        ),
    ),
    (
        "In a sentence with padding on both sides you hide all of it on one side. Ask of each key whether it is "
        "padding.",
        _on_one_side,
    ),
    (
        "A position may look at itself: it reads that token, and predicts the next.",
        lambda ids, n: (
            decoder_mask(ids, n)
            & ~np.eye(ids.shape[1], dtype=bool)[ids.shape[1] - n :]  # nobody looks at themselves
        ),
    ),
    (
        "You look to the right: allowed are the keys before, not those after.",
        lambda ids, n: (
            np.triu(np.ones((ids.shape[1], ids.shape[1]), bool))[ids.shape[1] - n :]
            & (np.asarray(ids) != PAD_ID)[:, None, None, :]
        ),
    ),
    (
        "What comes later is to be hidden; you allow it, and it alone.",
        lambda ids, n: (
            np.triu(np.ones((ids.shape[1], ids.shape[1]), bool), 1)[ids.shape[1] - n :]
            & (np.asarray(ids) != PAD_ID)[:, None, None, :]
        ),
    ),
    (
        "Your mask is True where padding is; padding is what is forbidden.",
        lambda ids, n: (
            np.tri(ids.shape[1], dtype=bool)[ids.shape[1] - n :]
            & (np.asarray(ids) == PAD_ID)[:, None, None, :]
        ),
    ),
    (
        "You let padding look at itself. Nobody looks at padding, padding included; such a row may be empty.",
        lambda ids, n: decoder_mask(ids, n) | np.eye(ids.shape[1], dtype=bool)[ids.shape[1] - n :],
    ),
    (
        "You join the two masks by *or*. Allowed is what both allow: *and*, &.",
        lambda ids, n: (
            decoder_mask(np.ones_like(np.asarray(ids)), n) | (np.asarray(ids) != PAD_ID)[:, None, None, :]
        ),
    ),
    (
        "You hide <s>, </s> or both. They are real tokens: padding is <pad> alone.",
        lambda ids, n: decoder_mask(np.where(np.asarray(ids) <= EOS_ID, PAD_ID, ids), n),
    ),
    (
        "You hide <s>, </s> or both. They are real tokens: padding is <pad> alone.",
        lambda ids, n: decoder_mask(np.where(np.asarray(ids) == EOS_ID, PAD_ID, ids), n),
    ),
    (
        "You take the last real tokens of each sentence for the queries. They are the last positions, padding or "
        "not: L − n to L − 1.",
        _last_real_ones,
    ),
    (
        "In a sentence of nothing but padding you let queries look at padding. Nobody looks at padding; such a "
        "sentence has no True at all.",
        lambda ids, n: (
            decoder_mask(ids, n) | ((_lengths(ids) == 0) & decoder_mask(np.ones_like(np.asarray(ids)), n))
        ),
    ),
    (
        "In a sentence of nothing but padding you let queries look at padding. Nobody looks at padding; such a "
        "sentence has no True at all.",
        lambda ids, n: decoder_mask(ids, n) | (_lengths(ids) == 0),
    ),
    (
        "Where a single query asks you do not hide the padding. It may look at all that is real.",
        lambda ids, n: decoder_mask(np.ones_like(np.asarray(ids)) if n == 1 else ids, n),
    ),
    (
        "The n queries are the last positions, L − n to L − 1, also where some of these hold padding in all "
        "sentences.",
        _last_used_columns,
    ),
    (
        "All sentences get the padding of the first one. Each has its own.",
        lambda ids, n: np.repeat(decoder_mask(ids[:1], n), len(ids), axis=0),
    ),
    (
        "All sentences of your mask are the first one's: the axis B has length 1.",
        lambda ids, n: decoder_mask(ids[:1], n),
    ),
    (
        "Your mask has a row for every position; only the last n ask.",
        lambda ids, n: decoder_mask(ids, ids.shape[1]),
    ),
]

# The text's conditions: padding at the end, in front or both, in sentences as long as one another, too; a sentence of
# nothing but padding; <s> and </s> are no padding (first part only, so that hiding them costs once); the axis of the
# heads; booleans; 1 ≤ L_q ≤ L_k, the queries being the last positions, padding or not, also where all sentences end
# before; a single query looks at no padding either; a query that is padding is treated like any other.
Q1 = Question(
    "q1",
    ASK_Q1,
    _asked(decoder_mask),
    [
        Part(
            "all positions ask, padding at the end",
            2,
            lambda rng: [
                [with_marks(batches(rng, [5, 2, 4], 5)), 5, "all"],
                [batches(rng, [1], 3), 3, "all"],
                [batches(rng, [6, 3], 7), 7, "all"],
                [batches(rng, [1, 1], 1), 1, "all"],
            ],
        ),
        Part(
            "padding in front",
            1,
            lambda rng: [
                [
                    torch.cat([batches(rng, [5, 2, 4], 5, in_front=True), batches(rng, [3, 1], 5)]),
                    5,
                    "all",
                ],
                [torch.cat([batches(rng, [2], 4), batches(rng, [3, 1], 4, in_front=True)]), 4, "all"],
                [at_places(rng, [(0, 3), (2, 5), (1, 4)], 5), 5, "all"],
                [at_places(rng, [(2, 4), (0, 0), (1, 6)], 7), 7, "all"],
                [at_places(rng, [(2, 4), (0, 0), (1, 5), (0, 3)], 5), 1, "padding"],
                [at_places(rng, [(2, 4), (1, 5), (0, 3)], 5), 2, "padding"],
            ],
        ),
        Part(
            "only the last positions ask",
            1,
            lambda rng: [
                [batches(rng, [5, 5, 5], 5), 2, "all"],
                [batches(rng, [6, 6], 6), 1, "all"],
                [batches(rng, [7, 7], 7), 4, "all"],
                [batches(rng, [7, 5, 6], 7), 4, "real"],
                [batches(rng, [6, 5], 7), 3, "real"],
            ],
        ),
    ],
    [Misconception(message, _asked(wrong)) for message, wrong in WRONG_MASKS],
    forbidden=MASKS,
    describe=told_ids,
)

# ---- q2: a softmax that keeps to the mask ----


def masked_softmax(scores, allowed):
    """Return the weights over the allowed keys, zeros where there is none: (…, L_q, L_k)."""
    scores = np.asarray(scores)
    allowed = np.broadcast_to(np.asarray(allowed), scores.shape)
    masked = np.where(allowed, scores, -np.inf)
    largest = masked.max(axis=-1, keepdims=True)
    e = np.exp(masked - np.where(np.isinf(largest), 0, largest))
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


def weights_or_gradient(what, scores, allowed, upstream):
    """Return the weights, or the gradient of Σ weights · upstream with respect to the scores."""
    return _result(what, masked_softmax(scores, allowed), upstream)


def _result(what, weights, upstream):
    """Go on from the weights: the gradient of Σ weights · upstream with respect to what the softmax was given."""
    if what == "gradient":
        upstream = np.asarray(upstream)
        weights = weights * (upstream - (weights * upstream).sum(axis=-1, keepdims=True))
    return "NaN" if np.isnan(weights).any() else weights


# NaN is told as a word, so that messages can speak of it.
ASK_Q2 = """
def entry_point(what, scores, allowed, upstream):
    if what == "weights":
        weights = masked_softmax(scores, allowed)
        return "NaN" if torch.is_tensor(weights) and weights.isnan().any() else weights
    scores = scores.clone().requires_grad_()
    try:
        weights = masked_softmax(scores, allowed)
        if not weights.requires_grad:
            return "none"
        (weights * upstream).sum().backward()
    except RuntimeError as error:
        if "numpy()" in str(error):
            return "none"
        if "modified by an inplace operation" in str(error):
            return "in place"
        raise
    return "NaN" if scores.grad.isnan().any() else scores.grad
"""

SHAPES = (
    ((4, 4), (4, 4)),
    ((2, 3, 2, 5), (2, 1, 2, 5)),
    ((2, 2, 4, 3), (2, 1, 1, 3)),
    ((3, 2, 4), (2, 4)),
    ((1, 5), (5,)),
)


def masked_scores(rng, what="weights", dtype=np.float64, whole=False, shapes=SHAPES):
    """Yield scores, masks that allow something in each row (or nothing in some), and a gradient from above."""
    for shape, mask_shape in shapes:
        # Two keys are allowed in each row, so that there is a gradient, and one is forbidden.
        allowed = rng.random(mask_shape) < 0.5
        allowed[..., 0], allowed[..., 1:3] = False, True
        allowed = rng.permuted(allowed, axis=-1)
        if whole and len(mask_shape) > 1:
            allowed[(0,) * (len(mask_shape) - 1)] = False  # of all axes but the keys'
            if len(mask_shape) > 1 and mask_shape[-2] > 2:
                allowed[..., -1, :] = False
        yield [
            what,
            torch.from_numpy(rng.standard_normal(shape).astype(dtype)),
            torch.from_numpy(allowed),
            torch.from_numpy(rng.standard_normal(shape).astype(dtype)),
        ]


SHIFTS = ((-12000, 0), (-3e9, 0), (-1e300, 0), (0, 15000), (0, 3e9), (800, -800))


def far_apart(rng, what="weights", shifts=SHIFTS):
    """Yield scores whose allowed and forbidden ones are shifted by so much."""
    for allowed_by, forbidden_by in shifts:
        for case in masked_scores(rng, what, shapes=(((2, 3, 4), (2, 1, 4)),)):
            scores, allowed = case[1], case[2]
            if (
                abs(allowed_by) > 1e15
            ):  # where all scores are alike: one key alone, so that a log-sum-exp is right, too
                allowed &= allowed.cumsum(dim=-1) == 1
            case[1] = scores + torch.from_numpy(np.where(allowed, float(allowed_by), float(forbidden_by)))
            yield case


def rows_apart(rng):
    """Yield scores that are far larger in some rows than in others, and in some sentences than in others."""
    for case in masked_scores(rng, shapes=(((2, 3, 4), (2, 1, 4)), ((3, 2, 2, 5), (3, 1, 1, 5)))):
        scores = case[1]
        case[1] = scores + 2000.0 * torch.arange(scores[..., 0].numel()).reshape(*scores.shape[:-1], 1)
        yield case


def told_scores(what, scores, allowed, upstream):
    """Say what was asked."""
    inputs = described(lambda scores, allowed: None, [scores, allowed])
    if what == "weights":
        return inputs
    return f"{inputs}; asked is the gradient of (masked_softmax(scores, allowed) * G).sum() for a random G"


def _soft(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _filled(number):
    """Fill forbidden scores with a number; no gradient comes back to them."""

    def wrong(what, scores, allowed, upstream):
        allowed = np.asarray(allowed)
        result = _result(what, _soft(np.where(allowed, np.asarray(scores), number)), upstream)
        return result * allowed if what == "gradient" else result

    return wrong


def _filled_and_zeroed(number):
    """Fill forbidden scores with a number, and take the forbidden weights away after the softmax."""

    def wrong(what, scores, allowed, upstream):
        allowed = np.asarray(allowed)
        weights = _soft(np.where(allowed, np.asarray(scores), number))
        return _result(what, weights, allowed * np.asarray(upstream)) * allowed

    return wrong


def _unmasked_where_nothing(what, scores, allowed, upstream):
    """Leave the mask out of rows with nothing allowed."""
    allowed = np.asarray(allowed)
    return weights_or_gradient(what, scores, allowed | ~allowed.any(axis=-1, keepdims=True), upstream)


def _added(number):
    """Add a number to forbidden scores."""
    return lambda what, s, allowed, upstream: _result(
        what, _soft(np.asarray(s) + np.where(np.asarray(allowed), 0.0, number)), upstream
    )


def _masked_afterwards(what, scores, allowed, upstream):
    """Take the forbidden weights away, and leave their scores in the sum."""
    allowed = np.asarray(allowed)
    if what == "weights":
        return _soft(np.asarray(scores)) * allowed
    return _result(what, _soft(np.asarray(scores)), allowed * np.asarray(upstream))


def _unstable(what, scores, allowed, upstream):
    """Take the exponential of the scores as they are."""
    e = np.exp(np.asarray(scores)) * np.asarray(allowed)
    total = e.sum(axis=-1, keepdims=True)
    return _result(what, e / np.where(total == 0, 1, total), upstream)


def _weights_alone(what, allowed):
    """Raise ValueError for a gradient, and where a row has nothing allowed: other mistakes show there."""
    if what == "gradient" or not np.asarray(allowed).any(axis=-1).all():
        raise ValueError


def _largest_of_all(what, scores, allowed, upstream):
    """Subtract the largest of all scores, forbidden ones included, and leave nothing for the allowed ones."""
    scores = np.asarray(scores)
    return _unstable(what, scores - scores.max(axis=-1, keepdims=True), allowed, upstream)


def _not_divided(what, scores, allowed, upstream):
    """Take the exponentials of the allowed scores for the weights."""
    e = np.exp(np.where(np.asarray(allowed), np.asarray(scores), -np.inf))
    return e * np.asarray(upstream) if what == "gradient" else e


def _nan_if_unstable(what, scores, allowed, upstream):
    """Take the exponential of the scores as they are, and divide, also by 0; not for gradients."""
    _weights_alone(what, allowed)
    e = np.exp(np.asarray(scores)) * np.asarray(allowed)
    return _result(what, e / e.sum(axis=-1, keepdims=True), upstream)


def _over_queries(what, scores, allowed, upstream, guarded=True):
    """Let the weights sum to 1 over the queries."""
    scores = np.asarray(scores)
    allowed = np.broadcast_to(np.asarray(allowed), scores.shape)
    if not guarded and not allowed.any(axis=-2).all():
        return "NaN"
    turned = (array.swapaxes(-1, -2) for array in (scores, allowed, np.asarray(upstream)))
    return weights_or_gradient(what, *turned).swapaxes(-1, -2)


def _nan_where_nothing(what, scores, allowed, upstream):
    """Let a softmax meet nothing but −∞."""
    if what == "weights" and not np.asarray(allowed).any(axis=-1).all():
        return "NaN"
    return weights_or_gradient(what, scores, allowed, upstream)


def _largest_of_many(axes, nan):
    """Subtract the largest allowed score of several rows, and leave nothing for rows that are far lower."""

    def wrong(what, scores, allowed, upstream):
        _weights_alone(what, allowed)
        scores = np.asarray(scores)
        masked = np.where(np.asarray(allowed), scores, -np.inf)
        axis = tuple(range(-min(axes, scores.ndim), 0))
        largest = masked.max(axis=axis, keepdims=True)
        e = np.exp(masked - np.where(np.isinf(largest), 0, largest))
        total = e.sum(axis=-1, keepdims=True)
        return _result(what, e / (total if nan else np.where(total == 0, 1, total)), upstream)

    return wrong


def _gradient(told):
    """Tell what `entry_point` says of a gradient that is none."""
    return lambda what, *arguments: told if what == "gradient" else weights_or_gradient(what, *arguments)


FINITE = (
    "What you put in place of a forbidden score is a finite number. As soon as the allowed scores are lower, the "
    "forbidden keys take the weight, and in a row with nothing allowed they share it. Use −∞, and look after such rows."
)
ZEROED = (
    "You fill in a finite number and take the forbidden weights away afterwards. Where the allowed scores are lower "
    "than that number, nothing is left for them: fill in −∞."
)
ADDED = (
    "You add a large negative number to forbidden scores. One that is larger still comes through, and in a row with "
    "nothing allowed it changes nothing. Put −∞ in place of forbidden scores, and look after such rows."
)

SOFTMAXES = (
    "torch.masked.softmax",
    "torch.masked.*softm*",
    "torch.*_masked_softmax*",
    "course_lib.functional.attention.softmax",
    "course_lib.model.masked_softmax",
    "course_lib.*softmax*",
    "course_lib.*attention*",
    "course_lib.*Attention*",
    "course_lib.*_lookup",
)

# The text's conditions: any number of axes; a mask that broadcasts; single and double precision; finite scores of any
# size, allowed and forbidden, and different from row to row; rows with nothing allowed; the gradient.
Q2 = Question(
    "q2",
    ASK_Q2,
    weights_or_gradient,
    [
        Part(
            "something allowed in each row",
            1,
            lambda rng: [*masked_scores(rng), *masked_scores(rng, dtype=np.float32, shapes=SHAPES[1::2])],
        ),
        Part("scores of every size", 1, lambda rng: [*far_apart(rng), *rows_apart(rng)]),
        Part("rows with nothing allowed", 1, lambda rng: masked_scores(rng, whole=True, shapes=SHAPES[:4])),
        Part(
            "the gradient",
            1,
            lambda rng: [
                *masked_scores(rng, "gradient", shapes=SHAPES[::2]),
                *masked_scores(rng, "gradient", whole=True, shapes=SHAPES[1:4:2]),
                *far_apart(rng, "gradient", ((0, 1000),)),
            ],
        ),
    ],
    [
        Misconception(
            "Where nothing is allowed your weights are not a number: the softmax subtracts the largest score from "
            "itself, −∞ − (−∞). Give it something finite in such rows, and take the weights away afterwards.",
            _nan_where_nothing,
            sometimes="In some rows with nothing allowed your weights are not a number: the softmax subtracts the "
            "largest score from itself, −∞ − (−∞). Look after each such row, also where others have something allowed.",
        ),
        Misconception(
            "The gradient is NaN: somewhere on the way stood a 0/0 or an ∞, and what replaces it afterwards does not "
            "help the derivative, which comes back multiplied by 0. Do not let it arise.",
            _gradient("NaN"),
            sometimes="The gradient is NaN for some inputs (rows with nothing allowed, or huge forbidden scores): "
            "somewhere on the way stood a 0/0 or an ∞, and what replaces it afterwards does not help the derivative, "
            "which comes back multiplied by 0. Do not let it arise.",
        ),
        *(Misconception(FINITE, _filled(number)) for number in (-1e4, -1e9, -1e30)),
        Misconception(
            "In a row with nothing allowed the forbidden keys share the weight. Such a row should be all 0: take its "
            "weights away after the softmax.",
            _filled(-1e308),
        ),
        Misconception(
            "A row with nothing allowed comes out as if nothing were forbidden. It should be all 0.",
            _unmasked_where_nothing,
        ),
        Misconception("A forbidden score of 0 still has e⁰ = 1. It must count as −∞.", _filled(0.0)),
        *(Misconception(ZEROED, _filled_and_zeroed(number)) for number in (-1e4, -1e9, -1e30)),
        *(Misconception(ADDED, _added(number)) for number in (-1e4, -1e9, -1e30)),
        Misconception(
            "You read the mask the wrong way round: True is where attention is allowed.",
            lambda what, s, allowed, up: weights_or_gradient(what, s, ~np.asarray(allowed), up),
        ),
        Misconception(
            "You subtract the largest of all scores of the row. If it is forbidden and far above, all allowed "
            "exponentials are 0: subtract the largest of the allowed ones.",
            _largest_of_all,
        ),
        *(
            Misconception(
                "You subtract one and the same number from several rows, the largest of them all. Where a row lies far "
                "below it, nothing is left: subtract each row's own largest allowed score.",
                _largest_of_many(axes, nan),
            )
            for axes in (9, 2)
            for nan in (False, True)
        ),
        Misconception(
            "You mask after the softmax: the allowed weights no longer sum to 1, and what they sum to tells of the "
            "forbidden scores.",
            _masked_afterwards,
        ),
        Misconception(
            "You take the exponential of the scores as they are: large ones overflow, and low ones leave nothing. "
            "First subtract the largest allowed score of the row.",
            lambda *arguments: _weights_alone(*arguments[:1], True) or _unstable(*arguments),
        ),
        Misconception(
            "Your weights are the exponentials themselves: divide them by their sum over the allowed keys.",
            _not_divided,
            sometimes="For some of these scores your weights are the exponentials themselves: divide them by their sum "
            "over the allowed keys.",
        ),
        Misconception(
            "Your weights are the scores as they came: neither mask nor softmax has changed them.",
            lambda what, scores, allowed, upstream: upstream if what == "gradient" else scores,
        ),
        Misconception(
            "Your weights are not a number where scores are huge: their exponentials overflow, or all become 0. First "
            "subtract the largest allowed score of the row.",
            _nan_if_unstable,
            sometimes="For some of these scores your weights are not a number: their exponentials overflow, or all "
            "become 0. Subtract the largest allowed score of each row first.",
        ),
        Misconception(
            "No gradient reaches the scores: compute the weights from them by PyTorch alone, without NumPy, "
            "without detaching, and without making whole numbers of them.",
            _gradient("none"),
        ),
        Misconception(
            "PyTorch cannot compute the gradient: you change a tensor in place that it still needs. Make a new one "
            "instead, by torch.where or masked_fill.",
            _gradient("in place"),
        ),
        Misconception(
            "Your weights sum to 1 over the queries. They should sum to 1 over the keys, the last axis.",
            _over_queries,
        ),
        Misconception(
            "Your weights sum to 1 over the queries. They should sum to 1 over the keys, the last axis.",
            lambda *a: _over_queries(*a, guarded=False),
        ),
    ],
    forbidden=SOFTMAXES,
    describe=told_scores,
)

# ---- q3: who can see the answer? ----


def shift_right(targets):
    """Put <s> in front and drop the last column: (B, L) -> (B, L)."""
    return np.column_stack([np.full(len(targets), BOS_ID), targets[:, :-1]])


def sees_answer(allowed, n_layers, ahead, residual=True, wrap=False):
    """Say which positions know of the token that they have to name: (L, L) -> (L,)."""
    L = len(allowed)
    step = allowed | (np.eye(L, dtype=bool) & residual)
    knows = np.eye(L, dtype=bool)
    for _ in range(n_layers):
        knows = knows @ step
    if wrap:
        return knows[np.arange(L), (np.arange(L) + ahead) % L]
    return np.concatenate([np.diagonal(knows, ahead), np.zeros(min(ahead, L), dtype=bool)])


ASK_Q3 = """
def entry_point(which, *arguments):
    return shift_right(*arguments) if which == "shift" else sees_answer(*arguments)
"""


def shift_or_inspect(which, *arguments):
    """Answer either half of the question."""
    return shift_right(*arguments) if which == "shift" else sees_answer(*arguments)


def _shift(wrong):
    """Make the mistake in the shift alone."""
    return lambda which, *arguments: (
        wrong(*arguments) if which == "shift" else shift_or_inspect(which, *arguments)
    )


def _inspect(wrong):
    """Make the mistake in the inspector alone."""
    return lambda which, *arguments: (
        wrong(*arguments) if which == "inspect" else shift_or_inspect(which, *arguments)
    )


def targets(rng):
    """Yield targets with </s> and padding, of several lengths."""
    for lengths, width in (([5, 2, 3, 1], 6), ([4, 2, 4], 5), ([0], 1), ([3], 4)):
        ids = np.full((len(lengths), width), PAD_ID)
        for row, length in zip(ids, lengths, strict=True):
            row[:length] = rng.integers(3, 90, length)
            row[length] = EOS_ID
        yield ["shift", ids]


def masks(rng, n_layers, density, aheads, sizes):
    """Yield random masks of all kinds, for which one layer more or less, and who looks at whom, makes a difference.

    For one layer each position looks at itself, so that a missing residual connection shows with several alone.
    """
    for ahead, size in zip(aheads, sizes, strict=True):
        allowed = np.zeros((size, size), dtype=bool)
        while not _telling(allowed, n_layers, ahead):
            allowed = rng.random((size, size)) < density
            allowed |= np.eye(size, dtype=bool) & (n_layers == 1)
        yield ["inspect", allowed, n_layers, ahead]


def _telling(allowed, n_layers, ahead):
    seen = sees_answer(allowed, n_layers, ahead)
    return not any(
        (seen == other).all()
        for other in (
            sees_answer(allowed, n_layers - 1, ahead),
            sees_answer(allowed, n_layers + 1, ahead),
            sees_answer(allowed.T, n_layers, ahead),
            sees_answer(allowed, n_layers, 3 - ahead),
            sees_answer(allowed, n_layers, ahead, wrap=True),
            _any_later(allowed, n_layers, ahead),
            seen if n_layers == 1 else sees_answer(allowed, n_layers, ahead, residual=False),
            seen if n_layers == 1 else _residual_at_the_end(allowed, n_layers, ahead),
        )
        if other is not seen
    )


def cycles(sizes_and_layers):
    """Yield masks in which each looks at the one before, and the first at the last: L − 1 looks lead to the next."""
    for size, n_layers in sizes_and_layers:
        allowed = np.roll(np.eye(size, dtype=bool), -1, axis=1)
        yield ["inspect", allowed, n_layers, 1]


def told_inspection(which, *arguments):
    """Say what was asked."""
    if which == "shift":
        return f"targets = {arguments[0].tolist()}"
    allowed, n_layers, ahead = arguments
    return f"allowed = {allowed.astype(int).tolist()}, n_layers = {n_layers}, ahead = {ahead}"


def _without_last_layers(by):
    return _inspect(lambda allowed, n, ahead: sees_answer(allowed, n + by, ahead))


def _residual_at_the_end(allowed, n_layers, ahead):
    """Add the residual connection once, around all layers together."""
    knows = np.linalg.matrix_power(allowed.astype(float), n_layers) + np.eye(len(allowed)) > 0
    return np.concatenate([np.diagonal(knows, ahead), np.zeros(ahead, dtype=bool)])


def _union(allowed, n_layers, ahead):
    """Count the looks of one layer, of two, … and leave out what a position has read itself."""
    reached = np.zeros_like(allowed)
    for n in range(1, n_layers + 1):
        reached |= np.linalg.matrix_power(allowed.astype(float), n) > 0
    return np.concatenate([np.diagonal(reached, ahead), np.zeros(ahead, dtype=bool)])


def _knows(allowed, n_layers):
    """Say who knows what after so many layers, (L, L), by a way of its own."""
    step = (allowed | np.eye(len(allowed), dtype=bool)).astype(float)
    return np.linalg.matrix_power(step, n_layers) > 0


def _clipped(allowed, n_layers, ahead):
    """Take the last column for what lies beyond the end."""
    places = np.arange(len(allowed))
    return _knows(allowed, n_layers)[places, np.minimum(places + ahead, len(allowed) - 1)]


def _one_after_the_other(allowed, n_layers, ahead, by=1):
    """Update the rows in place, so that later ones read what earlier ones have learnt in the same layer."""
    L = len(allowed)
    knows = np.eye(L, dtype=bool)
    for _ in range(n_layers):
        for i in range(L)[::by]:
            knows[i] |= knows[allowed[i]].any(axis=0)
    return np.concatenate([np.diagonal(knows, ahead), np.zeros(min(ahead, L), dtype=bool)])


def _any_later(allowed, n_layers, ahead):
    """Ask for any token from the one to be named on."""
    return np.triu(_knows(allowed, n_layers), ahead).any(axis=1)


def _counted(allowed, n_layers, ahead):
    """Count the ways in 64 bits, which overflow."""
    step = (allowed | np.eye(len(allowed), dtype=bool)).astype(np.int64)
    ways = np.linalg.matrix_power(step, n_layers)
    return np.concatenate([np.diagonal(ways, ahead) > 0, np.zeros(ahead, dtype=bool)])


# The text's conditions: <s> in front, the last column out, whatever it holds; any mask; a residual connection around
# each layer (several layers only); rows look at columns; as many looks as layers, few and many; `ahead` from 0 to L
# (mostly with one layer), and nobody knows what lies beyond the end.
Q3 = Question(
    "q3",
    ASK_Q3,
    shift_or_inspect,
    [
        Part("the shift", 1, targets),
        Part(
            "the inspector for one layer",
            1,
            lambda rng: [
                *masks(rng, 1, 0.5, (1, 1, 2), (5, 7, 6)),
                ["inspect", ~np.eye(6, k=1, dtype=bool), 1, 1],
                ["inspect", np.tri(5, dtype=bool), 1, 0],
                ["inspect", np.tri(5, dtype=bool), 1, 2],
                ["inspect", np.eye(6, k=1, dtype=bool), 1, 3],
                ["inspect", np.ones((5, 5), dtype=bool), 1, 5],  # nobody reads what is named
                ["inspect", np.ones((1, 1), dtype=bool), 1, 0],
            ],
        ),
        Part(
            "the inspector for several layers",
            2,
            lambda rng: [
                *masks(rng, 2, 0.2, (1,), (6,)),
                *masks(rng, 3, 0.2, (1,), (7,)),
                ["inspect", np.tri(6, dtype=bool), 3, 2],
                ["inspect", np.eye(7, k=1, dtype=bool), 2, 0],
                ["inspect", np.eye(7, k=1, dtype=bool), 2, 2],
                ["inspect", ~np.eye(6, k=1, dtype=bool), 2, 1],
                # As many looks as are needed, one too few (also where each layer doubles them), and more.
                *cycles([(6, 5), (6, 4), (7, 4), (5, 3), (5, 4), (9, 8), (9, 7), (4, 5)]),
                ["inspect", np.ones((8, 8), dtype=bool), 64, 1],
            ],
        ),
    ],
    [
        Misconception(
            "shift_right: the last column comes round to the front, where <s> belongs.",
            _shift(lambda ids: np.roll(ids, 1, axis=1)),
        ),
        Misconception(
            "shift_right: <s> stands in front, and the last column must drop out, so that the shape stays.",
            _shift(lambda ids: np.column_stack([np.full(len(ids), BOS_ID), ids])),
        ),
        Misconception(
            "shift_right: you shift to the left. The decoder reads what stands before the target.",
            _shift(lambda ids: np.column_stack([ids[:, 1:], np.full(len(ids), PAD_ID)])),
        ),
        Misconception(
            "shift_right: you take </s> out of each row. What drops out is the last column, whatever stands in it.",
            _shift(lambda ids: np.where(shift_right(ids) == EOS_ID, PAD_ID, shift_right(ids))),
        ),
        Misconception(
            "shift_right: <s> has taken the place of the first token; the tokens must move on to make room.",
            _shift(lambda ids: np.column_stack([np.full(len(ids), BOS_ID), ids[:, 1:]])),
        ),
        Misconception(
            "sees_answer: there is a residual connection around every layer, not one around them all.",
            _inspect(_residual_at_the_end),
        ),
        Misconception(
            "sees_answer: the residual connection is missing: a position also keeps what it had. Add the diagonal to "
            "the mask.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed, n, ahead, residual=False)),
        ),
        Misconception(
            "sees_answer: with ahead = 0 a position predicts the token that it has read itself. It knows that one, "
            "whatever the mask says: the residual connection keeps it.",
            _inspect(_union),
        ),
        Misconception(
            "sees_answer: one look at the mask is not enough. In the second layer, the others pass on what they "
            "looked at in the first.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed, 1, ahead)),
        ),
        Misconception(
            "sees_answer: rows are those who look, columns what they look at; yours are the other way round.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed.T, n, ahead)),
        ),
        Misconception(
            "sees_answer: the last positions predict tokens beyond the end. They cannot see them; you begin again at "
            "the first column.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed, n, ahead, wrap=True)),
        ),
        Misconception(
            "sees_answer: the last positions predict tokens beyond the end. They cannot see them, but yours do.",
            _inspect(
                lambda allowed, n, ahead: (
                    sees_answer(allowed, n, ahead) | (np.arange(len(allowed)) >= len(allowed) - ahead)
                )
            ),
        ),
        Misconception(
            "sees_answer: the last positions predict tokens beyond the end. They cannot see them; you ask for the last "
            "column in their place.",
            _inspect(_clipped),
        ),
        Misconception(
            "sees_answer: you square the matrix in each layer, so that it doubles all looks before. Each layer "
            "adds one.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed, 2 ** min(n - 1, 6), ahead)),
        ),
        Misconception(
            "sees_answer: a position predicts one token, i + ahead; you ask whether it sees any token from there on.",
            _inspect(_any_later),
        ),
        *(
            Misconception(
                "sees_answer: you update the rows one after the other, so that some read what others have just learnt. "
                "A position learns what the others knew before the layer.",
                _inspect(lambda allowed, n, ahead, by=by: _one_after_the_other(allowed, n, ahead, by)),
            )
            for by in (1, -1)
        ),
        Misconception(
            "sees_answer: you ask for token i + ahead + 1; position i predicts token i + ahead.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed, n, ahead + 1)),
        ),
        Misconception("sees_answer: you count one layer too few.", _without_last_layers(-1)),
        Misconception("sees_answer: you count one layer too many.", _without_last_layers(1)),
        Misconception(
            "sees_answer: `ahead` is not used: position i predicts token i + ahead.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed, n, 1)),
        ),
        Misconception(
            "sees_answer: in a deep network the number of ways grows beyond 64 bits and overflows. Turn counts into "
            "booleans after each layer.",
            _inspect(_counted),
        ),
        Misconception(
            "sees_answer: your booleans are inverted: True is who can see the answer.",
            _inspect(lambda *a: ~sees_answer(*a)),
        ),
        Misconception(
            "sees_answer: ahead = 0 is treated like ahead = 1. Without a shift, position i predicts token i itself.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed, n, max(ahead, 1))),
            sometimes="sees_answer: where ahead = 0, position i predicts token i itself, which it reads.",
        ),
        *(
            Misconception(
                f"sees_answer: you stop counting after {most} layers. There may be any number of them.",
                _inspect(lambda allowed, n, ahead, most=most: sees_answer(allowed, min(n, most), ahead)),
            )
            for most in (2, 3, 4, 5)
        ),
        Misconception(
            "sees_answer: you look for any way from one position to another, however long. In n layers there are no "
            "more than n looks.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed, n if n < 2 else 64, ahead)),
            sometimes="sees_answer: for some numbers of layers you look for any way from one position to another, "
            "however long. In n layers there are no more than n looks.",
        ),
        Misconception(
            "sees_answer: you leave out the last positions; asked for is an answer for each of the L positions.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed, n, ahead)[: len(allowed) - ahead]),
        ),
    ],
    describe=told_inspection,
)

# ---- q4: writing ----


def write_on(
    next_logits,
    start,
    uniforms,
    temperature,
    ends=True,
    power=-1,
    alike=False,
    beyond=np.greater,
    first=None,
    stable=True,
    normalised=True,
    for_good=True,
):
    """Add one token after the other, until the sentence has ended: (B, L), (B, n_new) -> (B, L + n_new).

    The mistakes: a sentence never `ends`; another `power` of T; numbers u `alike` for all sentences; a sum `beyond` u
    in another sense; the tokens laid end to end in another order, by what comes `first`; an exponential that is
    not `stable`; probabilities that are not `normalised`; an end that is not `for_good`.
    """
    rows = []
    for b, row in enumerate(start):
        row, ended = list(row), False
        for u in uniforms[0 if alike else b]:
            z = next_logits(np.array([row]))[0]
            if ended:
                token = PAD_ID
            elif temperature == 0:
                token = int(np.argmax(z))
            else:
                p = np.exp((z - stable * z.max()) * temperature**power)
                order = np.arange(len(p)) if first is None else np.argsort(first(p), kind="stable")
                token = int(order[np.argmax(beyond(np.cumsum(p[order] / (p.sum() if normalised else 1)), u))])
            row.append(token)
            ended = ends and ((ended and for_good) or token == EOS_ID)
        rows.append(row)
    return np.array(rows)


def language(table, places):
    """Make a language: logits depend on all tokens and their order, and neither <pad> nor <s> can follow."""

    def next_logits(ids):
        ids = np.asarray(ids)
        assert ids.ndim == 2, "next_logits takes ids of shape (B, n)"
        assert (ids[:, 0] == BOS_ID).all(), "next_logits must be given whole texts, from <s> on"
        n = ids.shape[1]
        logits = np.einsum("bnv,n->bv", table[ids], places[:n][::-1])  # the last token counts most
        logits[:, [PAD_ID, BOS_ID]] = -np.inf
        return logits

    return next_logits


def ask(write_on, table, places, start, uniforms, temperature, look_at="all"):
    """Return the text; or, for "ends", a word for what stands after each </s>, whatever was drawn before it."""
    if look_at == "all":
        return write_on(language(table, places), start, uniforms, temperature)
    shape, endless = (len(start), start.shape[1] + uniforms.shape[1]), table.copy()
    endless[:, EOS_ID] = -1e6
    try:  # what stops here costs in the part on drawing
        if np.asarray(write_on(language(endless, places), start, uniforms, temperature)).shape != shape:
            return "padded"
    except Exception:
        return "padded"
    ids = np.asarray(write_on(language(table, places), start, uniforms, temperature))
    if ids.shape != shape:
        return "of another shape"
    after = np.cumsum(ids == EOS_ID, axis=1) - (ids == EOS_ID) > 0
    return "goes on" if ids[after].any() else "padded"


# A function is no plain value, so that the language is made in the student's kernel, from a table.
ASK_Q4 = f"""
import numpy as np

PAD_ID, BOS_ID, EOS_ID = 0, 1, 2

{inspect.getsource(language)}
{inspect.getsource(ask)}
def entry_point(*arguments):
    return ask(write_on, *arguments)
"""


def _by(answer):
    """Make an answer to `entry_point` from one that takes a language."""
    return lambda *arguments: ask(answer, *arguments)


def _when_drawing(told):
    """Tell what `entry_point` says of the ends of sentences that are drawn."""
    return lambda *arguments: told if arguments[5:] == ("ends",) else ask(write_on, *arguments)


def texts(
    rng, sizes, temperatures=(0.0,), n_new=7, n_vocab=7, first=None, loud=0, endless=False, all_end=False
):
    """Yield languages, beginnings and uniform numbers; sentences end soon and not all at the same time, or never."""
    for batch, length in sizes:
        for temperature in temperatures:
            while True:
                case = _text(rng, batch, length, temperature, n_new, n_vocab)
                if endless:
                    case[0][:, EOS_ID] = -1e6  # as good as −∞, at any temperature that is asked for
                case[0] += loud * rng.integers(-2, 3, (n_vocab, 1))  # the same for all logits of a sentence
                if first is not None:
                    case[3][:, 0] = first
                ends = _ends(case)
                enough = endless or (
                    len(set(ends)) >= min(batch, 2)
                    and min(ends) <= n_new - 3
                    and (max(ends) < n_new - 1 or not all_end)
                )
                if enough and not _is_close(case):
                    break
            yield case


def _is_close(case):
    """Whether rounding could change a token: a number u near the end of a piece, or two logits nearly alike."""
    table, places, start, uniforms, temperature = case
    ids, f = _by(write_on)(*case), language(table, places)
    for t, u in enumerate(uniforms.T):
        z = f(ids[:, : start.shape[1] + t])
        if temperature == 0:
            best = np.sort(z, axis=1)[:, -2:]
            if (best[:, 1] - best[:, 0] < 1e-3).any():
                return True
        else:
            p = np.exp((z - z.max(axis=1, keepdims=True)) / temperature)
            ends = np.cumsum(p / p.sum(axis=1, keepdims=True), axis=1)
            if (np.abs(ends - u[:, None])[u != 0] < 1e-4).any():
                return True
    return False


def told_text(table, places, start, uniforms, temperature, look_at="all"):
    """Say what was asked."""
    tokens = f"a language of {len(table)} tokens"
    if look_at == "ends":
        tokens += ", asked is what stands after </s>"
    return (
        f"{tokens}, start = {start.tolist()}, {uniforms.shape[1]} new tokens, temperature = {temperature:g}"
    )


def _ends(case):
    """Say after how many tokens each sentence ends."""
    written = _by(write_on)(*case)[:, case[2].shape[1] :]
    return [row.index(EOS_ID) if EOS_ID in row else len(row) for row in written.tolist()]


def _text(rng, batch, length, temperature, n_new, n_vocab):
    table = 1.5 * rng.standard_normal((n_vocab, n_vocab))
    table[:, EOS_ID] += 1.0
    start = np.column_stack([np.full(batch, BOS_ID), rng.integers(3, n_vocab, (batch, length))])
    uniforms = rng.uniform(0.001, 0.999, (batch, n_new))
    return [table, 0.6 ** np.arange(length + n_new + 1), start, uniforms, float(temperature)]


def _stops_with_the_first(next_logits, start, uniforms, temperature):
    """Stop as soon as one sentence has ended."""
    ids = write_on(next_logits, start, uniforms, temperature)
    ended = (ids == EOS_ID).any(axis=0)
    return ids[:, : int(np.argmax(ended)) + 1] if ended.any() else ids


def _trimmed(next_logits, start, uniforms, temperature):
    """Stop as soon as all sentences have ended."""
    ids = write_on(next_logits, start, uniforms, temperature)
    return ids[:, : int(np.argmax((ids == PAD_ID).all(axis=0)))] if (ids == PAD_ID).all(axis=0).any() else ids


def _rewritten(change):
    """Change what was written, given as (ids, number of tokens at the start)."""
    return _by(
        lambda f, start, uniforms, T: change(write_on(f, start, uniforms, T), start.shape[1], uniforms)
    )


def _drawn_by(probabilities):
    """Draw by what is made of logits and temperature; where no sum is larger than u, token 0 is drawn."""

    def wrong(next_logits, start, uniforms, temperature):
        ids, ended = np.asarray(start), np.zeros(len(start), dtype=bool)
        for u in uniforms.T:
            z = next_logits(ids)
            token = z.argmax(axis=1)
            if temperature:
                token = (np.cumsum(probabilities(z, temperature), axis=1) > u[:, None]).argmax(axis=1)
            token = np.where(ended, PAD_ID, token)
            ids, ended = np.column_stack([ids, token]), ended | (token == EOS_ID)
        return ids

    return wrong


def _largest_of_all_sentences(z, temperature):
    p = np.exp((z - z.max()) / temperature)
    return p / p.sum(axis=1, keepdims=True)


def _sum_of_all_sentences(z, temperature):
    p = np.exp((z - z.max(axis=1, keepdims=True)) / temperature)
    return p / p.sum()


def _greedy(next_logits, start, uniforms, temperature):
    return write_on(next_logits, start, uniforms, 0.0)


# The text's conditions: texts from <s> on, of any length; T = 0 takes the largest logit, T > 0 draws by u, in the order
# of the ids; −∞ and very large logits; sentences end at different times, drawn
# or not, and are padded up to L + n_new.
Q4 = Question(
    "q4",
    ASK_Q4,
    _by(write_on),
    [
        Part(
            "one sentence at temperature 0",
            1,
            lambda rng: [*texts(rng, [(1, 1), (1, 3), (1, 0)])],
        ),
        Part(
            "several sentences that end at different times",
            1,
            lambda rng: [
                *texts(rng, [(5, 2), (8, 1)]),
                *texts(rng, [(3, 1)], n_new=12, all_end=True),
                # Drawn ones as well, where only what stands after </s> counts.
                *([*case, "ends"] for case in texts(rng, [(3, 1)], (1.0,), n_new=12, all_end=True)),
            ],
        ),
        Part(
            "drawing",
            2,
            lambda rng: [
                # Without ends, so that a mistake there costs nothing here.
                *texts(rng, [(6, 2)], (1.0, 0.5, 3.0), endless=True),
                *texts(rng, [(1, 1)], (0.5,), endless=True),
                *texts(rng, [(4, 1)], (1.0,), first=0.0, endless=True),
                *texts(rng, [(6, 2)], (1.0,), loud=1500, endless=True),
            ],
        ),
    ],
    [
        Misconception(
            "A sentence that has ended goes on. After its </s> it holds nothing but padding.",
            _by(lambda *a: write_on(*a, ends=False)),
        ),
        Misconception(
            "You stop when all sentences have ended. Pad up to L + n_new, so that the shape does not depend on what "
            "was written.",
            _by(_trimmed),
        ),
        Misconception(
            "You stop when the first sentence has ended. The others should go on.", _by(_stops_with_the_first)
        ),
        Misconception(
            "After the end you repeat </s>. Padding belongs there.",
            _rewritten(lambda ids, n, u: np.where(ids == PAD_ID, EOS_ID, ids)),
        ),
        Misconception(
            "The </s> itself is missing: a sentence that ends now still gets it, and padding after it.",
            _rewritten(lambda ids, n, u: np.where(ids == EOS_ID, PAD_ID, ids)),
        ),
        Misconception(
            "You return the new tokens alone; expected is what was there, and then they.",
            _rewritten(lambda ids, n, u: ids[:, n:]),
        ),
        Misconception(
            "You write until there are n_new tokens, the beginning included. It is n_new tokens that are added.",
            _rewritten(lambda ids, n, u: ids[:, : max(n, u.shape[1])]),
        ),
        Misconception(
            "You add one token too few: each column of uniforms draws one.",
            _rewritten(lambda ids, n, u: ids[:, :-1]),
        ),
        Misconception(
            "You never draw, but always take the likeliest token. That is what temperature 0 means.",
            _by(_greedy),
            sometimes="In some texts you take the likeliest token where one is to be drawn. Only at temperature 0 "
            "nothing is drawn.",
        ),
        Misconception(
            "You multiply the logits by T. They are divided by it: a high temperature makes all tokens more alike.",
            _by(lambda *a: write_on(*a, power=1)),
        ),
        Misconception(
            "Your temperature has no effect: the logits are divided by T before the softmax.",
            _by(lambda *a: write_on(*a, power=0)),
        ),
        Misconception(
            "At u = 0 you draw a token of probability 0: the sum must be larger than u; to equal it is not enough.",
            _by(lambda *a: write_on(*a, beyond=np.greater_equal)),
        ),
        Misconception(
            "Large logits overflow in your exponential, and very low ones leave nothing. From each sentence's logits, "
            "take away the largest first.",
            _by(lambda *a: write_on(*a, stable=False)),
        ),
        Misconception(
            "Your probabilities do not sum to 1: divide the exponentials by their sum, sentence by sentence.",
            _by(lambda *a: write_on(*a, normalised=False)),
        ),
        Misconception(
            "Your probabilities do not sum to 1: divide the exponentials by their sum, sentence by sentence.",
            _by(lambda *a: write_on(*a, normalised=False, stable=False)),
        ),
        Misconception(
            "A sentence that has ended is padded for one step, and then goes on. Remember who has ended.",
            _by(lambda *a: write_on(*a, for_good=False)),
        ),
        Misconception(
            "You take away the largest logit of all sentences. Where another sentence's logits are far larger, nothing "
            "is left: take away each sentence's own.",
            _by(_drawn_by(_largest_of_all_sentences)),
        ),
        Misconception(
            "You divide by the sum over all sentences. Each sentence has its own.",
            _by(_drawn_by(_sum_of_all_sentences)),
        ),
        Misconception(
            "You raise the probabilities to the power 1/T, and then they no longer sum to 1: divide them by their sum.",
            _by(_drawn_by(lambda z, T: _soft(z) ** (1 / T))),
        ),
        Misconception(
            "When you draw, a sentence that has ended goes on. After its </s> it holds nothing but padding, at any "
            "temperature.",
            _when_drawing("goes on"),
        ),
        Misconception(
            "When you draw and sentences end, your result has another shape. Pad up to L + n_new, at any temperature.",
            _when_drawing("of another shape"),
        ),
        Misconception(
            "Below temperature 1 you take the likeliest token. Only at temperature 0 nothing is drawn.",
            _by(lambda f, start, u, T: write_on(f, start, u, T if T >= 1 else 0.0)),
        ),
        Misconception(
            "You use the numbers u of a sentence from back to front; token number t has uniforms[b, t].",
            _by(lambda f, start, u, T: write_on(f, start, u[:, ::-1], T)),
        ),
        Misconception(
            "You lay the probabilities end to end from the largest to the smallest; the question lays them in the "
            "order of the ids.",
            _by(lambda *a: write_on(*a, first=np.negative)),
        ),
        Misconception(
            "You use the numbers u of the first sentence for all; sentence b has uniforms[b].",
            _by(lambda *a: write_on(*a, alike=True)),
        ),
        Misconception(
            "You use the first number u of a sentence for all its tokens; token number t has uniforms[b, t].",
            _by(lambda f, start, u, T: write_on(f, start, np.repeat(u[:, :1], u.shape[1], axis=1), T)),
        ),
        Misconception(
            "At temperature 0 all your tokens are 0. Do you divide the logits by 0, so that all becomes NaN? "
            "Nothing is drawn then: take the largest logit.",
            _by(
                lambda f, start, u, T: (
                    write_on(f, start, u, T) if T else np.column_stack([start, np.full(u.shape, PAD_ID)])
                )
            ),
        ),
    ],
    describe=told_text,
)

# ---- q5: attention with a cache ----


def _arrays(tensors):
    return [np.asarray(tensor, dtype=np.float64) for tensor in tensors]


def cached_attention(
    *tensors,
    shift=None,
    width=None,
    see=lambda t, n: np.arange(t + n),
    asks=lambda x: x,
    weigh=masked_softmax,
):
    """Let new tokens attend to what is cached and to themselves.

    (B, n, d), (B, t, d_k), (B, t, d_v), (d, d_k), (d, d_k), (d, d_v) -> (B, n, d_v), (B, t + n, d_k), (B, t + n, d_v).
    The mistakes: `shift` moves the mask's diagonal, `width` replaces d_k, `see` picks the keys that are seen, `asks`
    the tokens that make the queries, and `weigh` makes weights of scores and mask.
    """
    x, keys, values, W_Q, W_K, W_V = _arrays(tensors)
    t, n = keys.shape[1], x.shape[1]
    keys, values = np.concatenate([keys, x @ W_K], axis=1), np.concatenate([values, x @ W_V], axis=1)
    scores = asks(x) @ W_Q @ keys.swapaxes(1, 2) / np.sqrt(width(t, n, x.shape[2]) if width else W_K.shape[1])
    allowed = np.tri(n, t + n, k=t if shift is None else shift(t, n), dtype=bool)
    allowed &= np.isin(np.arange(t + n), see(t, n))
    return [weigh(scores, allowed) @ values, keys, values]


def continued(rng, sizes, d=3, d_k=5, d_v=2):
    """Yield new tokens, a cache and weights, in single precision; sizes are (B, t, n)."""
    for batch, t, n in sizes:
        draws = [(batch, n, d), (batch, t, d_k), (batch, t, d_v), (d, d_k), (d, d_k), (d, d_v)]
        yield [torch.from_numpy(rng.standard_normal(shape).astype(np.float32)) for shape in draws]


def loud(rng, sizes):
    """Yield the same with large scores, which single precision holds exactly; sizes are (t, n).

    In the first sentence all scores are near 12,000, in the second near −12,000, in the third near either in turn; in
    the fourth those of the last new token's key are near 12,000, all others near 0.
    """
    for t, n in sizes:
        few = [rng.integers(-4, 5, shape) / 4 for shape in ((4, n, 4), (4, t, 4), (4, 4), (4, 4))]
        x, keys, W_Q, W_K = few
        x[..., 0] = 50 * np.array([1, -1, 1, 1])[:, None]  # entry 0 makes a query loud, entry 1 a key
        x[2, :, 0] *= (-1) ** np.arange(n)
        x[..., 1], keys[..., 0] = 480, 480
        x[3, :, 1], keys[3, :, 0] = 480 * (np.arange(n) == n - 1), 0
        for W, loudness in ((W_Q, 0), (W_K, 1)):
            W[:2] = W[:, 0] = 0
            W[loudness, 0] = 1
        draws = [x, keys, rng.standard_normal((4, t, 4)), W_Q, W_K, rng.standard_normal((4, 4))]
        yield [torch.from_numpy(draw.astype(np.float32)) for draw in draws]


def told_tensors(*tensors):
    """Say what was asked."""
    names = ("x", "keys", "values", "W_Q", "W_K", "W_V")
    shapes = ", ".join(f"{name} {tuple(a.shape)}" for name, a in zip(names, tensors, strict=True))
    kind = (
        "numbers that make scores near 12,000 and −12,000"
        if tensors[0].abs().max() > 30
        else "random numbers"
    )
    return f"{kind}, of the shapes {shapes}"


def _over_new_tokens(*tensors):
    """Let the weights sum to 1 over the new tokens."""
    x, keys, values, W_Q, W_K, W_V = _arrays(tensors)
    t, n = keys.shape[1], x.shape[1]
    keys, values = np.concatenate([keys, x @ W_K], axis=1), np.concatenate([values, x @ W_V], axis=1)
    scores = x @ W_Q @ keys.swapaxes(1, 2) / np.sqrt(W_K.shape[1])
    allowed = np.tri(n, t + n, k=t, dtype=bool)
    weights = masked_softmax(scores.swapaxes(1, 2), allowed.T).swapaxes(1, 2)
    return [weights @ values, keys, values]


def _by_hand(exponentials):
    """Make the weights from exponentials, which single precision may not hold."""

    def wrong(*tensors):
        x, keys, values, W_Q, W_K, W_V = _arrays(tensors)
        t, n = keys.shape[1], x.shape[1]
        keys, values = np.concatenate([keys, x @ W_K], axis=1), np.concatenate([values, x @ W_V], axis=1)
        scores = (x @ W_Q @ keys.swapaxes(1, 2) / np.sqrt(W_K.shape[1])).astype(np.float32)
        e = exponentials(scores, np.tri(n, t + n, k=t, dtype=bool))
        return [e / e.sum(axis=-1, keepdims=True) @ values, keys, values]

    return wrong


def _hidden(scores, allowed):
    return np.where(allowed, scores, -np.inf)


def _below(scores, axes):
    return np.exp(scores - scores.max(axis=axes, keepdims=True))


def _back_to_front(*tensors):
    """Put the new keys and values in front."""
    t = tensors[1].shape[1]
    output, keys, values = cached_attention(*tensors)
    return [output, *(np.concatenate([a[:, t:], a[:, :t]], axis=1) for a in (keys, values))]


def _in_front_and_masked(*tensors):
    """Put the new keys and values in front, and use them with a mask that takes them for the last."""
    x, keys, values, W_Q, W_K, W_V = _arrays(tensors)
    t, n = keys.shape[1], x.shape[1]
    keys, values = np.concatenate([x @ W_K, keys], axis=1), np.concatenate([x @ W_V, values], axis=1)
    weights = masked_softmax(
        x @ W_Q @ keys.swapaxes(1, 2) / np.sqrt(W_K.shape[1]), np.tri(n, t + n, k=t, dtype=bool)
    )
    return [weights @ values, keys, values]


def _not_itself_and_nan(*tensors):
    """Forbid the look at oneself, and let the softmax meet nothing but −∞ where no other key is there."""
    output, keys, values = cached_attention(*tensors, shift=lambda t, n: t - 1)
    if tensors[1].shape[1] == 0:
        output[:, 0] = np.nan
    return [output, keys, values]


ATTENTIONS = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention",
    "torch.*scaled_dot_product*",
    "torch.*multi_head_attention*",
    "torch.*_efficient_attention*",
    "torch.*flash_attention*",
    "course_lib.*attention*",
    "course_lib.*Attention*",
    "course_lib.*_lookup",
)

# The text's conditions: one new token or several; t from 0, more or fewer than the new ones, and many; d, d_k and d_v
# different, equal and 1; several sentences; large scores, positive and negative, larger in one sentence, one row or at
# one later key (second part alone, so that they cost once); the whole cache is returned.
Q5 = Question(
    "q5",
    "cached_attention",
    cached_attention,
    [
        Part(
            "one new token",
            2,
            lambda rng: [
                *continued(rng, [(2, 4, 1), (3, 1, 1), (1, 0, 1)]),
                *continued(rng, [(4, 4, 1)], d=4, d_k=4, d_v=4),
                *continued(rng, [(1, 2, 1)], d=1, d_k=1, d_v=1),
                *continued(rng, [(2, 30, 1)]),
            ],
        ),
        Part(
            "several new tokens at once",
            2,
            lambda rng: [
                *continued(rng, [(2, 4, 3), (3, 2, 5), (1, 1, 2), (2, 0, 3), (2, 4, 3)]),
                *continued(rng, [(4, 4, 4)], d=4, d_k=4, d_v=4),
                *loud(rng, [(2, 3), (0, 2)]),
            ],
        ),
    ],
    [
        Misconception(
            "With several new tokens, each looks at those after it as well. Among the new ones the causal mask is "
            "needed.",
            lambda *a: cached_attention(*a, shift=lambda t, n: t + n),
        ),
        Misconception(
            "Without a cache each new token looks at those after it as well. The causal mask is needed there, too.",
            lambda *a: cached_attention(*a, shift=lambda t, n: t if t else n),
        ),
        Misconception(
            "Your mask begins in the upper left corner, as if the new queries stood at positions 0, 1, 2, …; they "
            "stand behind the cache, at t, t + 1, …",
            lambda *a: cached_attention(*a, shift=lambda t, n: 0),
        ),
        Misconception(
            "The new tokens look at one another alone: their scores must be taken with all keys, the cached ones "
            "first.",
            lambda *a: cached_attention(*a, see=lambda t, n: np.arange(t, t + n)),
        ),
        Misconception(
            "The new tokens look at the cache, but not at themselves and at the new ones before them.",
            lambda *a: cached_attention(*a, see=lambda t, n: np.arange(t)),
        ),
        Misconception(
            "A new token may look at itself as well.",
            lambda *a: cached_attention(*a, shift=lambda t, n: t - 1),
        ),
        Misconception("A new token may look at itself as well.", _not_itself_and_nan),
        *(
            Misconception(
                "Large scores overflow in your exponential, and very low ones leave nothing. From each row's scores, "
                "take away the largest that is allowed, or let torch.softmax do it.",
                _by_hand(exponentials),
            )
            for exponentials in (
                lambda scores, allowed: np.exp(scores) * allowed,
                lambda scores, allowed: np.exp(_hidden(scores, allowed)),
            )
        ),
        *(
            Misconception(
                "You take away the largest score of a whole sentence, or of all. Where other rows' scores are far "
                "larger, nothing is left: take away each row's own.",
                _by_hand(exponentials),
            )
            for axes in (None, (1, 2))
            for exponentials in (
                lambda scores, allowed, axes=axes: _below(scores, axes) * allowed,
                lambda scores, allowed, axes=axes: _below(_hidden(scores, allowed), axes),
            )
        ),
        Misconception(
            "Where a later token's score is far larger than all that is allowed, nothing is left of your weights, and "
            "0 / 0 is NaN. Hide what comes later before the softmax, by −∞.",
            _by_hand(lambda scores, allowed: _below(scores, -1) * allowed),
        ),
        Misconception(
            "You take the weights of later tokens away after the softmax, so that those that are left do not sum to 1. "
            "Hide what comes later before it, by −∞.",
            lambda *a: cached_attention(*a, weigh=lambda scores, allowed: _soft(scores) * allowed),
        ),
        Misconception(
            "Your mask is inverted: it hides what a token may look at.",
            lambda *a: cached_attention(*a, weigh=lambda scores, allowed: _soft(_hidden(scores, ~allowed))),
        ),
        *(
            Misconception(
                "You take one query for several new tokens or sentences. Each new token of each sentence has its own.",
                lambda *a, one=one: cached_attention(*a, asks=lambda x: x[one] + 0 * x),
            )
            for one in (np.s_[:, -1:], np.s_[:, :1], np.s_[:1])
        ),
        *(
            Misconception(
                "You hide what comes later by a number that is too small: where scores are large, it is seen all the "
                "same. Take −∞.",
                _by_hand(lambda scores, allowed, hide=hide: _below(hide(scores, allowed), -1)),
            )
            for number in (20, 100, 1000, 10000)
            for hide in (
                lambda scores, allowed, number=number: np.where(allowed, scores, scores - number),
                lambda scores, allowed, number=number: np.where(allowed, scores, -number),
            )
        ),
        Misconception(
            "You divide the scores by √d_v, the width of the values. It is √d_k, that of queries and keys.",
            lambda *a: cached_attention(*a, width=lambda t, n, d: a[5].shape[1]),
        ),
        Misconception(
            "You divide the scores by d_k. It is its root, √d_k.",
            lambda *a: cached_attention(*a, width=lambda t, n, d: a[4].shape[1] ** 2),
        ),
        Misconception(
            "You return the output alone; asked for are three tensors: output, keys and values.",
            lambda *a: cached_attention(*a)[0],
        ),
        Misconception(
            "You return the values before the keys; asked for are output, keys, values.",
            lambda *a: [cached_attention(*a)[n] for n in (0, 2, 1)],
        ),
        Misconception(
            "All sentences get what is cached of the first one. Each has its own.",
            lambda *a: cached_attention(
                a[0], *(np.repeat(np.asarray(c)[:1], len(a[0]), axis=0) for c in a[1:3]), *a[3:]
            ),
        ),
        Misconception(
            "The weights sum to 1 over the queries. They should sum to 1 over the keys, the last axis of the scores.",
            _over_new_tokens,
        ),
        Misconception(
            "You take keys for queries: W_K stands where W_Q should. The scores are (x W_Q) times the keys.",
            lambda *a: cached_attention(*a[:3], a[4], *a[4:]),
        ),
        Misconception(
            "The scores are not divided by √d_k.", lambda *a: cached_attention(*a, width=lambda t, n, d: 1)
        ),
        Misconception(
            "You divide the scores by √d, the width of the tokens. It is √d_k, that of queries and keys.",
            lambda *a: cached_attention(*a, width=lambda t, n, d: d),
        ),
        Misconception(
            "You divide the scores by the root of the number of keys. It is √d_k, their width.",
            lambda *a: cached_attention(*a, width=lambda t, n, d: t + n),
        ),
        Misconception(
            "The new keys and values stand in front of the cached ones. They come later, so they belong behind.",
            _back_to_front,
        ),
        Misconception(
            "The new keys and values stand in front of the cached ones. They come later, so they belong behind.",
            _in_front_and_masked,
        ),
        Misconception(
            "You return the cache as it was. The next call needs the new keys and values in it, too.",
            lambda *a: [cached_attention(*a)[0], *_arrays(a[1:3])],
        ),
        Misconception(
            "You return the new keys and values alone; those that were cached belong in front of them.",
            lambda *a: [
                cached_attention(*a)[0],
                *(full[:, a[1].shape[1] :] for full in cached_attention(*a)[1:]),
            ],
        ),
    ],
    forbidden=ATTENTIONS,
    tolerance=1e-4,  # the exponential of scores that a matrix product in single precision has rounded
    describe=told_tensors,
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
