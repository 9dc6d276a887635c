"""The models in PyTorch, to be read: attention, positions, blocks, Transformer, decoder-only model, recurrent rivals.

Reading order: `attention`, `positions`, `blocks`, `transformer`, `decoder_only`, `recurrent`; `config` on the side. A
forward pass is its formula; what makes it fast is in `course_lib.fast`, and equal to this by tests.

Sources: document A is "Self-Attention and Positional Encoding", document B "Attention Mechanism and Transformers".
"""

from course_lib.model.attention import (
    AttentionMaps,
    MultiHeadAttention,
    attention,
    causal_mask,
    masked_softmax,
    merge_heads,
    split_heads,
)
from course_lib.model.blocks import DecoderBlock, EncoderBlock, FeedForward, Parts, Sublayer, padding_mask
from course_lib.model.config import DecoderOnlyConfig, TransformerConfig
from course_lib.model.decoder_only import DecoderOnlyTransformer
from course_lib.model.positions import PositionalEncoding, RotaryAttention
from course_lib.model.recurrent import RecurrentConfig, RecurrentTranslator
from course_lib.model.transformer import Embedding, Transformer
