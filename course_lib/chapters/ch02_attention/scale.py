"""How large scores are, and what their size does to the gradient and to training."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from course_lib import functional
from course_lib.chapters.fit import seeded

DIVISORS: Mapping[str, Callable[[int], float]] = {
    "not divided": lambda d_k: 1.0,
    "÷ √dₖ": lambda d_k: float(np.sqrt(d_k)),
    "÷ dₖ": float,
}

# Matrices (d, d) of queries and keys as layers begin with them, to be multiplied from the right.
STARTS: Mapping[str, Callable[[int], Sequence[torch.Tensor]]] = {
    "nn.Linear": lambda d: [torch.nn.Linear(d, d).weight.T for _ in "qk"],
    "nn.MultiheadAttention": lambda d: torch.nn.MultiheadAttention(d, 1).in_proj_weight.T.chunk(3, dim=1)[:2],
    "Glorot": lambda d: [torch.nn.init.xavier_uniform_(torch.empty(d, d)) for _ in "qk"],
}


def random_scores(
    d_k: int, *, n: int = 500, n_keys: int = 8, entries: str = "normal", seed: int = 2
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw n random queries, each with keys of its own, and their dot products.

    Parameters
    ----------
    d_k : int
    n, n_keys : int
    entries : "normal", "signs", "equal query" or "equal"
        Independent entries from a bell curve, independent ones of −1 or +1, or from a bell curve but all entries
        of a query, or of each vector, equal. Each has mean 0 and variance 1.
    seed : int

    Returns
    -------
    scores : array (n, n_keys)
    keys : array (n, n_keys, d_k)

    Raises
    ------
    ValueError
        If `entries` is something else.

    Examples
    --------
    >>> scores, keys = random_scores(4, n=3)
    >>> scores.shape, keys.shape
    ((3, 8), (3, 8, 4))
    """
    rng = np.random.default_rng(seed)
    shapes = (n, 1, d_k), (n, n_keys, d_k)
    if entries == "normal":
        q, k = (rng.standard_normal(shape) for shape in shapes)
    elif entries == "signs":
        q, k = (rng.choice([-1.0, 1.0], shape) for shape in shapes)
    elif entries == "equal query":
        q = np.repeat(rng.standard_normal((n, 1, 1)), d_k, axis=2)
        k = rng.standard_normal(shapes[1])
    elif entries == "equal":
        q, k = (np.repeat(rng.standard_normal((*shape[:2], 1)), d_k, axis=2) for shape in shapes)
    else:
        raise ValueError(f"entries is {entries!r}: expected 'normal', 'signs', 'equal query' or 'equal'")
    return (q @ k.mT)[:, 0], k  # (n, 1, d_k) @ (n, d_k, n_keys) → (n, 1, n_keys)


