"""What decides the questions of ps07: the feed-forward network and what stands around it."""

import functools

import numpy as np
import torch
from torch.nn import functional as F

from course_grading.questions import Misconception, Part, Question

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


def maps(rng, sizes):
    """Yield linear maps in single precision, and sizes of kernels: (d_in, d_out, k)."""
    for d_in, d_out, k in sizes:
        W, b = rng.standard_normal((d_in, d_out)), rng.standard_normal(d_out)
        yield [torch.tensor(W, dtype=torch.float32), torch.tensor(b, dtype=torch.float32), k]


# F.conv1d refuses weights of another precision than x.
ASK_Q1 = """
def entry_point(W, b, k):
    returned = as_convolution(W, b, k)
    if isinstance(returned, (tuple, list)):
        for tensor in returned:
            if torch.is_tensor(tensor) and tensor.dtype != W.dtype:
                return "other precision"
    return returned
"""


def _as_it_stands(W, b, k):
    return [_at(k // 2, k, W).transpose(1, 0, 2), b]


# The text's conditions: weight (d_out, d_in, k) and bias (d_out,), in single precision, as F.conv1d wants them; any
# sizes (square maps and sizes of 1 are in the first part alone, so that what goes wrong there costs once); k odd and
# at least 1, any; only the middle of the kernel counts.
Q1 = Question(
    "q1",
    ASK_Q1,
    as_convolution,
    [
        Part(
            "a kernel of 1",
            2,
            lambda rng: maps(rng, [(2, 3, 1), (4, 4, 1), (5, 4, 1), (4, 1, 1), (1, 3, 1), (2, 2, 1)]),
        ),
        Part(
            "wider kernels",
            1,
            lambda rng: maps(rng, [(2, 3, 3), (5, 4, 5), (3, 7, 7), (3, 2, 9), (2, 3, 21)]),
        ),
    ],
    [
        Misconception(
            "Your weight or bias is not in single precision, as x, W and b are, so that F.conv1d refuses them. Make "
            "them of W's type, W.dtype.",
            lambda W, b, k: "other precision",
        ),
        Misconception(
            "Your weight is not transposed: here W is (d_in, d_out), and a convolution keeps the outputs first, "
            "(d_out, d_in, k).",
            _as_it_stands,
        ),
        Misconception(
            "Where W is square, your weight is not transposed. That the shapes fit does not mean that the entries are "
            "in their places: the outputs stand first, always.",
            lambda W, b, k: (_as_it_stands if W.shape[0] == W.shape[1] else as_convolution)(W, b, k),
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
            "W stands one place behind the middle of your kernel, which meets the next word. Places count from 0: the "
            "middle is k // 2.",
            lambda W, b, k: [_at(min(k // 2 + 1, k - 1), k, W), b],
        ),
        Misconception(
            "W stands one place before the middle of your kernel, which meets the word before. Places count from 0: "
            "the middle is k // 2.",
            lambda W, b, k: [_at(max(k // 2 - 1, 0), k, W), b],
        ),
        Misconception(
            "W stands at place 1 of your kernel. That is the middle if k = 3, and not if the kernel is wider: the "
            "middle is k // 2.",
            lambda W, b, k: [_at(min(1, k - 1), k, W), b],
        ),
        Misconception(
            "Your weight has room for one place only; asked for are k of them, most of them empty.",
            lambda W, b, k: [_at(0, 1, W), b],
        ),
        Misconception(
            "Only the first output has its weights; the others are 0.",
            lambda W, b, k: [_at(k // 2, k, W) * (np.arange(W.shape[1]) == 0)[:, None, None], b],
        ),
        Misconception("The bias is missing.", lambda W, b, k: [_at(k // 2, k, W), torch.zeros_like(b)]),
        Misconception("The bias is missing.", lambda W, b, k: [_at(k // 2, k, W), 0.0]),
        Misconception(
            "You return the weight alone; asked for are two tensors, weight and bias.",
            lambda W, b, k: _at(k // 2, k, W),
        ),
        Misconception(
            "You return the bias first; asked for is the weight, then the bias.",
            lambda W, b, k: [b, _at(k // 2, k, W)],
        ),
    ],
)

# ---- q2: who influences whom ----


# Parts of networks: what each computes from x and W, and which words its outputs depend on.
PARTS = {
    # These notice whatever happens to a word.
    "feed-forward": ("torch.relu(x @ W) @ W.T", "itself"),
    "attention": ("torch.softmax(x @ x.T / 9, dim=-1) @ x @ W", "all"),
    "all words before": ("torch.tanh(x @ W).cumsum(dim=0)", "up to itself"),
    "the one before": ("torch.tanh(x @ W) + F.pad(torch.tanh(x @ W), (0, 0, 1, 0))[:-1]", "one back"),
    "the next": ("torch.tanh(x @ W).roll(-1, 0)", "next"),
    "the first": ("torch.tanh(x @ W)[:1].expand(len(x), -1)", "first"),
    "the first of many": ("torch.tanh(x @ W)[:1].expand(len(x), -1)", "first"),
    "all together": ("torch.tanh(x @ W).sum(dim=0, keepdim=True).expand(len(x), -1)", "all"),
    "mirror": ("torch.tanh(x @ W).flip(0)", "mirror"),
    # And these notice little.
    "first entry": ("x.roll(-1, 0)[:, :1] * W[:1]", "next"),
    "middle entry": ("x.roll(-1, 0)[:, x.shape[1] // 2, None] * W[:1]", "next"),
    "last entry": ("x.roll(-1, 0)[:, -1:] * W[-1:]", "next"),
    "differences": ("x[:, 1:] - x[:, :-1]", "itself"),
    "differences in the next": ("(x[:, 1:] - x[:, :-1]).roll(-1, 0)", "next"),
    "sums of two": ("(x[:, 1:] + x[:, :-1]).roll(-1, 0)", "next"),
    "sums": ("x.roll(-1, 0).sum(dim=1, keepdim=True)", "next"),
    "layer norm": ("F.layer_norm(x, x.shape[1:], eps=1e-30)", "itself"),
    "proportions": ("(x / x.norm(dim=1, keepdim=True).clamp(min=1e-9)).roll(-1, 0)", "next"),
    "squares": ("x.roll(-1, 0) ** 2", "next"),
    "both signs": ("torch.cat([x, -x], dim=1).roll(-1, 0)", "next"),
    "two halves": ("torch.cat([x, x.roll(-1, 0)], dim=1)", "itself and next"),
    "turned round": ("-x.roll(-1, 0)", "next"),
    "faint": (  # from a single entry of a word to one of an output, which is large; and beside one that is far stronger
        "torch.cat([1000 + torch.tanh(x @ W), 1000 * x], dim=1)"
        " + 0.003 * F.pad(x[:, -1:], (0, x.shape[1] + W.shape[1] - 1)).roll(-1, 0)",
        "itself and next",
    ),
    "there and back": (  # rounding far below 1e-9, in each output by each word, and in derivatives, too
        "(torch.tanh(x @ W)[:, :, None] + 0.1 * (s := 200 * (2 + x.mean()) * torch.linspace(1, 2, 20).double())"
        " + 0.2 * s - 0.3 * s).flatten(1)",
        "itself",
    ),
    "another entry of each": ("x.roll(-1, 0).diagonal()[:, None] * W[:1]", "next"),  # L = d
    "softmax": ("torch.softmax(2 * x.roll(-1, 0) @ W, dim=1)", "next"),
    "a word of zeros": (
        "torch.tanh(x @ W) + F.pad(torch.tanh(x @ W), (0, 0, 1, 0))[:-1]",
        "one back",
    ),
    "only the one before": ("F.pad(torch.tanh(x @ W), (0, 0, 1, 0))[:-1]", "only one back"),
}
ATTENTION_AND_OTHERS = list(PARTS)[:9]
NOTICE_LITTLE = list(PARTS)[9:-1]
LENGTHS_AND_WIDTHS = {
    "middle entry": (5, 3),
    "sums of two": (4, 4),
    "another entry of each": (6, 6),
    "the first of many": (24, 2),
    "turned round": (4, 1),
}

# Functions are no plain values, so that the parts are made in the student's kernel, from their formula and numbers.
ASK_Q2 = """
import torch
from torch.nn import functional as F

def entry_point(formula, W, x):
    f = eval(compile("lambda x: " + formula, "<question>", "eval"), {"torch": torch, "F": F, "W": W})
    return influence(f, x)
"""


def influence(formula, W, x):
    """Return whether output i depends on word j: (L, L)."""
    return _patterns(len(x))[DEPENDS[formula]]


DEPENDS = dict(PARTS.values())


def _patterns(length):
    itself = np.eye(length, dtype=bool)
    following = np.roll(itself, 1, axis=1)
    return {
        "itself": itself,
        "next": following,
        "itself and next": itself | following,
        "one back": itself | np.eye(length, k=-1, dtype=bool),
        "only one back": np.eye(length, k=-1, dtype=bool),
        "up to itself": np.tri(length, dtype=bool),
        "all": np.ones((length, length), dtype=bool),
        "first": np.tile(np.arange(length) == 0, (length, 1)),
        "mirror": itself[::-1],
    }


def _part(formula, W):
    return eval(f"lambda x: {formula}", {"torch": torch, "F": F, "W": W})


@functools.lru_cache(maxsize=100)
def _jacobian_of(formula, W, x, shapes):
    arrays = (np.frombuffer(a).reshape(shape) for a, shape in zip((W, x), shapes, strict=True))
    W, x = (torch.tensor(array) for array in arrays)
    return torch.autograd.functional.jacobian(_part(formula, W), x).numpy()


def _jacobian(formula, W, x):
    """Return all derivatives: (L, d_out, L, d)."""
    shapes = tuple(W.shape), tuple(x.shape)
    return _jacobian_of(formula, W.numpy().tobytes(), x.numpy().tobytes(), shapes)


def _moved(change):
    """Say which rows move when each word in turn is changed so."""

    def wrong(formula, W, x):
        f, columns = _part(formula, W), []
        for j in range(len(x)):
            changed = x.clone()
            changed[j] = change(x[j])
            columns.append(((f(changed) - f(x)).abs() > 1e-9).any(dim=1))
        return torch.stack(columns, dim=1)

    return wrong


def _either(*changes):
    """Say which rows move when each word in turn is changed in one of these ways."""
    return lambda formula, W, x: torch.stack([_moved(change)(formula, W, x) for change in changes]).any(dim=0)


def _entries(*which):
    """Change only some entries of a word."""

    def change(word):
        word = word.clone()
        word[list(which)] += 1.0
        return word

    return _moved(change)


def _alternating(word):
    return word + (-1.0) ** torch.arange(len(word))


def _first_middle_last(word):
    word, some = word.clone(), sorted({0, len(word) // 2, len(word) - 1})
    word[some] += torch.linspace(0.3, 0.9, len(some), dtype=word.dtype)
    return word


def _gradient_of(size):
    """Look at the derivatives of a size of the outputs, whose own derivative is given."""

    def wrong(formula, W, x):
        outputs = _part(formula, W)(x).numpy()
        return (np.abs((size(outputs)[:, :, None, None] * _jacobian(formula, W, x)).sum(axis=1)) > 1e-9).any(
            -1
        )

    return wrong


def _derivatives(reduce):
    """Look at the derivatives in a wrong way."""
    return lambda formula, W, x: reduce(_jacobian(formula, W, x))


def _strongest(f, x):
    """Return the largest slope of an output's entries by a word's entries, nearly: (L, L)."""
    steps = 1e-4 * torch.eye(x.numel(), dtype=x.dtype).reshape(-1, *x.shape)
    slopes = torch.stack([(f(x + step) - f(x)).abs().amax(dim=1) for step in steps]) / 1e-4  # (L d, L)
    return slopes.reshape(*x.shape, len(x)).amax(dim=1).T.numpy()


def _pushed(f, x):
    """Return how far an output moves if a word is pushed by 1 to 2, each of its entries by another amount: (L, L)."""
    push = torch.linspace(1, 2, x.shape[1], dtype=x.dtype)
    pushes = torch.eye(len(x), dtype=x.dtype)[:, :, None] * push
    return torch.stack([(f(x + one) - f(x)).abs().amax(dim=1) for one in pushes], dim=1).numpy()


def parts_of_networks(rng, kinds):
    """Yield parts by their formula, with weights and words; where a word has an influence, it is no faint one."""
    for number, kind in enumerate(kinds):
        formula, _ = PARTS[kind]
        length, d = LENGTHS_AND_WIDTHS.get(kind) or ((5, 3), (4, 2), (6, 4), (3, 3))[number % 4]
        width = 32 if kind == "feed-forward" else 5
        while True:
            W = torch.tensor(rng.choice([-1, 1], (d, width)) * rng.uniform(0.3, 0.8, (d, width)))
            x = torch.tensor(rng.standard_normal((length, d)))
            x[1] *= kind != "a word of zeros"
            enough = 0.0029 if kind == "faint" else 0.1
            depends, f = influence(formula, W, x), _part(formula, W)
            if _strongest(f, x)[depends].min() > enough and (
                kind not in ATTENTION_AND_OTHERS or _pushed(f, x)[depends].min() > enough
            ):
                break
        yield [formula, W, x]


def single_word(rng):
    """Yield a single word, of a single number, which has an influence; then one of three numbers, which has none."""
    W = torch.tensor([[1.0, -0.5, 0.7, 0.3, -0.4]], dtype=torch.float64)
    yield [PARTS["the next"][0], W, torch.tensor(rng.uniform(0.5, 1, (1, 1)))]
    yield [PARTS["only the one before"][0], W.repeat(3, 1), torch.tensor(rng.uniform(0.5, 1, (1, 3)))]


def told_part(formula, W, x):
    """Say what the part of a network computes, so that a student can run it."""
    of_W = f" with a random W of shape {tuple(W.shape)}" if "W" in formula else ""
    return f"f = lambda x: {formula}{of_W}, for a random x of shape {tuple(x.shape)}"


# The text's conditions: L and d at least 1 (one word that has an influence and one that has none; many words; words of
# one number; as many words as numbers); d' any; [i, j] is about output i and word j; some entry of the one and some
# entry of the other is enough (single entries, each in turn, their differences and sums, both signs); changes add up to
# zero, also those of a softmax, whose outputs' sizes do; rounding counts as none, also where a step divides it; a
# derivative of 0.001 counts, also beside one of 1000, and where the output is near 1000; a word may be all zeros.
Q2 = Question(
    "q2",
    ASK_Q2,
    influence,
    [
        Part(
            "attention, feed-forward, convolutions",
            2,
            lambda rng: parts_of_networks(rng, ATTENTION_AND_OTHERS),
        ),
        Part(
            "parts that notice little of a word",
            2,
            lambda rng: [*parts_of_networks(rng, NOTICE_LITTLE), *single_word(rng)],
        ),
    ],
    [
        Misconception(
            "Rows and columns have changed places: row i is about output i, column j about word j.",
            lambda formula, W, x: influence(formula, W, x).T,
        ),
        Misconception(
            "Everything is turned round: True is where an output depends on a word.",
            lambda formula, W, x: ~influence(formula, W, x),
        ),
        Misconception(
            "You multiply a word by a number, which a part that takes proportions (such as LayerNorm) does not notice. "
            "Add something to each entry, to each another amount.",
            _moved(lambda word: 2 * word),
        ),
        Misconception(
            "You set a word to 0. Where it is 0 already, nothing changes: add something to each entry, to each another "
            "amount.",
            _moved(lambda word: 0 * word),
        ),
        Misconception(
            "You add 1 to all entries, and then double them, or the other way round. LayerNorm notices neither: add "
            "something to each entry, to each another amount.",
            _either(lambda word: word + 1, lambda word: 2 * word),
        ),
        Misconception(
            "You turn the sign of a word round, which a part that squares it does not notice. Add something to each "
            "entry, to each another amount.",
            _moved(lambda word: -word),
        ),
        Misconception(
            "You add up the entries of an output before you look at it, and what moves in opposite directions "
            "cancels. Look at each entry of the output by itself.",
            _derivatives(lambda jacobian: (np.abs(jacobian.sum(axis=1)) > 1e-9).any(axis=-1)),
        ),
        *(
            Misconception(
                "You look at how large an output is as a whole, the sum of its entries' sizes or squares. That stays "
                "where some entries grow by what others lose. Look at each entry of the output by itself.",
                _gradient_of(size),
            )
            for size in (np.sign, lambda outputs: outputs)
        ),
        Misconception(
            "A single word gets True at once. Its output need not depend on it: find that out, too.",
            lambda formula, W, x: influence(formula, W, x) | (len(x) == 1),
        ),
        Misconception(
            "You want all entries of an output to move. One that moves is enough.",
            _derivatives(lambda jacobian: (np.abs(jacobian) > 1e-9).any(axis=3).all(axis=1)),
        ),
        Misconception(
            "You want every entry of a word to be noticed. One that is noticed is enough.",
            _derivatives(lambda jacobian: (np.abs(jacobian) > 1e-9).all(axis=3).any(axis=1)),
        ),
        Misconception(
            "You want every entry of a word to be noticed. One that is noticed is enough.",
            _derivatives(lambda jacobian: (np.abs(jacobian) > 1e-9).any(axis=1).all(axis=2)),
        ),
        Misconception(
            "You push only the first entry of a word. A part may answer to another one: push all entries.",
            _entries(0),
        ),
        Misconception(
            "Only the last entry of a word counts. Push all entries; or, if you push one after another, count each "
            "that something answers to.",
            _entries(-1),
        ),
        Misconception(
            "You push only the first and the last entry of a word. A part may answer to one between them: push all "
            "entries.",
            _moved(lambda word: word + torch.tensor([1.0] + [0.0] * (len(word) - 2) + [0.7])),
        ),
        Misconception(
            "You push only the first, the middle and the last entry of a word. A part may answer to any one: push all "
            "entries.",
            _moved(_first_middle_last),
        ),
        Misconception(
            "You push the entries of a word up and down in turn, by the same amount. A part that adds up two "
            "neighbouring entries does not notice that: push each by another amount.",
            _moved(_alternating),
        ),
        Misconception(
            "You change a word by putting its entries in another order. A part that adds them up does not notice "
            "that: push each entry by another amount.",
            _moved(lambda word: word.roll(1)),
        ),
        Misconception(
            "You change a word by putting its entries in another order. A part that adds them up does not notice "
            "that: push each entry by another amount.",
            _moved(lambda word: word.flip(0)),
        ),
        Misconception(
            "You count only what makes an output larger. A smaller one has changed, too: look at the size of a change, "
            "whatever its sign.",
            _derivatives(lambda jacobian: (jacobian > 1e-9).any(axis=(1, 3))),
        ),
        Misconception(
            "Words count with you that move an output by rounding alone. Compare changes, or derivatives, with a small "
            "number such as 1e-9, not with 0 or the precision of the type; and if you divide changes by a step, that "
            "divides the rounding, too.",
            lambda formula, W, x: influence(formula, W, x) | (formula == PARTS["there and back"][0]),
        ),
        Misconception(
            "A faint influence does not count with you, or not beside a strong one, or in a large output, where "
            "torch.allclose forgives it. What is no more than rounding is far below 1e-9, so compare with a number as "
            "small as that; and disturb words by a thousandth at least.",
            _derivatives(lambda jacobian: (np.abs(jacobian) > 0.05).any(axis=(1, 3))),
        ),
        Misconception(
            "Your column j shows what words 0 to j do together: push each word in a fresh copy of x.",
            lambda formula, W, x: influence(formula, W, x).cumsum(axis=1) > 0,
        ),
        Misconception(
            "You push all entries of a word by the same amount, which a part that takes differences (such as "
            "LayerNorm) does not notice. Push each entry by another amount.",
            _moved(lambda word: word + 1.0),
        ),
        Misconception(
            "You add up the derivatives by a word's entries before you look at them, and those of opposite sign "
            "cancel. Look at the size of each by itself.",
            _derivatives(lambda jacobian: (np.abs(jacobian.sum(axis=3)) > 1e-9).any(axis=1)),
        ),
        Misconception(
            "You add up derivatives before you look at them, and those of opposite sign cancel. Look at the size of "
            "each by itself.",
            _derivatives(lambda jacobian: np.abs(jacobian.sum(axis=(1, 3))) > 1e-9),
        ),
        Misconception(
            "Your result says only which words matter to some output, or which outputs move at all: it is the same "
            "in all rows, or in all columns. Do one word, and one output, at a time.",
            lambda formula, W, x: np.tile(influence(formula, W, x).any(axis=0), (len(x), 1)),
        ),
        Misconception(
            "You hand the words to the part one at a time, so that none can notice another. Hand it the sentence.",
            lambda formula, W, x: np.eye(len(x), dtype=bool) if len(x) > 1 else influence(formula, W, x),
        ),
        Misconception(
            "You leave out the diagonal: that a word's own output depends on it counts, too.",
            lambda formula, W, x: influence(formula, W, x) & ~np.eye(len(x), dtype=bool),
        ),
        Misconception(
            "Your diagonal is True for each part. Some outputs do not depend on their own word: find that out, too.",
            lambda formula, W, x: influence(formula, W, x) | np.eye(len(x), dtype=bool),
        ),
        Misconception(
            "You leave out what words have to say to outputs before them: column j above the diagonal counts, too.",
            lambda formula, W, x: np.tril(influence(formula, W, x)),
        ),
        Misconception(
            "Your result is the same on both sides of the diagonal. That i depends on j does not mean that j depends "
            "on i.",
            lambda formula, W, x: influence(formula, W, x) | influence(formula, W, x).T,
        ),
    ],
    describe=told_part,
)

# ---- q3: not happy, with two hidden units ----

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
        return f"Your network has {d_ff} hidden units; at most four are allowed, and two are enough."
    if not all(np.isfinite(entry).all() for entry in network):
        return "Some of your weights are not finite numbers."
    with np.errstate(all="ignore"):
        return _why_not(network, np.asarray(values))


def _is_right(r):
    return bool((SIGNS * r >= 1 - 1e-3).all())  # which a NaN is not


def _along(direction, W_1):
    """Whether all hidden units look along this direction."""
    across = np.abs(direction[0] * W_1[1] - direction[1] * W_1[0])
    return W_1.any() and bool(
        (across <= 1e-5 * np.linalg.norm(direction) * np.linalg.norm(W_1, axis=0)).all()
    )


def _why_not(network, values):
    o = averages(values)
    r = network_on(o, *network)
    if not np.isfinite(r).all():
        return "Your weights are so large that r is no finite number."
    if _is_right(r):
        return ""
    if not np.array_equal(values, EXAMPLE) and _is_right(network_on(averages(EXAMPLE), *network)):
        return (
            "Your weights tell the phrases apart for the values of the example, but these are other values: compute "
            "the weights from `values`, anew in each call."
        )
    W_1, *others = network
    moves = np.stack([o[1] - o[3], o[2] - o[3]])
    added = (moves / (moves**2).sum(axis=1, keepdims=True)).sum(axis=0)
    at_an_angle = abs(moves[0] @ moves[1]) > 1e-6
    if at_an_angle and _along(added, W_1):
        return (
            "Your u is the sum of the two moves, each divided by the square of its length. That counts right only "
            "where the moves are at a right angle: solve the two equations, move · u = 1, together."
        )
    if W_1.shape == (2, 2) and _is_right(network_on(o, W_1.T, *others)):
        return "Your W_1 is transposed: each hidden unit has a column, with one entry for each entry of o."
    if _is_right(network_on(o - o[3], *network)):
        return (
            "Your weights would do if the average of very sad were (0, 0), as in the example. Count from where very "
            "sad stands: the first bias must make up for it."
        )
    if _is_right(network_on(o + o[3], *network)):
        return (
            "Your weights would do if very sad stood at the sum of its two words' values. It stands at their average, "
            "half of that: so the number c needs the half, too."
        )
    if _is_right(network_on(o - 2 * o[3], *network)):
        return "Your weights would do if the number c had the other sign: with it, t of very sad must be 0."
    if at_an_angle and _along(moves.sum(axis=0), W_1):
        return (
            "Your u is the sum of the two moves. For each of them move · u must be 1: solve these two equations "
            "together."
        )
    counts_averages = np.isclose(moves @ W_1, 1, rtol=1e-4).all(axis=0).any()
    if not counts_averages and _is_right(network_on(2 * o, *network)):
        return (
            "Your weights would do for the sums of the two words' values. Attention with the weights ½ and ½ returns "
            "half of these."
        )
    exchanged, meant = moves.T @ W_1, moves @ W_1
    if np.allclose(*exchanged, rtol=1e-4) and not np.allclose(*meant, rtol=1e-4):
        return (
            "In your two equations rows and columns are exchanged: each of the two moves, (not − very) / 2 and "
            "(happy − sad) / 2, is one equation, move · u = 1, so that it is a row of the matrix."
        )
    if np.isclose(r[0] + r[3], r[1] + r[2], atol=1e-6 * max(1.0, np.abs(r).max())):
        never = np.flatnonzero((o @ W_1 + network[1] < 1e-9).all(axis=0))
        silent = f" Hidden unit {never[0] + 1} is off for all of them." if never.size else ""
        return (
            "For these four phrases your network is a linear map: r(not happy) + r(very sad) equals r(not sad) + "
            "r(very happy), so that the signs cannot all be right. A hidden unit must be on for some phrases and off "
            f"for others.{silent}"
        )
    if _is_right(np.append(r[3], r[1:])) and np.isclose(r[0], r[1]) and np.isclose(r[0], r[2]):
        return (
            "not happy gets the same r as not sad and very happy. There t is 2, and r must have come down again: the "
            "second unit must take away twice what the first one adds."
        )
    if _is_right(-r):
        return "All four signs are turned round: not sad and very happy are the positive ones."
    if (SIGNS * r > 0).all():
        return (
            "All signs are right, but r is nearer to 0 than 1: make the last layer's weights and bias larger."
        )
    if r[SIGNS > 0].min() > r[SIGNS < 0].max() + 1e-6:
        return (
            "Your r is larger for not sad and very happy than for the other two, so the groups are apart, but not by "
            "−1 and 1: stretch r by W_2, and move it by b_2."
        )
    first = int(np.argmin(SIGNS * r >= 1 - 1e-3))
    wanted = "at least 1" if SIGNS[first] > 0 else "at most −1"
    return f"{PHRASES[first]} gets r = {r[first]:.3g}; expected is {wanted}."


def any_values(rng):
    """Yield values of four words in a plane; the two differences are neither short nor nearly parallel.

    They are not at a right angle either, so that two equations have to be solved.
    """
    found = 0
    while found < 6:
        values = 3 * rng.standard_normal((4, 2))
        moves = np.stack([values[0] - values[1], values[2] - values[3]])
        sizes = np.linalg.svd(moves, compute_uv=False)
        lengths = np.linalg.norm(moves, axis=1)
        if sizes[1] > 1 and abs(moves[0] @ moves[1]) > 0.4 * lengths.prod():
            found += 1
            yield [torch.tensor(values)]


# The text's conditions: four tensors of the shapes that it names; at most four units; r at least 1 or at most −1 for
# the values of the example, and for any values whose differences are not parallel: at any angle, anywhere.
Q3 = Question(
    "q3",
    "separate",
    None,
    [
        Part("the values of the example", 2, lambda rng: [[torch.tensor(EXAMPLE)]]),
        Part("any values", 2, any_values),
    ],
    accepts=separates,
    describe=lambda values: f"values = {np.round(np.asarray(values), 4).tolist()}",
)

# ---- q4: LayerNorm ----


def layer_norm(x, g, h, eps, axes=(-1,), correction=0):
    """Give each word mean 0 and variance 1, then gain and offset: (…, d), (d,), (d,) -> (…, d)."""
    x, g, h = (a.double() for a in (x, g, h))
    centred = x - x.mean(dim=axes, keepdim=True)
    return centred / (x.var(dim=axes, correction=correction, keepdim=True) + eps).sqrt() * g + h


def _deviation(x):
    return x.double().std(dim=-1, correction=0, keepdim=True)


def words(rng, shapes, mean=0.0, size=1.0, eps=1e-5):
    """Yield words, gains and offsets in single precision; the entries of each word differ."""
    for shape in shapes:
        x = np.zeros(shape)
        while (x.std(axis=-1) < 0.3 * size).any():
            x = mean + size * rng.standard_normal(shape)
        gain, offset = rng.uniform(0.5, 2.0, shape[-1]), rng.standard_normal(shape[-1])
        yield [*(torch.tensor(a, dtype=torch.float32) for a in (x, gain, offset)), eps]


def one_sentence(rng):
    """Yield single sentences: a large ε; a tiny one and tiny words; entries of 0; words whose entries are all equal."""
    for x, g, h, _ in words(rng, [(5, 3), (2, 4), (1, 6), (4, 4)], size=0.7):
        yield [x, g, h, float(rng.uniform(0.1, 0.5))]
    x, g, h, _ = next(words(rng, [(3, 5)]))
    yield [x * torch.tensor([1.0, 0.0, 1.0, 1.0, 0.0]), g, h, 0.3]
    x, g, h, _ = next(words(rng, [(3, 4)]))
    equal = (8 * x[:, :1]).round().repeat(1, 4) / 8  # few digits, so that any order of adding up is exact
    equal += torch.where(equal < 0, -0.5, 0.5)
    equal[1] = 0
    yield [equal, g, h, float(rng.uniform(0.1, 0.5))]
    yield [equal, g, h, 1e-5]
    for x, g, h, _ in words(rng, [(4, 5)], size=1e-5):
        yield [x, g, h, 1e-11]


def far_from_zero(rng):
    """Yield sentences near 3000, and some whose words are near 3000 and −3000 in turn, so that no shift fits all."""
    yield from words(rng, [(12, 8), (5, 6), (4, 3)], mean=3000.0, size=10.0)
    for x, g, h, eps in words(rng, [(12, 8), (8, 5)], size=10.0):
        yield [x + 3000 * (-1.0) ** torch.arange(len(x))[:, None], g, h, eps]


def _shifted_by_the_whole_mean(x, g, h, eps):
    x = x - x.mean()
    mean = x.mean(-1, keepdim=True)
    return (x - mean) / (((x * x).mean(-1, keepdim=True) - mean**2).clamp(min=0) + eps).sqrt() * g + h


# Twins of the layers and functions that students know: torch.layer_norm, torch.native_layer_norm, torch.ops.aten's.
NORMALISATIONS = (
    "torch.nn.LayerNorm",
    "torch.nn.GroupNorm",
    "torch.nn.RMSNorm",
    "torch.nn.BatchNorm1d",
    "torch.nn.InstanceNorm1d",
    "torch.nn.functional.layer_norm",
    "torch.nn.modules.normalization.*",
    "torch.nn.modules.batchnorm.*",
    "torch.nn.modules.instancenorm.*",
    "torch.*layer_norm*",
    "torch.*group_norm*",
    "torch.*batch_norm*",
    "torch.*instance_norm*",
    "torch.*rms_norm*",
)

# The text's conditions: (…, d) with any number of axes, none and five included, d at least 2; each word by itself; ε
# given, and large or tiny in the first part alone, so that what goes wrong with it costs once; equal entries; single
# precision, also near 3000 ± 10, each word at its own height (sentences only, so that an axis costs once).
Q4 = Question(
    "q4",
    "layer_norm",
    layer_norm,
    [
        Part("one sentence", 2, one_sentence),
        Part(
            "a word alone, several sentences at once",
            1,
            lambda rng: words(rng, [(6,), (2, 5, 3), (4, 4, 4), (4, 1, 3, 6), (2, 1, 3, 2, 2, 4)]),
        ),
        Part("far from 0", 1, far_from_zero),
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
        *(
            Misconception(
                "Where `eps` is tiny you take a larger ε of your own. Use the one that is given: words may be tiny, "
                "too.",
                lambda x, g, h, eps, least=least: layer_norm(x, g, h, max(eps, least)),
            )
            for least in (1e-5, 1e-3)
        ),
        Misconception(
            "You divide by the standard deviation without taking off the mean first.",
            lambda x, g, h, eps: x / (_deviation(x) ** 2 + eps).sqrt() * g + h,
        ),
        *(
            Misconception(
                "You take off the sum of a word's entries. It is their mean that is to be taken off.",
                lambda x, g, h, eps, variance=variance: (
                    (x.double() - x.double().sum(-1, keepdim=True)) / (variance(x) + eps).sqrt() * g + h
                ),
            )
            for variance in (
                lambda x: _deviation(x) ** 2,
                lambda x: ((x.double() - x.double().sum(-1, keepdim=True)) ** 2).mean(-1, keepdim=True),
            )
        ),
        Misconception(
            "Your ε is added as √ε, outside the root. It is √(σ² + ε).",
            lambda x, g, h, eps: (x - x.mean(-1, keepdim=True)) / (_deviation(x) + eps**0.5) * g + h,
        ),
        Misconception(
            "Your variance is the sum of the squares. It is their mean: 1 / d is missing.",
            lambda x, g, h, eps: (
                (x - x.mean(-1, keepdim=True)) / (x.shape[-1] * _deviation(x) ** 2 + eps).sqrt() * g + h
            ),
        ),
        Misconception(
            "Gain and offset have changed places: it is ⊙ g first, then + h.",
            lambda x, g, h, eps: layer_norm(x, h, g, eps),
        ),
        Misconception("You return x as it came.", lambda x, g, h, eps: x),
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
            "All words get the mean and the deviation of the first word. Each word has its own.",
            lambda x, g, h, eps: (
                (x - x.reshape(-1, x.shape[-1])[0].mean())
                / (x.reshape(-1, x.shape[-1])[0].var(correction=0) + eps).sqrt()
                * g
                + h
            ),
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
        Misconception(
            "You take the mean of everything off, and then compute the variance as the mean of the squares minus the "
            "square of the mean. Where one word is near 3000 and another near −3000, that helps neither: take off each "
            "word's own mean.",
            _shifted_by_the_whole_mean,
        ),
    ],
    forbidden=NORMALISATIONS,
    tolerance=2e-4,  # the mean of numbers near 3000 in single precision
)

# ---- q5: the encoder block ----

# The block is the student's; it gets given weights, under the names that the question tells.
ASK_Q5 = """
import torch

def entry_point(sizes, place, weights, x, mask):
    block = Block(*sizes, place)
    names = {name for name, _ in block.named_parameters()}
    for name in sorted(set(weights) - names):
        raise ValueError(f"your block has no parameter {name}; how its parts are called stands in the question")
    for name in sorted(names - set(weights)):
        raise ValueError(f"your block has a parameter {name}, which belongs to none of the four parts")
    for name, parameter in block.named_parameters():
        made, wanted = tuple(parameter.shape), tuple(weights[name].shape)
        if made != wanted:
            raise ValueError(f"with d, n_heads, d_ff = {sizes} the shape of {name} is {wanted}; yours has {made}")
    block.load_state_dict(weights)
    again = x.clone()
    with torch.no_grad():
        found = block(x) if mask is None else block(x, mask)
        if torch.is_tensor(found):
            other = block(again) if mask is None else block(again, mask)
            if not torch.allclose(found, other, equal_nan=True):
                raise ValueError("two calls of your block with the same words differ: is there dropout in it?")
    return found
"""


class Parts:
    """The four parts of a block with given weights, as functions of (B, L, d)."""

    def __init__(self, sizes, weights, mask):
        self.n_heads, self.mask = sizes[1], mask
        self.weights = {name: weight.double() for name, weight in weights.items()}

    def _linear(self, name, x):
        return F.linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def a(self, x):
        """Let words attend to one another."""
        split = [self._linear(f"attention.W_{which}", x).unflatten(-1, (self.n_heads, -1)) for which in "QKV"]
        queries, keys, values = (part.transpose(1, 2) for part in split)
        scores = queries @ keys.mT / keys.shape[-1] ** 0.5
        if self.mask is not None:
            mask = self.mask if self.mask.ndim == 2 else self.mask[:, None]
            scores = scores.masked_fill(~mask, -torch.inf)
        heads = torch.softmax(scores, dim=-1).nan_to_num() @ values  # nothing, where nothing is allowed
        return self._linear("attention.W_O", heads.transpose(1, 2).flatten(2))

    def n1(self, x):
        """Normalise before or after the attention."""
        return F.layer_norm(x, x.shape[-1:], self.weights["norm_1.weight"], self.weights["norm_1.bias"])

    def n2(self, x):
        """Normalise before or after the feed-forward network."""
        return F.layer_norm(x, x.shape[-1:], self.weights["norm_2.weight"], self.weights["norm_2.bias"])

    def f(self, x):
        """Run the feed-forward network."""
        return self._linear("feed_forward.W_2", torch.relu(self._linear("feed_forward.W_1", x)))


def _block(post, pre):
    """Make an answer from how it chains the parts, in each of the two places."""

    def answer(sizes, place, weights, x, mask):
        return (post if place == "post" else pre)(Parts(sizes, weights, mask), x.double())

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


def _network_first_in_post(p, x):
    y = p.n1(x + p.f(x))
    return p.n2(y + p.a(y))


def _network_first_in_pre(p, x):
    y = x + p.f(p.n1(x))
    return y + p.a(p.n2(y))


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


SIZES = (((4, 2, 7), (2, 5)), ((6, 3, 6), (1, 4)), ((3, 1, 5), (2, 1)))
MASKED_SIZES = (((4, 2, 7), (2, 5)), ((6, 3, 5), (3, 4)))


def blocks(rng, places, masks=False):
    """Yield sizes, weights and words, in single precision; with masks: padding at the end, then the future hidden."""
    for place in places:
        for (d, n_heads, d_ff), (n, length) in MASKED_SIZES if masks else SIZES:
            weights = {
                name: torch.tensor(0.6 * rng.standard_normal(shape) + name.startswith("norm")).float()
                for name, shape in shapes_of(d, d_ff).items()
            }
            x = torch.tensor(2 * rng.standard_normal((n, length, d))).float()
            mask = None
            if masks and d == 4:
                mask = (torch.arange(length) < torch.tensor([[length], [2]]))[:, None, :]  # (2, 1, L)
            elif masks:
                mask = torch.ones(length, length, dtype=torch.bool).tril()
            yield [[d, n_heads, d_ff], place, weights, x, mask]


def told_block(sizes, place, weights, x, mask):
    """Say which block was asked."""
    made = "Block({}, {}, {}, {!r})".format(*sizes, place)
    with_mask = "" if mask is None else f" and a mask of shape {tuple(mask.shape)}"
    return f"{made} with random weights, for x of shape {tuple(x.shape)}{with_mask}"


def _masked_by(change):
    """Change the mask."""
    return lambda sizes, place, weights, x, mask: encoder_block(
        sizes, place, weights, x, None if mask is None else change(mask, place)
    )


BLOCKS = (
    "torch.nn.TransformerEncoderLayer",
    "torch.nn.TransformerEncoder",
    "torch.nn.Transformer",
    "torch.nn.modules.transformer.*",
    "torch.*transformer_encoder_layer*",
    "course_lib.model.EncoderBlock",
    "course_lib.model.DecoderBlock",
    "course_lib.model.Sublayer",
    "course_lib.model.transformer.*",
)

# The text's conditions: the four parts under their names, with d, n_heads (one and several) and d_ff, and nothing else
# that has weights; post and pre, with x left as it is; the mask handed on as it is, (B, 1, L) or (L, L); single
# precision.
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
            "In pre-norm the residual connection carries x itself, not the normalised x: normalise only what the part "
            "reads.",
            _block(_post, _normalised_bypass),
        ),
        Misconception(
            "In pre-norm the second residual connection carries the normalised sum: normalise only what the network "
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
        *(
            Misconception(
                f"{where}the feed-forward network comes before the attention; the attention comes first.",
                _block(*ways),
            )
            for where, ways in (
                ("", (_network_first_in_post, _network_first_in_pre)),
                ('With place="post" ', (_network_first_in_post, _pre)),
                ('With place="post" ', (lambda p, x: (lambda y: p.n1(y + p.a(y)))(p.n2(x + p.f(x))), _pre)),
                ('With place="pre" ', (_post, _network_first_in_pre)),
                ('With place="pre" ', (_post, lambda p, x: (lambda y: y + p.a(p.n1(y)))(x + p.f(p.n2(x))))),
            )
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
            "With place 'post', the second residual goes back to the input of the block. It starts where the "
            "feed-forward network starts: after the attention and its norm.",
            _block(lambda p, x: p.n2(x + p.f(p.n1(x + p.a(x)))), _pre),
        ),
        Misconception(
            "With place 'pre', the second residual goes back to the input of the block. It starts where the "
            "feed-forward network starts: after the attention.",
            _block(_post, lambda p, x: x + p.f(p.n2(x + p.a(p.n1(x))))),
        ),
        Misconception(
            "Attention and feed-forward network stand side by side: the network must read what the attention has "
            "added.",
            _block(
                lambda p, x: p.n2(p.n1(x + p.a(x)) + p.f(x)), lambda p, x: x + p.a(p.n1(x)) + p.f(p.n2(x))
            ),
        ),
        Misconception(
            'With place="post" the feed-forward network reads the input of the block. It reads what norm_1 returned.',
            _block(lambda p, x: p.n2(p.n1(x + p.a(x)) + p.f(x)), _pre),
        ),
        Misconception(
            'With place="pre" the feed-forward network reads the input of the block. It reads the first sum, '
            "normalised.",
            _block(_post, lambda p, x: x + p.a(p.n1(x)) + p.f(p.n2(x))),
        ),
        Misconception(
            "In pre-norm the norm stands behind the part with you, x + LayerNorm(f(x)). It is x + f(LayerNorm(x)).",
            _block(_post, lambda p, x: (lambda y: y + p.n2(p.f(y)))(x + p.n1(p.a(x)))),
        ),
        Misconception(
            'With place="pre" the attention reads words that are not normalised: norm_1 is missing.',
            _block(_post, lambda p, x: (lambda y: y + p.f(p.n2(y)))(x + p.a(x))),
        ),
        Misconception(
            'With place="pre" the first residual connection carries the normalised x. It carries x itself.',
            _block(_post, lambda p, x: (lambda y: (lambda z: z + p.f(p.n2(z)))(y + p.a(y)))(p.n1(x))),
        ),
        Misconception(
            'With place="post" the attention has no residual connection: its output must be added to what came in.',
            _block(lambda p, x: (lambda y: p.n2(y + p.f(y)))(p.n1(p.a(x))), _pre),
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
            "Your attention has one head: `n_heads` is not used.",
            lambda sizes, *rest: encoder_block([sizes[0], 1, sizes[2]], *rest),
        ),
        Misconception(
            "The mask is not used: hand it on to the attention, mask=mask.",
            _masked_by(lambda mask, place: None),
        ),
        Misconception(
            'With place="post" the mask is not handed on to the attention.',
            _masked_by(lambda mask, place: None if place == "post" else mask),
        ),
        Misconception(
            'With place="pre" the mask is not handed on to the attention.',
            _masked_by(lambda mask, place: None if place == "pre" else mask),
        ),
        Misconception(
            "You use the first sentence's mask for all sentences. Hand on the mask as it is.",
            _masked_by(lambda mask, place: mask[:1] if mask.ndim == 3 else mask),
        ),
        Misconception(
            "The mask is turned round: True is where attention is allowed, as in the attention that you call.",
            _masked_by(lambda mask, place: ~mask),
        ),
        Misconception(
            'With place="post" the mask is turned round: hand it on as it is.',
            _masked_by(lambda mask, place: ~mask if place == "post" else mask),
        ),
        Misconception(
            'With place="pre" the mask is turned round: hand it on as it is.',
            _masked_by(lambda mask, place: ~mask if place == "pre" else mask),
        ),
    ],
    forbidden=BLOCKS,
    tolerance=1e-4,  # two LayerNorms, which enlarge what rounding does to words that vary little
    describe=told_block,
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
