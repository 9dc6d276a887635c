"""Give the public implementation of today's decoder small random weights, and store them with its logits.

Chapter 12 compares its own model with what is stored.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from course_lib.chapters.ch12_to_today.public import LOGITS, N_KV_HEADS, SIZES, SWIGLU_WIDTH, WEIGHTS


def public_model() -> Any:
    """Build the public implementation of our sizes; needs the package transformers."""
    from transformers import Qwen3Config, Qwen3ForCausalLM

    config = Qwen3Config(
        vocab_size=SIZES.n_vocab,
        hidden_size=SIZES.d_model,
        intermediate_size=SWIGLU_WIDTH,
        num_hidden_layers=SIZES.n_layers,
        num_attention_heads=SIZES.n_heads,
        num_key_value_heads=N_KV_HEADS,
        head_dim=SIZES.d_model // SIZES.n_heads,
        max_position_embeddings=64,
        tie_word_embeddings=False,
    )
    return Qwen3ForCausalLM(config).eval()


@torch.no_grad()
def public_logits(weights: Mapping[str, Tensor], ids: Tensor) -> Tensor:
    """Return what the public implementation gives with these weights, (B, L, n_vocab) for ids (B, L)."""
    model = public_model()
    model.load_state_dict(dict(weights))
    logits: Tensor = model(ids).logits
    return logits


def write(seed: int = 12) -> None:
    """Draw weights and ids, and store them with the logits that the public implementation gives."""
    from transformers import __version__ as version

    generator = torch.Generator().manual_seed(seed)
    weights = {
        name: torch.randn(value.shape, generator=generator) / math.sqrt(SIZES.d_model)
        if value.dim() > 1
        else 1 + 0.2 * torch.randn(value.shape, generator=generator)  # gains, none of them 1
        for name, value in public_model().state_dict().items()
    }
    ids = torch.randint(SIZES.n_vocab, (2, 9), generator=generator)
    logits = public_logits(weights, ids)
    save_file(weights, WEIGHTS)
    told = {"version": version, "ids": ids.tolist(), "logits": logits.tolist()}
    LOGITS.write_text(json.dumps(told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
