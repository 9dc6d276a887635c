"""How long is a training step? Ours beside torch.nn.Transformer of the same size, in one run.

Both do a step on the same batches: forward, label-smoothed loss, backward, Adam. PyTorch's model gets the loss
as one would write it, F.cross_entropy on the logits. The steps of the contestants take turns, so that whatever
else the machine does falls on all of them; medians are compared.
"""

import statistics
import time
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.fast import choose_dtype, prepare, smoothed_cross_entropy
from course_lib.model import Transformer, TransformerConfig

B, L, N_VOCAB, STEPS = 133, 15, 6000, 15
CONFIG = TransformerConfig(N_VOCAB, N_VOCAB, tie="three-way")  # d 128, 4 + 4 blocks


class Reference(nn.Module):
    """torch.nn.Transformer between an embedding and its transpose."""

    def __init__(self) -> None:
        super().__init__()
        c = CONFIG
        self.tokens = nn.Embedding(N_VOCAB, c.d_model)
        self.core = nn.Transformer(
            *(c.d_model, c.n_heads, c.n_encoder_layers, c.n_decoder_layers, c.d_ff, c.dropout),
            batch_first=True,
        )
        self.mask = nn.Transformer.generate_square_subsequent_mask(L)

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Return the logits (B, L, n_vocab)."""
        x, y = self.tokens(source), self.tokens(target_in)
        hidden = self.core(x, y, tgt_mask=self.mask, tgt_is_causal=True)
        return hidden @ self.tokens.weight.T


def ours(dtype: torch.dtype, fused: bool) -> Callable[[Tensor, Tensor, Tensor], None]:
    """Return a step of our model as it is prepared for training, with the one-pass loss or PyTorch's."""
    model = prepare(Transformer(CONFIG)).model
    optimiser = torch.optim.Adam(model.parameters(), fused=True)

    def step(source: Tensor, target_in: Tensor, target_out: Tensor) -> None:
        with torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
            hidden = model.hidden(source, target_in).flatten(0, 1)
        if fused:
            loss = smoothed_cross_entropy(hidden.float(), model.output.weight, target_out, 0.1, dtype)
        else:
            loss = F.cross_entropy(hidden @ model.output.weight.T, target_out, label_smoothing=0.1)
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()

    return step


def reference() -> Callable[[Tensor, Tensor, Tensor], None]:
    """Return a step of PyTorch's model."""
    model = Reference()
    optimiser = torch.optim.Adam(model.parameters(), fused=True)

    def step(source: Tensor, target_in: Tensor, target_out: Tensor) -> None:
        logits = model(source, target_in).flatten(0, 1)
        F.cross_entropy(logits, target_out, label_smoothing=0.1).backward()
        optimiser.step()
        optimiser.zero_grad()

    return step


def main() -> None:
    """Take turns, then print medians and ratios."""
    torch.manual_seed(0)
    contestants = {
        "torch.nn.Transformer": reference(),
        "ours, PyTorch's loss": ours(torch.float32, fused=False),
        "ours, one-pass loss": ours(torch.float32, fused=True),
    }
    if choose_dtype("auto", torch.device("cpu")) == torch.bfloat16:
        contestants["ours, one-pass loss, bfloat16"] = ours(torch.bfloat16, fused=True)
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(STEPS):
        source, target_in, target_out = (torch.randint(4, N_VOCAB, (B, L)) for _ in range(3))
        for name, step in contestants.items():
            start = time.perf_counter()
            step(source, target_in, target_out.flatten())
            seconds[name].append(time.perf_counter() - start)
    base = statistics.median(seconds["torch.nn.Transformer"])
    print(f"{B * L:,} target tokens a step, {torch.get_num_threads()} threads, median of {STEPS} steps")
    for name, times in seconds.items():
        median = statistics.median(times[2:])
        rate = f"{B * L / median:7,.0f} tokens/s"
        print(f"{name:32s} {1000 * median:6.0f} ms  {rate}  {median / base:.2f} × torch.nn.Transformer")


if __name__ == "__main__":
    main()
