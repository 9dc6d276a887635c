"""A training step on real batches: forward, label-smoothed loss, backward, Adam.

    python training_step.py {ours,ours-bfloat16,ours-compiled,pytorch,pytorch-unfused,pytorch-checked,pytorch-compiled}

d 128, 4 + 4 blocks, 6,000 BPE tokens of the course's own corpus, batches of at most 2,000 target positions, each
contestant on the same ones. `pytorch` is `nn.Transformer` with what makes it fastest here: batch first, the causal
mask named as such, padding masks for the source alone, fused Adam. `pytorch-unfused` has plain Adam, `pytorch-checked`
padding masks on both sides. `compiled` is under torch.compile, for any length; it compiles before the clock starts.
"""

import argparse
import itertools

import torch
from timing import per_call, report
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.fast import prepare
from course_lib.model import Transformer, TransformerConfig
from course_lib.special_ids import PAD_ID
from course_lib.text.batches import Batch, BucketedBatches, EncodedPair, encode_pairs
from course_lib.text.embedded import load_embedded
from course_lib.text.readers import SentencePair
from course_lib.text.tokenisers import BPETokeniser

N_VOCAB, N_TOKENS, N_BATCHES, SMOOTHING = 6000, 2000, 8, 0.1


def real_pairs() -> list[EncodedPair]:
    """Return the pairs of the course's own corpus."""
    pairs = [SentencePair(pair.source, pair.target) for pair in load_embedded("train")]
    tokens = BPETokeniser.train([line for pair in pairs for line in pair], n_vocab=N_VOCAB)
    return encode_pairs(pairs, tokens, tokens)[0]


class Reference(nn.Module):
    """torch.nn.Transformer between an embedding and its transpose."""

    def __init__(self, checked: bool) -> None:
        super().__init__()
        c = TransformerConfig(N_VOCAB, N_VOCAB)
        self.tokens = nn.Embedding(N_VOCAB, c.d_model)
        self.core = nn.Transformer(
            *(c.d_model, c.n_heads, c.n_encoder_layers, c.n_decoder_layers, c.d_ff, c.dropout),
            batch_first=True,
        )
        self.checked = checked

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Return the logits (B, L, n_vocab)."""
        mask = nn.Transformer.generate_square_subsequent_mask(target_in.shape[1])
        padding = source == PAD_ID
        hidden = self.core(
            self.tokens(source),
            self.tokens(target_in),
            tgt_mask=mask,
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
            tgt_key_padding_mask=(target_in == PAD_ID).float().masked_fill(target_in == PAD_ID, float("-inf"))
            if self.checked
            else None,
            tgt_is_causal=not self.checked,
        )
        logits: Tensor = hidden @ self.tokens.weight.T
        return logits


def main() -> None:
    """Step through the batches again and again."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = ["ours", "ours-bfloat16", "ours-compiled"]
    names += ["pytorch", "pytorch-unfused", "pytorch-checked", "pytorch-compiled"]
    parser.add_argument("contestant", choices=names)
    name = parser.parse_args().contestant
    torch.manual_seed(0)
    batches = list(itertools.islice(BucketedBatches(real_pairs(), N_TOKENS).epoch(0), N_BATCHES))
    if name.startswith("ours"):
        model: nn.Module = Transformer(TransformerConfig(N_VOCAB, N_VOCAB, tie="three-way"))
        fast = prepare(model, precision="bfloat16" if name.endswith("bfloat16") else "float32")

        def loss(batch: Batch) -> Tensor:
            return fast.loss(batch.source, batch.target_in, batch.target_out, SMOOTHING)
    else:
        model = Reference(checked=name == "pytorch-checked")

        def loss(batch: Batch) -> Tensor:
            logits = model(batch.source, batch.target_in).flatten(0, 1)
            targets = batch.target_out.flatten()
            return F.cross_entropy(logits, targets, ignore_index=PAD_ID, label_smoothing=SMOOTHING)

    if name.endswith("compiled"):
        loss = torch.compile(loss, dynamic=True)
    optimiser = torch.optim.Adam(model.parameters(), fused=name != "pytorch-unfused")
    turns = itertools.cycle(batches)

    def step() -> None:
        loss(next(turns)).backward()
        optimiser.step()
        optimiser.zero_grad()

    def all_batches() -> None:
        for _ in batches:
            step()

    seconds = per_call(all_batches, seconds=0, at_least=3) / len(batches)
    report(seconds=seconds)


if __name__ == "__main__":
    main()
