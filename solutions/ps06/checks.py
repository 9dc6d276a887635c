"""What decides the questions of ps06: clocks, rotations, rotary scores, added and appended places, cached decoding."""

import numpy as np
import torch

from course_lib.grading.questions import Misconception, Part, Question

# ---- q1: the hands of the clock, at any positions ----

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
ASK_Q1 = """
def ask(positions, d, *base):
    if d % 2 == 0:
        return encode(positions, d, *base)
    try:
        encode(positions, d, *base)
    except ValueError as error:
        said = str(error).lower()
        clear = "even" in said and str(d) in said
        return "a ValueError that " + ("says even and names the width" if clear else "does not")
    return "no error"
"""


def _even(wrong):
    """Make a mistake at even widths alone; odd ones are refused."""
    return lambda positions, d, base=10000.0: (
        REFUSED if d % 2 else wrong(np.asarray(positions), d, float(base))
    )


def _one_a_column(positions, d, base):
    angles = positions[..., None] * base ** (-2 * np.arange(d) / d)
    return np.where(np.arange(d) % 2 == 0, np.sin(angles), np.cos(angles))


def _halves_from_interleaved(phi):
    return np.concatenate([phi[..., 0::2], phi[..., 1::2]], axis=-1)


def _swapped_in_pairs(phi):
    return np.stack([phi[..., 1::2], phi[..., 0::2]], axis=-1).reshape(phi.shape)


def sentences(rng):
    """Yield the positions of one sentence, in no order and not all whole, and a width."""
    yield [rng.permutation(60)[:7], 8]
    yield [rng.integers(-50, 50, 5), 2]
    yield [rng.uniform(0, 80, 6), 12]
    yield [np.arange(40, 49), 6]


def batches(rng):
    """Yield positions of more than one axis, and another base."""
    yield [rng.permutation(60)[:15].reshape(3, 5), 10, 100.0]
    yield [rng.uniform(-20, 20, (2, 1, 4)), 6, 37.0]


def odd_widths(rng):
    """Yield widths that leave a sine without its cosine."""
    for d in (7, 11, 13):
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
        ),
        Misconception(
            "With an odd width a ValueError is raised, but its message does not say that the width must be even, and "
            "which one was asked for. Look at d yourself, at the beginning; NumPy's complaints do not help the reader.",
            lambda positions, d, *base: (
                "a ValueError that does not" if d % 2 else encode(positions, d, *base)
            ),
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
            "Your base is always 10000. It is the third argument.",
            _even(lambda p, d, base: encode(p, d)),
        ),
    ],
    forbidden=("course_lib.functional.sinusoidal_encoding", "course_lib.layers.PositionalEncoding"),
)

# ---- q2: the matrix of a shift ----


def shift_matrix(delta, frequencies):
    """Return R with φ(i + Δ) = φ(i) R, where all sines come first: (n,) -> (2n, 2n)."""
    n = len(frequencies)
    R = np.zeros((2 * n, 2 * n))
    for k, frequency in enumerate(frequencies):
        c, s = np.cos(delta * frequency), np.sin(delta * frequency)
        R[k, k], R[k, n + k], R[n + k, k], R[n + k, n + k] = c, -s, s, c
    return R


def _reordered(delta, frequencies):
    """Build the matrix for columns that alternate."""
    n = len(frequencies)
    order = np.arange(2 * n).reshape(2, n).T.ravel()
    return shift_matrix(delta, frequencies)[np.ix_(order, order)]


def _blocks(diagonal, upper, lower):
    """Put three rows of numbers on diagonals: both ends of the main one, above and below it."""
    return np.block([[np.diag(diagonal), np.diag(upper)], [np.diag(lower), np.diag(diagonal)]])


def shifts(rng, hands):
    """Yield steps forwards and backwards, whole or not, and the speeds of the hands."""
    for n, delta in zip(hands, (3, -2.0, 0.7, 11), strict=True):
        yield [delta, rng.uniform(0.05, 1.5, n)]


