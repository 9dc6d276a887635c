"""The models in PyTorch, to be read: attention, positions, blocks, Transformer, decoder-only model, recurrent rivals.

Reading order: `attention`, `positions`, `blocks`, `transformer`, `decoder_only`, `recurrent`; `config` on the side. A
forward pass is its formula; what makes it fast is in `course_lib.fast`, and equal to this by tests.
"""

from course_lib.model.attention import AttentionMaps as AttentionMaps
from course_lib.model.attention import MultiHeadAttention as MultiHeadAttention
from course_lib.model.attention import attention as attention
from course_lib.model.attention import causal_mask as causal_mask
from course_lib.model.attention import masked_softmax as masked_softmax
from course_lib.model.attention import merge_heads as merge_heads
from course_lib.model.attention import split_heads as split_heads
from course_lib.model.blocks import DecoderBlock as DecoderBlock
from course_lib.model.blocks import EncoderBlock as EncoderBlock
from course_lib.model.blocks import FeedForward as FeedForward
from course_lib.model.blocks import Parts as Parts
from course_lib.model.blocks import Sublayer as Sublayer
from course_lib.model.blocks import padding_mask as padding_mask
from course_lib.model.config import DecoderOnlyConfig as DecoderOnlyConfig
from course_lib.model.config import TransformerConfig as TransformerConfig
from course_lib.model.decoder_only import DecoderOnlyTransformer as DecoderOnlyTransformer
from course_lib.model.positions import PositionalEncoding as PositionalEncoding
from course_lib.model.positions import RotaryAttention as RotaryAttention
from course_lib.model.recurrent import RecurrentConfig as RecurrentConfig
from course_lib.model.recurrent import RecurrentTranslator as RecurrentTranslator
from course_lib.model.transformer import Embedding as Embedding
from course_lib.model.transformer import Transformer as Transformer
