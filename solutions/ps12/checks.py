"""What decides the questions of ps12: a trained decoder of 2017 made into one of today, counted and examined."""

import numpy as np
import torch
from torch.nn import functional as F

from course_grading.questions import Misconception, Part, Question, misnamed
from course_lib.model import attention, causal_mask
from course_lib.model.positions import rotate

# ---- q1: a new norm without training ----
#
# What the text says, and where it is tried:
# - M (d, n): square, wide and high, d = 1 too; e (d,), whose mean is not 0; M' and e' are parts of their own
# - W (m, d): square, wide and high; c, gain and bias are none of them 0 or 1, some negative; W' and c' are parts of
#   their own, and c' is asked for with W' wrong or right

ASK_Q1 = """
def entry_point(which, *given):
    if which in ("e'", "c'"):
        given = [array.copy() for array in given]  # who changes them loses a point, and not two
    pair = writes(*given) if which in ("M'", "e'") else reads(*given)
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise ValueError("expected is a pair: a matrix and a vector")
    return pair[which in ("e'", "c'")]
"""


def centred(M, e):
    """Take the mean off what a layer writes: (d, n), (d,) -> the same."""
    return M - M.mean(0, keepdims=True), e - e.mean()


def folded(W, c, gain, bias):
    """Put a norm's gain and bias into the matrix that reads it: (m, d), (m,) -> the same."""
    return W * gain[None], c + (W * bias[None]).sum(1)


def _asked_q1(write=centred, read=folded):
    """Answer `entry_point` with other functions."""

    def answer(which, *given):
        pair = write(*given) if which in ("M'", "e'") else read(*given)
        return pair[which in ("e'", "c'")]

    return answer


def _of_q1(wanted, value):
    """Make a mistake in one of the four results, from what is given."""

    def answer(which, *given):
        if which != wanted:
            raise ValueError("another result is asked for")
        return value(*given)

    return answer


def writers(which):
    """Return a function that yields matrices that write, for M' or e'."""

    def cases(rng):
        for d, n in ((4, 4), (3, 7), (6, 2), (1, 3)):
            yield [which, rng.normal(0.5, 1, (d, n)), rng.normal(1, 1, d)]

    return cases


def readers(which):
    """Return a function that yields matrices that read, with gain and bias, for W' or c'."""

    def cases(rng):
        for m, d in ((4, 4), (7, 3), (2, 6), (1, 5)):
            gain = rng.choice([-1, 1], d) * rng.uniform(1.2, 3, d)
            yield [which, rng.normal(0, 1, (m, d)), rng.normal(1, 1, m), gain, rng.normal(-1, 1, d)]

    return cases


Q1 = Question(
    "q1",
    ASK_Q1,
    _asked_q1(),
    [
        Part("M'", 1, writers("M'")),
        Part("e'", 1, writers("e'")),
        Part("W'", 1, readers("W'")),
        Part("c'", 1, readers("c'")),
    ],
    [
        Misconception(
            "M': you take off the mean of each row. M u has d numbers, one from each row, so that each column must "
            "lose its mean.",
            _of_q1("M'", lambda M, e: M - M.mean(1, keepdims=True)),
        ),
        Misconception(
            "M': you take one mean off all entries. Each column has a mean of its own.",
            _of_q1("M'", lambda M, e: M - M.mean()),
        ),
        Misconception(
            "M': it is returned as it was. What it writes has a mean, too.", _of_q1("M'", lambda M, e: M)
        ),
        Misconception(
            "M': it is divided by the spread, too. Only the mean is to go; the norm divides afterwards.",
            _of_q1("M'", lambda M, e: (M - M.mean(0)) / M.std(0)),
        ),
        Misconception(
            "M': the mean is added up, not divided by d: M u loses its sum.",
            _of_q1("M'", lambda M, e: M - M.sum(0)),
        ),
        Misconception(
            "e': it is returned as it was. e is written, too, so it must lose its mean.",
            _of_q1("e'", lambda M, e: e),
        ),
        Misconception(
            "e': you return zeros. Of e only the mean must go.", _of_q1("e'", lambda M, e: np.zeros_like(e))
        ),
        Misconception(
            "e': it is divided by the spread, too. Only the mean is to go.",
            _of_q1("e'", lambda M, e: (e - e.mean()) / e.std()),
        ),
        Misconception(
            "e': you take off the mean of M. e has a mean of its own.",
            _of_q1("e'", lambda M, e: e - M.mean()),
        ),
        Misconception(
            "e': the mean of M is taken off, too. That is done in M'.",
            _of_q1("e'", lambda M, e: e - e.mean() - M.mean()),
        ),
        Misconception(
            "W': the gain multiplies the rows. Its entries belong to the numbers that W reads, so each multiplies a "
            "column.",
            _of_q1("W'", lambda W, c, gain, bias: W * gain[:, None]),
            sometimes="W': where W is square, the gain multiplies its rows. Each entry multiplies a column.",
        ),
        Misconception("W': the gain is missing.", _of_q1("W'", lambda W, c, gain, bias: W)),
        Misconception("W': you divide by the gain.", _of_q1("W'", lambda W, c, gain, bias: W / gain)),
        Misconception(
            "W': the bias is added to the matrix. It does not meet z; it belongs to c'.",
            _of_q1("W'", lambda W, c, gain, bias: W * gain + bias),
        ),
        Misconception(
            "c': c is returned as it was. W reads the bias, too.",
            _of_q1("c'", lambda W, c, gain, bias: c),
        ),
        Misconception("c': c itself is lost.", _of_q1("c'", lambda W, c, gain, bias: W @ bias)),
        Misconception(
            "c': the bias is multiplied by the gain. It is added after the gain, so it meets W alone.",
            _of_q1("c'", lambda W, c, gain, bias: c + W @ (gain * bias)),
        ),
        Misconception(
            "c': you add the bias itself. W is applied to it before c is added.",
            _of_q1("c'", lambda W, c, gain, bias: c + bias),
            sometimes="c': where W is square, you add the bias itself. W is applied to it first.",
        ),
        Misconception(
            "c': the bias meets the rows of W. Its entries belong to the numbers that W reads.",
            _of_q1("c'", lambda W, c, gain, bias: c + W.T @ bias),
            sometimes="c': where W is square, the bias meets its rows. Its entries belong to the numbers that W reads.",
        ),
        Misconception(
            "c': W is multiplied by c as well. c is added at the end, as before.",
            _of_q1("c'", lambda W, c, gain, bias: W @ (bias + c)),
            sometimes="c': where W is square, it is applied to c as well. c is added at the end.",
        ),
        Misconception(
            "c': what W makes of the bias is subtracted.", _of_q1("c'", lambda W, c, g, b: c - W @ b)
        ),
    ],
    describe=lambda which, *given: f"a matrix of shape {given[0].shape}, of which {which} is asked for",
)