Q2 = Question(
    "q2",
    "shift_matrix",
    shift_matrix,
    [
        Part("one hand", 1, lambda rng: shifts(rng, (1, 1, 1, 1))),
        Part("several hands", 2, lambda rng: shifts(rng, (2, 3, 5, 4))),
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
)

# ---- q3: rotary scores ----


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


def _with(**mistake):
    return lambda Q, K, i, j, base: _rotary(Q, K, i, j, base, **mistake)


def _softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _added(Q, K, i, j, base):
    d = np.shape(Q)[-1]
    left = np.asarray(Q) + _halves_from_interleaved(encode(np.asarray(i), d, base))
    right = np.asarray(K) + _halves_from_interleaved(encode(np.asarray(j), d, base))
    return left @ right.swapaxes(-2, -1) / np.sqrt(d)


def rotary_cases(rng, *batch, widths=(4, 10, 6), consecutive=False):
    """Yield queries, keys, their positions and a base; float32, as tensors are by default."""
    for (L_q, L_k), d, base in zip(((3, 5), (6, 2), (1, 7)), widths, (10000.0, 50.0, 400.0), strict=True):
        yield [
            torch.from_numpy(rng.standard_normal((*batch, L_q, d))).float(),
            torch.from_numpy(rng.standard_normal((*batch, L_k, d))).float(),
            torch.arange(L_q) if consecutive else torch.from_numpy(1 + rng.permutation(40)[:L_q]),
            torch.arange(L_k) if consecutive else torch.from_numpy(1 + rng.permutation(40)[:L_k]),
            base,
        ]


Q3 = Question(
    "q3",
    "rotary_scores",
    rotary_scores,
    [
        Part(
            "one hand, positions 0, 1, 2, …",
            1,
            lambda rng: rotary_cases(rng, widths=(2, 2, 2), consecutive=True),
        ),
        Part("several hands, any positions", 2, rotary_cases),
        Part(
            "several sentences and heads",
            1,
            lambda rng: [*rotary_cases(rng, 2), *rotary_cases(rng, 3, 2)],
        ),
    ],
    [
        Misconception(
            "The turning is right; what is missing is the division by √d.", _with(scale=lambda d: 1.0)
        ),
        Misconception("You divide by d; it should be √d.", _with(scale=lambda d: d)),
        Misconception("You divide by √(d/2); it should be √d.", _with(scale=lambda d: np.sqrt(d / 2))),
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
        Misconception("You add an encoding to queries and keys. Here they are turned instead.", _added),
        Misconception(
            "You return weights, after a softmax. Asked for are the scores before it.",
            lambda *arguments: _softmax(_rotary(*arguments)),
        ),
    ],
    forbidden=("course_lib.experiments.positions.Rotation",),
    tolerance=1e-4,  # angles in single precision
)

# ---- q4: added or appended ----


def to_pair(W, d_pos):
    """Return what does to [x; φ] as W does to the sum: (d, m) -> (d + d_pos, m)."""
    return np.concatenate([W, W[:d_pos]])


def to_sum(W, d):
    """Return what does to the sum as W does to [x; φ], or None: (d + d_pos, m) -> (d, m)."""
    return W[:d] if (W[d:] == W[: len(W) - d]).all() else None


# None and a matrix are told apart in words.
ASK_Q4 = """
import numpy as np

def ask(which, W, width):
    if which == "to_pair":
        return to_pair(W, width)
    V = to_sum(W, width)
    return ["nothing" if V is None else "a matrix", np.zeros((0, 0)) if V is None else V]
"""


def _told(V):
    return ["nothing" if V is None else "a matrix", np.zeros((0, 0)) if V is None else V]


def _q4(pair=to_pair, back=to_sum):
    """Answer both halves of the question."""
    return lambda which, W, width: pair(W, width) if which == "to_pair" else _told(back(W, width))


def from_sums(rng):
    """Yield matrices for the sum, and the width of the places."""
    for (d, m), d_pos in zip(((5, 3), (4, 2), (6, 1), (3, 4)), (2, 4, 5, 1), strict=True):
        yield ["to_pair", rng.standard_normal((d, m)), d_pos]


def from_pairs(rng):
    """Yield matrices for the pair: each of which there is one for the sum, and the same with one entry changed."""
    for (d, m), d_pos, row in zip(((5, 3), (4, 2), (6, 1), (3, 4)), (2, 4, 5, 1), (1, 0, 3, 0), strict=True):
        W = rng.standard_normal((d, m))
        both = np.concatenate([W, W[:d_pos]])
        yield ["to_sum", both, d]
        changed = both.copy()
        changed[d + row, m - 1] += 0.5
        yield ["to_sum", changed, d]
    W = rng.standard_normal((4, 3))
    yield ["to_sum", np.concatenate([W, W[[1, 0]]]), 4]  # the right rows, in the wrong order
    yield ["to_sum", np.concatenate([W, W[2:]]), 4]  # the last rows instead of the first


def _without_looking(W, d):
    return W[:d]


def _halves_compared(W, d):
    return W[:d] if W[:d].shape == W[d:].shape and (W[:d] == W[d:]).all() else None


def _last_rows_compared(W, d):
    return W[:d] if (W[2 * d - len(W) : d] == W[d:]).all() else None


def _added_up(W, d):
    V = W[:d].copy()
    V[: len(W) - d] += W[d:]
    return V


def _mean(W, d):
    V = W[:d].copy()
    V[: len(W) - d] = (V[: len(W) - d] + W[d:]) / 2
    return V


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
            "to_pair: the places get zeros, so that they are ignored. They are added to the first entries of the "
            "word, and must meet the rows which these meet.",
            _q4(pair=lambda W, d_pos: np.concatenate([W, np.zeros((d_pos, W.shape[1]))])),
        ),
        Misconception(
            "to_pair: the places get the last rows of W. They are added to the first entries of the word, and must "
            "meet the rows which these meet.",
            _q4(pair=lambda W, d_pos: np.concatenate([W, W[len(W) - d_pos :]])),
        ),
        Misconception(
            "to_pair: in the pair [x; φ] the word comes first, hence its rows of the matrix too.",
            _q4(pair=lambda W, d_pos: np.concatenate([W[:d_pos], W])),
        ),
        Misconception(
            "to_pair: the places get the identity, as if W did nothing. What is added to the word goes through W "
            "as the word does.",
            _q4(pair=lambda W, d_pos: np.concatenate([W, np.eye(d_pos, W.shape[1])])),
        ),
        Misconception(
            "to_pair: the places get all of W; there are only d_pos of them, which meet the first d_pos rows.",
            _q4(pair=lambda W, d_pos: np.concatenate([W, W])),
        ),
        Misconception(
            "to_sum: you compare the whole upper part with the lower one. The places are added to the first d_pos "
            "entries alone, so that only the first d_pos rows can be compared.",
            _q4(back=_halves_compared),
        ),
        Misconception(
            "to_sum: you compare the rows for places with the last rows for words. The places are added to the first "
            "entries of the word.",
            _q4(back=_last_rows_compared),
        ),
        Misconception(
            "to_sum: you return a matrix where there is none. Look whether every entry of a place meets the same row "
            "as the entry of the word to which it is added, and return None if one does not.",
            _q4(back=_without_looking),
        ),
        Misconception(
            "to_sum: you return None where there is a matrix: its rows are those which the word meets.",
            _q4(back=lambda W, d: None),
        ),
        Misconception(
            "to_sum: you average the rows for words and for places. The result must be right for every word and "
            "every place; where these rows differ there is no such matrix: return None.",
            _q4(back=_mean),
        ),
        Misconception(
            "to_sum: you add the rows for places to those for words. With a place of zeros the sum is the word: so W "
            "has the rows which the word meets in the pair, if there is a W; otherwise return None.",
            _q4(back=_added_up),
        ),
        Misconception(
            "to_sum: you add the rows for places to those for words. With a place of zeros the sum is the word: W "
            "has the rows which the word meets in the pair.",
            _q4(back=lambda W, d: None if to_sum(W, d) is None else _added_up(W, d)),
        ),
    ],
)

