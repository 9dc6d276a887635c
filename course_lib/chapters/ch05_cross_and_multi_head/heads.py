"""Heads that specialise: a difference of two look-ups, which one head cannot give and two can.

A list has six towns, in any order, each with its temperature. The question names two of them: *how much warmer is it
in the first than in the second?* Queries are made from the question, keys from the names and values from the
temperatures, so each head returns an average of temperatures, and the answer is read from the heads linearly.

On paper: one head answers c·Σ w_j x_j + b with weights w_j ≥ 0 that do not depend on the temperatures. If these are
independent with mean 0 and variance 1, its mean squared error is at least

    (1 − c·w_first)² + (1 + c·w_second)² + c²·Σ_others w_j² ≥ 1,

because c ≥ 0 makes the second square at least 1 and c ≤ 0 the first. Always answering 0 has error 2.

What came out for 40 seeds is in `heads.json`; `python -m course_lib.chapters.ch05_cross_and_multi_head.heads` trains
them again, in a few minutes.
"""

import copy
import json
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.func import functional_call, stack_module_state, vmap
from torch.nn import functional as F

from course_lib.chapters.fit import seeded
from course_lib.model import MultiHeadAttention, attention, merge_heads, split_heads

TOWNS = ("London", "Paris", "Rome", "Oslo", "Cork", "Nice")
RECORD = Path(__file__).with_suffix(".json")
SHAPES = {
    "one head": (1, 8, 1),
    "one wide head": (1, 32, 8),
    "two heads": (2, 8, 1),
    "three heads": (3, 8, 1),
}
N_SEEDS, EARLY, SHORT, LONG = 40, 50, 300, 1500
SUCCESS = 0.1  # the error below which a model has learned the difference


class Questions(NamedTuple):
    """Lists of towns in some order, and for each list one question about two of them."""

    names: Tensor  # (…, n_towns) int64
    temperatures: Tensor  # (…, n_towns)
    asked: Tensor  # (…, 2) int64: the first town and the second

    @property
    def query(self) -> Tensor:
        """The question: the first town and the second, each as a vector with a single 1, (…, 1, 2·n_towns)."""
        return F.one_hot(self.asked, len(TOWNS)).float().flatten(-2).unsqueeze(-2)

    @property
    def key(self) -> Tensor:
        """The names, (…, n_towns, n_towns)."""
        return F.one_hot(self.names, len(TOWNS)).float()

    @property
    def value(self) -> Tensor:
        """The temperatures, (…, n_towns, 1)."""
        return self.temperatures.unsqueeze(-1)

    @property
    def answer(self) -> Tensor:
        """How much warmer it is in the first town than in the second, (…)."""
        found = self.names.unsqueeze(-2) == self.asked.unsqueeze(-1)  # (…, 2, n_towns)
        first, second = (self.temperatures.unsqueeze(-2) * found).sum(-1).unbind(-1)
        return first - second


def questions(generator: torch.Generator, *shape: int) -> Questions:
    """Draw lists and questions, 64 if no shape is given; temperatures are independent with mean 0 and variance 1.

    Examples
    --------
    >>> batch = questions(torch.Generator().manual_seed(0), 5)
    >>> batch.query.shape, batch.key.shape, batch.value.shape, batch.answer.shape
    (torch.Size([5, 1, 12]), torch.Size([5, 6, 6]), torch.Size([5, 6, 1]), torch.Size([5]))
    """
    shape, n_towns = shape or (64,), len(TOWNS)

    def shuffled() -> Tensor:
        return torch.rand(*shape, n_towns, generator=generator).argsort(-1)

    return Questions(shuffled(), torch.randn(*shape, n_towns, generator=generator), shuffled()[..., :2])