# ---- q2: four wrong lines ----
#
# What the text says, and where it is tried. Each line is a part of its own, in which the others do not show, however
# they were mended:
# - line 4, norm before turning: what the attention adds, of rows with the root mean square 1 (line 7), with a single
#   head of keys and values (line 5): gains that differ, several tokens, one and several heads
# - line 5, groups: the same, with equal rows, so that the weights do not matter, for the values; with scores that
#   neither norm nor turning changes, in the last row, for the keys: 1 < G < H, G = H
# - line 7, what is added to: equal rows, one head, a network that adds nothing. The same with rows that differ, and
#   queries and keys that neither norm nor turning changes: what queries, keys and values are made of
# - line 9, which product goes through silu: what the network adds, if attention multiplies x by a number
# - inputs that stay as they are: with line 7 alone, where such a mistake is likely
# - any L, 1 included; d_k even, 2 included; H·d_k ≠ d
# - the diagnosis: each line by itself; letters, in either case; four entries in all

ASK_Q2 = """
import torch

def entry_point(what, x, w, n_heads, n_kv_heads):
    if what in ("sum", "network", "attention", "last row"):
        if what == "sum":
            return layer(x, w, n_heads, n_kv_heads)
        added_by = "W_2" if what == "network" else "W_O"
        given = [w, w | {added_by: 0 * w[added_by]}]
        copies = [(x.clone(), {name: t.clone() for name, t in each.items()}) for each in given]
        y, without = (torch.as_tensor(layer(*both, n_heads, n_kv_heads)) for both in copies)
        y = y - without
        return y[-1] if what == "last row" else y
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

HIDDEN_BY = {4: "B", 5: "A", 7: "C", 9: "D"}


def _norm(x, gain):
    """RMSNorm, as the question has it."""
    return gain * x / (x.square().mean(-1, keepdim=True) + 1e-6).sqrt()


def _in_turn(t, each):
    return torch.cat([t] * each)


def _beside(t, each):
    return t.repeat_interleave(each, 0)


def _prepared(t, gain):
    return rotate(_norm(t, gain))


def run_layer(
    x, w, n_heads, n_kv_heads, prepare=_prepared, keys_prepared=None, keys=_beside, values=_beside,
    kept=lambda x, h: x, gate=lambda one, three: F.silu(one) * three, mask=causal_mask,
    second=lambda x, h: x, reads=lambda x, h, name: h, gain_1=lambda w: w["gain_1"], gain_2=lambda w: w["gain_2"],
    network_reads=lambda x, h: h,
):  # fmt: skip
    """Return what one layer of today's decoder does; each argument is a place where something can go wrong."""
    x = x.double()
    w = {name: values.double() for name, values in w.items()}
    h = _norm(x, gain_1(w))
    Q, K, V = (
        (reads(x, h, name) @ w[name].T).reshape(len(x), n, -1).movedim(1, 0)
        for name, n in (("W_Q", n_heads), ("W_K", n_kv_heads), ("W_V", n_kv_heads))
    )
    Q, K = prepare(Q, w["gain_Q"]), (keys_prepared or prepare)(K, w["gain_K"])
    each = n_heads // n_kv_heads
    heads, _ = attention(Q, keys(K, each), values(V, each), mask(len(x)) if mask else None)
    x = kept(x, h) + heads.movedim(0, 1).reshape(len(x), -1) @ w["W_O"].T
    h = _norm(x, gain_2(w))
    read = network_reads(x, h)
    return second(x, h) + gate(read @ w["W_1"].T, read @ w["W_3"].T) @ w["W_2"].T


def _asked(what, x, w, n_heads, n_kv_heads, **wrong):
    """Return what `entry_point` does of a layer."""
    y = run_layer(x, w, n_heads, n_kv_heads, **wrong)
    if what == "sum":
        return y
    without = w | {name: torch.zeros_like(w[name]) for name in (["W_2"] if what == "network" else ["W_O"])}
    y = y - run_layer(x, without, n_heads, n_kv_heads, **wrong)
    return y[-1] if what == "last row" else y


def _right_q2(what, *given):
    return HIDDEN_BY[what] if what in HIDDEN_BY else _asked(what, *given)


def _layer(**wrong):
    """Make a mistake in the layer alone."""

    def answer(what, *given):
        if what in HIDDEN_BY:
            raise ValueError("the diagnosis is asked for")
        return _asked(what, *given, **wrong)

    return answer