# ---- q5: one word at a time ----


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
    scale=lambda d, d_k: np.sqrt(d_k),
    sees=lambda new: new,
    asks=lambda q: q,
    first=False,
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
    scores = np.einsum("bk,btk->bt", asks(q), sees(new_keys)) / scale(x.shape[1], k.shape[2])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
    weights /= weights.sum(axis=1, keepdims=True)
    return [np.einsum("bt,btv->bv", weights, sees(new_values)), new_keys, new_values]


ASK_Q5 = """
import torch

def ask(which, x, keys, values, phi, W_Q, W_K, W_V):
    if which == "one step":
        result = step(x, keys, values, phi, W_Q, W_K, W_V)
        return result[0] if isinstance(result, (tuple, list)) else result
    outputs = []
    for t in range(x.shape[1]):
        result = step(x[:, t], keys, values, phi, W_Q, W_K, W_V)
        if not isinstance(result, (tuple, list)) or len(result) != 3:
            raise ValueError("step should return three tensors: the output, the keys and the values")
        output, keys, values = result
        outputs.append(output)
    return [torch.stack(outputs, dim=1), keys, values]
"""


def _steps(forgets=False, **mistake):
    """Answer as ASK_Q5 does, with a mistake."""

    def answer(which, x, keys, values, *weights):
        if which == "one step":
            return _step(x, keys, values, *weights, **mistake)[0]
        outputs = []
        for t in range(x.shape[1]):
            output, new_keys, new_values = _step(x[:, t], keys, values, *weights, **mistake)
            keys, values = (keys, values) if forgets else (new_keys, new_values)
            outputs.append(output)
        return [np.stack(outputs, axis=1), keys, values]

    return answer


