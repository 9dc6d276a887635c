"""Attention of one sentence against its length: seconds of a forward pass.

    python lengths.py {full,windowed,linear} LENGTH

`full` is ours as prepared for training (4 heads, d 128), `windowed` NumPy's with a window of 32 to each side, `linear`
that of Shen et al. (2021), softmax(Q)·(softmax(K)ᵀ·V), whose second softmax runs over the words.
"""

import argparse

import numpy as np
import torch
from timing import per_call, report

from course_lib import functional
from course_lib.fast import faster
from course_lib.model import MultiHeadAttention

D = 128

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("contestant", choices=["full", "windowed", "linear"])
parser.add_argument("length", type=int)
options = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(1, options.length, D)
rows = x[0].numpy()
layer = faster(MultiHeadAttention(D, 4)).eval()


def full() -> None:
    with torch.inference_mode():
        layer(x)


def windowed() -> None:
    functional.windowed_attention(rows, rows, rows, window=32)


def linear() -> None:
    keys = np.exp(rows - rows.max(axis=0))
    functional.softmax(rows) @ ((keys / keys.sum(axis=0)).T @ rows)


report(seconds=per_call({"full": full, "windowed": windowed, "linear": linear}[options.contestant]))
