"""What decides the questions of ps07: the feed-forward network and what stands around it."""

import inspect

import numpy as np
import torch
from torch.nn import functional as F

from course_lib import layers
from course_lib.grading.questions import Misconception, Part, Question

# ---- q1: a linear map as a convolution ----


def as_convolution(W, b, k):
    """Return weight and bias of a convolution that maps each word alone: (d_in, d_out), (d_out,) and k odd."""
    weight = np.zeros((W.shape[1], W.shape[0], k))
    weight[:, :, k // 2] = W.numpy().T
    return [weight, b.numpy()]


def _at(place, k, W):
    weight = np.zeros((W.shape[1], W.shape[0], k))
    weight[:, :, place] = W.numpy().T
    return weight


def maps(rng, kernel_sizes):
    """Yield linear maps that are not square, in single precision, and sizes of kernels."""
    for (d_in, d_out), k in zip([(2, 3), (5, 4), (3, 7), (4, 1)], kernel_sizes, strict=True):
        W, b = rng.standard_normal((d_in, d_out)), rng.standard_normal(d_out)
        yield [torch.tensor(W, dtype=torch.float32), torch.tensor(b, dtype=torch.float32), k]


Q1 = Question(
    "q1",
    "as_convolution",
    as_convolution,
    [
        Part("a kernel of 1", 2, lambda rng: maps(rng, [1, 1, 1, 1])),
        Part("wider kernels", 1, lambda rng: maps(rng, [3, 5, 7, 3])),
    ],
    [
        Misconception(
            "Your weight is not transposed: here W is (d_in, d_out), and a convolution keeps the outputs first, "
            "(d_out, d_in, k).",
            lambda W, b, k: [_at(k // 2, k, W).transpose(1, 0, 2), b],
        ),
        Misconception(
            "You reshape W to the shape that is wanted. That keeps the numbers in their order and puts them in wrong "
            "places; swap the axes instead.",
            lambda W, b, k: [
                np.pad(W.numpy().reshape(W.shape[1], W.shape[0], 1), [(0, 0), (0, 0), (k // 2, k // 2)]),
                b,
            ],
        ),
        Misconception(
            "All places of your kernel hold W, so that a word's result is made from its neighbours, too. "
            "Which place of the window meets the word itself?",
            lambda W, b, k: [np.repeat(_at(0, 1, W), k, axis=2), b],
        ),
        Misconception(
            "All places of your kernel hold W / k: that is the average over the window. Only the word in the middle "
            "may count.",
            lambda W, b, k: [np.repeat(_at(0, 1, W) / k, k, axis=2), b],
        ),
        Misconception(
            "W stands at the first place of your kernel, which meets the word (k − 1) / 2 places before. "
            "The word itself meets the middle.",
            lambda W, b, k: [_at(0, k, W), b],
        ),
        Misconception(
            "W stands at the last place of your kernel, which meets a later word. The word itself meets the middle.",
            lambda W, b, k: [_at(k - 1, k, W), b],
        ),
        Misconception(
            "Your weight has room for one place only; asked for are k of them, most of them empty.",
            lambda W, b, k: [_at(0, 1, W), b],
        ),
        Misconception("The bias is missing.", lambda W, b, k: [_at(k // 2, k, W), torch.zeros_like(b)]),
    ],
)

# ---- q2: who influences whom ----


def made(kind, W):
    """Make one part of a network: a function from (L, d) to (L, d_out)."""

    def part(x):
        hidden = torch.tanh(x @ W)
        later = torch.cat([hidden[1:], hidden[:1]])
        scale = (2 + hidden.mean()) * torch.linspace(1, 2, 20, dtype=x.dtype)
        readers = {
            "feed-forward": lambda: torch.relu(x @ W) @ W.T,
            "attention": lambda: torch.softmax(x @ x.T / 9, dim=-1) @ x @ W,
            "all words before": lambda: torch.ones(len(x), len(x), dtype=x.dtype).tril() @ hidden,
            "two neighbours": lambda: hidden + torch.cat([torch.zeros_like(hidden[:1]), hidden[:-1]]),
            "the next word": lambda: later,
            "the first word": lambda: hidden[:1].expand(len(x), -1),
            "layer norm": lambda: torch.nn.functional.layer_norm(x, x.shape[-1:], eps=1e-30),
            "both signs": lambda: torch.cat([later, -later], dim=1),
            "two halves": lambda: torch.cat([hidden, later], dim=1),
            "differences": lambda: x[:, 1:] - x[:, :-1],
            "first entry": lambda: torch.cat([x[1:, :1], x[:1, :1]]) * W[:1].abs(),
            "turned round": lambda: -torch.cat([x[1:], x[:1]]),
            "last entry": lambda: torch.cat([x[1:, -1:], x[:1, -1:]]) * W[-1:].abs(),
            "there and back": lambda: (hidden[:, :, None] * scale / scale).flatten(1),
        }
        return readers[kind]()

    return part


# Functions are no plain values, so that the parts are made in the student's kernel, from a word and numbers.
ASK_Q2 = f"""
import torch

{inspect.getsource(made)}

def ask(kind, W, x):
    return influence(made(kind, W), x)
"""


def influence(kind, W, x):
    """Return whether output i depends on word j: (L, L), from the derivatives."""
    jacobian = torch.autograd.functional.jacobian(made(kind, W), x)  # (L, d_out, L, d)
    return (jacobian.abs() > 1e-9).any(dim=3).any(dim=1)


def _moved(kind, W, x, push):
    """Say which rows move when each word in turn is pushed."""
    before, columns = made(kind, W)(x), []
    for j in range(len(x)):
        pushed = x.clone()
        pushed[j] += push
        columns.append((made(kind, W)(pushed) - before).abs().amax(dim=1) > 1e-9)
    return torch.stack(columns, dim=1)


def _one_entry(kind, W, x, which):
    push = torch.zeros_like(x[0])
    push[which] = 1.0
    return _moved(kind, W, x, push)


def _multiplied(kind, W, x):
    """Say which rows move when each word in turn is multiplied: LayerNorm's do not."""
    return influence(kind, W, x) & (kind != "layer norm")


def _up_only(kind, W, x):
    """Say where some derivative is positive."""
    return (torch.autograd.functional.jacobian(made(kind, W), x) > 1e-9).any(dim=3).any(dim=1)


def _all_entries(kind, W, x):
    return (torch.autograd.functional.jacobian(made(kind, W), x).abs() > 1e-9).any(dim=3).all(dim=1)


def _summed(kind, W, x):
    jacobian = torch.autograd.functional.jacobian(made(kind, W), x)
    return (jacobian.sum(dim=1).abs() > 1e-9).any(dim=-1)


def _summed_wholly(kind, W, x):
    return torch.autograd.functional.jacobian(made(kind, W), x).sum(dim=(1, 3)).abs() > 1e-9


def parts_of_networks(rng, kinds):
    """Yield parts by name, with weights and words; whole numbers where a part takes differences."""
    for number, kind in enumerate(kinds):
        length, d = 4 + number % 3, 3
        if kind == "differences":
            x = rng.permuted(np.tile([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0], (length, 1)), axis=1)[:, :d]
        else:
            x = rng.standard_normal((length, d))
        width = 32 if kind == "feed-forward" else 5
        W = rng.choice([-1, 1], (d, width)) * rng.uniform(0.3, 1.0, (d, width))
        yield [kind, torch.tensor(W), torch.tensor(x)]


Q2 = Question(
    "q2",
    ASK_Q2,
    influence,
    [
        Part(
            "attention, feed-forward, convolutions",
            2,
            lambda rng: parts_of_networks(
                rng,
                [
                    "feed-forward",
                    "attention",
                    "all words before",
                    "two neighbours",
                    "the next word",
                    "the first word",
                ],
            ),
        ),
        Part(
            "parts that notice little of a word",
            2,
            lambda rng: parts_of_networks(
                rng,
                [
                    "differences",
                    "last entry",
                    "both signs",
                    "two halves",
                    "layer norm",
                    "first entry",
                    "turned round",
                    "there and back",
                ],
            ),
        ),
    ],
    [
        Misconception(
            "Rows and columns have changed places: row i is about output i, column j about word j.",
            lambda kind, W, x: influence(kind, W, x).T,
        ),
        Misconception(
            "You multiply a word by a number, which a part that takes proportions (such as LayerNorm) does not notice. "
            "Add something to each entry, to each another amount.",
            _multiplied,
        ),
        Misconception(
            "You add up the entries of an output before you look at it, and what moves in opposite directions "
            "cancels. Look at each entry of the output by itself.",
            _summed,
        ),
        Misconception(
            "You want all entries of an output to move. One that moves is enough.",
            _all_entries,
        ),
        Misconception(
            "You push only the first entry of a word. A part may answer to another one: push all entries.",
            lambda kind, W, x: _one_entry(kind, W, x, 0),
        ),
        Misconception(
            "Only the last entry of a word counts. Push all entries; or, if you push one after another, count each "
            "that something answers to.",
            lambda kind, W, x: _one_entry(kind, W, x, -1),
        ),
        Misconception(
            "You count only what makes an output larger. A smaller one has changed, too: look at the size of a change, "
            "whatever its sign.",
            _up_only,
        ),
        Misconception(
            "Rounding alone counts as an influence. Compare the changes with a small number such as 1e-9, not with 0.",
            lambda kind, W, x: influence(kind, W, x) | (kind == "there and back"),
        ),
        Misconception(
            "Your column j shows what words 0 to j do together: push each word in a fresh copy of x.",
            lambda kind, W, x: influence(kind, W, x).cumsum(dim=1) > 0,
        ),
        Misconception(
            "You push all entries of a word by the same amount, which a part that takes differences (such as "
            "LayerNorm) does not notice. Push each entry by another amount.",
            lambda kind, W, x: _moved(kind, W, x, 1.0),
        ),
        Misconception(
            "You add up derivatives before you look at them, and those of opposite sign cancel. Look at the size of "
            "each by itself.",
            _summed_wholly,
        ),
        Misconception(
            "Your result says only which words matter to some output, or which outputs move at all: it is the same "
            "in all rows, or in all columns. Do one word, and one output, at a time.",
            lambda kind, W, x: influence(kind, W, x).any(dim=0, keepdim=True).expand(len(x), -1),
        ),
        Misconception(
            "You hand the words to the part one at a time, so that none can notice another. Hand it the sentence.",
            lambda kind, W, x: torch.eye(len(x), dtype=torch.bool),
        ),
        Misconception(
            "You leave out the diagonal: that a word's own output depends on it counts, too.",
            lambda kind, W, x: influence(kind, W, x) & ~torch.eye(len(x), dtype=torch.bool),
        ),
    ],
)

# ---- q3: not happy, with two inner units ----

PHRASES = ("not happy", "not sad", "very happy", "very sad")
SIGNS = np.array([-1, 1, 1, -1])
EXAMPLE = np.array([[2.0, -1.0], [0.0, -1.0], [0.0, 3.0], [0.0, 1.0]])


def averages(values):
    """Return what attention with the weights ½ and ½ makes of each phrase: (4, 2) -> (4, 2)."""
    negation, emphasis, happy, sad = np.asarray(values)
    pairs = [negation + happy, negation + sad, emphasis + happy, emphasis + sad]
    return np.stack(pairs) / 2


def network_on(o, W_1, b_1, W_2, b_2):
    """Return the network's answer to each phrase: (4,)."""
    return (np.maximum(0, o @ W_1 + b_1) @ W_2 + b_2)[:, 0]


def separates(answer, values):
    """Say why a network does not tell the four phrases apart; "" if it does."""
    if not isinstance(answer, list) or len(answer) != 4:
        return "Expected are four tensors: W_1, b_1, W_2 and b_2, in this order."
    try:
        network = [np.asarray(entry, dtype=np.float64) for entry in answer]
    except (ValueError, TypeError):
        return "Expected are four tensors of numbers: W_1, b_1, W_2 and b_2."
    shapes = [entry.shape for entry in network]
    d_ff = shapes[1][0] if len(shapes[1]) == 1 else 0
    if shapes != [(2, d_ff), (d_ff,), (d_ff, 1), (1,)]:
        return (
            "The shapes do not fit together: yours are "
            + ", ".join(map(str, shapes))
            + "; expected are (2, d_ff), (d_ff,), (d_ff, 1) and (1,)."
        )
    if d_ff > 4:
        return f"Your network has {d_ff} inner units; at most four are allowed, and two are enough."
    if not all(np.isfinite(entry).all() for entry in network):
        return "Some of your weights are not finite numbers."
    r = network_on(averages(values), *network)
    wrong = SIGNS * r < 1 - 1e-3
    if not wrong.any():
        return ""
    if (
        not np.array_equal(np.asarray(values), EXAMPLE)
        and not (SIGNS * network_on(averages(EXAMPLE), *network) < 1 - 1e-3).any()
    ):
        return (
            "Your weights tell the phrases apart for the values of the example, but these are other values: compute "
            "the weights from `values`."
        )
    o = averages(values)
    W_1, *others = network
    if W_1.shape == (2, 2) and not (SIGNS * network_on(o, W_1.T, *others) < 1 - 1e-3).any():
        return "Your W_1 is transposed: each inner unit has a column, with one entry for each entry of o."
    if not (SIGNS * network_on(o - o[3], *network) < 1 - 1e-3).any():
        return (
            "Your weights would do if the average of very sad were (0, 0), as in the example. Count from where very "
            "sad stands: the first bias must make up for it."
        )
    if not (SIGNS * network_on(2 * o, *network) < 1 - 1e-3).any():
        return (
            "Your weights would do for the sums of the two words' values. Attention with the weights ½ and ½ returns "
            "half of these."
        )
    moves = np.stack([o[1] - o[3], o[2] - o[3]])
    exchanged, meant = moves.T @ W_1, moves @ W_1
    if np.allclose(*exchanged, rtol=1e-4) and not np.allclose(*meant, rtol=1e-4):
        return (
            "In your two equations rows and columns are exchanged: each of the two moves, (not − very) / 2 and "
            "(happy − sad) / 2, is one equation, move · u = 1, so that it is a row of the matrix."
        )
    if np.isclose(r[0] + r[3], r[1] + r[2], atol=1e-6 * max(1.0, np.abs(r).max())):
        return (
            "For these four phrases your network is a linear map: r(not happy) + r(very sad) equals r(not sad) + "
            "r(very happy), so that the signs cannot all be right. An inner unit must be on for some phrases and off "
            "for others."
        )
    if (SIGNS * r <= -1 + 1e-3).all():
        return "All four signs are turned round: not sad and very happy are the positive ones."
    if (SIGNS * r > 0).all():
        return (
            "All signs are right, but r is nearer to 0 than 1: make the last layer's weights and bias larger."
        )
    first = int(np.argmax(wrong))
    wanted = "at least 1" if SIGNS[first] > 0 else "at most −1"
    return f"{PHRASES[first]} gets r = {r[first]:.3g}; expected is {wanted}."


def any_values(rng):
    """Yield values of four words in a plane; the two differences are neither short nor nearly parallel."""
    found = 0
    while found < 6:
        values = 3 * rng.standard_normal((4, 2))
        sizes = np.linalg.svd(np.stack([values[0] - values[1], values[2] - values[3]]), compute_uv=False)
        if sizes[1] > 1:
            found += 1
            yield [torch.tensor(values)]


Q3 = Question(
    "q3",
    "separate",
    None,
    [
        Part("the values of the example", 2, lambda rng: [[torch.tensor(EXAMPLE)]]),
        Part("any values", 2, any_values),
    ],
    accepts=separates,
)

# ---- q4: LayerNorm ----


def layer_norm(x, g, h, eps, axes=(-1,), correction=0):
    """Give each word mean 0 and variance 1, then gain and offset: (…, d), (d,), (d,) -> (…, d)."""
    x, g, h = (a.double() for a in (x, g, h))
    centred = x - x.mean(dim=axes, keepdim=True)
    return centred / (x.var(dim=axes, correction=correction, keepdim=True) + eps).sqrt() * g + h


def _deviation(x):
    return x.double().std(dim=-1, correction=0, keepdim=True)


def words(rng, shapes, mean=0.0, size=1.0, eps=None, dtype=torch.float64):
    """Yield words, gains and offsets."""
    for shape in shapes:
        x = mean + size * rng.standard_normal(shape)
        gain, offset = rng.uniform(0.5, 2.0, shape[-1]), rng.standard_normal(shape[-1])
        tensors = [torch.tensor(a, dtype=dtype) for a in (x, gain, offset)]
        yield [*tensors, float(rng.uniform(0.1, 0.5)) if eps is None else eps]


def one_sentence(rng):
    """Yield single sentences, and a single word; in one sentence every word's entries are all equal."""
    yield from words(rng, [(5, 3), (2, 4), (6,)], size=0.7)
    x, g, h, eps = next(iter(words(rng, [(3, 4)])))
    yield [x[:, :1].repeat(1, 4), g, h, eps]


Q4 = Question(
    "q4",
    "layer_norm",
    layer_norm,
    [
        Part("one sentence", 2, one_sentence),
        Part("several sentences at once", 1, lambda rng: words(rng, [(2, 5, 3), (4, 1, 3, 6)])),
        Part(
            "single precision, far from 0",
            1,
            lambda rng: words(
                rng, [(12, 8), (3, 5, 6)], mean=3000.0, size=10.0, eps=1e-5, dtype=torch.float32
            ),
        ),
    ],
    [
        Misconception(
            "Your variance divides by d − 1, which is the default of torch.var and torch.std. LayerNorm divides by d: "
            "correction=0.",
            lambda x, g, h, eps: layer_norm(x, g, h, eps, correction=1),
        ),
        Misconception(
            "Your ε stands outside the root: it is added to the variance, not to the standard deviation.",
            lambda x, g, h, eps: (x - x.mean(-1, keepdim=True)) / (_deviation(x) + eps) * g + h,
        ),
        Misconception(
            "Two things: your ε stands outside the root, and your variance divides by d − 1, the default of torch.var "
            "and torch.std. It is √(σ² + ε), with correction=0.",
            lambda x, g, h, eps: (
                (x - x.mean(-1, keepdim=True)) / (x.double().std(-1, keepdim=True) + eps) * g + h
            ),
        ),
        Misconception(
            "You divide by the variance, without the root.",
            lambda x, g, h, eps: (x - x.mean(-1, keepdim=True)) / (_deviation(x) ** 2 + eps) * g + h,
        ),
        Misconception(
            "The ε is missing, or a small number of your own: use the `eps` that is given. (Without any, a word whose "
            "entries are all equal divides 0 by 0.)",
            lambda x, g, h, eps: layer_norm(x, g, h, 1e-5),
        ),
        Misconception(
            "The ε is missing, or a small number of your own: use the `eps` that is given. (Without any, a word whose "
            "entries are all equal divides 0 by 0.)",
            lambda x, g, h, eps: (x - x.mean(-1, keepdim=True)) / _deviation(x) * g + h,
        ),
        Misconception(
            "You divide by the standard deviation without taking off the mean first.",
            lambda x, g, h, eps: x / (_deviation(x) ** 2 + eps).sqrt() * g + h,
        ),
        Misconception(
            "The mean is not taken off, neither above nor in the variance.",
            lambda x, g, h, eps: x / ((x.double() ** 2).mean(-1, keepdim=True) + eps).sqrt() * g + h,
        ),
        Misconception(
            "You normalise over the words (the next to last axis). Each word is normalised over its own entries, "
            "the last axis.",
            lambda x, g, h, eps: layer_norm(x, g, h, eps, axes=(-2,)),
        ),
        Misconception(
            "You normalise the whole sentence at once, so that padding and other words change a word's result. Each "
            "word is normalised by itself: the last axis alone.",
            lambda x, g, h, eps: layer_norm(x, g, h, eps, axes=(-2, -1)),
        ),
        Misconception(
            "Your axis is counted from the front, dim=1, which is the last one only for a single sentence. Count from "
            "the back: dim=-1.",
            lambda x, g, h, eps: layer_norm(x, g, h, eps, axes=(1,) if x.ndim > 1 else (-1,)),
        ),
        Misconception(
            "You normalise over the first axis, dim=0. Each word is normalised over its own entries, the last axis.",
            lambda x, g, h, eps: layer_norm(x, g, h, eps, axes=(0,)),
        ),
        Misconception(
            "You normalise everything at once, even over several sentences. Each word is normalised by itself: the "
            "last axis alone.",
            lambda x, g, h, eps: layer_norm(x, g, h, eps, axes=tuple(range(x.ndim))),
        ),
        Misconception(
            "The offset h is missing.", lambda x, g, h, eps: layer_norm(x, g, torch.zeros_like(h), eps)
        ),
        Misconception(
            "The gain g is missing.", lambda x, g, h, eps: layer_norm(x, torch.ones_like(g), h, eps)
        ),
        Misconception(
            "You add the offset before you multiply by the gain: it is ⊙ g first, then + h.",
            lambda x, g, h, eps: layer_norm(x, g, g * h, eps),
        ),
        Misconception(
            "The variance is computed as the mean of the squares minus the square of the mean. In single precision, "
            "far from 0, these are two huge numbers that nearly cancel: take off the mean first, then square.",
            lambda x, g, h, eps: (
                (x - x.mean(-1, keepdim=True))
                / ((x**2).mean(-1, keepdim=True) - x.mean(-1, keepdim=True) ** 2 + eps).sqrt()
                * g
                + h
            ),
        ),
    ],
    forbidden=(
        "torch.nn.LayerNorm",
        "torch.nn.GroupNorm",
        "torch.nn.RMSNorm",
        "torch.nn.functional.layer_norm",
        "torch.nn.functional.group_norm",
        "torch.nn.functional.batch_norm",
        "torch.nn.functional.instance_norm",
        "torch.layer_norm",
        "torch.native_layer_norm",
        "torch.group_norm",
        "torch.instance_norm",
        "torch.rms_norm",
        "torch.nn.functional.rms_norm",
        "torch.nn.BatchNorm1d",
        "torch.nn.InstanceNorm1d",
        "torch.batch_norm",
    ),
    tolerance=2e-4,  # the mean of numbers near 3000 in single precision
)

# ---- q5: the encoder block ----

# The block is the student's; it gets given weights, under the names that the question tells.
ASK_Q5 = """
import torch

def ask(sizes, place, weights, x, mask):
    block = Block(*sizes, place).double()
    names = {name for name, _ in block.named_parameters()}
    for name in sorted(set(weights) - names):
        raise ValueError(f"your block has no parameter {name}; how its parts are called stands in the question")
    for name in sorted(names - set(weights)):
        raise ValueError(f"your block has a parameter {name}, which belongs to none of the four parts")
    block.load_state_dict(weights)
    with torch.no_grad():
        return block(x) if mask is None else block(x, mask)
"""


class Parts:
    """The four parts of a block with given weights, as functions of (B, L, d)."""

    def __init__(self, sizes, weights, mask):
        d, n_heads, _ = sizes
        attention = layers.MultiHeadAttention(d, n_heads).double()
        attention.load_state_dict(
            {n.removeprefix("attention."): w for n, w in weights.items() if n.startswith("attention.")}
        )
        self.weights = weights
        self.a = lambda x: attention(x, mask=mask)[0].detach()

    def n1(self, x):
        """Normalise before or after the attention."""
        return F.layer_norm(x, x.shape[-1:], self.weights["norm_1.weight"], self.weights["norm_1.bias"])

    def n2(self, x):
        """Normalise before or after the feed-forward network."""
        return F.layer_norm(x, x.shape[-1:], self.weights["norm_2.weight"], self.weights["norm_2.bias"])

    def f(self, x):
        """Run the feed-forward network."""
        w = self.weights
        inner = torch.relu(F.linear(x, w["feed_forward.W_1.weight"], w["feed_forward.W_1.bias"]))
        return F.linear(inner, w["feed_forward.W_2.weight"], w["feed_forward.W_2.bias"])


def _block(post, pre):
    """Make an answer from how it chains the parts, in each of the two places."""

    def answer(sizes, place, weights, x, mask):
        return (post if place == "post" else pre)(Parts(sizes, weights, mask), x)

    return answer


def _post(p, x):
    y = p.n1(x + p.a(x))
    return p.n2(y + p.f(y))


def _pre(p, x):
    y = x + p.a(p.n1(x))
    return y + p.f(p.n2(y))


encoder_block = _block(_post, _pre)


def _normalised_bypass(p, x):
    y = p.n1(x)
    y = p.n2(y + p.a(y))
    return y + p.f(y)


def _inner_twice(p, x):
    y = x + p.a(p.n1(x))
    return p.n2(y) + p.f(p.n2(y))


def shapes_of(d, d_ff):
    """Return the shapes of a block's parameters by name."""
    projections = {f"attention.W_{which}.weight": (d, d) for which in "QKVO"}
    projections |= {f"attention.W_{which}.bias": (d,) for which in "QKVO"}
    inside = {
        "feed_forward.W_1.weight": (d_ff, d),
        "feed_forward.W_1.bias": (d_ff,),
        "feed_forward.W_2.weight": (d, d_ff),
        "feed_forward.W_2.bias": (d,),
    }
    norms = {f"norm_{number}.{which}": (d,) for number in (1, 2) for which in ("weight", "bias")}
    return projections | inside | norms


def blocks(rng, places, masks=False):
    """Yield sizes, weights and words; with masks: padding at the end, then the future hidden."""
    for place in places:
        for (d, n_heads, d_ff), (n, length) in (((4, 2, 7), (2, 5)), ((6, 3, 5), (3, 4))):
            weights = {
                name: torch.tensor(0.6 * rng.standard_normal(shape) + name.startswith("norm"))
                for name, shape in shapes_of(d, d_ff).items()
            }
            x = torch.tensor(2 * rng.standard_normal((n, length, d)))
            mask = None
            if masks and d == 4:
                mask = (torch.arange(length) < torch.tensor([[length], [2]]))[:, None, :]  # (2, 1, L)
            elif masks:
                mask = torch.ones(length, length, dtype=torch.bool).tril()
            yield [[d, n_heads, d_ff], place, weights, x, mask]


Q5 = Question(
    "q5",
    ASK_Q5,
    encoder_block,
    [
        Part("post-norm", 2, lambda rng: blocks(rng, ["post"])),
        Part("pre-norm", 2, lambda rng: blocks(rng, ["pre"])),
        Part("both with a mask", 1, lambda rng: blocks(rng, ["post", "pre"], masks=True)),
    ],
    [
        Misconception(
            'With place="pre" your block gives the result of post-norm. There a part reads LayerNorm(x), and the '
            "sum is left as it is: x + f(LayerNorm(x)).",
            _block(_post, _post),
        ),
        Misconception(
            'With place="post" your block gives the result of pre-norm. There a part reads x, and the sum is '
            "normalised: LayerNorm(x + f(x)).",
            _block(_pre, _pre),
        ),
        Misconception(
            "The two places are exchanged: post normalises the sum x + f(x), pre what a part reads.",
            _block(_pre, _post),
        ),
        Misconception(
            "In pre-norm the bypass carries x itself, not the normalised x: keep x, and normalise only what the part "
            "reads.",
            _block(_post, _normalised_bypass),
        ),
        Misconception(
            "In pre-norm the second bypass carries the normalised sum: normalise only what the feed-forward network "
            "reads.",
            _block(_post, _inner_twice),
        ),
        Misconception(
            'With place="post" the sublayer around the feed-forward network is pre-norm. Both sublayers are '
            "built alike: LayerNorm(x + f(x)).",
            _block(lambda p, x: (lambda y: y + p.f(p.n2(y)))(p.n1(x + p.a(x))), _pre),
        ),
        Misconception(
            'With place="pre" the sublayer around the feed-forward network is post-norm. Both sublayers are '
            "built alike: x + f(LayerNorm(x)).",
            _block(_post, lambda p, x: (lambda y: p.n2(y + p.f(y)))(x + p.a(p.n1(x)))),
        ),
        Misconception(
            'With place="pre" you normalise the last sum as well. In the block the sum comes last; the norm that ends '
            "a pre-norm network stands once, after all blocks.",
            _block(_post, lambda p, x: p.n2(_pre(p, x))),
        ),
        Misconception(
            "The feed-forward network comes before the attention; the attention comes first.",
            _block(
                lambda p, x: (lambda y: p.n1(y + p.a(y)))(p.n2(x + p.f(x))),
                lambda p, x: (lambda y: y + p.a(p.n1(y)))(x + p.f(p.n2(x))),
            ),
        ),
        Misconception(
            "The attention has no residual connection: its output must be added to what came in.",
            _block(
                lambda p, x: (lambda y: p.n2(y + p.f(y)))(p.n1(p.a(x))),
                lambda p, x: (lambda y: y + p.f(p.n2(y)))(p.a(p.n1(x))),
            ),
        ),
        Misconception(
            "The feed-forward network has no residual connection: its output must be added to what it was given.",
            _block(lambda p, x: p.n2(p.f(p.n1(x + p.a(x)))), lambda p, x: p.f(p.n2(x + p.a(p.n1(x))))),
        ),
        Misconception(
            "There is no residual connection: each part's output must be added to what came in.",
            _block(lambda p, x: p.n2(p.f(p.n1(p.a(x)))), lambda p, x: p.f(p.n2(p.a(p.n1(x))))),
        ),
        Misconception(
            "The second residual goes back to the input of the block. It starts where the feed-forward network starts: "
            "after the attention.",
            _block(
                lambda p, x: p.n2(x + p.f(p.n1(x + p.a(x)))), lambda p, x: x + p.f(p.n2(x + p.a(p.n1(x))))
            ),
        ),
        Misconception(
            "Attention and feed-forward network stand side by side: the network must read what the attention has "
            "added.",
            _block(
                lambda p, x: p.n2(p.n1(x + p.a(x)) + p.f(x)), lambda p, x: x + p.a(p.n1(x)) + p.f(p.n2(x))
            ),
        ),
        Misconception(
            "norm_1 is used twice, and norm_2 not at all. The second sum has its own gain and offset.",
            _block(
                lambda p, x: (lambda y: p.n1(y + p.f(y)))(p.n1(x + p.a(x))),
                lambda p, x: (lambda y: y + p.f(p.n1(y)))(x + p.a(p.n1(x))),
            ),
        ),
        Misconception(
            "norm_1 and norm_2 are exchanged: norm_1 belongs to the attention.",
            _block(
                lambda p, x: (lambda y: p.n1(y + p.f(y)))(p.n2(x + p.a(x))),
                lambda p, x: (lambda y: y + p.f(p.n1(y)))(x + p.a(p.n2(x))),
            ),
        ),
        Misconception(
            "The mask is not used: hand it on to the attention, mask=mask.",
            lambda sizes, place, weights, x, mask: encoder_block(sizes, place, weights, x, None),
        ),
        Misconception(
            "The mask is turned round: True is where attention is allowed, as in the attention that you call.",
            lambda sizes, place, weights, x, mask: encoder_block(sizes, place, weights, x, ~mask),
        ),
    ],
    forbidden=(
        "torch.nn.TransformerEncoderLayer",
        "torch.nn.TransformerEncoder",
        "torch.nn.Transformer",
        "course_lib.layers.EncoderBlock",
        "course_lib.layers.AddAndNorm",
        "layers.EncoderBlock",
        "layers.AddAndNorm",
    ),
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
