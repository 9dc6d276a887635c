"""A public implementation of today's decoder beside ours: small random weights, and the logits that it gave.

`python benchmarks/public_decoder.py` makes both again. It needs the package transformers, which the
extra `bench` brings (`pip install -c constraints.txt -e ".[bench]"`). The chapter needs the stored files alone.
"""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors.torch import load_file
from torch import Tensor

from course_lib.chapters.ch12_to_today.switches import Sizes

WEIGHTS, LOGITS = Path(__file__).with_name("qwen3.safetensors"), Path(__file__).with_name("qwen3.json")
SIZES = Sizes(n_vocab=40, d_model=32, n_heads=4, d_ff=128, n_layers=2)
N_KV_HEADS = 2
SWIGLU_WIDTH = round(2 * SIZES.d_ff / 3)

# Their name of a layer's weights, and ours.
IN_A_LAYER = {
    "input_layernorm.weight": "around_attention.norm.gain",
    "self_attn.q_proj.weight": "attention.W_Q.weight",
    "self_attn.k_proj.weight": "attention.W_K.weight",
    "self_attn.v_proj.weight": "attention.W_V.weight",
    "self_attn.o_proj.weight": "attention.W_O.weight",
    "self_attn.q_norm.weight": "attention.attention_function.of_queries.gain",
    "self_attn.k_norm.weight": "attention.attention_function.of_keys.gain",
    "post_attention_layernorm.weight": "around_feed_forward.norm.gain",
    "mlp.gate_proj.weight": "feed_forward.W_1.weight",
    "mlp.up_proj.weight": "feed_forward.W_3.weight",
    "mlp.down_proj.weight": "feed_forward.W_2.weight",
}
TURNED = ("q_proj", "k_proj", "q_norm", "k_norm")  # what rotary positions turn


class Stored(NamedTuple):
    """What the public implementation was given, (B, L) ids and its weights, and the logits (B, L, n_vocab) it gave."""

    weights: dict[str, Tensor]
    ids: Tensor
    logits: Tensor
    version: str


def stored() -> Stored:
    """Read the weights and logits of transformers' `Qwen3ForCausalLM`.

    Examples
    --------
    >>> stored().logits.shape
    torch.Size([2, 9, 40])
    """
    told = json.loads(LOGITS.read_text(encoding="utf-8"))
    return Stored(
        load_file(WEIGHTS), torch.tensor(told["ids"]), torch.tensor(told["logits"]), told["version"]
    )


def in_pairs(rows: Tensor, d_k: int) -> Tensor:
    """Reorder the rows of each head: from all first columns of the turned pairs, then all second ones, to pair by pair.

    Parameters
    ----------
    rows : Tensor
        Shape (n_heads · d_k, …), or (d_k,).
    d_k : int

    Examples
    --------
    >>> in_pairs(torch.arange(8), d_k=4).tolist()
    [0, 2, 1, 3, 4, 6, 5, 7]
    """
    return rows.unflatten(0, (-1, 2, d_k // 2)).transpose(1, 2).flatten(0, 2)


def renamed(theirs: Mapping[str, Tensor], pairs: bool = True) -> dict[str, Tensor]:
    """Return the weights of `Qwen3ForCausalLM` by the names, and in the order, that `build(TODAY)` has them.

    Our embedding multiplies by √d, so it gets theirs divided by it.

    Parameters
    ----------
    theirs : mapping from name to Tensor
    pairs : bool
        Whether the columns that rotary positions turn are put in our order; without it the logits differ.
    """
    embedding, d_k = (
        theirs["model.embed_tokens.weight"],
        len(theirs["model.layers.0.self_attn.q_norm.weight"]),
    )
    ours = {
        "embedding.tokens.weight": embedding / math.sqrt(embedding.shape[1]),
        "norm.gain": theirs["model.norm.weight"],
        "output.weight": theirs["lm_head.weight"],
    }
    for name, value in theirs.items():
        if name.startswith("model.layers."):
            layer, rest = name.removeprefix("model.layers.").split(".", 1)
            turned = pairs and any(part in rest for part in TURNED)
            ours[f"blocks.{layer}.{IN_A_LAYER[rest]}"] = in_pairs(value, d_k) if turned else value
    return ours