class Heads(nn.Module):
    """The layer of the chapter: queries, keys and values each from an input of its own.

    Parameters
    ----------
    n_heads, d_k, d_v : int
        Number of heads, and widths per head.
    d_in : three int
        Widths of what queries, keys and values are made from.
    d_out : int

    Examples
    --------
    >>> output, weights = Heads(2, 8, 1, d_in=(12, 6, 1), d_out=1)(*(torch.zeros(1, 3, d) for d in (12, 6, 1)))
    >>> output.shape, weights.shape
    (torch.Size([1, 3, 1]), torch.Size([1, 2, 3, 3]))
    """

    def __init__(self, n_heads: int, d_k: int, d_v: int, d_in: tuple[int, int, int], d_out: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_in[0], n_heads * d_k)
        self.W_K = nn.Linear(d_in[1], n_heads * d_k)
        self.W_V = nn.Linear(d_in[2], n_heads * d_v)
        self.W_O = nn.Linear(n_heads * d_v, d_out)

    def forward(self, query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """(B, L_q, d_query), (B, L_k, d_key), (B, L_k, d_value) → (B, L_q, d_out), (B, H, L_q, L_k)."""
        projected = self.W_Q(query), self.W_K(key), self.W_V(value)
        Q, K, V = (split_heads(x, self.n_heads) for x in projected)
        heads, weights = attention(Q, K, V)
        return self.W_O(merge_heads(heads)), weights


@torch.no_grad()
def factors(model: Any) -> NDArray[np.float64]:
    """What each head's average of temperatures is multiplied by in the answer, c_h, (H,)."""
    by_column = model.W_O.weight.flatten() * model.W_V.weight.flatten()
    return by_column.unflatten(0, (model.n_heads, -1)).sum(1).double().numpy()


@torch.no_grad()
def squared_error(model: nn.Module, seed: int = 5) -> float:
    """The mean squared error on 10,000 new questions."""
    batch = questions(torch.Generator().manual_seed(seed), 10_000)
    return float((model(batch.query, batch.key, batch.value)[0].flatten() - batch.answer).square().mean())


@torch.no_grad()
def looks_at(model: nn.Module, seed: int = 5) -> NDArray[np.float64]:
    """How much weight each head puts on the first town of the question and on the second, on average, (H, 2)."""
    batch = questions(torch.Generator().manual_seed(seed), 1_000)
    weights = model(batch.query, batch.key, batch.value)[1][:, :, 0]  # (B, H, n_towns)
    found = (batch.names[:, None, :] == batch.asked[:, :, None]).float()  # (B, 2, n_towns)
    return torch.einsum("bht,bat->bha", weights, found).mean(0).double().numpy()


@torch.no_grad()
def turned(model: Any, head: int, way: float = 1.0) -> Any:
    """Return a copy in which one head's queries go `way` of the way towards what the other town would give.

    At 1 the head looks at the second town of a question where it looked at the first, and the other way round.
    """
    other = copy.deepcopy(model)
    rows = slice(*(len(model.W_K.weight) // model.n_heads * edge for edge in (head, head + 1)))
    own = model.W_Q.weight[rows]  # (d_k, 2·n_towns)
    other.W_Q.weight[rows] = (1 - way) * own + way * own.roll(len(TOWNS), dims=1)
    return other


@torch.no_grad()
def flipped(model: Any, head: int) -> Any:
    """Return a copy in which one head's factor has the other sign."""
    other = copy.deepcopy(model)
    width = other.W_O.in_features // model.n_heads
    other.W_O.weight[:, head * width : (head + 1) * width] *= -1
    return other


def of_one_sign(model: Any) -> Any:
    """Return a copy in which the factors of all heads have the sign of the first one's."""
    signs = np.sign(factors(model))
    for head in np.flatnonzero(signs != signs[0]):
        model = flipped(model, int(head))
    return copy.deepcopy(model)


@torch.no_grad()
def with_least_factor(model: Any, size: float) -> Any:
    """Return a copy in which the smallest factor has this size, and none is smaller; signs stay.

    Examples
    --------
    >>> model = Heads(3, 8, 1, d_in=(12, 6, 1), d_out=1)
    >>> bool(np.isclose(abs(factors(with_least_factor(model, 0.01))).min(), 0.01, atol=1e-6))
    True
    """
    other, sizes = copy.deepcopy(model), np.abs(factors(model))
    width = other.W_O.in_features // model.n_heads
    for head in {int(sizes.argmin()), *np.flatnonzero(sizes < size).tolist()}:
        other.W_O.weight[:, head * width : (head + 1) * width] *= size / float(sizes[head])
    return other


@torch.no_grad()
def shaken(model: Any, head: int, seed: int, size: float = 1.0) -> Any:
    """Return a copy in which one head's queries change `size` times as much as if turned, in a random direction."""
    other, full = copy.deepcopy(model), turned(model, head)
    change = full.W_Q.weight - model.W_Q.weight
    noise = torch.randn(change.shape, generator=torch.Generator().manual_seed(seed)) * (change != 0)
    other.W_Q.weight += size * noise * change.norm() / noise.norm()
    return other


@torch.no_grad()
def shared_out(model: Any, head: int, share: float) -> Any:
    """Return a copy of a model with two heads of width 1 in which one has `share` of the sum of their factors.

    The sum stays as it is, and so does what is added at the end. So a model whose heads find the same number gives the
    same answers.

    Examples
    --------
    >>> model = Heads(2, 8, 1, d_in=(12, 6, 1), d_out=1)
    >>> before, after = factors(model), factors(shared_out(model, 0, -0.1))
    >>> bool(np.allclose(after, [-0.1 * before.sum(), 1.1 * before.sum()], atol=1e-6))
    True
    """
    other, total = copy.deepcopy(model), float(factors(model).sum())
    offset = model.W_O.weight[0] @ model.W_V.bias
    for h, factor in ((head, share * total), (1 - head, (1 - share) * total)):
        root = abs(factor) ** 0.5
        other.W_V.weight[h, 0], other.W_O.weight[0, h] = root, root if factor > 0 else -root
    other.W_O.bias += offset - other.W_O.weight[0] @ other.W_V.bias
    return other


@torch.no_grad()
def blurred(model: Any, head: int, scale: float = 0.5) -> Any:
    """Return a copy in which one head's queries are `scale` times as long, so that its weights are less sharp."""
    other = copy.deepcopy(model)
    rows = slice(*(len(model.W_K.weight) // model.n_heads * edge for edge in (head, head + 1)))
    other.W_Q.weight[rows] *= scale
    other.W_Q.bias[rows] *= scale
    return other


class Answer(NamedTuple):
    """What the heads do with one question about one list."""

    weights: NDArray[np.float64]  # (H, n_towns)
    averages: NDArray[np.float64]  # (H,): what each head finds, a temperature
    factors: NDArray[np.float64]  # (H,): what it is multiplied by
    offset: float  # added at the end
    total: float


@torch.no_grad()
def answer(model: nn.Module, temperatures: Sequence[float], first: str, second: str) -> Answer:
    """Ask about the towns in the order of `TOWNS`; total = Σ_h factor_h · average_h + offset.

    Raises
    ------
    ValueError
        If a town is unknown, or there is not one temperature for each.
    """
    if len(temperatures) != len(TOWNS):
        raise ValueError(
            f"temperatures: expected one for each of {len(TOWNS)} towns, not {len(temperatures)}"
        )
    for name, town in {"first": first, "second": second}.items():
        if town not in TOWNS:
            raise ValueError(f"{name} is {town!r}: expected one of {TOWNS}")
    asked = torch.tensor([[TOWNS.index(first), TOWNS.index(second)]])
    one = Questions(torch.arange(len(TOWNS))[None], torch.tensor([list(temperatures)]), asked)
    total, weights = model(one.query, one.key, one.value)
    looks, scale = weights[0, :, 0].double().numpy(), factors(model)
    averages = looks @ np.asarray(temperatures, dtype=np.float64)
    return Answer(looks, averages, scale, float(total) - float(scale @ averages), float(total))


# ---- Many seeds at once, for the record ----


Memory = dict[str, dict[str, Tensor]]  # what Adam remembers of each parameter; the models are the first axis


def train_together(
    models: Sequence[nn.Module],
    n_steps: int,
    seed: int,
    measure_at: Iterable[int] = (),
    memory: Memory | None = None,
    each: Callable[[nn.Module], Any] = lambda model: round(squared_error(model), 4),
) -> dict[int, list[Any]]:
    """Train models of one shape, each on questions of its own, in place; return their errors after some steps.

    It is the loop of the chapter, run for all models in one call. The questions of all are drawn together.

    Parameters
    ----------
    models : sequence of nn.Module
    n_steps, seed : int
    measure_at : whole numbers
        After how many steps to measure.
    memory : dict, optional
        What Adam remembers: it goes on from what is in it, and leaves in it what it remembers at the end. Without,
        or if it is empty, the optimiser is a new one.
    each : function
        What is measured of a model.
    """
    weights, _ = stack_module_state(list(models))
    weights = {name: weight.detach().requires_grad_() for name, weight in weights.items()}
    bare = copy.deepcopy(models[0]).to("meta")
    outputs = vmap(lambda own, *inputs: functional_call(bare, own, inputs)[0][..., 0, 0])
    optimiser = torch.optim.Adam(weights.values(), lr=0.02)
    for name, remembered in (memory or {}).items():
        optimiser.state[weights[name]] = {what: kept.clone() for what, kept in remembered.items()}
    generator, errors = torch.Generator().manual_seed(seed), {}

    def put_back() -> None:
        with torch.no_grad():
            for i, model in enumerate(models):
                for name, parameter in model.named_parameters():
                    parameter.copy_(weights[name][i])

    for step in range(1, n_steps + 1):
        batch = questions(generator, len(models), 64)
        off = outputs(weights, batch.query, batch.key, batch.value) - batch.answer
        optimiser.zero_grad()
        off.square().mean(1).sum().backward()
        optimiser.step()
        if step in measure_at:
            put_back()
            errors[step] = [each(model) for model in models]
    put_back()
    if memory is not None:
        memory |= {name: dict(optimiser.state[weight]) for name, weight in weights.items()}
    return errors


def untrained(shape: tuple[int, int, int], n: int) -> list[Heads]:
    """Start models with the seeds 0 … n − 1."""
    models = []
    for seed in range(n):
        with seeded(seed):
            models.append(Heads(*shape, d_in=(2 * len(TOWNS), len(TOWNS), 1), d_out=1))
    return models


def of_some(memory: Memory, chosen: Sequence[int]) -> Memory:
    """What Adam remembers of some of the models only."""
    return {
        name: {what: kept if kept.ndim == 0 else kept[list(chosen)] for what, kept in remembered.items()}
        for name, remembered in memory.items()
    }


def towns(model: nn.Module) -> list[int]:
    """Which town of the question each head looks at more: 0, the first, or 1, the second."""
    return [int(town) for town in looks_at(model).argmax(1)]


def record(n_seeds: int = N_SEEDS, short: int = SHORT, long: int = LONG) -> dict[str, Any]:
    """Train all shapes, look at them early, and change the two-headed models that failed before they train on."""
    told: dict[str, Any] = {"steps": [short, long], "errors": {}, "early": {}}
    for name, shape in SHAPES.items():
        models, memory = untrained(shape, n_seeds), Memory()
        errors = train_together(models, long, 0, (short, long), memory)
        told["errors"][name] = [errors[short], errors[long]]
        if shape[0] > 1:
            early = min(EARLY, short)
            looks = train_together(untrained(shape, n_seeds), early, 0, (early,), each=towns)[early]
            told["early"][name] = looks
        if name == "two heads":
            told |= then_trained(models, memory, errors[long], short, long)
    told["signs set"] = with_signs_set(n_seeds, short)
    told["least factor"] = with_least_factors(n_seeds, short)
    return told


def then_trained(
    models: Sequence[Heads], memory: Memory, errors: Sequence[float], short: int, long: int
) -> dict[str, Any]:
    """Change the models that failed and train on, with what Adam remembers and with a new Adam."""
    chosen = [i for i, error in enumerate(errors) if error > SUCCESS]
    failed = [models[i] for i in chosen]
    changed = {
        "left as it was": failed,
        "head 0 turned": [turned(m, 0) for m in failed],
        "head 1 turned": [turned(m, 1) for m in failed],
        "head 0 shaken": [shaken(m, 0, i) for i, m in zip(chosen, failed, strict=True)],
        "head 1 shaken": [shaken(m, 1, i) for i, m in zip(chosen, failed, strict=True)],
    }
    told: dict[str, Any] = {"both at one town": sum(len(set(towns(m))) == 1 for m in failed)}
    kept = of_some(memory, chosen)
    told["factors of those that fail"] = [factors(m).round(4).tolist() for m in failed]
    told["pushed alike"] = [round(pushed_alike(m), 4) for m in failed]
    told["exits"] = exits(failed, kept, short)
    told["shakes"] = shakes(failed, chosen, kept, short)
    told["forgets"] = forgetful_adam(failed, kept, long)
    told["then trained"] = {name: {} for name in changed}
    for adam, of in {"same Adam": of_some(memory, chosen * len(changed)), "new Adam": Memory()}.items():
        going = [copy.deepcopy(m) for group in changed.values() for m in group]
        after = train_together(going, long, 1, (short, long), of)
        for k, name in enumerate(changed):
            part = slice(k * len(failed), (k + 1) * len(failed))
            told["then trained"][name][adam] = [after[short][part], after[long][part]]
    return told


def with_signs_set(n_seeds: int, n_steps: int) -> dict[str, list[float]]:
    """Train starts some of whose factors have been given another sign, and nothing else; return their errors."""
    told = {}
    for name, opposite in product(("two heads", "three heads"), (True, False)):
        models = untrained(SHAPES[name], n_seeds)
        for i, model in enumerate(models):
            same = len(set(np.sign(factors(model)))) == 1
            if same == opposite:
                models[i] = flipped(model, model.n_heads - 1) if opposite else of_one_sign(model)
        wanted = "not all the same" if opposite else "the same"
        told[f"{name}, {wanted}"] = train_together(models, n_steps, 0, (n_steps,))[n_steps]
    return told


LEAST = (0.01, 0.1, 0.3)


def with_least_factors(n_seeds: int, n_steps: int) -> dict[str, list[float]]:
    """Train starts whose factors all have one sign, and the smallest of them one of the sizes `LEAST`."""
    told = {}
    for name, size in product(("two heads", "three heads"), LEAST):
        models = [with_least_factor(of_one_sign(model), size) for model in untrained(SHAPES[name], n_seeds)]
        told[f"{name}, {size}"] = train_together(models, n_steps, 0, (n_steps,))[n_steps]
    return told


def exits(failed: Sequence[Heads], memory: Memory, n_steps: int) -> dict[str, dict[str, list[float]]]:
    """Give one head of each failed model a small factor, positive or negative, make it less sharp, and train on."""
    changed: dict[str, list[Heads]] = {}
    for head in (0, 1):
        for share in (0.1, -0.1):
            for scale in (1.0, 0.5):
                name = f"head {head}: {share} of the factor, queries × {scale}"
                changed[name] = [blurred(shared_out(m, head, share), head, scale) for m in failed]
        changed[f"head {head}: queries × 0.5"] = [blurred(m, head, 0.5) for m in failed]
    return _at_once_and_trained(changed, memory, n_steps)


def shakes(
    failed: Sequence[Heads], seeds: Sequence[int], memory: Memory, n_steps: int
) -> dict[str, dict[str, list[float]]]:
    """Shake one head of each failed model, less and more, and train on."""
    changed = {
        f"head {head} shaken × {size}": [
            shaken(m, head, seed, size) for seed, m in zip(seeds, failed, strict=True)
        ]
        for size in (0.5, 1.0, 2.0, 4.0)
        for head in (0, 1)
    }
    changed |= {f"head {head} turned": [turned(m, head) for m in failed] for head in (0, 1)}
    return _at_once_and_trained(changed, memory, n_steps)


def _at_once_and_trained(
    changed: dict[str, list[Heads]], memory: Memory, n_steps: int
) -> dict[str, dict[str, list[float]]]:
    """Return the errors at once, and after training on with what Adam remembers."""
    models = [copy.deepcopy(m) for group in changed.values() for m in group]
    n = len(models) // len(changed)
    at_once = [round(squared_error(m), 4) for m in models]
    kept = of_some(memory, list(range(n)) * len(changed))
    after = train_together(models, n_steps, 1, (n_steps,), kept)[n_steps]
    return {
        name: {"at once": at_once[k * n : k * n + n], "trained": after[k * n : k * n + n]}
        for k, name in enumerate(changed)
    }


@torch.no_grad()
def pushed_alike(model: Any, n_batches: int = 60) -> float:
    """How alike the slopes of the error along the factors of two heads are: their correlation over batches."""
    generator, slopes = torch.Generator().manual_seed(9), []
    for _ in range(n_batches):
        batch = questions(generator)
        answers, weights = model(batch.query, batch.key, batch.value)
        found = (weights[:, :, 0] * batch.temperatures[:, None]).sum(-1)  # (B, H)
        slopes.append((2 * (answers.flatten() - batch.answer)[:, None] * found).mean(0).numpy())
    return float(np.corrcoef(np.array(slopes).T)[0, 1])


FORGETS = {"nothing": (1, 1), "first moment": (0, 1), "second moment": (1, 0), "both": (0, 0)}


def forgetful_adam(
    failed: Sequence[Heads], memory: Memory, n_steps: int
) -> dict[str, dict[str, list[float]]]:
    """Train on with an Adam that has forgotten one of its running averages, or both, or none.

    Each average has its own bias correction, so that one that is kept is used as it is. `torch.optim.Adam` has one
    counter for both.

    Returns
    -------
    dict
        For what is forgotten: the errors at the end, and how far the first step moves each model, as the norm of the
        change of all its parameters but the bias of the keys, which has no gradient but rounding.
    """
    models, n = [copy.deepcopy(m) for _ in FORGETS for m in failed], len(failed)
    kept = torch.tensor([row for row in FORGETS.values() for _ in range(n)], dtype=torch.float32)
    weights, _ = stack_module_state(models)
    weights = {name: weight.detach().requires_grad_() for name, weight in weights.items()}
    bare = copy.deepcopy(models[0]).to("meta")
    outputs = vmap(lambda own, *inputs: functional_call(bare, own, inputs)[0][..., 0, 0])
    past = next(iter(memory.values()))["step"]
    every = of_some(memory, list(range(n)) * len(FORGETS))

    def each(x: Tensor, like: Tensor) -> Tensor:
        return x.view(-1, *[1] * (like.ndim - 1))

    means = {k: every[k]["exp_avg"] * each(kept[:, 0], w) for k, w in weights.items()}
    squares = {k: every[k]["exp_avg_sq"] * each(kept[:, 1], w) for k, w in weights.items()}
    generator, moved = torch.Generator().manual_seed(1), torch.zeros(len(models))
    for step in range(1, n_steps + 1):
        batch = questions(generator, len(models), 64)
        off = outputs(weights, batch.query, batch.key, batch.value) - batch.answer
        gradients = torch.autograd.grad(off.square().mean(1).sum(), list(weights.values()))
        first, second = 1 - 0.9 ** (step + past * kept[:, 0]), 1 - 0.999 ** (step + past * kept[:, 1])
        with torch.no_grad():
            for (name, weight), gradient in zip(weights.items(), gradients, strict=True):
                means[name].lerp_(gradient, 0.1)
                squares[name].mul_(0.999).addcmul_(gradient, gradient, value=0.001)
                scale = (squares[name] / each(second, weight)).sqrt() + 1e-8
                change = 0.02 * means[name] / each(first, weight) / scale
                weight -= change
                if step == 1 and name != "W_K.bias":
                    moved += change.square().flatten(1).sum(1)
    with torch.no_grad():
        for i, model in enumerate(models):
            for name, parameter in model.named_parameters():
                parameter.copy_(weights[name][i])
    errors = [round(squared_error(m), 4) for m in models]
    sizes = [round(float(x), 4) for x in moved.sqrt()]
    return {
        name: {"trained": errors[k * n : k * n + n], "first step": sizes[k * n : k * n + n]}
        for k, name in enumerate(FORGETS)
    }


def stored() -> dict[str, Any]:
    """Read what `record` gave.

    Examples
    --------
    >>> list(stored()["errors"])
    ['one head', 'one wide head', 'two heads', 'three heads']
    """
    told: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return told


def n_solved(errors: Iterable[float]) -> int:
    """Count errors below `SUCCESS`."""
    return sum(error < SUCCESS for error in errors)


def counted(told: dict[str, Any]) -> dict[str, float]:
    """The numbers of a record that the chapter's sentences name.

    Examples
    --------
    >>> counted(stored())["minus_blurred"]
    30
    """
    then, exits = told["then trained"], told["exits"]
    trials = {
        (sign, queries): [exits[f"head {h}: {share} of the factor, queries × {scale}"] for h in (0, 1)]
        for sign, share in (("plus", 0.1), ("minus", -0.1))
        for queries, scale in (("sharp", 1.0), ("blurred", 0.5))
    }
    freed = {"_".join(key): sum(n_solved(e["trained"]) for e in of) for key, of in trials.items()}
    steps = {name: float(np.median(e["first step"])) for name, e in told["forgets"].items()}
    n_set = {name: n_solved(errors) for name, errors in told["signs set"].items()}
    near_zero = np.abs(told["factors of those that fail"]).min(axis=1) < 0.02
    shaken = [n_solved(e["trained"]) for name, e in told["shakes"].items() if "shaken" in name]
    return freed | {
        "two_ok": n_solved(told["errors"]["two heads"][1]),
        "three_ok": n_solved(told["errors"]["three heads"][1]),
        "three_fail": sum(e >= SUCCESS for e in told["errors"]["three heads"][1]),
        "same_town": told["both at one town"],
        "opposite_ok": n_set["two heads, not all the same"],
        "opposite_ok_three": n_set["three heads, not all the same"],
        "same_ok": n_set["two heads, the same"],
        "same_ok_three": n_set["three heads, the same"],
        **{
            f"{size}_{name.split()[0]}": n_solved(told["least factor"][f"{name}, {least}"])
            for name in ("two heads", "three heads")
            for size, least in (("small", LEAST[0]), ("large", LEAST[-1]))
        },
        "at_once": max(max(e["at once"]) for of in trials.values() for e in of),
        "turned": min(n_solved(then[f"head {h} turned"]["same Adam"][0]) for h in (0, 1)),
        "shaken_most": max(shaken),
        "left_alone": n_solved(then["left as it was"]["same Adam"][1]),
        "restarted": n_solved(then["left as it was"]["new Adam"][1]),
        "near_zero": int(near_zero.sum()),
        "step_ratio": steps["both"] / steps["nothing"],
        "least_alike": min(told["pushed alike"]),
    }


# ---- The same layer in PyTorch's own module ----


@torch.no_grad()
def padded_pytorch(layer: MultiHeadAttention) -> nn.MultiheadAttention:
    """Put the weights of a self-attention layer with any d_k and d_v into an `nn.MultiheadAttention`.

    That module knows one width only, e = d/H for keys and values alike. So e becomes the largest of d_k, d_v and ⌈d/H⌉,
    and the rest is filled with zeros: more columns in W_Q, W_K and W_V for each head, more rows in W_O, more
    inputs and outputs that are zero. Zeros add nothing to a dot product, but PyTorch divides by √e where the layer
    divides by √d_k; W_Q is multiplied by √(e/d_k) to make up for it.

    Returns
    -------
    nn.MultiheadAttention
        With `batch_first`. Its inputs are those of the layer with zeros appended up to `embed_dim`, and the first d
        entries of its outputs are those of the layer.

    Examples
    --------
    >>> padded_pytorch(MultiHeadAttention(d_model=4, n_heads=2, d_k=2, d_v=3)).embed_dim
    6
    """
    h, d, d_k, d_v = layer.n_heads, layer.W_Q.in_features, layer.d_k, layer.d_v
    e = max(d_k, d_v, -(-d // h))
    weight = layer.W_Q.weight
    theirs = nn.MultiheadAttention(h * e, h, batch_first=True).to(weight)
    for parameter in theirs.parameters():
        parameter.zero_()
    q, k, v = theirs.in_proj_weight.view(3, h, e, h * e)  # views: writing to them fills the module
    q_bias, k_bias, v_bias = theirs.in_proj_bias.view(3, h, e)
    out = theirs.out_proj.weight.view(h * e, h, e)
    for mine, matrix, bias, width in (
        (layer.W_Q, q, q_bias, d_k),
        (layer.W_K, k, k_bias, d_k),
        (layer.W_V, v, v_bias, d_v),
    ):
        matrix[:, :width, :d] = mine.weight.view(h, width, d)
        if mine.bias is not None:
            bias[:, :width] = mine.bias.view(h, width)
    q *= (e / d_k) ** 0.5
    q_bias *= (e / d_k) ** 0.5
    out[:d, :, :d_v] = layer.W_O.weight.view(d, h, d_v)
    if layer.W_O.bias is not None:
        theirs.out_proj.bias[:d] = layer.W_O.bias
    return theirs


@torch.no_grad()
def differences(layer: Any, x: Tensor) -> dict[str, float]:
    """Compare a self-attention layer built as `Heads` is with three others that have its weights.

    Returns
    -------
    dict
        The largest difference of an output, for the course's own layer, for PyTorch's function head by head, and for
        PyTorch's layer, filled up with zeros.

    Examples
    --------
    >>> told = differences(Heads(2, 2, 3, d_in=(4, 4, 4), d_out=4), torch.eye(4)[None])
    >>> list(told), max(told.values()) < 1e-6
    (['course_lib', 'scaled_dot_product_attention', 'nn.MultiheadAttention'], True)
    """
    d, h = x.shape[-1], layer.n_heads
    mine = MultiHeadAttention(d, h, layer.W_K.out_features // h, layer.W_V.out_features // h).to(x)
    mine.load_state_dict(layer.state_dict())
    output = layer(x, x, x)[0]
    q, k, v = (projection(x).chunk(h, dim=-1) for projection in (layer.W_Q, layer.W_K, layer.W_V))
    one_by_one = [F.scaled_dot_product_attention(q[i], k[i], v[i]) for i in range(h)]
    padded = padded_pytorch(mine)
    wide = F.pad(x, (0, padded.embed_dim - d))
    others = {
        "course_lib": mine(x)[0],
        "scaled_dot_product_attention": layer.W_O(torch.cat(one_by_one, dim=-1)),
        "nn.MultiheadAttention": padded(wide, wide, wide)[0][..., :d],
    }
    return {name: float((other - output).abs().max()) for name, other in others.items()}


if __name__ == "__main__":
    RECORD.write_text(json.dumps(record(), indent=1) + "\n", encoding="utf-8")
