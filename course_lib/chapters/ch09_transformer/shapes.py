"""What flows through a Transformer, what it is made of, and what it costs: read off the live model."""

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from course_lib.functional import attention_cost
from course_lib.model import DecoderOnlyTransformer, Embedding, FeedForward, MultiHeadAttention, Transformer

Shape = tuple[int, ...]


class Call(NamedTuple):
    """One call of a module: its name in the model, its class, and the shapes that went in and came out."""

    name: str
    kind: str
    inputs: tuple[Shape, ...]
    output: Shape


def trace(model: nn.Module, *inputs: Tensor) -> list[Call]:
    """Run a model once and note each call of each of its modules, in the order in which they end.

    A forward hook is a function that PyTorch calls when a module has computed its output. The hooks are removed
    before this returns.

    Parameters
    ----------
    model : nn.Module
        The call of the model itself is the last of the list; its name is "".
    inputs : Tensor
        What the model is called with.

    Returns
    -------
    list of Call
        Boolean tensors, which are masks, are no inputs here; of several outputs the first counts.

    Examples
    --------
    >>> for call in trace(nn.Sequential(nn.Linear(3, 5), nn.ReLU()), torch.zeros(2, 3)):
    ...     print(call.name or "model", call.inputs, call.output)
    0 ((2, 3),) (2, 5)
    1 ((2, 5),) (2, 5)
    model ((2, 3),) (2, 5)
    """
    calls: list[Call] = []

    def watch(name: str) -> Any:
        def note(module: nn.Module, args: Any, output: Any) -> None:
            read = tuple(tuple(a.shape) for a in args if isinstance(a, Tensor) and a.dtype != torch.bool)
            written = output if isinstance(output, Tensor) else output[0]
            calls.append(Call(name, type(module).__name__, read, tuple(written.shape)))

        return note

    with ExitStack() as hooks, torch.no_grad():
        for name, module in model.named_modules():
            hooks.callback(module.register_forward_hook(watch(name)).remove)
        model(*inputs)
    return calls


def in_letters(shape: Shape, sizes: Mapping[str, int]) -> str:
    """Write a shape with letters, where each letter has a size of its own.

    Raises
    ------
    ValueError
        If two letters have the same size, so that a number could be either.

    Examples
    --------
    >>> in_letters((1, 9, 32), {"B": 1, "L_s": 9, "L_t": 11, "d": 32})
    '(B, L_s, d)'
    """
    letters = {size: letter for letter, size in sizes.items()}
    if len(letters) < len(sizes):
        raise ValueError(f"sizes {dict(sizes)}: expected a different number for each letter")
    return f"({', '.join(letters.get(size, str(size)) for size in shape)})"


PARTS = ("embeddings", "attention", "feed-forward", "norms", "output")
_KINDS: dict[str, type[nn.Module]] = {
    "embeddings": Embedding,
    "attention": MultiHeadAttention,
    "feed-forward": FeedForward,
    "norms": nn.LayerNorm,
}


def parameters_by_part(model: nn.Module) -> dict[str, int]:
    """Count the parameters of each part of a model, or of one of its blocks.

    A matrix that several parts share is counted once, with the first of them. What belongs to no other part is
    "output". Works on PyTorch's meta device too, where a model has shapes and no numbers.

    Examples
    --------
    >>> from course_lib.model import EncoderBlock
    >>> parameters_by_part(EncoderBlock(d_model=4, n_heads=2, d_ff=8))
    {'embeddings': 0, 'attention': 80, 'feed-forward': 76, 'norms': 16, 'output': 0}
    """
    counts = dict.fromkeys(PARTS, 0)
    seen: set[int] = set()

    def walk(module: nn.Module, part: str) -> None:
        part = next((name for name, kind in _KINDS.items() if isinstance(module, kind)), part)
        for parameter in module.parameters(recurse=False):
            if id(parameter) not in seen:
                seen.add(id(parameter))
                counts[part] += parameter.numel()
        for child in module.children():
            walk(child, part)

    walk(model, "output")
    return counts


COSTS = ("attention: projections", "attention: scores and sums", "feed-forward", "output")


def multiply_adds(model: Transformer | DecoderOnlyTransformer, L_s: int, L_t: int) -> dict[str, int]:
    """Count the multiply-adds of one forward pass of one sentence, by part.

    As everywhere in this course, products of matrices count, and biases, norms, softmax and look-ups do not.
    What a causal mask throws away is computed first, and counted.

    Parameters
    ----------
    model : Transformer or DecoderOnlyTransformer
        Its widths are read off its modules.
    L_s, L_t : int
        Length of the source (without meaning in a decoder-only model) and of the target.

    Returns
    -------
    dict
        With the keys of `COSTS`: the four projections of each attention, 2·L·d·H·(d_k + d_v) where both
        sides have length L; the mechanism, L_q·L_k·H·(d_k + d_v); 2·L·d·d_ff; L_t·d·n_vocab.

    Examples
    --------
    >>> from course_lib.model import DecoderOnlyConfig
    >>> config = DecoderOnlyConfig(10, d_model=8, n_heads=2, d_ff=32, n_layers=1)
    >>> multiply_adds(DecoderOnlyTransformer(config), 0, 5)
    {'attention: projections': 1280, 'attention: scores and sums': 400, 'feed-forward': 2560, 'output': 400}
    """
    costs = dict.fromkeys(COSTS, 0)
    for name, module in model.named_modules():
        L_q = L_s if name.startswith("encoder") else L_t
        if isinstance(module, MultiHeadAttention):
            L_k = L_s if name.endswith("cross_attention") else L_q
            lengths = {module.W_Q: L_q, module.W_K: L_k, module.W_V: L_k, module.W_O: L_q}
            costs[COSTS[0]] += sum(L * W.weight.numel() for W, L in lengths.items())
            mechanism = attention_cost(L_q, L_k, module.d_k, module.d_v).multiply_adds
            costs[COSTS[1]] += module.n_heads * mechanism
        elif isinstance(module, FeedForward):
            costs[COSTS[2]] += L_q * (module.W_1.weight.numel() + module.W_2.weight.numel())
    costs[COSTS[3]] = L_t * model.output.weight.numel()
    return costs
