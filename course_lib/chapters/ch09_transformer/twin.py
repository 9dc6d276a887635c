"""PyTorch's own Transformer, with the weights of one of ours."""

import warnings
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn


def pytorch_twin(model: Any, n_heads: int, norm_first: bool = True) -> nn.Transformer:
    """Build `torch.nn.Transformer` with the weights of the blocks of a model, and of the norm after each stack.

    Parameters
    ----------
    model : nn.Module
        With `encoder`, `encoder_norm`, `decoder` and `decoder_norm`, such as `course_lib.model.Transformer`. The
        parameters of a block come in this order: those of each attention (W_Q, W_K, W_V, W_O) and of its norm; those of
        the feed-forward network and of its norm.
    n_heads : int
    norm_first : bool
        Whether the norms stand before attention and feed-forward network.

    Returns
    -------
    nn.Transformer
        Without dropout, with the batch as first axis. It has no embeddings, no positions and no output, and its masks
        are True where attention is *forbidden*.

    Raises
    ------
    ValueError
        If a block has not the parameters of such a block.

    Examples
    --------
    >>> from course_lib.model import Transformer, TransformerConfig
    >>> model = Transformer(TransformerConfig(9, 9, d_model=8, n_heads=2, d_ff=12, n_encoder_layers=1)).eval()
    >>> twin = pytorch_twin(model, n_heads=2)
    >>> x = torch.zeros(1, 3, 8)
    >>> bool(torch.allclose(twin.encoder(x), model.encoder_norm(model.encoder[0](x)[0]), atol=1e-6))
    True
    """
    blocks = [list(block.parameters()) for block in (*model.encoder, *model.decoder)]
    d = blocks[0][0].shape[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that norms first are slower in PyTorch
        twin = nn.Transformer(
            d, n_heads, len(model.encoder), len(model.decoder), blocks[0][-6].shape[0], dropout=0.0,
            batch_first=True, norm_first=norm_first, dtype=blocks[0][0].dtype,
        )  # fmt: skip
    with torch.no_grad():
        for given, layer in zip(blocks, [*twin.encoder.layers, *twin.decoder.layers], strict=True):
            _give(given, layer)
    twin.encoder.norm.load_state_dict(model.encoder_norm.state_dict())
    twin.decoder.norm.load_state_dict(model.decoder_norm.state_dict())
    return twin


def _give(given: list[Tensor], layer: Any) -> None:
    """Give a layer of PyTorch's the parameters of a block."""
    has_two = hasattr(layer, "multihead_attn")
    attentions = [layer.self_attn, layer.multihead_attn] if has_two else [layer.self_attn]
    norms = [layer.norm1, layer.norm2, layer.norm3] if has_two else [layer.norm1, layer.norm2]
    if len(given) != 10 * len(attentions) + 6:
        raise ValueError(
            f"a block with {len(given)} parameters: expected {10 * len(attentions) + 6}, those of "
            f"{len(attentions)} attentions, a feed-forward network and {len(norms)} norms"
        )
    taken = iter(given)
    for attention, norm in zip(attentions, norms[:-1], strict=True):
        W_Q, b_Q, W_K, b_K, W_V, b_V = (next(taken) for _ in range(6))
        attention.in_proj_weight.copy_(torch.cat([W_Q, W_K, W_V]))  # one matrix, on top of each other
        attention.in_proj_bias.copy_(torch.cat([b_Q, b_K, b_V]))
        _copy([attention.out_proj, norm], taken)
    _copy([layer.linear1, layer.linear2, norms[-1]], taken)


def _copy(modules: Iterable[nn.Module], taken: Any) -> None:
    for module in modules:
        for parameter in (module.weight, module.bias):
            parameter.copy_(next(taken))  # type: ignore[operator]
