"""The heads of a model: what each puts out, and what becomes of the model if that is replaced.

Heads are named by their attention and by their number in it: ("encoder 1", 2) is head 2 of the encoder's layer 1.
Layers and heads count from 0.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from course_lib.model import MultiHeadAttention, Transformer

Head = tuple[str, int]  # the name of an attention, and the number of the head in it


@contextmanager
def replaced(
    layer: MultiHeadAttention,
    heads: int | Sequence[int],
    by: Tensor | float = 0.0,
    at: slice = slice(None),
) -> Iterator[None]:
    """Replace what some heads of an attention put out, inside the `with` block.

    Parameters
    ----------
    layer : MultiHeadAttention
    heads : int or sequence of int
    by : Tensor or float
        What all heads of this attention put out in another run, (B, L, H, d_v), as `outputs` gives it, of which those
        of `heads` are taken; or one number. 0 ablates the heads.
    at : slice
        The positions at which they are replaced: all, if left out.

    Examples
    --------
    >>> layer, x = MultiHeadAttention(4, n_heads=2), torch.zeros(1, 3, 4)
    >>> with replaced(layer, [0, 1]):
    ...     bool(torch.equal(layer(x)[0], layer.W_O.bias.expand(1, 3, 4)))
    True
    """

    def exchange(module: nn.Module, inputs: tuple[Tensor]) -> Tensor:
        z = inputs[0].unflatten(-1, (layer.n_heads, -1)).clone()  # (B, L, H, d_v)
        z[:, at, heads] = by[:, at, heads] if isinstance(by, Tensor) else by
        return z.flatten(-2)

    hook = layer.W_O.register_forward_pre_hook(exchange)
    try:
        yield
    finally:
        hook.remove()


@torch.no_grad()
def outputs(model: nn.Module, *inputs: Tensor) -> dict[MultiHeadAttention, Tensor]:
    """Run a model and return what the heads of each attention put out, (B, L, H, d_v).

    Examples
    --------
    >>> model = nn.Sequential(MultiHeadAttention(4, n_heads=2))
    >>> [tuple(found.shape) for found in outputs(model, torch.zeros(1, 3, 4)).values()]
    [(1, 3, 2, 2)]
    """
    found: dict[MultiHeadAttention, Tensor] = {}
    hooks = []
    for layer in model.modules():
        if isinstance(layer, MultiHeadAttention):

            def keep(module: nn.Module, inputs: tuple[Tensor], layer: MultiHeadAttention = layer) -> None:
                found[layer] = inputs[0].unflatten(-1, (layer.n_heads, -1)).clone()

            hooks.append(layer.W_O.register_forward_pre_hook(keep))
    try:
        model(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return found


def attentions(model: Transformer) -> dict[str, MultiHeadAttention]:
    """Return the attentions of a translator by their names: "encoder 0", …, "decoder 0", …, "cross 0", ….

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> shape = {"d_model": 8, "n_heads": 2, "n_encoder_layers": 1, "n_decoder_layers": 1}
    >>> list(attentions(Transformer(TransformerConfig(9, 9, **shape))))
    ['encoder 0', 'decoder 0', 'cross 0']
    """
    named = [(f"encoder {i}", block.attention) for i, block in enumerate(model.encoder)]
    named += [(f"decoder {i}", block.self_attention) for i, block in enumerate(model.decoder)]
    named += [(f"cross {i}", block.cross_attention) for i, block in enumerate(model.decoder)]
    return dict(named)  # type: ignore[arg-type]
