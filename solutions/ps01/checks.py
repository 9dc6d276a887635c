"""What decides the questions of ps01: convolutions and recurrent networks by hand."""

import inspect

import numpy as np

from course_lib.grading.questions import Misconception, Part, Question

# ---- q1: a convolution over a sentence ----


def conv1d(x, W, b):
    """Slide a kernel over a sequence: (…, L, d_in), (k, d_in, d_out), (d_out,) -> (…, L − k + 1, d_out)."""
    k = len(W)
    windows = np.stack([x[..., i : i + k, :] for i in range(x.shape[-2] - k + 1)], axis=-3)
    return np.einsum("...pki,kio->...po", windows, W) + b


def convolutions(rng, *batch, lengths=((7, 3), (9, 4), (5, 1), (4, 4)), d_in=2, d_out=3):
    """Yield inputs, kernel and bias; kernels of odd and even length."""
    for length, k in lengths:
        yield [
            rng.standard_normal((*batch, length, d_in)),
            rng.standard_normal((k, d_in, d_out)),
            rng.standard_normal(d_out),
        ]


def padded_convolution(x, W, b):
    """Keep the length by padding with zeros."""
    k = len(W)
    width = [(0, 0)] * (x.ndim - 2) + [((k - 1) // 2, k // 2), (0, 0)]
    return conv1d(np.pad(x, width), W, b)


Q1 = Question(
    "q1",
    "conv1d",
    conv1d,
    [
        Part("one sentence", 3, convolutions),
        Part("several sentences at once", 1, lambda rng: [*convolutions(rng, 4), *convolutions(rng, 2, 3)]),
    ],
    [
        Misconception(
            "Your kernel is applied back to front. In deep learning the first row of the kernel meets the first "
            "word of the window; nothing is flipped.",
            lambda x, W, b: conv1d(x, W[::-1], b),
        ),
        Misconception(
            "The bias is missing: b is added to each output.", lambda x, W, b: conv1d(x, W, np.zeros_like(b))
        ),
        Misconception(
            "You add the bias once for every place of the kernel; it is added once for every output.",
            lambda x, W, b: conv1d(x, W, len(W) * b),
        ),
        Misconception(
            "The last window is missing: a kernel of length k fits into L places L − k + 1 times.",
            lambda x, W, b: conv1d(x, W, b)[..., :-1, :],
        ),
        Misconception(
            "You pad the sentence so that the result is as long as it. Here only whole windows count, "
            "L − k + 1 of them.",
            padded_convolution,
        ),
        Misconception(
            "Your windows are the first axis of the result. They belong where the words were, the last axis but one.",
            lambda x, W, b: np.moveaxis(conv1d(x, W, b), -2, 0),
        ),
        Misconception(
            "The windows of your convolution do not overlap: it moves on by k places, and should by one.",
            lambda x, W, b: conv1d(x, W, b)[..., :: len(W), :],
        ),
    ],
    forbidden=(
        "numpy.convolve",
        "numpy.correlate",
        "torch.conv1d",
        "torch.nn.Conv1d",
        "torch.nn.functional.conv1d",
    ),
)

# ---- q2: how far a stack of convolutions sees ----


def receptive_field(k, n_layers):
    """Count the words on which one output of n layers depends."""
    return 1 + n_layers * (k - 1)


def layers_needed(distance, k):
    """Return the fewest layers after which an output in the middle sees a word `distance` places away."""
    reach = (k - 1) // 2
    return -(-distance // reach)


ASK_Q2 = """
def ask(wanted, first, second):
    return receptive_field(first, second) if wanted == "receptive_field" else layers_needed(first, second)
"""


def either(wanted, first, second):
    """Answer one of the two halves of the question."""
    return receptive_field(first, second) if wanted == "receptive_field" else layers_needed(first, second)


def _half(name, wrong):
    """Make an answer that is wrong in one half, and says nothing to the other."""

    def answer(wanted, first, second):
        if wanted != name:
            raise ValueError("the other half of the question")
        return wrong(first, second)

    return answer


def fields(rng):
    """Yield odd kernels and depths."""
    for half, n_layers in zip(
        [1, 1, 4, *rng.integers(2, 8, 4)], [1, 3, 6, *rng.integers(2, 20, 4)], strict=True
    ):
        yield ["receptive_field", 2 * int(half) + 1, int(n_layers)]


def depths(rng):
    """Yield distances and odd kernels; among what is left over are a quarter, a half and three quarters of a layer."""
    for distance, half in zip(
        [1, 1, 12, 9, 10, 11, *rng.integers(3, 100, 4)],
        [1, 4, 3, 4, 4, 4, *rng.integers(2, 8, 4)],
        strict=True,
    ):
        yield ["layers_needed", int(distance), 2 * int(half) + 1]


Q2 = Question(
    "q2",
    ASK_Q2,
    either,
    [Part("receptive_field", 1, fields), Part("layers_needed", 2, depths)],
    [
        Misconception(
            "receptive_field: layers do not multiply their fields. Each layer adds k − 1 words to the one it "
            "starts from.",
            _half("receptive_field", lambda k, n: k**n),
        ),
        Misconception(
            "receptive_field: you count k words for each layer. The windows overlap: each layer adds k − 1.",
            _half("receptive_field", lambda k, n: k * n),
        ),
        Misconception(
            "receptive_field: the word in the middle is missing from your count.",
            _half("receptive_field", lambda k, n: n * (k - 1)),
        ),
        Misconception(
            "layers_needed: part of a layer does not do: round up.",
            _half("layers_needed", lambda distance, k: distance // ((k - 1) // 2)),
        ),
        Misconception(
            "layers_needed: from its middle, a window of k words reaches (k − 1) / 2 words to each side, not k − 1.",
            _half("layers_needed", lambda distance, k: -(-distance // (k - 1))),
        ),
        Misconception(
            "layers_needed: from its middle, a window of k words reaches (k − 1) / 2 words to each side, not k.",
            _half("layers_needed", lambda distance, k: -(-distance // k)),
        ),
        Misconception(
            "layers_needed: you count one layer too many.",
            _half("layers_needed", lambda distance, k: distance // ((k - 1) // 2) + 1),
        ),
    ],
)

# ---- q3: a recurrent network ----


def rnn_states(x, W_x, W_h, b, h0):
    """Return all states of a tanh RNN: (L, d_in), (d_in, d_h), (d_h, d_h), (d_h,), (d_h,) -> (L, d_h)."""
    states, h = [], h0
    for word in x:
        h = np.tanh(word @ W_x + h @ W_h + b)
        states.append(h)
    return np.array(states).reshape(len(x), len(h0))


def linear_states(x, W_x, W_h, b, h0):
    """Return the states of a network without tanh."""
    states, h = [], h0
    for word in x:
        h = word @ W_x + h @ W_h + b
        states.append(h)
    return np.array(states).reshape(len(x), len(h0))


def recurrent(rng, lengths=(5, 1, 8), start=0.0, d_in=2, d_h=3):
    """Yield a sentence, weights and a start state."""
    for length in lengths:
        yield [
            rng.standard_normal((length, d_in)),
            rng.standard_normal((d_in, d_h)),
            rng.standard_normal((d_h, d_h)),
            rng.standard_normal(d_h),
            start * rng.standard_normal(d_h),
        ]


Q3 = Question(
    "q3",
    "rnn_states",
    rnn_states,
    [
        Part("starting from zero", 2, recurrent),
        Part("starting from any state", 1, lambda rng: recurrent(rng, lengths=(5, 8), start=1.0)),
        # not the empty sentence alone: a network that is wrong on all others would get it right
        Part("sentences without words, too", 1, lambda rng: recurrent(rng, lengths=(0, 4), start=1.0)),
    ],
    [
        Misconception(
            "Your states are those before each word is read: the first row is h0. Row i is the state after word i.",
            lambda x, W_x, W_h, b, h0: np.vstack([h0, rnn_states(x, W_x, W_h, b, h0)])[:-1],
        ),
        Misconception(
            "You return the last state alone; expected is one row for each word.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, b, h0)[-1],
        ),
        Misconception(
            "You multiply the state by the transpose of W_h. A state is a row here: h @ W_h.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h.T, b, h0),
        ),
        Misconception(
            "The state before is not used: every row looks as if it were the first.",
            lambda x, W_x, W_h, b, h0: np.tanh(x @ W_x + h0 @ W_h + b),
        ),
        Misconception(
            "Your network does not start from h0, but from zero.",
            lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, b, np.zeros_like(h0)),
        ),
        Misconception("The tanh is missing.", linear_states),
        Misconception(
            "A sentence without words has no states, but the array of them still has d_h columns: shape (0, d_h).",
            lambda x, W_x, W_h, b, h0: np.zeros(0) if len(x) == 0 else rnn_states(x, W_x, W_h, b, h0),
        ),
        Misconception(
            "Your first row is h0, which is no state after a word: leave it out.",
            lambda x, W_x, W_h, b, h0: np.vstack([h0, rnn_states(x, W_x, W_h, b, h0)]),
        ),
        Misconception(
            "The bias is missing.", lambda x, W_x, W_h, b, h0: rnn_states(x, W_x, W_h, np.zeros_like(b), h0)
        ),
    ],
    forbidden=("torch.nn.RNN", "torch.nn.RNNCell", "torch.rnn_tanh", "torch.rnn_tanh_cell"),
)

# ---- q4: what is left of a gradient ----


def gradient_norms(states, W_h):
    """Return ‖∂h_last/∂h_t‖ (spectral) for t = 0 … L − 1: (L, d_h), (d_h, d_h) -> (L,)."""
    jacobian, norms = np.eye(len(W_h)), []
    for h in states[::-1]:
        norms.append(np.linalg.norm(jacobian, 2))
        jacobian = W_h @ np.diag(1 - h**2) @ jacobian
    return np.array(norms[::-1])


def _gradient_norms(states, W_h, step, order=2):
    jacobian, norms = np.eye(len(W_h)), []
    for h in states[::-1]:
        norms.append(np.linalg.norm(jacobian, order))
        jacobian = step(jacobian, h)
    return np.array(norms[::-1])


def trained_states(rng, lengths=(6, 1, 3), scale=1.0):
    """Yield states between −1 and 1 and a recurrent matrix, which is not symmetric."""
    for length in lengths:
        yield [np.tanh(rng.standard_normal((length, 3))), scale * rng.standard_normal((3, 3))]


def long_states(rng):
    """Yield states whose gradients vanish, then some whose gradients explode, as far as float32 can square."""
    yield from trained_states(rng, (60,), 0.3)
    turn, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    yield [np.tanh(rng.standard_normal((30, 3))), 3.9 * turn]


Q4 = Question(
    "q4",
    "gradient_norms",
    gradient_norms,
    [
        Part("short sentences", 2, trained_states),
        Part(
            "long sentences, where gradients vanish or explode",
            2,
            long_states,
        ),
    ],
    [
        Misconception(
            "The derivative of tanh is missing: each step also multiplies by 1 − h².",
            lambda states, W: _gradient_norms(states, W, lambda J, h: W @ J),
        ),
        Misconception(
            "The derivative of tanh at the value h is 1 − h², not 1 − h.",
            lambda states, W: _gradient_norms(states, W, lambda J, h: W @ np.diag(1 - h) @ J),
        ),
        Misconception(
            "You use the Frobenius norm (all entries squared and added). Asked for is the spectral norm, "
            "np.linalg.norm(J, 2): by how much the matrix stretches a vector at most.",
            lambda states, W: _gradient_norms(states, W, lambda J, h: W @ np.diag(1 - h**2) @ J, None),
        ),
        Misconception(
            "Your factors stand in the wrong order: an earlier step stands to the left of a later one.",
            lambda states, W: _gradient_norms(states, W, lambda J, h: J @ W @ np.diag(1 - h**2)),
        ),
        Misconception(
            "W_h diag(1 − h²) multiplies the columns of W_h by 1 − h²; you multiply its rows, or use its transpose.",
            lambda states, W: _gradient_norms(states, W, lambda J, h: np.diag(1 - h**2) @ W @ J),
        ),
        Misconception(
            "W_h diag(1 − h²) multiplies the columns of W_h by 1 − h²; you multiply its rows, or use its transpose.",
            lambda states, W: _gradient_norms(states, W, lambda J, h: W.T @ np.diag(1 - h**2) @ J),
        ),
        Misconception(
            "The states are what came out of tanh: 1 − h² needs no further tanh.",
            lambda states, W: _gradient_norms(states, W, lambda J, h: W @ np.diag(1 - np.tanh(h) ** 2) @ J),
        ),
        Misconception(
            "The step from one state to the next has the factor 1 − h² of the next; yours has that of the one before.",
            lambda states, W: gradient_norms(np.vstack([states[:1], states[:-1]]), W),
        ),
        Misconception(
            "Your result is back to front: entry t belongs to word t, and the last entry is 1.",
            lambda states, W: gradient_norms(states, W)[::-1],
        ),
        Misconception(
            "You multiply norms. The norm of a product is smaller, in general: multiply the matrices, then take "
            "the norm.",
            lambda states, W: np.cumprod(
                [1.0] + [np.linalg.norm(W @ np.diag(1 - h**2), 2) for h in states[:0:-1]]
            )[::-1],
        ),
        Misconception(
            "Your product has one factor too many: ∂h_last/∂h_last is 1, without any factor.",
            lambda states, W: gradient_norms(np.vstack([states[:1], states]), W)[:-1],
        ),
    ],
    tolerance=2e-4,  # of a product of thirty matrices in single precision
)

# ---- q5: both directions ----


def bidirectional(x, forward, backward):
    """Read a sentence in both directions: row i is the state of each reader after word i, side by side."""
    return np.concatenate([forward(x), backward(x[::-1])[::-1]], axis=-1)


def reader(decay, width):
    """Make a reader that forgets: a state is the first numbers of what it reads plus a share of the state before."""

    def read(words):
        words = np.asarray(words)
        states, h = [], np.zeros(width)
        for word in words:
            h = decay * h + word[:width]
            states.append(h)
        return np.array(states)

    return read


# Functions are no plain values, so that the two readers are made in the student's kernel, from numbers.
ASK_Q5 = f"""
import numpy as np

{inspect.getsource(reader)}

def ask(x, forward, backward):
    return bidirectional(x, reader(*forward), reader(*backward))
"""


def _by(combine):
    """Make an answer from a function of the words and the two readers."""
    return lambda x, f, b: combine(x, reader(*f), reader(*b))


def readers(rng):
    """Yield a sentence and, for each reader, how fast it forgets and how wide its states are."""
    for length, *widths in ((6, 3, 3), (1, 2, 2), (9, 3, 2), (5, 1, 3)):
        yield [
            rng.standard_normal((length, 3)),
            *([float(decay), width] for decay, width in zip(rng.uniform(0.2, 0.9, 2), widths, strict=True)),
        ]


Q5 = Question(
    "q5",
    ASK_Q5,
    _by(bidirectional),
    [Part("both readers side by side", 3, readers)],
    [
        Misconception(
            "The backward reader's states are in the order in which it reads. Turn them round, so that row i of both "
            "halves belongs to word i.",
            _by(lambda x, f, b: np.concatenate([f(x), b(x[::-1])], axis=-1)),
        ),
        Misconception(
            "Your backward reader reads forwards: hand it the sentence back to front.",
            _by(lambda x, f, b: np.concatenate([f(x), b(x)], axis=-1)),
        ),
        Misconception(
            "Your backward reader reads forwards; that its states are turned round afterwards is not enough. Hand it "
            "the sentence back to front, too.",
            _by(lambda x, f, b: np.concatenate([f(x), b(x)[::-1]], axis=-1)),
        ),
        Misconception(
            "You turn round the numbers within each word, too. Turn round the words alone: x[::-1], axis 0.",
            _by(lambda x, f, b: np.concatenate([f(x), np.flip(b(np.flip(x)))], axis=-1)),
        ),
        Misconception(
            "You turn round the numbers within each word, not the words: x[::-1], axis 0.",
            _by(lambda x, f, b: np.concatenate([f(x), b(x[:, ::-1])[:, ::-1]], axis=-1)),
        ),
        Misconception(
            "Both halves come from the forward reader.",
            _by(lambda x, f, b: np.concatenate([f(x), f(x[::-1])[::-1]], axis=-1)),
        ),
        Misconception(
            "You add the two readers' states. Put them side by side, so that neither is lost.",
            _by(lambda x, f, b: f(x) + b(x[::-1])[::-1]),
        ),
        Misconception(
            "The two halves stand below each other. Side by side is the last axis.",
            _by(lambda x, f, b: np.concatenate([f(x), b(x[::-1])[::-1]], axis=0)),
        ),
        Misconception(
            "The two readers have changed places: the forward reader's states come first.",
            _by(lambda x, f, b: np.concatenate([b(x[::-1])[::-1], f(x)], axis=-1)),
        ),
    ],
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