def weights_of(rng, d, d_k, n_heads, n_kv_heads, **others):
    """Draw the weights of a layer, in single precision, some of which are given."""
    sizes = {"W_Q": (n_heads * d_k, d), "W_K": (n_kv_heads * d_k, d), "W_V": (n_kv_heads * d_k, d)}
    sizes |= {"W_O": (d, n_heads * d_k), "W_1": (7, d), "W_3": (7, d), "W_2": (d, 7)}
    w = {name: rng.normal(0, 1 / np.sqrt(size[1]), size) for name, size in sizes.items()}
    for name, width in {"gain_1": d, "gain_2": d, "gain_Q": d_k, "gain_K": d_k}.items():
        w[name] = rng.permutation(np.linspace(0.5, 2, width))
    return {name: torch.tensor(values).float() for name, values in (w | others).items()}


def of_size_1(x):
    """Divide each row by its root mean square."""
    return x / np.sqrt((x**2).mean(-1, keepdims=True))


def for_line_4(rng):
    """Yield layers with a single head of keys and values."""
    for n_heads, length, d, d_k in ((1, 5, 10, 4), (4, 7, 9, 2), (2, 4, 12, 6)):
        given = {"gain_1": np.ones(d), "gain_2": np.ones(d), "W_2": np.zeros((d, 7))}
        x = torch.tensor(of_size_1(rng.normal(0, 1, (length, d)))).float()
        yield ["attention", x, weights_of(rng, d, d_k, n_heads, 1, **given), n_heads, 1]


def for_line_5(rng):
    """Yield layers of several groups: equal rows for the values, equal values for the keys."""
    for n_heads, n_kv_heads, length, d, d_k in (
        (4, 2, 3, 10, 4),
        (6, 3, 1, 9, 2),
        (6, 2, 2, 5, 2),
        (3, 3, 2, 8, 4),
    ):
        given = {"gain_1": np.ones(d), "gain_2": np.ones(d), "W_2": np.zeros((d, 7))}
        x = torch.tensor(of_size_1(rng.normal(0, 1, (1, d)))).float().expand(length, -1)
        w = weights_of(rng, d, d_k, n_heads, n_kv_heads, **given)
        yield ["attention", x.clone(), w, n_heads, n_kv_heads]
    length, d, d_k, n_heads, n_kv_heads = 2, 8, 64, 4, 2
    x = of_size_1(rng.normal(0, 1, (length, d)))
    given = {"gain_1": np.ones(d), "gain_2": np.ones(d), "W_2": np.zeros((d, 7))}
    given |= {"gain_Q": np.ones(d_k), "gain_K": np.ones(d_k)}
    # The second token looks at the first through head 0 of the keys, and at itself through head 1.
    for name, heads, toward in (("W_Q", n_heads, 0.0), ("W_K", n_kv_heads, np.pi * np.eye(2)[::-1])):
        # All of a query or a key is in the last two of 64 columns, which turn by 10⁻⁴; its root mean square is 1.
        wanted, angles = np.zeros((length, heads, d_k)), toward + rng.uniform(-0.3, 0.3, (length, heads))
        wanted[..., -2], wanted[..., -1] = 8 * np.cos(angles), 8 * np.sin(angles)
        given[name] = (np.linalg.pinv(x) @ wanted.reshape(length, -1)).T
    given["W_V"] = np.tile(rng.normal(0, 1, (d_k, d)), (n_kv_heads, 1))
    w = weights_of(rng, d, d_k, n_heads, n_kv_heads, **given)
    yield ["last row", torch.tensor(x).float(), w, n_heads, n_kv_heads]


def for_line_7(rng):
    """Yield layers whose network adds nothing, and equal rows."""
    for length, d, d_k in ((1, 9, 4), (4, 6, 2), (3, 10, 10)):
        x = torch.tensor(rng.normal(0.5, 3, (1, d))).float().expand(length, -1)
        yield ["sum", x.clone(), weights_of(rng, d, d_k, 1, 1, W_2=np.zeros((d, 7))), 1, 1]
    d, d_k = 8, 64
    gain, turned = rng.permutation(np.linspace(0.5, 2, d)), [[0.0]]
    while (
        np.abs(turned).min() < 0.1
    ):  # how much of the other row is in a row of x, seen from the normalised ones
        x = rng.normal(0.5, 2, (2, d))
        back = np.linalg.pinv(of_size_1(x) * gain)
        there = x @ back
        turned = [there[0, 1] / there[0, 0], there[1, 0] / there[1, 1]]
    given = {"gain_1": gain, "gain_Q": np.ones(d_k), "gain_K": np.ones(d_k), "W_2": np.zeros((d, 7))}
    for name, angles in (("W_Q", np.array([np.pi / 2, 0])), ("W_K", np.array([np.pi / 3, -np.pi / 3]))):
        wanted = np.zeros(
            (2, d_k)
        )  # as for line 5: 10⁻⁴ is all that they turn, and their root mean square is 1
        wanted[:, -2], wanted[:, -1] = 8 * np.cos(angles), 8 * np.sin(angles)
        given[name] = (back @ wanted).T
    yield ["sum", torch.tensor(x).float(), weights_of(rng, d, d_k, 1, 1, **given), 1, 1]


def for_line_9(rng):
    """Yield layers whose attention adds a multiple of what it reads."""
    for length, d in ((1, 6), (4, 8), (2, 12)):
        given = {"gain_1": np.ones(d), "W_V": np.eye(d), "W_O": np.eye(d)}
        given["gain_2"] = np.full(d, rng.uniform(1.5, 2))  # alike, so that in line 1 it would only scale x
        x = torch.tensor(of_size_1(rng.normal(0.5, 1, (1, d)))).float().expand(length, -1)
        yield ["network", x.clone(), weights_of(rng, d, d, 1, 1, **given), 1, 1]


def named(line):
    """Return a function that yields one question: the letter of a line."""
    return lambda rng: [[line, torch.zeros(1, 2), {}, 1, 1]]


