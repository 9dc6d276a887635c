"""What decides the questions of ps08: masks, leaks, writing, and attention with a cache."""

import inspect

import numpy as np
import torch

from course_lib.grading.questions import Misconception, Part, Question

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


def _lengths(ids):
    """Count the real tokens of each sentence, (B, 1, 1, 1)."""
    return (np.asarray(ids) != PAD_ID).sum(axis=1)[:, None, None, None]


def _from_the_first(ids, n_queries):
    """Take the queries for the first positions."""
    return decoder_mask(ids, ids.shape[1])[:, :, :n_queries]


Q1 = Question(
    "q1",
    "decoder_mask",
    decoder_mask,
    [
        Part(
            "all positions ask, padding at the end",
            2,
            lambda rng: [
                [batches(rng, [5, 2, 4], 5), 5],
                [batches(rng, [1], 3), 3],
                [batches(rng, [6, 3], 7), 7],
            ],
        ),
        Part(
            "padding in front",
            1,
            lambda rng: [
                [
                    torch.cat([batches(rng, [5, 2, 4], 5, in_front=True), batches(rng, [3, 1], 5)]),
                    5,
                ],
                [torch.cat([batches(rng, [2], 4), batches(rng, [3, 1], 4, in_front=True)]), 4],
            ],
        ),
        Part(
            "only the last positions ask",
            1,
            lambda rng: [
                [batches(rng, [5, 5, 5], 5), 2],  # without padding, so that one mistake costs once
                [batches(rng, [6, 6], 6), 1],
                [batches(rng, [7, 7], 7), 4],
            ],
        ),
    ],
    [
        Misconception(
            "Your mask is inverted: in this course True is where attention is allowed.",
            lambda ids, n: ~decoder_mask(ids, n),
        ),
        Misconception(
            "The axis of the heads is missing: with the shape (B, L_q, L_k), scores (B, H, L_q, L_k) would take your "
            "sentences for heads. Put an axis of length 1 behind B.",
            lambda ids, n: decoder_mask(ids, n)[:, 0],
        ),
        Misconception(
            "The n queries are the last positions, L − n to L − 1. You treat them as positions 0 to n − 1.",
            _from_the_first,
        ),
        Misconception(
            "You hide what comes later, but not the padding.",
            lambda ids, n: decoder_mask(np.ones_like(np.asarray(ids)), n),
        ),
        Misconception(
            "You hide the padding, but not what comes later.",
            lambda ids, n: np.repeat((np.asarray(ids) != PAD_ID)[:, None, None, :], n, axis=2),
        ),
        Misconception(
            "You hide the rows of the padding. It is the columns that must be hidden: nobody may look at padding; "
            "what padding itself looks at harms nobody.",
            lambda ids, n: (
                decoder_mask(np.ones_like(np.asarray(ids)), n)
                & (np.asarray(ids) != PAD_ID)[:, None, ids.shape[1] - n :, None]
            ),
        ),
        Misconception(
            "You hide rows and columns of the padding. Its columns are enough: a query that is padding is treated like "
            "any other.",
            lambda ids, n: (
                decoder_mask(ids, n) & (np.asarray(ids) != PAD_ID)[:, None, ids.shape[1] - n :, None]
            ),
        ),
        Misconception(
            "You hide as many columns at the end as there is padding. Padding may stand in front: ask of each key "
            "whether it is padding.",
            lambda ids, n: (
                decoder_mask(np.ones_like(np.asarray(ids)), n) & (np.arange(ids.shape[1]) < _lengths(ids))
            ),
        ),
        Misconception(
            "A position may look at itself: it reads that token, and names the next.",
            lambda ids, n: (
                decoder_mask(ids, n)
                & ~np.eye(ids.shape[1], dtype=bool)[ids.shape[1] - n :]  # nobody looks at themselves
            ),
        ),
        Misconception(
            "You look to the right: allowed are the keys before, not those after.",
            lambda ids, n: (
                np.triu(np.ones((ids.shape[1], ids.shape[1]), bool))[ids.shape[1] - n :]
                & (np.asarray(ids) != PAD_ID)[:, None, None, :]
            ),
        ),
        Misconception(
            "What comes later is to be hidden; you allow it, and it alone.",
            lambda ids, n: (
                np.triu(np.ones((ids.shape[1], ids.shape[1]), bool), 1)[ids.shape[1] - n :]
                & (np.asarray(ids) != PAD_ID)[:, None, None, :]
            ),
        ),
        Misconception(
            "Your mask is True where padding is; padding is what is forbidden.",
            lambda ids, n: (
                np.tri(ids.shape[1], dtype=bool)[ids.shape[1] - n :]
                & (np.asarray(ids) == PAD_ID)[:, None, None, :]
            ),
        ),
        Misconception(
            "You let padding look at itself. Nobody looks at padding, padding included; such a row may be empty.",
            lambda ids, n: decoder_mask(ids, n) | np.eye(ids.shape[1], dtype=bool)[ids.shape[1] - n :],
        ),
        Misconception(
            "You join the two masks by *or*. Allowed is what both allow: *and*, &.",
            lambda ids, n: (
                decoder_mask(np.ones_like(np.asarray(ids)), n) | (np.asarray(ids) != PAD_ID)[:, None, None, :]
            ),
        ),
        Misconception(
            "Your mask has a row for every position; only the last n ask.",
            lambda ids, n: decoder_mask(ids, ids.shape[1]),
        ),
    ],
    forbidden=(
        "course_lib.functional.causal_mask",
        "course_lib.functional.padding_mask",
        "course_lib.functional.window_mask",
        "course_lib.transformer.causal_mask",
        "course_lib.transformer.padding_mask",
    ),
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
def ask(what, scores, allowed, upstream):
    if what == "weights":
        weights = masked_softmax(scores, allowed)
        return "NaN" if torch.is_tensor(weights) and weights.isnan().any() else weights
    scores = scores.clone().requires_grad_()
    weights = masked_softmax(scores, allowed)
    if not weights.requires_grad:
        return "none"
    (weights * upstream).sum().backward()
    return "NaN" if scores.grad.isnan().any() else scores.grad
"""

SHAPES = (((3, 4), (3, 4)), ((2, 3, 2, 5), (2, 1, 2, 5)), ((2, 2, 4, 3), (2, 1, 1, 3)), ((3, 2, 4), (2, 4)))


def masked_scores(rng, what="weights", dtype=np.float64, whole=False, shapes=SHAPES):
    """Yield scores, masks that allow something in each row (or nothing in some), and a gradient from above."""
    for shape, mask_shape in shapes:
        # Two keys are allowed in each row, so that there is a gradient, and one is forbidden.
        allowed = rng.random(mask_shape) < 0.5
        allowed[..., 0], allowed[..., 1:3] = False, True
        allowed = rng.permuted(allowed, axis=-1)
        if whole:
            allowed[(0,) * (len(mask_shape) - 1)] = False  # of all axes but the keys'
            if mask_shape[-2] > 2:
                allowed[..., -1, :] = False
        yield [
            what,
            torch.from_numpy(rng.standard_normal(shape).astype(dtype)),
            torch.from_numpy(allowed),
            torch.from_numpy(rng.standard_normal(shape).astype(dtype)),
        ]


def far_apart(rng, what="weights", shifts=((-12000, 0), (-3e9, 0), (0, 15000), (0, 3e9), (800, -800))):
    """Yield scores whose allowed and forbidden ones are shifted by so much."""
    for allowed_by, forbidden_by in shifts:
        for case in masked_scores(rng, what, shapes=(((2, 3, 4), (2, 1, 4)),)):
            scores, allowed = case[1], case[2]
            case[1] = scores + torch.where(allowed, float(allowed_by), float(forbidden_by))
            yield case


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


def _largest_of_all(what, scores, allowed, upstream):
    """Subtract the largest of all scores, forbidden ones included, and leave nothing for the allowed ones."""
    scores = np.asarray(scores)
    return _unstable(what, scores - scores.max(axis=-1, keepdims=True), allowed, upstream)


def _nan_if_unstable(what, scores, allowed, upstream):
    """Take the exponential of the scores as they are, and divide, also by 0; of a gradient, say nothing."""
    if what == "gradient":
        return weights_or_gradient(what, scores, allowed, upstream)
    e = np.exp(np.asarray(scores)) * np.asarray(allowed)
    return _result(what, e / e.sum(axis=-1, keepdims=True), upstream)


def _no_gradient(what, scores, allowed, upstream):
    """Let a finite number stand for forbidden scores: no gradient is left for allowed ones that are lower."""
    right = weights_or_gradient(what, scores, allowed, upstream)
    return np.zeros_like(right) if what == "gradient" else right


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


def _gradient(told):
    """Tell what `ask` says of a gradient that is none."""
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

Q2 = Question(
    "q2",
    ASK_Q2,
    weights_or_gradient,
    [
        Part(
            "something allowed in each row",
            1,
            lambda rng: [*masked_scores(rng), *masked_scores(rng, dtype=np.float32)],
        ),
        Part("scores of every size", 1, far_apart),
        Part("rows with nothing allowed", 1, lambda rng: masked_scores(rng, whole=True)),
        Part(
            "the gradient",
            1,
            lambda rng: [
                *masked_scores(rng, "gradient"),
                *masked_scores(rng, "gradient", whole=True),
                *far_apart(rng, "gradient", ((0, 1000), (-12000, 0), (-3e9, 0))),
            ],
        ),
    ],
    [
        Misconception(
            "Where nothing is allowed your weights are not a number: the softmax subtracts the largest score from "
            "itself, −∞ − (−∞). Give it something finite in such rows, and take the weights away afterwards.",
            _nan_where_nothing,
        ),
        Misconception(
            "No gradient is left for allowed scores that lie far below the forbidden ones, or below the finite number "
            "that stands in their place. Put −∞ there.",
            _no_gradient,
        ),
        *(Misconception(FINITE, _filled(number)) for number in (-1e4, -1e9)),
        Misconception("A forbidden score of 0 still has e⁰ = 1. It must count as −∞.", _filled(0.0)),
        *(Misconception(ZEROED, _filled_and_zeroed(number)) for number in (-1e4, -1e9)),
        *(Misconception(ADDED, _added(number)) for number in (-1e4, -1e9)),
        Misconception(
            "You read the mask the wrong way round: True is where attention is allowed.",
            lambda what, s, allowed, up: weights_or_gradient(what, s, ~np.asarray(allowed), up),
        ),
        Misconception(
            "You subtract the largest of all scores of the row. If it is forbidden and far above, all allowed "
            "exponentials are 0: subtract the largest of the allowed ones.",
            _largest_of_all,
        ),
        Misconception(
            "You mask after the softmax: the allowed weights no longer sum to 1, and what they sum to tells of the "
            "forbidden scores.",
            _masked_afterwards,
        ),
        Misconception(
            "You take the exponential of the scores as they are: large ones overflow, and low ones leave nothing. "
            "First subtract the largest allowed score of the row.",
            _unstable,
        ),
        Misconception(
            "Your weights are not a number where scores are huge: their exponentials overflow, or all become 0. First "
            "subtract the largest allowed score of the row.",
            _nan_if_unstable,
        ),
        Misconception(
            "The gradient is NaN: somewhere on the way stood a 0/0 or an ∞, and what replaces it afterwards does not "
            "help the derivative, which comes back multiplied by 0. Do not let it arise.",
            _gradient("NaN"),
        ),
        Misconception(
            "No gradient reaches the scores: compute the weights from them by PyTorch alone, without NumPy and "
            "without detaching.",
            _gradient("none"),
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
    forbidden=(
        "torch.masked.softmax",
        "course_lib.functional.softmax",
        "course_lib.functional.attention",
        "course_lib.layers.masked_softmax",
        "course_lib.layers.attention",
    ),
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
def ask(which, *arguments):
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


def masks(rng, layers, density, aheads=(1, 1, 2, 0), sizes=(5, 7, 6, 5)):
    """Yield random masks of all kinds, for which one layer more or less, and who looks at whom, makes a difference."""
    for n_layers in layers:
        for ahead, size in zip(aheads, sizes, strict=True):
            allowed = rng.random((size, size)) < density
            while ahead and not _telling(allowed, n_layers, ahead):
                allowed = rng.random((size, size)) < density
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
        )
    )


def known_masks():
    """Yield masks that have a name: causal, everything but the next, a causal window, strictly causal."""
    yield ["inspect", np.tri(6, dtype=bool), 3, 1]
    yield ["inspect", ~np.eye(6, k=1, dtype=bool), 2, 1]
    yield ["inspect", np.tri(7, k=-1, dtype=bool), 2, 0]
    yield ["inspect", np.eye(7, k=1, dtype=bool), 2, 2]  # in two steps to the next but one
    yield ["inspect", np.eye(7, k=1, dtype=bool), 2, 3]  # and no further


def _without_last_layers(by):
    return _inspect(lambda allowed, n, ahead: sees_answer(allowed, n + by, ahead))


def _residual_at_the_end(allowed, n_layers, ahead):
    """Add the residual connection once, around all layers together."""
    knows = np.linalg.matrix_power(allowed.astype(float), n_layers) + np.eye(len(allowed)) > 0
    return np.concatenate([np.diagonal(knows, ahead), np.zeros(ahead, dtype=bool)])


def _knows(allowed, n_layers):
    """Say who knows what after so many layers, (L, L), by a way of its own."""
    step = (allowed | np.eye(len(allowed), dtype=bool)).astype(float)
    return np.linalg.matrix_power(step, n_layers) > 0


def _clipped(allowed, n_layers, ahead):
    """Take the last column for what lies beyond the end."""
    places = np.arange(len(allowed))
    return _knows(allowed, n_layers)[places, np.minimum(places + ahead, len(allowed) - 1)]


def _any_later(allowed, n_layers, ahead):
    """Ask for any token from the one to be named on."""
    return np.triu(_knows(allowed, n_layers), ahead).any(axis=1)


def _counted(allowed, n_layers, ahead):
    """Count the ways in 64 bits, which overflow."""
    step = (allowed | np.eye(len(allowed), dtype=bool)).astype(np.int64)
    ways = np.linalg.matrix_power(step, n_layers)
    return np.concatenate([np.diagonal(ways, ahead) > 0, np.zeros(ahead, dtype=bool)])


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
                *masks(rng, [1], 0.5),
                ["inspect", ~np.eye(6, k=1, dtype=bool), 1, 1],
                ["inspect", np.tri(5, k=-1, dtype=bool), 1, 0],
            ],
        ),
        Part(
            "the inspector for several layers",
            2,
            lambda rng: [
                *masks(rng, [2, 3], 0.2),
                *known_masks(),
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
            "sees_answer: one look at the mask is not enough. In the second layer, the others pass on what they "
            "looked at in the first.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed, 1, ahead)),
        ),
        Misconception(
            "sees_answer: rows are those who look, columns what they look at; yours are the other way round.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed.T, n, ahead)),
        ),
        Misconception(
            "sees_answer: the last positions name tokens that nobody reads. They cannot see them; you begin again at "
            "the first column.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed, n, ahead, wrap=True)),
        ),
        Misconception(
            "sees_answer: the last positions name tokens that nobody reads. They cannot see them; you ask for the last "
            "column in their place.",
            _inspect(_clipped),
        ),
        Misconception(
            "sees_answer: you square the matrix in each layer, so that it doubles all looks before. Each layer "
            "adds one.",
            _inspect(lambda allowed, n, ahead: sees_answer(allowed, 2 ** min(n - 1, 6), ahead)),
        ),
        Misconception(
            "sees_answer: a position names one token, i + ahead; you ask whether it sees any token from there on.",
            _inspect(_any_later),
        ),
        Misconception("sees_answer: you count one layer too few.", _without_last_layers(-1)),
        Misconception("sees_answer: you count one layer too many.", _without_last_layers(1)),
        Misconception(
            "sees_answer: `ahead` is not used: position i names token i + ahead.",
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
    ],
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
):
    """Add one token after the other, until the sentence has ended: (B, L), (B, n_new) -> (B, L + n_new).

    The mistakes: a sentence never `ends`; another `power` of T; numbers u `alike` for all sentences; a sum `beyond` u
    in another sense; the tokens laid end to end in another order, by what comes `first`; an exponential that is
    not `stable`.
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
                token = int(order[np.argmax(beyond(np.cumsum(p[order] / p.sum()), u))])
            row.append(token)
            ended = ends and (ended or token == EOS_ID)
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


# A function is no plain value, so that the language is made in the student's kernel, from a table.
ASK_Q4 = f"""
import numpy as np

PAD_ID, BOS_ID = 0, 1

{inspect.getsource(language)}

def ask(table, places, start, uniforms, temperature):
    return write_on(language(table, places), start, uniforms, temperature)
"""


def _by(answer):
    """Make an answer to `ask` from one that takes a language."""
    return lambda table, places, *rest: answer(language(table, places), *rest)


def texts(rng, sizes, temperatures=(0.0,), n_new=7, n_vocab=7, first=None, loud=0, endless=False):
    """Yield languages, beginnings and uniform numbers; sentences end soon and not all at the same time, or never."""
    for batch, length in sizes:
        for temperature in temperatures:
            case = _text(rng, batch, length, temperature, n_new, n_vocab)
            while not endless and (len(set(_ends(case))) < min(batch, 2) or min(_ends(case)) > n_new - 3):
                case = _text(rng, batch, length, temperature, n_new, n_vocab)
            if endless:
                case[0][:, EOS_ID] = -1e6  # as good as −∞, at any temperature that is asked for
            case[0] += loud * rng.integers(
                -2, 3, (n_vocab, 1)
            )  # which adds the same to all logits of a sentence
            if first is not None:
                case[3][:, 0] = first
            yield case


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


def _greedy(next_logits, start, uniforms, temperature):
    return write_on(next_logits, start, uniforms, 0.0)


Q4 = Question(
    "q4",
    ASK_Q4,
    _by(write_on),
    [
        Part(
            "one sentence at temperature 0",
            1,
            lambda rng: [*texts(rng, [(1, 1), (1, 3), (1, 0), (1, 2), (1, 2)])],
        ),
        Part(
            "several sentences that end at different times",
            1,
            lambda rng: [*texts(rng, [(5, 2), (8, 1), (6, 3)]), *texts(rng, [(4, 1)], n_new=12)],
        ),
        Part(
            "drawing",
            2,
            lambda rng: [
                # Without ends, so that a mistake there costs nothing here.
                *texts(rng, [(6, 2), (1, 1)], (1.0, 0.5, 3.0), endless=True),
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
            "You stop when the first sentence has ended. The others should go on.", _by(_stops_with_the_first)
        ),
        Misconception(
            "You stop when all sentences have ended. Pad up to L + n_new, so that the shape does not depend on what "
            "was written.",
            _by(_trimmed),
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
            "You never draw, but always take the likeliest token. That is what temperature 0 means.",
            _by(_greedy),
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
            "At temperature 0 you divide by 0, and all becomes NaN. Nothing is drawn then: take the largest logit.",
            _by(
                lambda f, start, u, T: (
                    write_on(f, start, u, T) if T else np.column_stack([start, np.full(u.shape, PAD_ID)])
                )
            ),
        ),
    ],
)

# ---- q5: attention with a cache ----


def _arrays(tensors):
    return [np.asarray(tensor) for tensor in tensors]


def cached_attention(*tensors, shift=None, width=None, see=lambda t, n: np.arange(t + n)):
    """Let new tokens attend to what is cached and to themselves.

    (B, n, d), (B, t, d_k), (B, t, d_v), (d, d_k), (d, d_k), (d, d_v) -> (B, n, d_v), (B, t + n, d_k), (B, t + n, d_v).
    The mistakes: `shift` moves the mask's diagonal, `width` replaces d_k, and `see` picks the keys that are seen.
    """
    x, keys, values, W_Q, W_K, W_V = _arrays(tensors)
    t, n = keys.shape[1], x.shape[1]
    keys, values = np.concatenate([keys, x @ W_K], axis=1), np.concatenate([values, x @ W_V], axis=1)
    scores = x @ W_Q @ keys.swapaxes(1, 2) / np.sqrt(width(t, n, x.shape[2]) if width else W_K.shape[1])
    allowed = np.tri(n, t + n, k=t if shift is None else shift(t, n), dtype=bool)
    allowed &= np.isin(np.arange(t + n), see(t, n))
    weights = masked_softmax(scores, allowed)
    return [weights @ values, keys, values]


def continued(rng, sizes, d=3, d_k=5, d_v=2, dtype=np.float64):
    """Yield new tokens, a cache and weights; sizes are (B, t, n)."""
    for batch, t, n in sizes:
        draws = [(batch, n, d), (batch, t, d_k), (batch, t, d_v), (d, d_k), (d, d_k), (d, d_v)]
        yield [torch.from_numpy(rng.standard_normal(shape).astype(dtype)) for shape in draws]


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
                *continued(rng, [(2, 3, 1)], dtype=np.float32),
            ],
        ),
        Part("several new tokens at once", 2, lambda rng: continued(rng, [(2, 4, 3), (3, 2, 5), (1, 0, 4)])),
    ],
    [
        Misconception(
            "With several new tokens, each looks at those after it as well. Among the new ones the causal mask is "
            "needed.",
            lambda *a: cached_attention(*a, shift=lambda t, n: t + n),
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
    forbidden=(
        "torch.nn.functional.scaled_dot_product_attention",
        "torch.nn.functional.multi_head_attention_forward",
        "torch.nn.MultiheadAttention",
        "course_lib.functional.attention",
        "course_lib.layers.attention",
        "course_lib.layers.fused_attention",
        "course_lib.layers.MultiHeadAttention",
    ),
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
