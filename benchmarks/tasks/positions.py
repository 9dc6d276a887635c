"""What a token costs by its position: seconds of one decoding step with key/value caches after so many tokens.

    python positions.py POSITION

Ours, d 128, 4 + 4 blocks, 32 sentences of 16 tokens.
"""

import argparse
import statistics
import time

import torch
from decoding import L_SOURCE, N_VOCAB, ours
from timing import report

from course_lib.fast import faster, start_decoding

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("position", type=int)
position = parser.parse_args().position
torch.manual_seed(0)
model = faster(ours())
took = []
with torch.inference_mode():
    for _ in range(5):
        state = start_decoding(model, torch.randint(4, N_VOCAB, (32, L_SOURCE)))
        for step in range(position + 10):
            tokens = torch.randint(4, N_VOCAB, (32,))
            start = time.perf_counter()
            state.step(tokens)
            if step >= position:
                took.append(time.perf_counter() - start)
report(seconds=statistics.median(took))
