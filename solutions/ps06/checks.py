"""What decides the questions of ps06: clocks, rotations, rotary scores, added and appended places, cached decoding."""

import numpy as np
import torch

from course_grading.questions import Misconception, Part, Question
from course_lib.exercises.hints import described

# ---- q1: the hands of the clock, at any positions ----
# What the text says: positions of any shape, negative or not, whole or not; any even d; the base as given,
# whole or not, or 10000; sine before cosine, hand by hand; an odd d ≥ 1 is a ValueError that says "even" and names d.

LIBRARY_ENCODINGS = (
    "course_lib.functional.positions.sinusoidal_encoding",
    "course_lib.model.PositionalEncoding",
    "course_lib.*sinusoidal*",
)
REFUSED = "a ValueError that says even and names the width"


def encode(positions, d, base=10000.0):
    """Return φ at any positions: (…,) -> (…, d); an odd width is refused."""
    if d % 2:
        return REFUSED
    return _clock(positions, base ** (-2 * np.arange(d // 2) / d))


def _clock(positions, frequencies):
    angles = np.asarray(positions)[..., None] * frequencies
    phi = np.empty((*angles.shape[:-1], 2 * angles.shape[-1]))
    phi[..., 0::2], phi[..., 1::2] = np.sin(angles), np.cos(angles)
    return phi


# An error is no plain value: for an odd width the kernel tells in words what came of the call.
ASK_Q1 = r"""
import re

def entry_point(positions, d, *base):
    if d % 2 == 0:
        return encode(positions, d, *base)
    try:
        encode(positions, d, *base)
    except ValueError as error:
        clear = re.search(r"\beven", str(error), re.IGNORECASE) and re.search(rf"(?<!\d){d}(?!\d)", str(error))
        return "a ValueError that " + ("says even and names the width" if clear else "does not")
    return "no error"
"""


def _even(wrong):
    """Make a mistake at even widths alone; odd ones are refused."""
    return lambda positions, d, base=10000.0: (
        REFUSED if d % 2 else wrong(np.asarray(positions), d, float(base))
    )


def _refused_by_luck(through):
    """Let some odd widths through and leave the others to NumPy."""
    return lambda positions, d, *base: (
        ("no error" if d in through else "a ValueError that does not")
        if d % 2
        else encode(positions, d, *base)
    )


def _one_a_column(positions, d, base):
    angles = positions[..., None] * base ** (-2 * np.arange(d) / d)
    return np.where(np.arange(d) % 2 == 0, np.sin(angles), np.cos(angles))


def _halves_from_interleaved(phi):
    return np.concatenate([phi[..., 0::2], phi[..., 1::2]], axis=-1)


def _swapped_in_pairs(phi):
    return np.stack([phi[..., 1::2], phi[..., 0::2]], axis=-1).reshape(phi.shape)


def _first_sentence(positions):
    if positions.ndim < 2:
        raise ValueError("there is one sentence")
    return np.broadcast_to(positions.reshape(-1, positions.shape[-1])[0], positions.shape)


def describe_clock(positions, d, *base) -> str:
    """Say with what encode was called."""
    return f"encode with {described(encode, [positions, d, *base])}"


def sentences(rng):
    """Yield the positions of one sentence, in no order, negative, not whole, or one alone, and a width."""
    yield [rng.permutation(60)[:7], 8]
    yield [np.append(rng.integers(-50, -1, 4), 7), 2]
    yield [rng.uniform(-40, 80, 6), 6]
    yield [rng.integers(40, 50, 1), 12]


def batches(rng):
    """Yield positions of more than one axis, which begin high, below 0 or at 0, and another base, whole or not."""
    high = rng.permutation(60)[:15].reshape(3, 5)
    high[0, 0] = 60
    yield [high, 10, 100.0]
    low = rng.uniform(-20, 20, (2, 1, 4))
    low[0, 0, 0] = -15.5
    yield [low, 6, 2.5]
    yield [np.append(0, rng.permutation(np.arange(-20, 40))[:15]).reshape(4, 4), 4, 20.0]


def odd_widths(rng):
    """Yield widths that leave a sine without its cosine."""
    for d in (1, 3, 7, 12 + int(2 * rng.integers(10)) + 1):
        yield [rng.permutation(5)[:4], d]


Q1 = Question(
    "q1",
    ASK_Q1,
    encode,
    [
        Part("positions of one sentence", 2, sentences),
        Part("positions of any shape, any base", 1, batches),
        Part("an odd width is refused", 1, odd_widths),
    ],
    [
        Misconception(
            "An odd width goes through. A sine without its cosine is no hand: raise a ValueError that says "
            "that the width must be even, and which one was asked for.",
            lambda positions, d, *base: "no error" if d % 2 else encode(positions, d, *base),
            sometimes="Some odd widths go through. A sine without its cosine is no hand: raise a ValueError that says "
            "that the width must be even, and which one was asked for. Try d = 1, 3 and 7.",
        ),
        *(
            Misconception(
                "Some odd widths go through, others stop with a message that does not say that the width must be even, "
                "and which one was asked for. Look at d yourself, at the beginning. Try d = 1, 3 and 7.",
                _refused_by_luck(through),
            )
            for through in ((1,), (3,), (1, 3), (7,), (1, 7), (3, 7), (1, 3, 7))
        ),
        Misconception(
            "With an odd width a ValueError is raised, but its message does not say that the width must be even, and "
            "which one was asked for. Look at d yourself, at the beginning; NumPy's complaints do not help the reader.",
            lambda positions, d, *base: (
                "a ValueError that does not" if d % 2 else encode(positions, d, *base)
            ),
            sometimes="With some odd widths a ValueError is raised whose message does not say that the width must be "
            "even, and which one was asked for.",
        ),
        Misconception(
            "Your hands are counted from k = 1, which loses the fastest one. The first hand has k = 0 and turns by 1.",
            _even(lambda p, d, base: _clock(p, base ** (-2 * np.arange(1, d // 2 + 1) / d))),
        ),
        Misconception(
            "Your exponent is −k/d; it should be −2k/d: with d/2 hands, it then goes from 0 nearly to −1.",
            _even(lambda p, d, base: _clock(p, base ** (-np.arange(d // 2) / d))),
        ),
        Misconception(
            "Your exponent has the 2 twice: it should be −2k/d. If you count 0, 2, 4, …, the 2 is in there already.",
            _even(lambda p, d, base: _clock(p, base ** (-4 * np.arange(d // 2) / d))),
        ),
        Misconception(
            "Your hands get faster: the exponent is −2k/d, with a minus.",
            _even(lambda p, d, base: _clock(p, base ** (2 * np.arange(d // 2) / d))),
        ),
        Misconception(
            "Each of your columns has a speed of its own. A hand takes two columns, the sine and the cosine of the "
            "same angle: k counts the hands, not the columns.",
            _even(_one_a_column),
        ),
        Misconception(
            "Each of your columns has a speed of its own. A hand takes two columns, the sine and the cosine of the "
            "same angle: k counts the hands, not the columns.",
            _even(lambda p, d, base: _one_a_column(p, d, base**0.5)),
        ),
        Misconception(
            "Your slowest hand turns by 1/base: you divide by d/2 − 1 in place of d/2. The exponent is −2k/d.",
            _even(lambda p, d, base: _clock(p, base ** (-np.arange(d // 2) / max(d // 2 - 1, 1)))),
        ),
        Misconception(
            "Your exponents are right for d = 4 only. They are −2k/d, for any d.",
            _even(lambda p, d, base: _clock(p, base ** (-np.arange(d // 2) / 2))),
        ),
        Misconception(
            "All sines come first in your table. The columns alternate: sine and cosine of hand 0, then of hand 1, …",
            _even(lambda p, d, base: _halves_from_interleaved(encode(p, d, base))),
        ),
        Misconception(
            "Sine and cosine have changed places: the sine comes first, so that φ(0) = (0, 1, 0, 1, …).",
            _even(lambda p, d, base: _swapped_in_pairs(encode(p, d, base))),
        ),
        Misconception(
            "Your rows are those of the positions 0, 1, 2, …; the positions to encode are given.",
            _even(lambda p, d, base: encode(np.broadcast_to(np.arange(p.shape[-1]), p.shape), d, base)),
        ),
        Misconception(
            "Your positions are counted from 1: each row is that of the position after.",
            _even(lambda p, d, base: encode(p + 1, d, base)),
        ),
        Misconception(
            "Negative positions are encoded as if they were positive. The sine of a negative angle is negative.",
            _even(lambda p, d, base: encode(abs(p), d, base)),
        ),
        Misconception(
            "Positions are cut off to whole numbers; they may lie between two.",
            _even(lambda p, d, base: encode(p.astype(np.int64), d, base)),
        ),
        Misconception(
            "Where the positions are whole, so is all of your encoding: it was made with the type of the positions.",
            _even(lambda p, d, base: encode(p, d, base).astype(p.dtype)),
        ),
        Misconception(
            "All sentences get the rows of the first. Each has its own positions.",
            _even(lambda p, d, base: encode(_first_sentence(p), d, base)),
        ),
        Misconception(
            "Your base is always 10000. It is the third argument.",
            _even(lambda p, d, base: encode(p, d)),
        ),
        Misconception(
            "Your angles have a factor 2π. Hand k turns by ω_k radians a position.",
            _even(lambda p, d, base: encode(2 * np.pi * p, d, base)),
        ),
        Misconception(
            "Your base is made a whole number; it need not be one.",
            _even(lambda p, d, base: encode(p, d, np.round(base))),
        ),
    ],
    forbidden=LIBRARY_ENCODINGS,
    describe=describe_clock,
)

# ---- q2: the matrix of a shift ----
# What the text says: all sines first; the row stands to the left of R; Δ forwards or backwards, whole or not, or 0;
# frequencies above 0, whole numbers or not, slow ones too; a hand may turn by more than half of a round from one
# position to the next, or by a whole one, and by many rounds in a step; n ≥ 1 hands, few or many, each with a speed of
# its own and in no order; nothing given is changed. No angle is so large that single precision would not do.


def shift_matrix(delta, frequencies):
    """Return R with φ(i + Δ) = φ(i) R, where all sines come first: (n,) -> (2n, 2n)."""
    angles = delta * np.asarray(frequencies)
    return _blocks(np.cos(angles), -np.sin(angles), np.sin(angles))


def _blocks(diagonal, upper, lower):
    """Put three rows of numbers on diagonals: both ends of the main one, above and below it."""
    return np.block([[np.diag(diagonal), np.diag(upper)], [np.diag(lower), np.diag(diagonal)]])


def _reordered(delta, frequencies):
    """Build the matrix for columns that alternate."""
    n = len(frequencies)
    order = np.arange(2 * n).reshape(2, n).T.ravel()
    return shift_matrix(delta, frequencies)[np.ix_(order, order)]


def _with_sine(sine):
    """Make a mistake in the sine of an angle."""

    def matrix(delta, w):
        angles = delta * w
        return _blocks(np.cos(angles), -sine(angles), sine(angles))

    return matrix


def describe_shift(delta, frequencies) -> str:
    """Say with what shift_matrix was called."""
    return f"shift_matrix with {described(shift_matrix, [delta, frequencies])}"


def a_speed(rng, delta, quarters):
    """Draw how fast a hand is that turns by so many quarters and a bit in this step: no sine or cosine is small."""
    return (quarters + rng.uniform(0.1, 0.9)) * np.pi / 2 / abs(delta)


def shifts_of_one_hand(rng):
    """Yield steps and speeds: forwards and backwards, whole or not; up to many rounds; and what is special of one."""
    for delta, quarters in ((3, 0), (-2.0, 1), (0.7, 0), (-4.5, 3), (2, 3), (2.5, 13), (-7.5, 25)):
        yield [delta, np.array([a_speed(rng, delta, quarters)])]
    yield [0, rng.uniform(0.5, 1.5, 1)]
    yield [0.3, np.array([2 * np.pi])]  # from one position to the next it makes a whole round
    yield [-0.75, np.array([rng.uniform(4.0, 5.5)])]  # more than half of a round
    yield [0.5, np.array([rng.uniform(0.0006, 0.0007)])]
    yield [-1.25, rng.integers(1, 4, 1)]


def shifts_of_several_hands(rng):
    """Yield steps and speeds of hands in any order; the last of some turns by more than half of a round."""
    for n, delta in ((2, 3), (3, -2.0), (5, 0.7), (4, -4.5), (2, 2)):
        speeds = (0.1 + 1.35 * (np.arange(n) + rng.uniform(0.3, 0.7, n)) / n) / abs(delta)
        if delta in (-4.5, 2):
            speeds[-1] = a_speed(rng, delta, 3)
        yield [delta, rng.permutation(speeds)]
    places = (
        0.1 + 0.8 * (np.arange(6) + rng.uniform(0.3, 0.7, (2, 6))) / 6
    )  # twelve hands, no two at the same speed
    yield [1.5, rng.permutation(((np.arange(2)[:, None] + places) * np.pi / 2 / 1.5).ravel())]


Q2 = Question(
    "q2",
    "shift_matrix",
    shift_matrix,
    [
        Part("one hand", 1, shifts_of_one_hand),
        Part("several hands", 2, shifts_of_several_hands),
    ],
    [
        Misconception(
            "Your matrix turns the hands back, by −Δ: it is the transpose of the right one. An encoding is a row "
            "here, and the matrix stands to its right.",
            lambda delta, w: shift_matrix(-delta, w),
        ),
        Misconception(
            "Your matrix is right for columns that alternate, sine, cosine, sine, cosine, as in the chapter. Here "
            "all sines come first: the partner of column k is column n + k.",
            _reordered,
        ),
        Misconception(
            "Your matrix is right for columns that alternate, but for the direction; and here all sines come first, "
            "so that the partner of column k is column n + k.",
            lambda delta, w: _reordered(-delta, w),
        ),
        Misconception(
            "All your hands turn by the angle of the first. Each has a speed of its own.",
            lambda delta, w: shift_matrix(delta, np.full(len(w), w[0])),
        ),
        Misconception(
            "Δ is missing: your matrix always shifts by one place.", lambda delta, w: shift_matrix(1.0, w)
        ),
        Misconception(
            "A negative Δ turns the hands as far forwards in your matrix as a positive one. It turns them back.",
            lambda delta, w: shift_matrix(abs(delta), w),
        ),
        Misconception(
            "Your Δ is cut off to a whole number. Half a place turns each hand half as far.",
            lambda delta, w: shift_matrix(int(delta), w),
        ),
        Misconception(
            "Your sine is the root of 1 − cos², which is never negative. Take the sine itself: it is negative where a "
            "hand turns back, or by more than half of a round.",
            _with_sine(lambda angles: abs(np.sin(angles))),
        ),
        Misconception(
            "Your sine has the sign of Δ. Take the sine itself: where a hand turns by more than half of a round, its "
            "sign changes.",
            _with_sine(lambda angles: np.sign(angles) * abs(np.sin(angles))),
        ),
        Misconception(
            "Your frequencies are taken for degrees. They are radians, as NumPy's sine and cosine expect.",
            lambda delta, w: shift_matrix(np.deg2rad(delta), w),
        ),
        Misconception(
            "Your hands do not have the given speeds, but those of Question 1 with the base 10000.",
            lambda delta, w: shift_matrix(delta, 10000 ** (-np.arange(len(w)) / len(w))),
        ),
        Misconception(
            "Both sines in your matrix have the same sign. Of cos(a + b) = cos a cos b − sin a sin b and "
            "sin(a + b) = sin a cos b + cos a sin b, one has a minus.",
            lambda delta, w: _blocks(np.cos(delta * w), np.sin(delta * w), np.sin(delta * w)),
        ),
        Misconception(
            "Both sines in your matrix have the same sign. Of cos(a + b) = cos a cos b − sin a sin b and "
            "sin(a + b) = sin a cos b + cos a sin b, one has a minus.",
            lambda delta, w: _blocks(np.cos(delta * w), -np.sin(delta * w), -np.sin(delta * w)),
        ),
        Misconception(
            "Sine and cosine have changed places in your matrix. At Δ = 0 nothing turns: cos 0 = 1 belongs on the "
            "diagonal.",
            lambda delta, w: _blocks(np.sin(delta * w), -np.cos(delta * w), np.cos(delta * w)),
        ),
    ],
    describe=describe_shift,
)

# ---- q3: rotary scores ----
# What the text says: column c belongs with c + d/2; positions in any order and with gaps, L_q = L_k or not, from 1 on;
# any base; √d; any axes in front; single precision.


def rotary_scores(queries, keys, query_positions, key_positions, base):
    """Score turned queries against turned keys: (…, L_q, d), (…, L_k, d), (L_q,), (L_k,) -> (…, L_q, L_k)."""
    return _rotary(queries, keys, query_positions, key_positions, base)


def _rotary(
    queries, keys, query_positions, key_positions, base, pairs=None, turns=(1, 1), omega=None, scale=None
):
    """Turn each hand as a complex number; the arguments after `base` make mistakes."""
    Q, K = (np.asarray(x, dtype=np.float64) for x in (queries, keys))
    i, j = (np.asarray(p, dtype=np.float64) for p in (query_positions, key_positions))
    d = Q.shape[-1]
    first, second = pairs(d) if pairs else (np.arange(d // 2), np.arange(d // 2, d))
    frequencies = omega(base, d) if omega else base ** (-2 * np.arange(d // 2) / d)
    q = (Q[..., first] + 1j * Q[..., second]) * np.exp(1j * turns[0] * np.outer(i, frequencies))
    k = (K[..., first] + 1j * K[..., second]) * np.exp(1j * turns[1] * np.outer(j, frequencies))
    scores = (q @ k.conj().swapaxes(-2, -1)).real
    return scores / (np.sqrt(d) if scale is None else scale(d))


def _overwritten(Q, K, i, j, base):
    """Compute the second half from a first half that is already turned."""

    def turned(x, positions):
        x, d = np.asarray(x, dtype=np.float64), np.shape(x)[-1]
        angles = np.outer(positions, base ** (-2 * np.arange(d // 2) / d))
        a = x[..., : d // 2] * np.cos(angles) - x[..., d // 2 :] * np.sin(angles)
        return np.concatenate([a, a * np.sin(angles) + x[..., d // 2 :] * np.cos(angles)], axis=-1)

    return turned(Q, i) @ turned(K, j).swapaxes(-2, -1) / np.sqrt(np.shape(Q)[-1])


def _signs(first, second):
    """Turn (a, b) into a cos θ + first · b sin θ and a sin θ + second · b cos θ."""

    def turned(x, positions, base):
        x, d = np.asarray(x, dtype=np.float64), np.shape(x)[-1]
        angles = np.outer(positions, base ** (-2 * np.arange(d // 2) / d))
        a, b, C, S = x[..., : d // 2], x[..., d // 2 :], np.cos(angles), np.sin(angles)
        return np.concatenate([a * C + first * b * S, a * S + second * b * C], axis=-1)

    return lambda Q, K, i, j, base: (
        turned(Q, i, base) @ turned(K, j, base).swapaxes(-2, -1) / np.sqrt(np.shape(Q)[-1])
    )


def _with(**mistake):
    return lambda Q, K, i, j, base: _rotary(Q, K, i, j, base, **mistake)


def _where_d_is_2(scale):
    """Divide by a number where there is one hand: it says nothing of how others are divided."""

    def scores(Q, K, i, j, base):
        if np.shape(Q)[-1] != 2:
            raise ValueError("d is not 2")
        return _rotary(Q, K, i, j, base, scale=lambda d: scale)

    return scores


def _softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _added(Q, K, i, j, base):
    d = np.shape(Q)[-1]
    left = np.asarray(Q) + _halves_from_interleaved(encode(np.asarray(i), d, base))
    right = np.asarray(K) + _halves_from_interleaved(encode(np.asarray(j), d, base))
    return left @ right.swapaxes(-2, -1) / np.sqrt(d)


def _first_alone(Q, K, i, j, base):
    if Q.ndim < 3:
        raise ValueError("there is one sentence")
    Q, K = (x.reshape(-1, *x.shape[-2:])[:1].expand(x.shape) for x in (Q, K))
    return _rotary(Q, K, i, j, base)


def describe_scores(*arguments) -> str:
    """Say with what rotary_scores was called."""
    return f"rotary_scores with {described(rotary_scores, arguments)}"


def rotary_case(rng, L_q, L_k, d, base, *batch, consecutive=False):
    """Return queries, keys, their positions and a base; float32, as tensors are by default."""
    i, j = (torch.from_numpy(1 + rng.permutation(40)[:length]) for length in (L_q, L_k))
    if consecutive:
        i, j = torch.arange(L_q), torch.arange(L_k)
    elif L_q > 1 and i[0] < i[1]:  # never in their order
        i = i.flip(0)
    return [
        torch.from_numpy(rng.standard_normal((*batch, L_q, d))).float(),
        torch.from_numpy(rng.standard_normal((*batch, L_k, d))).float(),
        i,
        j,
        base,
    ]


def one_hand(rng):
    """Yield words with a single hand each, at the positions 0, 1, 2, …"""
    for L_q, L_k, base in ((3, 5, 100.0), (4, 4, 50.0), (6, 1, 20.0)):
        yield rotary_case(rng, L_q, L_k, 2, base, consecutive=True)


def many_hands(rng):
    """Yield words with several hands, anywhere."""
    for L_q, L_k, d, base in ((3, 5, 4, 100.0), (6, 6, 10, 50.0), (1, 7, 6, 20.0)):
        yield rotary_case(rng, L_q, L_k, d, base)


def rotary_batches(rng):
    """Yield several sentences and heads."""
    yield rotary_case(rng, 3, 5, 4, 100.0, 2)
    yield rotary_case(rng, 2, 4, 6, 50.0, 3, 2)
    yield rotary_case(rng, 4, 4, 8, 20.0, 4)
    yield rotary_case(rng, 3, 2, 4, 20.0, 1, 1)


Q3 = Question(
    "q3",
    "rotary_scores",
    rotary_scores,
    [
        Part("one hand, positions 0, 1, 2, …", 1, one_hand),
        Part("several hands, any positions", 2, many_hands),
        Part("several sentences and heads", 1, rotary_batches),
    ],
    [
        Misconception(
            "With one hand, d = 2, your scores are √2 times what they should be: divide by √d, where d is the width of "
            "queries and keys.",
            _where_d_is_2(1),
        ),
        Misconception("With one hand, d = 2, you divide by 2; it should be √d = √2.", _where_d_is_2(2)),
        Misconception("You always divide by 2; it should be √d.", _with(scale=lambda d: 2)),
        Misconception(
            "The turning is right; what is missing is the division by √d.", _with(scale=lambda d: 1.0)
        ),
        Misconception("You divide by d; it should be √d.", _with(scale=lambda d: d)),
        Misconception("You divide by √(d/2); it should be √d.", _with(scale=lambda d: np.sqrt(d / 2))),
        Misconception("You multiply by √d; the scores are divided by it.", _with(scale=lambda d: d**-0.5)),
        Misconception(
            "You turn neighbouring columns, as the chapter does. Here the partner of column c is column c + d/2.",
            _with(pairs=lambda d: (np.arange(0, d, 2), np.arange(1, d, 2))),
        ),
        Misconception(
            "Queries and keys turn against each other, so that the scores depend on i + j. Turn both in the same "
            "direction: in the product one of them is turned back.",
            _with(turns=(1, -1)),
        ),
        Misconception(
            "Queries and keys turn against each other, so that the scores depend on i + j. Turn both in the same "
            "direction: in the product one of them is turned back.",
            _with(turns=(-1, 1)),
        ),
        Misconception(
            "Queries and keys turn alike, but in the other direction: a becomes a cos θ − b sin θ.",
            _with(turns=(-1, -1)),
        ),
        Misconception(
            "Only your queries are turned: the scores depend on i alone. Turn the keys too.",
            _with(turns=(1, 0)),
        ),
        Misconception(
            "Only your keys are turned: the scores depend on j alone. Turn the queries too.",
            _with(turns=(0, 1)),
        ),
        Misconception("Nothing is turned: your scores do not depend on positions.", _with(turns=(0, 0))),
        Misconception(
            "Your queries and keys stand at the positions 0, 1, 2, …; their positions are given.",
            lambda Q, K, i, j, base: _rotary(Q, K, np.arange(len(i)), np.arange(len(j)), base),
        ),
        Misconception(
            "Your exponent is −c/d; it should be −2c/d.",
            _with(omega=lambda base, d: base ** (-np.arange(d // 2) / d)),
        ),
        Misconception(
            "Your exponent has the 2 twice: it should be −2c/d. If you count 0, 2, 4, …, the 2 is in there already.",
            _with(omega=lambda base, d: base ** (-4 * np.arange(d // 2) / d)),
        ),
        Misconception(
            "Your exponents are right for d = 4 only. They are −2c/d, for any d.",
            _with(omega=lambda base, d: base ** (-np.arange(d // 2) / 2)),
        ),
        Misconception(
            "Your slowest hand turns by 1/base: you divide by d/2 − 1 in place of d/2. The exponent is −2c/d.",
            _with(omega=lambda base, d: base ** (-np.arange(d // 2) / max(d // 2 - 1, 1))),
        ),
        Misconception(
            "Your hands get faster: the exponent is −2c/d, with a minus.",
            _with(omega=lambda base, d: base ** (2 * np.arange(d // 2) / d)),
        ),
        Misconception(
            "Your hands are counted from 1, which loses the fastest. Hand 0 turns by 1 a position.",
            _with(omega=lambda base, d: base ** (-2 * np.arange(1, d // 2 + 1) / d)),
        ),
        Misconception(
            "All your hands turn at the same speed. Hand c turns by base^(−2c/d) a position.",
            _with(omega=lambda base, d: np.ones(d // 2)),
        ),
        Misconception(
            "Your base is always 10000. It is the last argument.",
            _with(omega=lambda base, d: 10000.0 ** (-2 * np.arange(d // 2) / d)),
        ),
        Misconception(
            "You overwrite the first half of the columns, and compute the second half from it: a slice of a tensor is "
            "no copy. Put the two halves together in a new tensor.",
            _overwritten,
        ),
        Misconception("The second number is a sin θ + b cos θ, with a plus.", _signs(-1, -1)),
        Misconception("The first number is a cos θ − b sin θ, with a minus.", _signs(1, 1)),
        Misconception("You add an encoding to queries and keys. Here they are turned instead.", _added),
        Misconception(
            "You return weights, after a softmax. Asked for are the scores before it.",
            lambda *arguments: _softmax(_rotary(*arguments)),
        ),
        Misconception(
            "Your scores are transposed: a row belongs to a query, a column to a key.",
            lambda *arguments: _rotary(*arguments).swapaxes(-2, -1),
        ),
        Misconception(
            "All sentences and heads get the scores of the first. Each has its own queries and keys.",
            _first_alone,
        ),
    ],
    forbidden=(
        "course_lib.model.positions.rotate",
        "course_lib.model.RotaryAttention",
    ),
    tolerance=1e-4,  # angles in single precision
    describe=describe_scores,
)

# ---- q4: added or appended ----
# What the text says: φ is added to the first d_pos entries, 1 ≤ d_pos ≤ d; the word comes first in the pair; None where
# one entry differs, wherever it stands, upwards or downwards, by a thousandth of its size or more, also where several
# differences cancel, the rows for φ are zeros, or other rows hold far larger numbers; entries of a thousandth, which
# differ by as much or not at all, beside some of a million; any m ≥ 1.


def to_pair(W, d_pos):
    """Return what does to [x; φ] as W does to the sum: (d, m) -> (d + d_pos, m)."""
    return np.concatenate([W, W[:d_pos]])


def to_sum(W, d):
    """Return what does to the sum as W does to [x; φ], or None: (d + d_pos, m) -> (d, m)."""
    return W[:d] if (W[d:] == W[: len(W) - d]).all() else None


ASK_Q4 = """
def entry_point(which, W, width):
    return (to_pair if which == "to_pair" else to_sum)(W, width)
"""


def _q4(pair=to_pair, back=to_sum):
    """Answer both halves of the question."""
    return lambda which, W, width: (pair if which == "to_pair" else back)(W, width)


def describe_matrices(which, W, width) -> str:
    """Say which function was called, and with what."""
    return f"{which} with {described(to_pair if which == 'to_pair' else to_sum, [W, width])}"


def a_matrix(rng, d, m):
    """Draw a matrix in which no two entries are near each other."""
    return (rng.permutation(d * m) - d * m / 2 + rng.uniform(0, 0.2, d * m)).reshape(d, m)


def from_sums(rng):
    """Yield matrices for the sum, and the width of φ."""
    for (d, m), d_pos in zip(
        ((5, 3), (4, 2), (6, 1), (3, 4), (3, 3), (1, 1)), (2, 4, 5, 1, 3, 1), strict=True
    ):
        yield ["to_pair", a_matrix(rng, d, m), d_pos]


def from_pairs(rng):
    """Yield matrices for the pair: some of which there is one for the sum, and the same with entries changed."""
    for (d, m), d_pos, (row, column) in zip(
        ((5, 3), (4, 3), (6, 1), (3, 4)), (2, 4, 5, 1), ((1, 0), (0, 2), (2, 0), (0, 1)), strict=True
    ):
        W = a_matrix(rng, d, m)
        both = np.concatenate([W, W[:d_pos]])
        yield ["to_sum", both, d]
        changed = both.copy()
        changed[d + row, column] += 0.5
        yield ["to_sum", changed, d]
    W = 2 * a_matrix(rng, 4, 3) + 1  # no entry is near 0
    signs, last = np.array([[1, -1, 1], [1, 1, 1]]), np.array([[0], [1]])
    changes = (
        [[-1.5, -1.5, -1.5], [-1.5, -1.5, -1.5]],  # all are too small
        [[-0.5, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 0, 7.5]],
        [[0.5, -0.5, 0], [0, 0, 0]],  # the sums of rows are right, then those of columns
        [[0, 3, 0], [0, -3, 0]],
        [[2, 2, 2], [-1, -1, -1]],  # for φ = (1, 2), and its multiples, all is right
    )
    for lower in (
        W[[1, 0]],  # the right rows, in the wrong order
        W[2:],  # the last rows instead of the first
        W[:2, ::-1],  # the right rows, read backwards
        *(-W[:2], signs * W[:2], 0 * W[:2], last * W[:2]),
        *(W[:2] + np.array(change) for change in changes),
    ):
        yield ["to_sum", np.concatenate([W, lower]), 4]
    for change in (0, 0.5):
        one, another = np.array([[0, 0, 0], [0, change, 0]]), np.array([[0, 0, change], [0, 0, 0]])
        W = np.round(a_matrix(rng, 4, 3)) + 300
        yield ["to_sum", np.concatenate([W, W[:2] + one]), 4]  # about a six-hundredth
        W = a_matrix(rng, 4, 3)
        W[2:] *= 1e8  # what φ does not meet
        yield ["to_sum", np.concatenate([W, W[:2] + another]), 4]
        W = a_matrix(rng, 3, 2)
        W[0] = 0
        yield ["to_sum", np.concatenate([W, W[:1] + change]), 3]
        W = a_matrix(rng, 1, 1)
        yield ["to_sum", np.concatenate([W, W + change]), 1]
        W = a_matrix(rng, 3, 2) * np.array([[1e6], [1e-3], [1]])
        yield ["to_sum", np.concatenate([W, W[:2] + 0.001 * one[:, 1:]]), 3]


def _without_looking(W, d):
    return W[:d]


def _halves_compared(W, d):
    return W[:d] if W[:d].shape == W[d:].shape and (W[:d] == W[d:]).all() else None


def _last_rows_compared(W, d):
    return W[:d] if (W[2 * d - len(W) : d] == W[d:]).all() else None


def _part_compared(part):
    """Compare less than all entries."""

    def back(W, d):
        upper, lower = part(W[: len(W) - d]), part(W[d:])
        return W[:d] if np.allclose(upper, lower) else None

    return back


def _added_up(W, d):
    V = W[:d].copy()
    V[: len(W) - d] += W[d:]
    return V


def _mean(W, d):
    V = W[:d].copy()
    V[: len(W) - d] = (V[: len(W) - d] + W[d:]) / 2
    return V


NOT_ALL_COMPARED = (
    "to_sum: you return a matrix for some pairs that have none: you do not compare all rows and columns entry by "
    "entry. Row c for φ must equal row c for the word."
)

Q4 = Question(
    "q4",
    ASK_Q4,
    _q4(),
    [
        Part("to_pair: from the sum to the pair", 1, from_sums),
        Part("to_sum: from the pair to the sum, where there is a way", 2, from_pairs),
    ],
    [
        Misconception(
            "to_pair: φ meets zeros, and is ignored. It is added to the first entries of the "
            "word, and must meet the rows which these meet.",
            _q4(pair=lambda W, d_pos: np.concatenate([W, np.zeros((d_pos, W.shape[1]))])),
        ),
        Misconception(
            "to_pair: φ meets the last rows of W. It is added to the first entries of the word, and must "
            "meet the rows which these meet.",
            _q4(pair=lambda W, d_pos: np.concatenate([W, W[len(W) - d_pos :]])),
        ),
        Misconception(
            "to_pair: in the pair [x; φ] the word comes first, hence its rows of the matrix too.",
            _q4(pair=lambda W, d_pos: np.concatenate([W[:d_pos], W])),
        ),
        Misconception(
            "to_pair: φ meets the identity, as if W did nothing. What is added to the word goes through W "
            "as the word does.",
            _q4(pair=lambda W, d_pos: np.concatenate([W, np.eye(d_pos, W.shape[1])])),
        ),
        Misconception(
            "to_pair: you put all of W below W. φ has d_pos entries, which meet the first d_pos rows.",
            _q4(pair=lambda W, d_pos: np.concatenate([W, W])),
        ),
        Misconception(
            "to_pair: φ meets the rows of W in the wrong order, the last first.",
            _q4(pair=lambda W, d_pos: np.concatenate([W, W[:d_pos][::-1]])),
        ),
        Misconception(
            "to_pair: each entry of φ meets the first row of W. Entry c of φ is added to entry c of the word, and "
            "must meet row c.",
            _q4(pair=lambda W, d_pos: np.concatenate([W, np.repeat(W[:1], d_pos, axis=0)])),
        ),
        Misconception(
            "to_sum: you compare the whole upper part with the lower one. φ is added to the first d_pos "
            "entries alone, so that only the first d_pos rows can be compared.",
            _q4(back=_halves_compared),
        ),
        Misconception(
            "to_sum: you compare the rows for φ with the last rows for the word. φ is added to the first "
            "entries of the word.",
            _q4(back=_last_rows_compared),
        ),
        *(
            Misconception(NOT_ALL_COMPARED, _q4(back=_part_compared(part)))
            for part in (
                lambda rows: rows[0],
                lambda rows: rows[-1],
                lambda rows: rows[:, 0],
                lambda rows: rows[:, -1],
                lambda rows: np.sort(rows, axis=0),
                lambda rows: np.sort(rows, axis=1),
                lambda rows: np.sort(rows, axis=None),
                lambda rows: rows.sum(),
                lambda rows: rows.sum(axis=0),
                lambda rows: rows.sum(axis=1),
                abs,
                lambda rows: rows[0, 0],
            )
        ),
        Misconception(
            "to_sum: you return a matrix where there is none. Look whether every entry of φ meets the same row "
            "as the entry of the word to which it is added, and return None if one does not.",
            _q4(back=_without_looking),
            sometimes="to_sum: you return a matrix for some pairs that have none. Look whether every entry of φ "
            "meets the same row as the entry of the word to which it is added, and return None if one does not.",
        ),
        Misconception(
            "to_sum: you return None where there is a matrix: its rows are those which the word meets.",
            _q4(back=lambda W, d: None),
            sometimes="to_sum: you return None for some pairs that have a matrix: its rows are those which the word "
            "meets.",
        ),
        Misconception(
            "to_sum: you average the rows for the word and for φ. The result must be right for every word and "
            "every φ; where these rows differ there is no such matrix: return None.",
            _q4(back=_mean),
        ),
        Misconception(
            "to_sum: you add the rows for φ to those for the word. With a φ of zeros the sum is the word: so W "
            "has the rows which the word meets in the pair, if there is a W; otherwise return None.",
            _q4(back=_added_up),
        ),
        Misconception(
            "to_sum: you add the rows for φ to those for the word. With a φ of zeros the sum is the word: W "
            "has the rows which the word meets in the pair.",
            _q4(back=lambda W, d: None if to_sum(W, d) is None else _added_up(W, d)),
        ),
        Misconception(
            "to_sum: you return the rows for φ alone. W has a row for each entry of the word.",
            _q4(back=lambda W, d: None if to_sum(W, d) is None else W[d:]),
        ),
        Misconception(
            "to_sum: you return True or False. Asked for is the matrix, or None.",
            _q4(back=lambda W, d: to_sum(W, d) is not None),
        ),
    ],
    describe=describe_matrices,
)

# ---- q5: one word at a time ----
# What the text says: the new word stands at position t, t = 0 or more, B = 1 or more; query, key and value from word
# and position; the cache grows at its end; √d_k; it attends to itself; nothing given is changed; widths alike or not.


def _step(
    x,
    keys,
    values,
    phi,
    W_Q,
    W_K,
    W_V,
    row=lambda keys: keys.shape[1],
    placed=(1, 1, 1),
    scale=lambda d, d_k, d_v: np.sqrt(d_k),
    sees=lambda new: new,
    asks=lambda q: q,
    first=False,
    axis=1,
    gives=lambda output: output,
    answers=None,
):
    """Answer a new word, (B, d), from a cache, (B, t, …), and itself; what comes after `W_V` makes mistakes."""
    x, keys, values, phi, W_Q, W_K, W_V = (
        np.asarray(array, dtype=np.float64) for array in (x, keys, values, phi, W_Q, W_K, W_V)
    )
    here = phi[row(keys)]
    q, k, v = ((x + on * here) @ W for on, W in zip(placed, (W_Q, W_K, W_V), strict=True))
    k, v = k[:, None], v[:, None]
    new_keys = np.concatenate([k, keys] if first else [keys, k], axis=1)
    new_values = np.concatenate([v, values] if first else [values, v], axis=1)
    if answers:
        return [answers(q, new_keys, new_values), new_keys, new_values]
    scores = np.einsum("bk,btk->bt", asks(q), sees(new_keys)) / scale(x.shape[1], k.shape[2], v.shape[2])
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True, initial=-np.inf))
    weights /= weights.sum(axis=axis, keepdims=True)
    return [gives(np.einsum("bt,btv->bv", weights, sees(new_values))), new_keys, new_values]


def _every_query_of_every_cache(q, keys, values):
    scores = np.einsum("qk,btk->bqt", q, keys) / np.sqrt(keys.shape[2])
    return _softmax(scores) @ values


ASK_Q5 = """
import torch

def entry_point(which, x, keys, values, phi, W_Q, W_K, W_V):
    if which == "one step":
        result = step(x, keys, values, phi, W_Q, W_K, W_V)
        return result[0] if isinstance(result, (tuple, list)) else result
    outputs = []
    for t in range(x.shape[1]):
        result = step(x[:, t], keys, values, phi, W_Q, W_K, W_V)
        if not isinstance(result, (tuple, list)) or len(result) != 3:
            raise ValueError("step should return three tensors: the output, the keys and the values")
        output, keys, values = result
        outputs.append(torch.as_tensor(output))
    return [torch.stack(outputs, dim=1), keys, values]
"""


def _steps(forgets=False, swaps=False, **mistake):
    """Answer as ASK_Q5 does, with a mistake."""

    def answer(which, x, keys, values, *weights):
        if which == "one step":
            return _step(x, keys, values, *weights, **mistake)[0]
        outputs = []
        for t in range(x.shape[1]):
            output, new_keys, new_values = _step(x[:, t], keys, values, *weights, **mistake)
            if swaps:
                new_keys, new_values = new_values, new_keys
            keys, values = (keys, values) if forgets else (new_keys, new_values)
            outputs.append(output)
        return [np.stack(outputs, axis=1), keys, values]

    return answer


def describe_step(which, x, keys, values, phi, W_Q, W_K, W_V) -> str:
    """Say how step was called, and with which sizes."""
    B, t, d_k = keys.shape
    d, d_v = W_V.shape
    sizes = f"B = {B}, d = {d}, d_k = {d_k}, d_v = {d_v} and t = {t} words in the cache"
    if which == "one step":
        return f"step with {sizes}"
    return f"step for {x.shape[1]} words, one after the other, with {sizes} at the beginning"


def _tensors(rng, *shapes):
    return [torch.from_numpy(rng.standard_normal(shape)).float() for shape in shapes]


def _matrices(rng, *shapes):
    return [W / W.shape[0] ** 0.5 for W in _tensors(rng, *shapes)]


def single_steps(rng):
    """Yield new words, a cache of 0 to 6 words, a table of places that is longer than needed, and weights."""
    for B, t, d, d_k, d_v in (
        (3, 4, 6, 2, 5),
        (2, 0, 4, 3, 5),
        (1, 6, 2, 5, 8),
        (4, 1, 3, 3, 3),
        (7, 3, 2, 4, 1),
    ):
        x, keys, values, phi = _tensors(rng, (B, d), (B, t, d_k), (B, t, d_v), (11, d))
        if t == 6:
            keys[:, 2] = 0  # a key like any other
        yield ["one step", x, keys, values, phi, *_matrices(rng, (d, d_k), (d, d_k), (d, d_v))]


def whole_sentences(rng):
    """Yield sentences to be read from an empty cache, or from one that holds a beginning."""
    for B, L, t, d, d_k, d_v in ((2, 5, 0, 6, 4, 3), (3, 3, 2, 4, 4, 4), (1, 4, 1, 2, 3, 4)):
        shapes = (B, L, d), (B, t, d_k), (B, t, d_v), (9, d)
        yield ["a sentence", *_tensors(rng, *shapes), *_matrices(rng, (d, d_k), (d, d_k), (d, d_v))]


Q5 = Question(
    "q5",
    ASK_Q5,
    _steps(),
    [
        Part("one step: the output", 2, single_steps),
        Part("a sentence, word after word, with the cache", 2, whole_sentences),
    ],
    [
        Misconception(
            "Every new word stands at position 0: phi[0]. It comes after the words in the cache: when these are t, "
            "it stands at position t.",
            _steps(row=lambda keys: 0),
        ),
        Misconception(
            "Your position is one too high. Positions count from 0: with t words in the cache, at 0 … t − 1, the new "
            "one stands at t.",
            _steps(row=lambda keys: keys.shape[1] + 1),
        ),
        Misconception(
            "Your position is one too low: it is that of the last word in the cache.",
            _steps(row=lambda keys: keys.shape[1] - 1),
        ),
        Misconception(
            "Your position is one too low: it is that of the last word in the cache, if there is one.",
            _steps(row=lambda keys: max(keys.shape[1] - 1, 0)),
        ),
        Misconception(
            "Your position is the number of sentences: len(keys) counts the first axis, B. The words in the cache are "
            "on the second.",
            _steps(row=lambda keys: keys.shape[0]),
        ),
        Misconception(
            "Your sentences are told different positions, t, t + 1, … All new words stand at position t.",
            _steps(row=lambda keys: slice(keys.shape[1], keys.shape[1] + keys.shape[0])),
        ),
        Misconception(
            "W_Q and W_K have changed places.",
            lambda which, x, keys, values, phi, W_Q, W_K, W_V: _steps()(
                which, x, keys, values, phi, W_K, W_Q, W_V
            ),
        ),
        Misconception(
            "Your position is the width of a key, the last axis. The words in the cache are on the second.",
            _steps(row=lambda keys: keys.shape[2]),
        ),
        Misconception(
            "Your position is the last row of phi. With t words in the cache the new one stands at position t.",
            _steps(row=lambda keys: -1),
        ),
        Misconception("The new word gets no position: add a row of phi to it.", _steps(placed=(0, 0, 0))),
        Misconception(
            "Only the query knows its position. Key and value are made from the same sum, the word and its place.",
            _steps(placed=(1, 0, 0)),
        ),
        Misconception(
            "Only the key knows its position. Query and value are made from the same sum, the word and its place.",
            _steps(placed=(0, 1, 0)),
        ),
        Misconception(
            "Your value is made from the word without its place. Query, key and value are made from the same sum.",
            _steps(placed=(1, 1, 0)),
        ),
        Misconception(
            "Your key is made from the word without its place. Query, key and value are made from the same sum.",
            _steps(placed=(1, 0, 1)),
        ),
        Misconception(
            "Your query is made from the word without its place. Query, key and value are made from the same sum.",
            _steps(placed=(0, 1, 1)),
        ),
        Misconception(
            "The new word does not attend to itself: put its key and value into the cache first, then attend.",
            _steps(sees=lambda new: new[:, :-1]),
        ),
        Misconception(
            "The new word attends to itself alone: let it attend to all of the cache.",
            _steps(sees=lambda new: new[:, -1:]),
        ),
        Misconception(
            "All sentences are answered with the query of the first. Each new word is a sequence of one: the queries "
            "have the shape (B, 1, d_k), not (1, B, d_k).",
            _steps(asks=lambda q: np.broadcast_to(q[:1], q.shape)),
        ),
        Misconception(
            "Every new word asks the caches of all sentences. Each is a sequence of one, so that it asks its own: the "
            "queries have the shape (B, 1, d_k).",
            _steps(answers=_every_query_of_every_cache),
        ),
        Misconception(
            "All new words ask the cache of the first sentence. Each asks its own: queries have the shape (B, 1, d_k), "
            "and meet the keys and values of all B sentences.",
            _steps(answers=lambda q, keys, values: _every_query_of_every_cache(q, keys, values)[0]),
        ),
        Misconception(
            "Your weights sum to 1 over the sentences. Each new word shares out its weight among the words of its own "
            "sentence.",
            _steps(axis=0),
        ),
        Misconception("The scores are not divided by √d_k.", _steps(scale=lambda d, d_k, d_v: 1.0)),
        Misconception(
            "You divide the scores by d_k; it should be √d_k.", _steps(scale=lambda d, d_k, d_v: d_k)
        ),
        Misconception(
            "You divide the scores by √d, the width of the words; it should be √d_k, the width of the keys.",
            _steps(scale=lambda d, d_k, d_v: np.sqrt(d)),
        ),
        Misconception(
            "You divide the scores by √d_v, the width of the values; it should be √d_k, the width of the keys.",
            _steps(scale=lambda d, d_k, d_v: np.sqrt(d_v)),
        ),
        Misconception(
            "The new key and value stand before the older ones. The cache is in the order of the sentence: put them "
            "at the end.",
            _steps(first=True),
        ),
        Misconception(
            "Your output is right, but the cache comes back as it was: return it with the new key and value in it.",
            _steps(forgets=True),
        ),
        Misconception(
            "Keys and values have changed places: return the output, then the keys, then the values.",
            _steps(swaps=True),
        ),
        Misconception(
            "Your output still has the axis of a sequence of one, (B, 1, d_v). Take it away: (B, d_v).",
            _steps(gives=lambda output: output[:, None]),
        ),
        Misconception(
            "Your output loses an axis of length 1 where there is one sentence, or one number a value. Take away only "
            "the axis of the new word: output[:, 0].",
            _steps(gives=np.squeeze),
        ),
    ],
    describe=describe_step,
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
