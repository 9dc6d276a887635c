"""The whole training, from encoded pairs to a step: real target tokens a second.

    python pipeline.py {bucketed,padded}
    python pipeline.py epoch PAIRS

`bucketed` is how the course trains: pairs of similar length, as many as fit into 2,000 target positions. `padded` takes
pairs in random order, as many a batch on average, and pads each batch to its longest. Both train the same model by the
same code. `epoch` is how long an epoch takes on so many pairs, in the course's way.
"""

import argparse
import itertools
import random
import time
from collections.abc import Iterable, Iterator

import torch
from timing import once, report
from training_step import N_TOKENS, N_VOCAB, SMOOTHING, real_pairs

from course_lib.fast import prepare
from course_lib.model import Transformer, TransformerConfig
from course_lib.special_ids import BOS_ID, EOS_ID
from course_lib.text.batches import Batch, BucketedBatches, EncodedPair, pad

N_WARM, N_STEPS = 5, 40


def padded(pairs: list[EncodedPair], n_rows: int) -> Iterator[Batch]:
    """Yield batches of pairs in random order, padded to the longest."""
    pairs = random.Random(0).sample(pairs, len(pairs))
    for start in range(0, len(pairs), n_rows):
        rows = pairs[start : start + n_rows]
        yield Batch(
            pad([pair.source for pair in rows]),
            pad([[BOS_ID, *pair.target] for pair in rows]),
            pad([[*pair.target, EOS_ID] for pair in rows]),
        )


def main() -> None:
    """Train for some steps, or for an epoch."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("contestant", choices=["bucketed", "padded", "epoch"])
    parser.add_argument("pairs", type=int, nargs="?", default=20_000, help="of the corpus (all)")
    options = parser.parse_args()
    torch.manual_seed(0)
    pairs = random.Random(0).sample(real_pairs(), options.pairs)
    bucketed = BucketedBatches(pairs, N_TOKENS)
    model = Transformer(TransformerConfig(N_VOCAB, N_VOCAB, tie="three-way"))
    fast = prepare(model)
    optimiser = torch.optim.Adam(model.parameters(), fused=True)

    def train(batches: Iterable[Batch]) -> int:
        n_tokens = 0
        for batch in batches:
            fast.loss(batch.source, batch.target_in, batch.target_out, SMOOTHING).backward()
            optimiser.step()
            optimiser.zero_grad()
            n_tokens += batch.n_target_tokens
        return n_tokens

    batches = bucketed.epoch(0)
    if options.contestant == "padded":
        batches = padded(pairs, len(pairs) // len(bucketed))
    if options.contestant == "epoch":
        train(itertools.islice(bucketed.epoch(1), N_WARM))
        report(seconds=once(lambda: train(batches)))
        return
    train(itertools.islice(batches, N_WARM))
    start = time.perf_counter()
    n_tokens = train(itertools.islice(batches, N_STEPS))
    report(seconds=(time.perf_counter() - start) / n_tokens)


if __name__ == "__main__":
    main()
