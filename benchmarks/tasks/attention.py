"""Multi-head attention, forward and backward: ours, as it is prepared for training, or PyTorch's own layer.

    python attention.py {ours,pytorch} LENGTH WIDTH

4,096 words a batch, 4 heads, self-attention, float32, no dropout. PyTorch's layer is asked for no weights, which is
its fast way.
"""

import argparse

import torch
from timing import most_memory, per_call, report
from torch import Tensor, nn

from course_lib.fast import faster
from course_lib.model import MultiHeadAttention

WORDS, N_HEADS = 4096, 4

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("contestant", choices=["ours", "pytorch"])
parser.add_argument("length", type=int)
parser.add_argument("width", type=int)
options = parser.parse_args()

torch.manual_seed(0)
x = torch.randn(max(1, WORDS // options.length), options.length, options.width, requires_grad=True)
if options.contestant == "ours":
    layer: nn.Module = faster(MultiHeadAttention(options.width, N_HEADS))

    def attend() -> Tensor:
        output, _ = layer(x)
        return output
else:
    layer = nn.MultiheadAttention(options.width, N_HEADS, batch_first=True)

    def attend() -> Tensor:
        output, _ = layer(x, x, x, need_weights=False)
        return output


def step() -> None:
    attend().sum().backward()


before = most_memory()
seconds = per_call(step)
report(seconds=seconds, megabytes=most_memory() - before)