WHY = {
    "A": "A hides a fault in how heads of queries find their keys and values: with a single head there is no choice.",
    "B": "B hides a fault in the order of norm and turning: a norm without a gain may come before or after.",
    "C": "C hides a fault in what is added to: then a vector and its norm are the same.",
    "D": "D hides a fault in which of two products goes through silu: then they are the same.",
    "E": "E hides none of the four faults. With one pair of columns the order of norm and turning still matters.",
    "F": "F hides none of the four faults. The norm ignores the scale of x, the path past it does not.",
}

Q2 = Question(
    "q2",
    ASK_Q2,
    _right_q2,
    [
        Part("line 4 mended", 1, for_line_4),
        Part("line 5 mended", 1, for_line_5, tolerance=5e-3),
        Part("line 7 mended", 1, for_line_7, tolerance=2e-3),
        Part("line 9 mended", 1, for_line_9),
        *(Part(f"line {line} named, with what hides its fault", 0.5, named(line)) for line in HIDDEN_BY),
    ],
    [
        Misconception(
            "Queries and keys are still turned before they are normalised. The gain multiplies columns, and turning "
            "mixes them, so with a gain the order matters: norm first.",
            _layer(prepare=lambda t, gain: _norm(rotate(t), gain)),
        ),
        Misconception(
            "The queries are normalised before they are turned, the keys still after. Both need the norm first.",
            _layer(keys_prepared=lambda t, gain: _norm(rotate(t), gain)),
        ),
        Misconception(
            "The keys are normalised before they are turned, the queries still after. Both need the norm first.",
            _layer(prepare=lambda t, gain: _norm(rotate(t), gain), keys_prepared=_prepared),
        ),
        Misconception(
            "Queries and keys are no longer normalised.", _layer(prepare=lambda t, gain: rotate(t))
        ),
        Misconception("Queries and keys are no longer turned.", _layer(prepare=_norm)),
        Misconception("The keys are no longer turned.", _layer(keys_prepared=_norm)),
        Misconception("The queries are no longer turned.", _layer(prepare=_norm, keys_prepared=_prepared)),
        Misconception(
            "Queries and keys are normalised without their gains.",
            _layer(prepare=lambda t, gain: rotate(_norm(t, 1.0))),
        ),
        Misconception(
            "The gains of queries and keys have changed places.",
            lambda what, x, w, *heads: _layer()(
                what, x, w | {"gain_Q": w["gain_K"], "gain_K": w["gain_Q"]} if w else w, *heads
            ),
        ),
        Misconception(
            "Queries and keys are normalised over all heads together. Each head is normalised by itself.",
            _layer(
                prepare=lambda t, gain: rotate(
                    gain * t / (t.square().mean((0, 2), keepdim=True) + 1e-6).sqrt()
                )
            ),
        ),
        Misconception(
            "Queries and keys are normalised and turned, and then normalised once more.",
            _layer(prepare=lambda t, gain: _norm(rotate(_norm(t, gain)), gain)),
        ),
        Misconception(
            "The heads of keys and values still take turns: with 4 and 2, the heads of the queries read 0, 1, 0, 1. "
            "They should read 0, 0, 1, 1: repeat_interleave.",
            _layer(keys=_in_turn, values=_in_turn),
        ),
        Misconception(
            "The keys are repeated head beside head, the values still take turns.", _layer(values=_in_turn)
        ),
        Misconception(
            "The values are repeated head beside head, the keys still take turns.", _layer(keys=_in_turn)
        ),
        Misconception(
            "All heads of queries read the first head of keys and values.",
            _layer(keys=lambda t, each: t[:1], values=lambda t, each: t[:1]),
        ),
        Misconception(
            "What the attention returns is still added to the normalised vectors. It is added to the vectors as they "
            "came in.",
            _layer(kept=lambda x, h: h),
        ),
        Misconception(
            "Queries, keys and values are now made of the vectors as they came in. These are made of the normalised "
            "ones; the vectors as they came in are what is added to.",
            _layer(reads=lambda x, h, name: x),
        ),
        *(
            Misconception(
                f"{told} made of the vectors as they came in. Lines 2 and 3 were right: of the normalised ones.",
                _layer(reads=lambda x, h, name, names=names: x if name in names else h),
                sometimes=f"{told} made of the vectors as they came in, which shows where rows differ. Lines 2 and 3 "
                "were right: of the normalised ones.",
            )
            for names, told in (
                (("W_Q",), "The queries are now"),
                (("W_K",), "The keys are now"),
                (("W_Q", "W_K"), "Queries and keys are now"),
                (("W_V",), "The values are now"),
                (("W_K", "W_V"), "Keys and values are now"),
            )
        ),
        Misconception("gain_1 is missing. Line 1 was right.", _layer(gain_1=lambda w: 1.0)),
        Misconception("Line 1 has gain_2 in place of gain_1.", _layer(gain_1=lambda w: w["gain_2"])),
        Misconception(
            "Line 8 was right: the norm before the network has gain_2.", _layer(gain_2=lambda w: 1.0)
        ),
        Misconception(
            "The network reads vectors that are not normalised. Line 8 was right.",
            _layer(network_reads=lambda x, h: x),
        ),
        Misconception(
            "The attention's result is added to nothing: the vectors as they came in are lost.",
            _layer(kept=lambda x, h: 0),
        ),
        Misconception(
            "What the attention returns is added to the vectors as they came in and to the normalised ones. It is "
            "added to the former alone.",
            _layer(kept=lambda x, h: x + h),
        ),
        Misconception(
            "What the network returns is now added to normalised vectors. Line 10 was right: it is added to x.",
            _layer(second=lambda x, h: h),
        ),
        Misconception(
            "silu is still applied to the product with W_3. It is applied to that with W_1.",
            _layer(gate=lambda one, three: one * F.silu(three)),
        ),
        Misconception(
            "silu is applied to both products. Only that with W_1 goes through it.",
            _layer(gate=lambda one, three: F.silu(one) * F.silu(three)),
        ),
        Misconception(
            "Neither product goes through silu. That with W_1 does.",
            _layer(gate=lambda one, three: one * three),
        ),
        Misconception(
            "silu is applied to the product of both. It is applied to that with W_1, which is then multiplied.",
            _layer(gate=lambda one, three: F.silu(one * three)),
        ),
        Misconception(
            "The gate is gone: there is only silu of the product with W_1.",
            _layer(gate=lambda one, three: F.silu(one)),
        ),
        Misconception(
            "The two products are added. They are multiplied, entry by entry.",
            _layer(gate=lambda one, three: F.silu(one) + three),
        ),
        Misconception("The causal mask is gone. Line 6 was right.", _layer(mask=None)),
        *misnamed(HIDDEN_BY, {4: 2, 5: 1, 7: 3, 9: 4}, WHY),
    ],
    describe=lambda what, x, w, n_heads, n_kv_heads: (
        "your diagnosis"
        if what in HIDDEN_BY
        else (
            ""
            if what == "sum"
            else "what the " + ("network" if what == "network" else "attention") + " adds in "
        )
        + f"a layer with n_heads = {n_heads}, n_kv_heads = {n_kv_heads}, d = {x.shape[1]}, L = {len(x)}"
    ),
)