def _tensors(rng, *shapes):
    return [torch.from_numpy(rng.standard_normal(shape)).float() for shape in shapes]


def single_steps(rng):
    """Yield new words, a cache of 0 to 6 words, a table of places that is longer than needed, and weights."""
    for B, t, d, d_k, d_v in ((3, 4, 6, 2, 5), (2, 0, 4, 3, 2), (1, 6, 2, 5, 3), (4, 1, 3, 4, 2)):
        shapes = (B, d), (B, t, d_k), (B, t, d_v), (9, d), (d, d_k), (d, d_k), (d, d_v)
        yield ["one step", *_tensors(rng, *shapes)]


def whole_sentences(rng):
    """Yield sentences to be read from an empty cache, or from one that holds a beginning."""
    for B, L, t, d, d_k, d_v in ((2, 5, 0, 6, 4, 3), (3, 3, 2, 4, 2, 5), (1, 4, 1, 2, 3, 4)):
        shapes = (B, L, d), (B, t, d_k), (B, t, d_v), (9, d), (d, d_k), (d, d_k), (d, d_v)
        yield ["a sentence", *_tensors(rng, *shapes)]


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
            "Your position is the number of sentences: len(keys) counts the first axis, B. The words in the cache are "
            "on the second.",
            _steps(row=lambda keys: keys.shape[0]),
        ),
        Misconception("The new word gets no position: add a row of phi to it.", _steps(placed=(0, 0, 0))),
        Misconception(
            "Only the query knows its position. Key and value are made from the same sum, the word and its place.",
            _steps(placed=(1, 0, 0)),
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
            "All sentences are answered with the query of the first. Each new word is a sequence of one: the queries "
            "have the shape (B, 1, d_k), not (1, B, d_k).",
            _steps(asks=lambda q: np.broadcast_to(q[:1], q.shape)),
        ),
        Misconception("The scores are not divided by √d_k.", _steps(scale=lambda d, d_k: 1.0)),
        Misconception(
            "You divide the scores by √d, the width of the words; it should be √d_k, the width of the keys.",
            _steps(scale=lambda d, d_k: np.sqrt(d)),
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
    ],
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