def softmax_jacobian(scores: ArrayLike) -> NDArray[np.float64]:
    """Return how each weight reacts to each score: ∂w_i/∂s_j = w_i (δ_ij − w_j), (…, n, n) for scores (…, n).

    Examples
    --------
    >>> softmax_jacobian([0.0, 0.0])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    w = functional.softmax(scores)
    jacobian: NDArray[np.float64] = w[..., :, None] * np.eye(w.shape[-1]) - w[..., :, None] * w[..., None, :]
    return jacobian


def gradient_sizes(
    scores: NDArray[np.float64], keys: NDArray[np.float64], divisor: float
) -> NDArray[np.float64]:
    """Return the size of ∂w/∂q for each query, (n,): the root of the sum of its squared entries.

    Parameters
    ----------
    scores : array (n, n_keys)
        Dot products, not divided.
    keys : array (n, n_keys, d_k)
    divisor : float

    Notes
    -----
    Formula: ∂w/∂q = J K / c, with the Jacobian J of the softmax and the divisor c.

    Examples
    --------
    >>> gradient_sizes(np.zeros((1, 2)), np.array([[[1.0], [-1.0]]]), 1.0).round(3)
    array([0.707])
    """
    slopes = softmax_jacobian(scores / divisor) @ keys / divisor  # (n, n_keys, n_keys) @ (n, n_keys, d_k)
    sizes: NDArray[np.float64] = np.linalg.norm(slopes, axis=(1, 2))
    return sizes


def first_scores(
    d: int, start: Callable[[int], Sequence[torch.Tensor]], seed: int = 0, n: int = 500
) -> NDArray[np.float32]:
    """Return q·k/√d of n random inputs with n others, (n, n), before any training.

    Parameters
    ----------
    d : int
        Width of the inputs, the queries and the keys.
    start : function of d
        Returns the matrices (d, d) of queries and keys, to be multiplied from the right. What it draws from torch's
        global generator is seeded and leaves no trace.
    seed, n : int

    Notes
    -----
    Inputs are independent, of mean 0 and variance 1, as after a LayerNorm.

    Examples
    --------
    >>> round(first_scores(64, lambda d: [torch.eye(d), torch.eye(d)]).std())
    1
    """
    inputs = torch.randn(2, n, d, generator=torch.Generator().manual_seed(seed))
    with torch.random.fork_rng(), torch.no_grad():
        torch.manual_seed(seed)
        W_q, W_k = start(d)
        scores: NDArray[np.float32] = (inputs[0] @ W_q @ (inputs[1] @ W_k).T / d**0.5).numpy()
    return scores


class Learned(NamedTuple):
    """What `learn` has seen."""

    on_own: NDArray[np.float32]  # (n_sets, 16, n_steps): the weight of query i on key i, before each step
    loss: NDArray[np.float32]  # (n_sets, n_steps): the mean squared error of the outputs
    part: NDArray[
        np.float32
    ]  # (n_sets, 16): |pull on the score of key i| / length of all pulls, at the start

    @property
    def found(self) -> float:
        """The proportion of queries that end with more than half of their weight on their key."""
        return float(np.mean(self.on_own[..., -1] > 0.5))


class EqualSteps(torch.optim.Optimizer):
    """Gradient descent in which each vector moves equally far, however long its gradient is.

    Parameters
    ----------
    params : iterable of tensors (…, d)
    lr : float
        How far.

    Examples
    --------
    >>> x = torch.zeros(2, 2, requires_grad=True)
    >>> (x * torch.tensor([[3.0, 4.0], [0.0, 1e-9]])).sum().backward()
    >>> EqualSteps([x], lr=5.0).step()
    >>> x.detach()
    tensor([[-3., -4.],
            [ 0., -5.]])
    """

    def __init__(self, params: Iterable[torch.Tensor], lr: float) -> None:
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Take one step."""
        for group in self.param_groups:
            for x in group["params"]:
                x -= group["lr"] * torch.nn.functional.normalize(x.grad, dim=-1, eps=1e-30)