# ---- q3: fewer heads ----
#
# What the text says, and where it is tried:
# - G divides H: 1 < G < H, G = 1, G = H; d_k 1 and more; d 1 and more; d_k, groups and heads in a group all differ
# - as_many: the same sizes; one head of queries to each head of keys, several, and a single head of keys

ASK_Q3 = """
def entry_point(which, W, before, after):
    return (fewer if which == "fewer" else as_many)(W, before, after)
"""


def merged(W, n_heads, n_kv_heads):
    """Average the heads of each group: (n_heads·d_k, d) -> (n_kv_heads·d_k, d)."""
    heads = np.stack(np.split(W, n_heads))
    return np.concatenate([group.mean(0) for group in np.split(heads, n_kv_heads)])


def repeated(W, n_kv_heads, n_heads):
    """Give each head of queries its own copy of keys or values: (n_kv_heads·d_k, d) -> (n_heads·d_k, d)."""
    return np.concatenate([head for head in np.split(W, n_kv_heads) for _ in range(n_heads // n_kv_heads)])


def _asked_q3(down=merged, up=repeated):
    """Answer `entry_point` with other functions."""
    return lambda which, W, before, after: (down if which == "fewer" else up)(W, before, after)


def _of_q3(wanted, value):
    """Make a mistake in one of the two functions."""

    def answer(which, W, before, after):
        if which != wanted:
            raise ValueError("the other function is asked for")
        return value(W, before, after)

    return answer


def heads_to_merge(rng):
    """Yield matrices of many heads, and how many there are to be."""
    for n_heads, n_kv_heads, d_k, d in (
        (6, 2, 4, 5),
        (8, 4, 3, 1),
        (5, 1, 2, 3),
        (4, 4, 2, 7),
        (12, 3, 1, 2),
    ):
        yield ["fewer", rng.normal(0, 1, (n_heads * d_k, d)), n_heads, n_kv_heads]


def heads_to_repeat(rng):
    """Yield matrices of few heads, and how many there are to be."""
    for n_kv_heads, n_heads, d_k, d in (
        (2, 6, 4, 5),
        (4, 8, 3, 1),
        (1, 5, 2, 3),
        (4, 4, 2, 7),
        (3, 12, 1, 2),
    ):
        yield ["as_many", rng.normal(0, 1, (n_kv_heads * d_k, d)), n_kv_heads, n_heads]


Q3 = Question(
    "q3",
    ASK_Q3,
    _asked_q3(),
    [Part("fewer heads", 2, heads_to_merge), Part("as many again", 1, heads_to_repeat)],
    [
        Misconception(
            "fewer: heads that are far apart become one: 0 and 2, 1 and 3. Neighbours do: 0 and 1, 2 and 3.",
            _of_q3("fewer", lambda W, H, G: W.reshape(H // G, -1, W.shape[1]).mean(0)),
        ),
        Misconception(
            "fewer: you keep the first head of each group. Each new head is the mean of its group.",
            _of_q3(
                "fewer", lambda W, H, G: W.reshape(G, H // G, -1, W.shape[1])[:, 0].reshape(-1, W.shape[1])
            ),
        ),
        Misconception(
            "fewer: you keep the first heads. Each new head is the mean of its group.",
            _of_q3("fewer", lambda W, H, G: W[: len(W) * G // H]),
        ),
        Misconception(
            "fewer: the heads of a group are added up. Their mean is asked for.",
            _of_q3("fewer", lambda W, H, G: merged(W, H, G) * (H // G)),
        ),
        Misconception(
            "fewer: you average neighbouring rows. Row 0 of a head goes with row 0 of the other heads of its group.",
            _of_q3("fewer", lambda W, H, G: W.reshape(-1, H // G, W.shape[1]).mean(1)),
        ),
        Misconception(
            "fewer: you average over the rows of each head, too: d_k rows must be left for each new head.",
            _of_q3("fewer", lambda W, H, G: W.reshape(G, -1, W.shape[1]).mean(1)),
        ),
        Misconception(
            "as_many: your heads take turns, 0, 1, 0, 1. Neighbouring heads of queries read the same head: 0, 0, 1, 1.",
            _of_q3("as_many", lambda W, G, H: np.tile(W, (H // G, 1))),
        ),
        Misconception(
            "as_many: you repeat each row. The rows of a head must stay together.",
            _of_q3("as_many", lambda W, G, H: W.repeat(H // G, 0)),
        ),
        Misconception(
            "as_many: the copies are divided by their number. Each head of queries needs the keys as they are.",
            _of_q3("as_many", lambda W, G, H: repeated(W, G, H) / (H // G)),
        ),
    ],
    describe=lambda which, W, before, after: f"{which}(W of shape {W.shape}, {before}, {after})",
)

# ---- q4: a model's card ----
#
# What the text says, and where it is tried:
# - each of the four counts by itself; tied and not, with QK-norm and without
# - head_dim · num_attention_heads is and is not hidden_size; G = H, 1 < G < H, G = 1
# - the cache: of no, one and many tokens, one, two and four bytes a number
# - sizes of which none is like the other

ASK_Q4 = """
def answered(part, card, n_tokens, bytes_each):
    if part == "cache":
        return cache_bytes(card, n_tokens, bytes_each)
    counts = parameters(card)
    if not isinstance(counts, dict):
        raise ValueError("expected is a dictionary with four keys")
    if part not in counts:
        raise ValueError(f"your result has no entry '{part}'")
    return counts[part]


def entry_point(part, card, n_tokens, bytes_each):
    d, d_k, n_heads, n_layers = (
        card[size] for size in ("hidden_size", "head_dim", "num_attention_heads", "num_hidden_layers")
    )
    if part in ("norms", "cache"):
        try:  # who shares out hidden_size has lost a point for it in the attention, and loses no other
            attention = answered("attention", card, n_tokens, bytes_each)
            shared_out = attention == 2 * n_layers * d * (d // n_heads) * (n_heads + card["num_key_value_heads"])
        except Exception:
            shared_out = False
        if shared_out:
            value = answered(part, card | {"head_dim": d // n_heads}, n_tokens, bytes_each)
            if part == "cache":
                return value * d_k / (d // n_heads)
            return value + 2 * n_layers * card["qk_norm"] * (d_k - d // n_heads)
    return answered(part, card, n_tokens, bytes_each)
"""


def counted(
    heads=lambda c: 2 * c["num_attention_heads"] + 2 * c["num_key_value_heads"],
    width=lambda c: c["head_dim"],
    matrices=3,
    gains=lambda c: 2 * c["hidden_size"] + 2 * c["head_dim"] * c["qk_norm"],
    end=1,
    ends=lambda c: 2 - c["tie_word_embeddings"],
    kept=lambda c, n_tokens, bytes_each: (
        n_tokens * bytes_each * 2 * c["num_hidden_layers"] * c["num_key_value_heads"]
    ),
    layers=lambda c: c["num_hidden_layers"],
):
    """Make an answer from what is counted."""

    def answer(part, c, n_tokens, bytes_each):
        d, n = c["hidden_size"], layers(c)
        if part == "cache":
            return kept(c, n_tokens, bytes_each) * width(c)
        return {
            "attention": n * heads(c) * width(c) * d,
            "feed-forward": n * matrices * d * c["intermediate_size"],
            "norms": n * gains(c) + end * d,
            "embeddings": ends(c) * c["vocab_size"] * d,
        }[part]

    return answer


def _for_part(wanted, **wrong):
    """Make a mistake in one of the five numbers."""

    def answer(part, *given):
        if part != wanted:
            raise ValueError("another number is asked for")
        return counted(**wrong)(part, *given)

    return answer


def cards(part):
    """Return a function that yields cards of models, of which one number is asked for."""

    def cases(rng):
        for n_heads, n_kv_heads, d_k, d, tied, qk_norm in (
            (6, 2, 32, 160, True, True),
            (8, 8, 16, 128, False, False),
            (12, 1, 24, 200, False, True),
            (10, 5, 8, 80, True, False),
        ):
            n_layers, inner = (int(number) for number in rng.choice(range(11, 60), 2, replace=False))
            yield [
                part,
                {
                    "hidden_size": d,
                    "num_hidden_layers": n_layers,
                    "num_attention_heads": n_heads,
                    "num_key_value_heads": n_kv_heads,
                    "head_dim": d_k,
                    "intermediate_size": 7 * inner,
                    "vocab_size": int(rng.integers(1000, 9000)),
                    "tie_word_embeddings": tied,
                    "qk_norm": qk_norm,
                },
                int(rng.integers(2, 5000)) if n_kv_heads != 5 else 1,
                {2: 2, 8: 4, 1: 1, 5: 2}[n_kv_heads],
            ]

    return cases


def _by_width(c):
    return c["hidden_size"] // c["num_attention_heads"]


NOT_BY_WIDTH = "head_dim is a size of its own, and need not be hidden_size / num_attention_heads."

Q4 = Question(
    "q4",
    ASK_Q4,
    counted(),
    [
        Part("attention", 1, cards("attention")),
        Part("feed-forward networks", 0.5, cards("feed-forward")),
        Part("norms", 0.5, cards("norms")),
        Part("embeddings", 1, cards("embeddings")),
        Part("the cache", 1, cards("cache")),
    ],
    [
        Misconception(f"attention: {NOT_BY_WIDTH}", _for_part("attention", width=_by_width)),
        Misconception(
            "attention: keys and values have as many heads as num_key_value_heads says, fewer than queries.",
            _for_part("attention", heads=lambda c: 4 * c["num_attention_heads"]),
        ),
        Misconception(
            "attention: the matrix that reads the heads, W_O, is missing.",
            _for_part("attention", heads=lambda c: c["num_attention_heads"] + 2 * c["num_key_value_heads"]),
        ),
        Misconception(
            "attention: keys and values have a matrix each.",
            _for_part("attention", heads=lambda c: 2 * c["num_attention_heads"] + c["num_key_value_heads"]),
        ),
        Misconception(
            "attention: W_O reads the heads of the queries, so that it is as large as W_Q.",
            _for_part("attention", heads=lambda c: c["num_attention_heads"] + 3 * c["num_key_value_heads"]),
        ),
        Misconception(
            "attention: you count d × d for queries and output. They have num_attention_heads · head_dim rows or "
            "columns.",
            _for_part(
                "attention",
                heads=lambda c: 2 * c["hidden_size"] / c["head_dim"] + 2 * c["num_key_value_heads"],
            ),
        ),
        Misconception(
            "attention: this is one layer. All layers are asked for.",
            _for_part("attention", layers=lambda c: 1),
        ),
        Misconception(
            "feed-forward: SwiGLU has three matrices, not two.", _for_part("feed-forward", matrices=2)
        ),
        Misconception(
            "feed-forward: this is one layer. All layers are asked for.",
            _for_part("feed-forward", layers=lambda c: 1),
        ),
        Misconception("norms: the norm at the end is missing.", _for_part("norms", end=0)),
        Misconception(
            "norms: those of queries and keys are missing, where there are any.",
            _for_part("norms", gains=lambda c: 2 * c["hidden_size"]),
        ),
        Misconception(
            "norms: those of queries and keys are counted where qk_norm is False, too.",
            _for_part("norms", gains=lambda c: 2 * c["hidden_size"] + 2 * c["head_dim"]),
        ),
        Misconception(
            "norms: queries and keys have a gain each, one for the queries, one for the keys.",
            _for_part("norms", gains=lambda c: 2 * c["hidden_size"] + c["head_dim"] * c["qk_norm"]),
        ),
        Misconception(
            "norms: each layer has two norms besides those of queries and keys, one before the attention, one before "
            "the network.",
            _for_part("norms", gains=lambda c: c["hidden_size"] + 2 * c["head_dim"] * c["qk_norm"]),
        ),
        Misconception(
            "norms: those of queries and keys are as wide as one head, and serve all heads.",
            _for_part(
                "norms",
                gains=lambda c: (
                    2 * c["hidden_size"]
                    + c["head_dim"] * c["qk_norm"] * (c["num_attention_heads"] + c["num_key_value_heads"])
                ),
            ),
        ),
        Misconception(
            "norms: those of queries and keys are as wide as one head, not as the model.",
            _for_part("norms", gains=lambda c: (2 + 2 * c["qk_norm"]) * c["hidden_size"]),
        ),
        Misconception(
            "norms: RMSNorm has a gain and no bias.",
            _for_part(
                "norms", gains=lambda c: 4 * c["hidden_size"] + 4 * c["head_dim"] * c["qk_norm"], end=2
            ),
        ),
        Misconception(
            f"norms: {NOT_BY_WIDTH}",
            _for_part("norms", gains=lambda c: 2 * c["hidden_size"] + 2 * _by_width(c) * c["qk_norm"]),
        ),
        Misconception(
            "embeddings: tied and not tied have changed places: tied is a single matrix.",
            _for_part("embeddings", ends=lambda c: 1 + c["tie_word_embeddings"]),
        ),
        Misconception(
            "embeddings: if they are not tied, there are two matrices.",
            _for_part("embeddings", ends=lambda c: 1),
        ),
        Misconception(
            "embeddings: if they are tied, both matrices are one.", _for_part("embeddings", ends=lambda c: 2)
        ),
        Misconception(
            "cache: keys and values are kept, and you count only one of them.",
            _for_part(
                "cache", kept=lambda c, n, b: n * b * c["num_hidden_layers"] * c["num_key_value_heads"]
            ),
        ),
        Misconception(
            "cache: queries are not kept. Count the heads of keys and values.",
            _for_part(
                "cache", kept=lambda c, n, b: 2 * n * b * c["num_hidden_layers"] * c["num_attention_heads"]
            ),
        ),
        Misconception(f"cache: {NOT_BY_WIDTH}", _for_part("cache", width=_by_width)),
        Misconception(
            "cache: each layer keeps keys and values of its own.",
            _for_part("cache", kept=lambda c, n, b: 2 * n * b * c["num_key_value_heads"]),
        ),
        Misconception(
            "cache: these are numbers, not bytes: bytes_each is missing.",
            _for_part(
                "cache", kept=lambda c, n, b: 2 * n * c["num_hidden_layers"] * c["num_key_value_heads"]
            ),
        ),
        Misconception(
            "cache: this is for one token. Each of n_tokens has keys and values.",
            _for_part(
                "cache", kept=lambda c, n, b: 2 * b * c["num_hidden_layers"] * c["num_key_value_heads"]
            ),
        ),
        Misconception(
            "cache: two bytes a number are taken, whatever bytes_each is.",
            _for_part(
                "cache", kept=lambda c, n, b: 4 * n * c["num_hidden_layers"] * c["num_key_value_heads"]
            ),
        ),
        Misconception(
            "cache: the cache grows with n_tokens, not with its square.",
            _for_part(
                "cache",
                kept=lambda c, n, b: 2 * n * n * b * c["num_hidden_layers"] * c["num_key_value_heads"],
            ),
        ),
        Misconception(
            "cache: each head keeps head_dim numbers of a token, not hidden_size.",
            _for_part("cache", width=lambda c: c["hidden_size"]),
        ),
    ],
    tolerance=1e-9,
    describe=lambda part, card, n_tokens, bytes_each: (
        f"cache_bytes of {card}, {n_tokens} tokens, {bytes_each} bytes each"
        if part == "cache"
        else f"'{part}' of {card}"
    ),
)

# ---- q5: which layer is it? ----
#
# What the text says, and where it is tried: all eight kinds in each part, widths from 4 on, gain 1, no bias, so that
# each word is asked for by itself and no kind can be guessed; layers that take any L ≥ 1, also float32.

ASK_Q5 = """
def entry_point(which, place, norm, order, weights):
    import torch
    from course_lib.model import attention, causal_mask
    from course_lib.model.positions import rotate
    W_Q, W_K, W_V, W_O = weights.double().transpose(1, 2)

    def unknown(x):
        x = torch.as_tensor(x).double()
        if x.dim() != 2:
            raise ValueError(f"a layer takes a tensor of shape (L, d); this one has shape {tuple(x.shape)}")
        of_norm = lambda y: torch.nn.functional.normalize(
            y - y.mean(1, True) if norm == "layer" else y, dim=1, eps=1e-9
        ) * y.shape[1] ** 0.5
        h = of_norm(x) if place == "pre" else x
        Q, K = h @ W_Q, h @ W_K
        if order == "turned":
            Q, K = rotate(Q), rotate(K)
        y = x + attention(Q, K, h @ W_V, causal_mask(x.shape[0]))[0] @ W_O
        return y if place == "pre" else of_norm(y)

    found = examine(unknown, weights.shape[1])
    if not isinstance(found, (tuple, list)) or len(found) != 3:
        raise ValueError("expected are three words, in a tuple or a list")
    words = [("pre", "post"), ("layer", "rms"), ("turned", "none")][which]
    if str(found[which]) not in words:
        raise ValueError(f"word {which + 1} is '{found[which]}'; expected is '{words[0]}' or '{words[1]}'")
    return str(found[which])
"""

KINDS = [(p, n, o) for p in ("pre", "post") for n in ("layer", "rms") for o in ("turned", "none")]


def _real(which, *kind_and_weights):
    return kind_and_weights[which]


def _word(wanted, word):
    """Answer one of the three with a word that a mistaken test gives, from the layer's kind."""

    def answer(which, place, norm, order, weights):
        if which != wanted:
            raise ValueError("another word is asked for")
        return word(place, norm, order)

    return answer


def unknown_layers(which):
    """Return a function that yields all kinds of layers, in any order."""

    def cases(rng):
        for kind in rng.permutation(len(KINDS)):
            d = int(rng.choice([4, 6, 8, 12]))
            yield [which, *KINDS[kind], torch.tensor(rng.normal(0, d**-0.5, (4, d, d)))]

    return cases


Q5 = Question(
    "q5",
    ASK_Q5,
    _real,
    [
        Part("the place of the norm", 1, unknown_layers(0)),
        Part("the kind of norm", 1, unknown_layers(1)),
        Part("positions", 1, unknown_layers(2)),
    ],
    [
        Misconception(
            "examine says that every layer is pre-norm. After a post-norm each row has the root mean square 1; you may "
            "have tried whether the layer ignores the scale of x, but its attention does not.",
            _word(0, lambda place, norm, order: "pre"),
        ),
        Misconception(
            "examine says that every layer is post-norm.", _word(0, lambda place, norm, order: "post")
        ),
        Misconception(
            "pre and post have changed places: if every row of the result has the root mean square 1, the norm comes "
            "last.",
            _word(0, lambda place, norm, order: "post" if place == "pre" else "pre"),
        ),
        Misconception(
            "A layer is post-norm whichever its norm is: only those with LayerNorm are recognised. Their rows have the "
            "mean 0, but with RMSNorm they do not.",
            _word(0, lambda place, norm, order: "post" if (place, norm) == ("post", "layer") else "pre"),
        ),
        Misconception(
            "LayerNorm is recognised in pre-norm layers only. In a post-norm layer the attention sees a shift of x, so "
            "the result changes with either norm; but what comes out of LayerNorm has the mean 0.",
            _word(1, lambda place, norm, order: "layer" if (place, norm) == ("pre", "layer") else "rms"),
        ),
        Misconception(
            "LayerNorm is recognised in post-norm layers only. In a pre-norm layer x goes past the norm, so that "
            "the result has a mean; but a shift of x shifts the result, and nothing else.",
            _word(1, lambda place, norm, order: "layer" if (place, norm) == ("post", "layer") else "rms"),
        ),
        Misconception(
            "examine says that every norm is RMSNorm. Do not compare layer(x + s) with layer(x): x goes past a "
            "pre-norm, and takes s with it.",
            _word(1, lambda place, norm, order: "rms"),
        ),
        Misconception(
            "examine says that every norm is LayerNorm.", _word(1, lambda place, norm, order: "layer")
        ),
        Misconception(
            "LayerNorm and RMSNorm have changed places: LayerNorm is the one that ignores a shift.",
            _word(1, lambda place, norm, order: "rms" if norm == "layer" else "layer"),
        ),
        Misconception(
            "examine finds positions in every layer. Was it all rows that you compared? The causal mask treats the "
            "first rows differently, with positions or without; the last row sees all of them.",
            _word(2, lambda place, norm, order: "turned"),
        ),
        Misconception(
            "examine finds positions in no layer. Change the order of tokens before the last, and compare the last "
            "row.",
            _word(2, lambda place, norm, order: "none"),
        ),
        Misconception(
            "turned and none have changed places: without positions the last row does not change when tokens before it "
            "change places.",
            _word(2, lambda place, norm, order: "none" if order == "turned" else "turned"),
        ),
    ],
    describe=lambda which, place, norm, order, weights: (
        f"{('the place of the norm', 'the kind of norm', 'positions')[which]} of a layer ({place}, {norm}, {order}), "
        f"d = {weights.shape[1]}"
    ),
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
