"""What makes the models of `course_lib.model` fast, and computes the same: caches, fused kernels, loss, precision.

`prepare` chooses all of it for a model; `start_decoding` starts to write with key/value caches.
"""

from course_lib.fast.caches import CachedAttention, KeyValueCache, Remembered
from course_lib.fast.kernels import ByteDropout, fused_attention, largest
from course_lib.fast.loss import smoothed_cross_entropy
from course_lib.fast.preparation import (
    Precision,
    Prepared,
    TranslationModel,
    choose_device,
    choose_dtype,
    faster,
    prepare,
)
from course_lib.fast.processes import Processes, launched_processes
from course_lib.fast.steps import DecodingState, ReadyTransformer, ready_to_decode, start_decoding

__all__ = [
    "ByteDropout",
    "CachedAttention",
    "DecodingState",
    "KeyValueCache",
    "Precision",
    "Prepared",
    "Processes",
    "ReadyTransformer",
    "Remembered",
    "TranslationModel",
    "choose_device",
    "choose_dtype",
    "faster",
    "fused_attention",
    "largest",
    "launched_processes",
    "prepare",
    "ready_to_decode",
    "smoothed_cross_entropy",
    "start_decoding",
]