def _start(start: float, d_k: int, n_sets: int, seed: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return random queries, keys (n_sets, 16, d_k) and values (n_sets, 16, 8)."""
    generator = torch.Generator().manual_seed(seed)
    Q, K, V = (torch.randn(n_sets, 16, width, generator=generator) for width in (d_k, d_k, 8))
    return start * Q, start * K, V


def learn(
    divisor: float,
    *,
    start: float = 1.0,
    d_k: int = 256,
    rate: float = 0.01,
    n_steps: int = 300,
    optimiser: type[torch.optim.Optimizer] = torch.optim.Adam,
    n_sets: int = 20,
    lead: float | None = None,
    floor: float = 0.0,
    only: int | None = None,
    layers: bool = False,
    seed: int = 0,
) -> Learned:
    """Train queries and keys until query i reads value i, the value of its own key.

    Parameters
    ----------
    divisor : float
        What the dot products are divided by.
    start : float
        The standard deviation of the entries of queries and keys at the start.
    d_k, n_steps, n_sets, seed : int
    rate : float
        Learning rate.
    optimiser : class
    lead : float, optional
        By how much the score of key i leads the best other score of query i at the start; all other scores are left
        as they are, by the smallest change of the queries that does so.
    floor : float
        In the pulls on the scores, and nowhere else, every weight counts as at least this.
    only : int, optional
        The floor is for one key of each query alone: for query i, key (i + only) mod 16. So 0 is its own key.
    layers : bool
        Queries and keys are not free: two matrices, the same for all sets and both the identity at the start, make
        them from vectors that stay as they are. Only the matrices are trained.

    Notes
    -----
    The pull on the score of key j is ∂L/∂s_j = w_j g · (v_j − output), with g = ∂L/∂output.

    Examples
    --------
    >>> learn(2.0, d_k=4, n_steps=3, n_sets=2).on_own.shape
    (2, 16, 3)
    """
    Q, K, V = _start(start, d_k, n_sets, seed)
    if lead is not None:
        rivals = Q @ K.mT / divisor
        mine = rivals.diagonal(dim1=-2, dim2=-1).clone()
        rivals.diagonal(dim1=-2, dim2=-1).fill_(-torch.inf)
        change = torch.diag_embed(rivals.amax(dim=-1) + lead - mine) * divisor  # of Q Kᵀ
        Q = Q + change @ torch.linalg.pinv(K).mT
    W_Q, W_K = (torch.eye(d_k, requires_grad=layers) for _ in "qk")
    if not layers:
        Q.requires_grad_()
        K.requires_grad_()
    raised = torch.ones(16, 16, dtype=torch.bool)
    if only is not None:
        raised = torch.eye(16, dtype=torch.bool).roll(only, dims=1)
    stepper = optimiser([W_Q, W_K] if layers else [Q, K], lr=rate)  # type: ignore[call-arg]
    on_own, losses, part = [], [], None
    for _ in range(n_steps):
        scores = ((Q @ W_Q) @ (K @ W_K).mT if layers else Q @ K.mT) / divisor
        weights = torch.softmax(scores.detach(), dim=-1)  # (n_sets, 16, 16)
        output = weights @ V
        on_own.append(weights.diagonal(dim1=-2, dim2=-1))
        losses.append((output - V).square().mean(dim=(-2, -1)))
        g = 2 * (output - V)
        fit = g @ V.mT - (g * output).sum(
            dim=-1, keepdim=True
        )  # of query i and key j: g_i · (v_j − output_i)
        pulls = torch.where(raised, weights.clamp(min=floor), weights) * fit
        if part is None:
            part = pulls.diagonal(dim1=-2, dim2=-1).abs() / pulls.norm(dim=-1)
        stepper.zero_grad()
        scores.backward(pulls)
        stepper.step()
    assert part is not None, "at least one step"
    return Learned(torch.stack(on_own, dim=-1).numpy(), torch.stack(losses, dim=-1).numpy(), part.numpy())


def look_up(
    width: int, *, shared: bool, n_words: int = 6, d: int = 4, n_steps: int = 600, seed: int = 0
) -> float:
    """Train one attention to find a word by its name and to read what the word says; return its squared error.

    A word is a name, a random direction, and a message of independent numbers, both of width d. The query is made from
    the name of one of n_words words, keys and values from whole words, and the answer is read linearly. All words are
    new at each step.

    Parameters
    ----------
    width : int
        Of queries, keys and values.
    shared : bool
        Whether a word's key is its value, too: one matrix makes both.
    n_words, d, n_steps, seed : int

    Returns
    -------
    float
        The mean squared error of a number of the message, on 4,000 new questions; always answering 0 has 1.

    Examples
    --------
    >>> 0.5 < look_up(4, shared=True, n_steps=5) < 2
    True
    """
    generator = torch.Generator().manual_seed(seed)
    with seeded(seed):
        W_Q, W_K, W_V = (torch.nn.Linear(n, width, bias=False) for n in (d, 2 * d, 2 * d))
        read = torch.nn.Linear(width, d)
    if shared:
        W_V = W_K
    trained = {id(p): p for part in (W_Q, W_K, W_V, read) for p in part.parameters()}
    stepper = torch.optim.Adam(trained.values(), lr=0.01)

    def error(n: int) -> torch.Tensor:
        names = torch.nn.functional.normalize(torch.randn(n, n_words, d, generator=generator), dim=-1)
        messages = torch.randn(n, n_words, d, generator=generator)
        words = torch.cat([names, messages], dim=-1)
        scores = (W_K(words) @ W_Q(names[:, 0])[..., None])[..., 0]  # of the first word's name with all words
        answers = read((scores.softmax(dim=-1)[:, None] @ W_V(words))[:, 0])
        return (answers - messages[:, 0]).square().mean()

    for _ in range(n_steps):
        stepper.zero_grad()
        error(128).backward()
        stepper.step()
    with torch.no_grad():
        return float(error(4000))


def first_gradients(divisor: float, d_k: int, *, n_sets: int = 20, seed: int = 0) -> NDArray[np.float32]:
    """Return how long the gradient of each query is at the first step of `learn`, (n_sets · 16,).

    Examples
    --------
    >>> first_gradients(2.0, 4, n_sets=2).shape
    (32,)
    """
    Q, K, V = _start(1.0, d_k, n_sets, seed)
    Q.requires_grad_()
    weights = torch.softmax(Q @ K.mT / divisor, dim=-1)
    (gradient,) = torch.autograd.grad((weights @ V - V).square().sum(), Q)
    lengths: NDArray[np.float32] = gradient.norm(dim=-1).flatten().numpy()
    return lengths
