"""An encoder block beside PyTorch's, with the same weights."""

from typing import Any

import torch
from torch import Tensor, nn

from course_lib.chapters.fit import seeded
from course_lib.model import EncoderBlock, MultiHeadAttention


def copy_attention(mine: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    """Give a multi-head attention of the course the weights of PyTorch's, which keeps W_Q, W_K and W_V in one matrix.

    Examples
    --------
    >>> mine, theirs = MultiHeadAttention(4, 2), nn.MultiheadAttention(4, 2, batch_first=True)
    >>> copy_attention(mine, theirs)
    >>> x = torch.ones(1, 3, 4)
    >>> torch.allclose(mine(x)[0], theirs(x, x, x)[0], atol=1e-6)
    True
    """
    together: Any = theirs.in_proj_weight
    matrices, biases = together.detach().chunk(3), theirs.in_proj_bias.detach().chunk(3)
    for part, W, b in zip((mine.W_Q, mine.W_K, mine.W_V), matrices, biases, strict=True):
        part.load_state_dict({"weight": W, "bias": b})
    mine.W_O.load_state_dict(theirs.out_proj.state_dict())


def blocks(d: int, n_heads: int, d_ff: int, seed: int = 7) -> tuple[nn.TransformerEncoderLayer, EncoderBlock]:
    """Make PyTorch's encoder layer and the course's block with the same weights, in `eval()` and double precision.

    Both have LayerNorm after the sum, which is PyTorch's default; gains and offsets are not just ones and zeros.

    Examples
    --------
    >>> theirs, ours = blocks(d=4, n_heads=2, d_ff=8)
    >>> x = torch.ones(1, 3, 4, dtype=torch.float64)
    >>> torch.allclose(theirs(x), ours(x)[0], atol=1e-12)
    True
    """
    with seeded(seed), torch.no_grad():
        theirs = nn.TransformerEncoderLayer(d, n_heads, d_ff, batch_first=True).double().eval()
        for parameter in theirs.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
        ours = EncoderBlock(d, n_heads, d_ff, norm="post").double().eval()
        copy_attention(ours.attention, theirs.self_attn)
        pairs: list[tuple[Any, nn.Module]] = [
            (ours.feed_forward.W_1, theirs.linear1),
            (ours.feed_forward.W_2, theirs.linear2),
            (ours.around_attention.norm, theirs.norm1),
            (ours.around_feed_forward.norm, theirs.norm2),
        ]
        for own, other in pairs:
            own.load_state_dict(other.state_dict())
    return theirs, ours


def places_of_dropout(block: nn.Module) -> list[str]:
    """Name the dropouts of a block; an attention that drops weights is named as such.

    Examples
    --------
    >>> places_of_dropout(nn.TransformerEncoderLayer(4, 2, 8))
    ['attention weights', 'dropout', 'dropout1', 'dropout2']
    """
    found = []
    for name, part in block.named_modules():
        if isinstance(part, nn.MultiheadAttention | MultiHeadAttention) and part.dropout:
            found.append("attention weights")
        elif isinstance(part, nn.Dropout) and part.p:
            found.append(name)
    return sorted(found)


def order_of_parts(block: nn.Module, *inputs: Tensor) -> list[str]:
    """Run a block and name its parts in the order in which they are called; what wraps them is left out.

    Examples
    --------
    >>> order_of_parts(EncoderBlock(8, 2, 16), torch.zeros(1, 3, 8))
    ['attention', 'feed_forward']
    """
    called: list[str] = []

    def note(name: str) -> Any:
        return lambda *_: called.append(name)

    hooks = [
        part.register_forward_hook(note(name))
        for name, part in block.named_children()
        if not name.startswith("around")
    ]
    try:
        block(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return called
