"""What decides the questions of ps09: the modules of a Transformer, put together, counted and repaired."""

import functools
import math
from itertools import combinations

import torch
from torch.nn import functional as F

from course_grading.questions import Misconception, Part, Question
from course_lib import model as layers
from course_lib.model import Transformer, TransformerConfig, causal_mask, padding_mask

# The module is the student's; it gets given weights, under the names that the question tells. It stays in single
# precision and in training, as new modules are. A part may have a second name (a list of all norms, say).
LOAD = """
import torch
from torch import nn

def load(module, weights):
    own = dict(module.named_parameters(remove_duplicate=False))
    for name in sorted(set(weights) - set(own)):
        raise ValueError(f"your module has no parameter {name}; how its parts are called stands in the question")
    known = [own[name] for name in weights]
    for name in sorted(set(own) - set(weights)):
        if not any(own[name] is parameter for parameter in known):
            raise ValueError(
                f"your module has a parameter {name}, which belongs to none of the parts in the question"
            )
    for name, values in weights.items():
        if own[name].shape != values.shape:
            raise ValueError(
                f"{name} has shape {tuple(own[name].shape)}; expected is {tuple(values.shape)} "
                "(PyTorch's linear maps keep the outputs first)"
            )
        own[name].data.copy_(values)
    return module

def twice(module, *given):
    # in training, too; copies, since an answer may change what it is given
    copies = [None if value is None else value.clone() for value in given]
    torch.manual_seed(0)
    first = module(*given)
    torch.manual_seed(1)
    again = module(*copies)
    if torch.is_tensor(first) and torch.is_tensor(again) and first.shape == again.shape:
        if not torch.allclose(first, again, rtol=1e-3, atol=1e-3, equal_nan=True):
            raise ValueError(
                "the same inputs give two different results: is something dropped at random? Nothing is here"
            )
    return first

def earlier(function, *given):
    # a call of which nothing may stay; where it fails, the next one says so
    try:
        with torch.no_grad():
            return function(*given)
    except Exception:
        return None
"""


def normal(rng, *shape):
    """Draw a tensor in double precision."""
    return torch.tensor(rng.standard_normal(shape))


# ---- q1: heads that share keys and values ----
# - four linear maps with biases, under given names and of given shapes, and no other weights
# - G = H, 1 < G < H and G = 1; head h uses group h // (H/G)
# - d_k ≠ d_v and =; d is not H·d_v; one sentence, one word
# - context None or given, with L_k ≠ L_q and =
# - mask None, (B, L_q, L_k) or (B, 1, L_k), each with and without a context; its own for each sentence; B = H, too
# - nothing is dropped, also in training

FORBIDDEN_Q1 = (
    "layers.MultiHeadAttention",
    "course_lib.model.MultiHeadAttention",
    "torch.nn.MultiheadAttention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.*multi_head_attention*",
    "torch.nn.modules.transformer.*",
)

ASK_Q1 = f"""{LOAD}
def entry_point(sizes, weights, x, context, mask):
    layer = load(SharedAttention(*sizes), weights)
    with torch.no_grad():
        return twice(layer, x, context, mask)
"""


def split(projected, n_heads):
    """Cut vectors into heads: (B, L, n·width) -> (B, n, L, width)."""
    return projected.unflatten(-1, (n_heads, -1)).transpose(1, 2)


def split_in_one_go(projected, n_heads):
    """Reshape without transposing: pieces of different words land in one head."""
    n, length, width = projected.shape
    return projected.reshape(n, n_heads, length, width // n_heads)


def merge(heads):
    """Put heads side by side: (B, H, L, d_v) -> (B, L, H·d_v)."""
    return heads.transpose(1, 2).flatten(2)


def merge_in_one_go(heads):
    """Reshape without transposing."""
    return heads.reshape(len(heads), heads.shape[2], -1)


def shared_attention(
    sizes, weights, x, context, mask, group_of=None, split=split, merge=merge, factor=1.0, mask_axis=1
):
    """Attend with heads that share keys and values: (B, L_q, d) -> (B, L_q, d)."""
    _, n_heads, n_groups, _, _ = sizes
    x = x.double()
    asked = x if context is None else context.double()
    q, k, v = (
        split(F.linear(words, weights[f"W_{which}.weight"], weights[f"W_{which}.bias"]), n)
        for which, words, n in [("Q", x, n_heads), ("K", asked, n_groups), ("V", asked, n_groups)]
    )
    group_of = group_of or (lambda h: h // (n_heads // n_groups))
    groups = [group_of(h) for h in range(n_heads)]
    mask = None if mask is None else mask.unsqueeze(mask_axis)
    heads, _ = layers.attention(factor * q, k[:, groups], v[:, groups], mask)
    return F.linear(merge(heads), weights["W_O.weight"], weights["W_O.bias"])


def _shared(**change):
    """Make an answer from what is done differently."""
    return lambda *arguments: shared_attention(*arguments, **change)


def attentions(rng, cases):
    """Yield sizes, weights, words, context and mask; a case may say for how many queries its mask is, L_q or 1."""
    for (d, n_heads, n_groups, d_k, d_v), n, l_q, l_k, *asking in cases:
        widths = {
            "Q": (n_heads * d_k, d),
            "K": (n_groups * d_k, d),
            "V": (n_groups * d_v, d),
            "O": (d, n_heads * d_v),
        }
        weights = {f"W_{which}.weight": 0.7 * normal(rng, *shape) for which, shape in widths.items()}
        weights |= {f"W_{which}.bias": normal(rng, shape[0]) for which, shape in widths.items()}
        x = normal(rng, n, l_q, d).float()
        context = None if l_k is None else normal(rng, n, l_k, d).float()
        mask = None
        if asking:
            mask = torch.tensor(rng.random((n, *asking, l_q if l_k is None else l_k)) < 0.5)
            mask[..., 0] = True  # each query has a key
            mask[..., -1] = False
            mask[..., 1] = torch.arange(n)[:, None] % 2 == 0  # neighbouring sentences have different masks
        yield [[d, n_heads, n_groups, d_k, d_v], weights, x, context, mask]


Q1 = Question(
    "q1",
    ASK_Q1,
    shared_attention,
    [
        Part(
            "each head with keys and values of its own",
            2,
            lambda rng: attentions(
                rng,
                [
                    ((5, 2, 2, 3, 4), 2, 4, None),
                    ((6, 3, 3, 2, 5), 3, 4, 6),
                    ((4, 1, 1, 3, 2), 2, 5, 2),
                    ((6, 2, 2, 3, 3), 1, 4, 4),
                    ((5, 3, 3, 2, 2), 2, 1, None),
                ],
            ),
        ),
        Part(
            "shared keys and values",
            1,
            lambda rng: attentions(
                rng,
                [((5, 6, 3, 2, 3), 2, 4, None), ((7, 6, 2, 3, 2), 2, 3, 5), ((5, 4, 1, 2, 3), 3, 4, None)],
            ),
        ),
        Part(
            "masks",
            1,
            lambda rng: attentions(
                rng,
                [
                    ((5, 2, 2, 3, 4), 2, 4, None, 4),
                    ((6, 3, 3, 2, 5), 3, 4, 6, 1),
                    ((5, 2, 2, 3, 4), 3, 5, 4, 1),
                    ((5, 2, 2, 3, 4), 2, 4, None, 1),
                    ((5, 3, 3, 4, 2), 3, 3, 5, 3),
                    ((4, 2, 2, 2, 2), 1, 4, 4, 4),
                ],
            ),
        ),
    ],
    [
        Misconception(
            "Your groups are dealt out like cards: head 0 gets group 0, head 1 group 1, and so on from the start. "
            "Neighbouring heads share: head h belongs to group h // (n_heads // n_groups).",
            lambda sizes, *rest: shared_attention(sizes, *rest, group_of=lambda h: h % sizes[2]),
        ),
        Misconception(
            "The heads are joined by reshaping (B, H, L_q, d_v) in one go, so that a word's row is filled with other "
            "words' pieces. Bring the heads' axis behind that of the words first.",
            _shared(merge=merge_in_one_go),
        ),
        Misconception(
            "The projections are cut into heads by reshaping (B, L, H·d_k) to (B, H, L, d_k) in one go, so that a head "
            "mixes words. Cut the last axis in two, then swap axes.",
            _shared(split=split_in_one_go),
        ),
        Misconception(
            "Both the cutting into heads and the joining reshape in one go, across words. Cut the last axis in two, "
            "then swap axes; and the other way round at the end.",
            _shared(split=split_in_one_go, merge=merge_in_one_go),
        ),
        Misconception(
            "The context is not used: where it is given, keys and values are made from it.",
            lambda sizes, weights, x, context, mask: shared_attention(
                sizes, weights, x, None, mask if mask is None or mask.shape[-1] == x.shape[1] else None
            ),
        ),
        Misconception(
            "The mask is turned round: True is where attention is allowed.",
            lambda *given: shared_attention(*given[:4], None if given[4] is None else ~given[4]),
        ),
        Misconception(
            "All sentences get the first sentence's mask. Each has its own.",
            lambda *given: shared_attention(*given[:4], None if given[4] is None else given[4][:1]),
        ),
        Misconception(
            "All queries get the first query's mask. A mask (B, L_q, L_k) has one for each query.",
            lambda *given: shared_attention(*given[:4], None if given[4] is None else given[4][:, :1]),
        ),
        Misconception("The mask is not used.", lambda *given: shared_attention(*given[:4], None)),
        Misconception(
            "The mask is not used where a context is given.",
            lambda *given: shared_attention(*given[:4], given[4] if given[3] is None else None),
        ),
        Misconception(
            "The mask is not used where no context is given.",
            lambda *given: shared_attention(*given[:4], None if given[3] is None else given[4]),
        ),
        Misconception(
            "Your mask has three axes and the scores have four, so that its sentences were taken for heads: give it "
            "an axis for the heads, behind that of the sentences.",
            _shared(mask_axis=0),
        ),
        Misconception(
            "The scores are not divided by √d_k.",
            lambda sizes, *rest: shared_attention(sizes, *rest, factor=math.sqrt(sizes[3])),
        ),
        Misconception(
            "You divide the scores by √d; it is the width of one head's keys that counts, √d_k.",
            lambda sizes, *rest: shared_attention(sizes, *rest, factor=math.sqrt(sizes[3] / sizes[0])),
        ),
    ],
    forbidden=FORBIDDEN_Q1,
    tolerance=1e-4,  # of single precision
    describe=lambda sizes, _, x, context, mask: (
        f"SharedAttention{tuple(sizes)}, x {tuple(x.shape)}, context "
        f"{None if context is None else tuple(context.shape)}, mask {None if mask is None else tuple(mask.shape)}"
    ),
)

# ---- q2: the decoder block of 2017 ----
# - parts under given names, both attentions with n_heads heads (1, 2 and 3), each norm in its place
# - LayerNorm(x + f(x)); self-attention, cross-attention, feed-forward network
# - a single word (L_t = 1), one sentence (B = 1), L_t = L_s, L_t = B, and 60 words
# - word i depends on words 0 … i, itself included: also where the source has padding and is as long as the target,
#   which has none (there the cross-attention's output is constant, so that padding costs nothing)
# - and on the source's real words alone: the first sentence full and the last, the longest in the middle, none full;
#   several words of the target, too (there the self-attention's output is constant, so that the future costs nothing)
# - each word of the target is real, also one whose vector is zero: with several words of the target
# - nothing is dropped, also in training: in the first part alone
# - of an earlier batch nothing is left: of its target's length in the second part, of its padding in the last
# - what is given stays as it is: in the last part alone

FORBIDDEN_Q2 = (
    "layers.DecoderBlock",
    "layers.EncoderBlock",
    "layers.Sublayer",
    "course_lib.model.DecoderBlock",
    "course_lib.model.EncoderBlock",
    "course_lib.model.Sublayer",
    "torch.nn.Transformer",
    "torch.nn.TransformerDecoder",
    "torch.nn.TransformerDecoderLayer",
    "torch.nn.modules.transformer.*",
    "torch.*_transformer_*",
    "torch.*multi_head_attention*",
)

ASK_Q2 = f"""{LOAD}
def entry_point(sizes, weights, x, memory, real, rule):
    block = load(Block(*sizes), weights)
    with torch.no_grad():
        if rule == "nothing is dropped":
            return twice(block, x.clone(), memory.clone(), real.clone())
        block.eval()
        if rule == "it has read shorter targets before":
            earlier(block, x[:, :2].clone(), memory.clone(), real.clone())
        if rule == "it has read sources without padding before":
            earlier(block, x.clone(), memory.clone(), torch.ones_like(real))
        if rule == "inputs stay":
            return block(x, memory, real)
        return block(x.clone(), memory.clone(), real.clone())
"""


class Sublayers:
    """The parts of a decoder block with given weights, as functions of (B, L_t, d)."""

    def __init__(self, sizes, weights, memory, past, real):
        self.weights, self.memory = weights, memory
        self.past, self.real = past, real
        self.attentions = {}
        for name in ("self_attention", "cross_attention"):
            attention = layers.MultiHeadAttention(*sizes[:2]).double()  # d and the number of heads
            attention.load_state_dict(
                {n.removeprefix(name + "."): w for n, w in weights.items() if n.startswith(name)}
            )
            self.attentions[name] = attention.requires_grad_(False)

    def a(self, x):
        """Let the target's words attend to one another."""
        return self.attentions["self_attention"](x, mask=self.past)[0]

    def c(self, x):
        """Let the target's words attend to the memory."""
        return self.attentions["cross_attention"](x, self.memory, mask=self.real)[0]

    def n(self, number, x):
        """Normalise with the gain and offset of one of the three norms."""
        return F.layer_norm(
            x, x.shape[-1:], self.weights[f"norm_{number}.weight"], self.weights[f"norm_{number}.bias"]
        )

    def f(self, x):
        """Run the feed-forward network."""
        w = self.weights
        inner = torch.relu(F.linear(x, w["feed_forward.W_1.weight"], w["feed_forward.W_1.bias"]))
        return F.linear(inner, w["feed_forward.W_2.weight"], w["feed_forward.W_2.bias"])


def _chain(p, x):
    y = p.n(1, x + p.a(x))
    z = p.n(2, y + p.c(y))
    return p.n(3, z + p.f(z))


def _block(chain=_chain, past=lambda past: past, real=lambda real: real):
    """Make an answer from how the parts are chained, and what is made of the two masks."""

    def answer(sizes, weights, x, memory, known, rule=""):
        masks = past(causal_mask(x.shape[1])), real(known.unsqueeze(1))
        return chain(Sublayers(sizes, weights, memory.double(), *masks), x.double())

    return answer


decoder_block = _block()


def _heads(number):
    """Make an answer whose attentions have another number of heads than asked for."""

    def answer(sizes, *rest):
        if sizes[0] % number:
            raise ValueError("so many heads do not divide d")
        return decoder_block([sizes[0], number, sizes[2]], *rest)

    return answer


def _pre_norm(p, x):
    x = x + p.a(p.n(1, x))
    x = x + p.c(p.n(2, x))
    return x + p.f(p.n(3, x))


def _cross_first(p, x):
    y = p.n(2, x + p.c(x))
    z = p.n(1, y + p.a(y))
    return p.n(3, z + p.f(z))


def _feed_forward_twice(p, x):
    y = p.n(1, x + p.a(x))
    y = p.n(3, y + p.f(y))
    z = p.n(2, y + p.c(y))
    return p.n(3, z + p.f(z))


def _cross_residual_from_the_start(p, x):
    y = p.n(1, x + p.a(x))
    z = p.n(2, x + p.c(y))
    return p.n(3, z + p.f(z))


def _all_residuals_from_the_start(p, x):
    y = p.n(1, x + p.a(x))
    z = p.n(2, x + p.c(y))
    return p.n(3, x + p.f(z))


def _no_residual(without):
    """Leave out the residual connection around some sublayers."""

    def chain(p, x):
        y = p.n(1, x * ("a" not in without) + p.a(x))
        z = p.n(2, y * ("c" not in without) + p.c(y))
        return p.n(3, z * ("f" not in without) + p.f(z))

    return chain


def _memory_forgotten(p, x):
    y = p.n(1, x + p.a(x))
    z = p.n(2, y + p.attentions["cross_attention"](y)[0])
    return p.n(3, z + p.f(z))


def _no_cross(p, x):
    y = p.n(1, x + p.a(x))
    return p.n(3, y + p.f(y))


def _one_norm(p, x):
    y = p.n(1, x + p.a(x))
    z = p.n(1, y + p.c(y))
    return p.n(1, z + p.f(z))


def _norms(first, second, third):
    """Take the norms in another order."""

    def chain(p, x):
        y = p.n(first, x + p.a(x))
        z = p.n(second, y + p.c(y))
        return p.n(third, z + p.f(z))

    return chain


def _norm_of_the_update(p, x):
    y = x + p.n(1, p.a(x))
    z = y + p.n(2, p.c(y))
    return z + p.n(3, p.f(z))


def shapes_of(d, d_ff):
    """Return the shapes of a decoder block's parameters by name."""
    shapes = {}
    for name in ("self_attention", "cross_attention"):
        shapes |= {f"{name}.W_{which}.weight": (d, d) for which in "QKVO"}
        shapes |= {f"{name}.W_{which}.bias": (d,) for which in "QKVO"}
    shapes |= {"feed_forward.W_1.weight": (d_ff, d), "feed_forward.W_1.bias": (d_ff,)}
    shapes |= {"feed_forward.W_2.weight": (d, d_ff), "feed_forward.W_2.bias": (d,)}
    return shapes | {f"norm_{n}.{which}": (d,) for n in (1, 2, 3) for which in ("weight", "bias")}


def blocks(rng, rule, cases):
    """Yield sizes, weights, target words, memory, and which words of the source are real.

    A case has sizes, the target's length, the source's, how many words of each source are real, and which attention
    returns the same whatever it reads: "self", "cross" or "". It may have a rule of its own.
    """
    for (d, n_heads, d_ff), l_t, l_s, known, constant, *own_rule in cases:
        weights = {
            name: 0.6 * normal(rng, *shape) + name.startswith("norm")
            for name, shape in shapes_of(d, d_ff).items()
        }
        if constant:
            weights[f"{constant}_attention.W_O.weight"] *= 0
        real = torch.arange(l_s) < torch.tensor(known)[:, None]
        x, memory = (2 * normal(rng, len(known), length, d).float() for length in (l_t, l_s))
        memory[~real] *= 2
        if l_t > 2:
            x[:, 1] = 0  # a word as others are
        yield [[d, n_heads, d_ff], weights, x, memory, real, *(own_rule or [rule])]


ONE_WORD = [
    ((4, 2, 7), 1, 3, [3, 3], ""),
    ((6, 3, 5), 1, 5, [5, 5, 5], ""),
    ((4, 1, 4), 1, 1, [1], ""),
]
SEVERAL_WORDS = [
    ((4, 2, 7), 5, 3, [3, 3], ""),
    ((6, 3, 5), 3, 6, [6, 6, 6], "", "it has read shorter targets before"),
    ((4, 1, 4), 4, 4, [4], ""),
    ((4, 2, 3), 5, 5, [5, 2], "cross"),
    ((4, 1, 2), 60, 60, [60], ""),
]
PADDED = [
    ((4, 2, 7), 1, 4, [4, 3], ""),
    ((6, 3, 5), 1, 5, [3, 4, 5], "", "it has read sources without padding before"),
    ((4, 2, 3), 1, 5, [2, 5, 3], ""),
    ((4, 1, 4), 1, 4, [3], ""),
    ((4, 2, 5), 3, 3, [3, 1, 2], "self"),
    ((4, 1, 3), 4, 6, [1, 6], "self"),
]


Q2 = Question(
    "q2",
    ASK_Q2,
    decoder_block,
    [
        Part("a single target word", 2, lambda rng: blocks(rng, "nothing is dropped", ONE_WORD)),
        Part("several target words: the future is hidden", 2, lambda rng: blocks(rng, "", SEVERAL_WORDS)),
        Part("padding in the source", 1, lambda rng: blocks(rng, "inputs stay", PADDED)),
    ],
    [
        Misconception(
            "That is pre-norm, x + f(LayerNorm(x)). This block is post-norm: LayerNorm(x + f(x)).",
            _block(_pre_norm),
        ),
        Misconception(
            "You normalise what a sublayer returns, and then add. Post-norm normalises the sum: LayerNorm(x + f(x)).",
            _block(_norm_of_the_update),
        ),
        Misconception("Cross-attention comes second, after the self-attention.", _block(_cross_first)),
        Misconception(
            "The feed-forward network runs twice. It stands once in a decoder block, at the end: two attentions, "
            "then one feed-forward network.",
            _block(_feed_forward_twice),
        ),
        Misconception(
            "The residual connection around the cross-attention begins at the block's input. It begins where the "
            "cross-attention begins: after the first norm.",
            _block(_cross_residual_from_the_start),
        ),
        Misconception(
            "All residual connections begin at the block's input. Each begins where its sublayer begins: after the "
            "norm before it.",
            _block(_all_residuals_from_the_start),
        ),
        Misconception(
            "The self-attention has no residual connection: its output is added to what it has read.",
            _block(_no_residual("a")),
        ),
        Misconception(
            "The cross-attention has no residual connection: its output is added to what has asked.",
            _block(_no_residual("c")),
        ),
        Misconception(
            "The feed-forward network has no residual connection: its output is added to what it has read.",
            _block(_no_residual("f")),
        ),
        Misconception(
            "There is no residual connection: each sublayer's output is added to what it has read.",
            _block(_no_residual("acf")),
        ),
        Misconception(
            "The memory is not used: hand it to the cross-attention as its second argument, the context.",
            _block(_memory_forgotten),
        ),
        Misconception(
            "Your attentions have one head each: hand n_heads over to them.",
            _heads(1),
            sometimes="One of your attentions, or both, have not the number of heads that is asked for: hand "
            "n_heads over.",
        ),
        *(
            Misconception(
                f"Your attentions have {number} heads each, whatever n_heads is: hand it over to them.",
                _heads(number),
                sometimes="Your attentions do not have the number of heads that is asked for: hand n_heads over to "
                "them.",
            )
            for number in (2, 3)
        ),
        Misconception("The cross-attention is missing.", _block(_no_cross)),
        *(
            Misconception(
                f"The norms are not in their places: you use norm_{order[0]}, norm_{order[1]}, norm_{order[2]}. Asked "
                "for is norm_1 after the self-attention, norm_2 after the cross-attention, norm_3 at the end.",
                _block(_norms(*order)),
            )
            for order in [(1, 3, 2), (2, 1, 3), (3, 2, 1), (2, 3, 1), (3, 1, 2)]
        ),
        Misconception("norm_1 is used for all three sums. Each has its own.", _block(_one_norm)),
        Misconception(
            "The future is not hidden: the self-attention needs a causal mask.",
            _block(past=lambda past: None),
        ),
        Misconception(
            "The causal mask is turned round: word i may look at the words 0 … i.",
            _block(past=lambda past: past.T),
        ),
        Misconception(
            "Your causal mask leaves out the word itself: word i may look at the words 0 … i, itself included.",
            _block(past=lambda past: past.tril(-1)),
        ),
        Misconception(
            "In the self-attention each word sees itself alone: word i may look at the words 0 … i.",
            _block(past=lambda past: past & past.T),
        ),
        Misconception(
            "The causal mask says True where attention is forbidden. Here, and in causal_mask, True is where it is "
            "allowed.",
            _block(past=lambda past: ~past),
        ),
        Misconception(
            "Padding in the source is not hidden: the cross-attention needs a mask made from `real`.",
            _block(real=lambda real: None),
        ),
        Misconception(
            "All sentences get the mask of the first sentence's source. Each has its own.",
            _block(real=lambda real: real[:1]),
        ),
        Misconception(
            "The mask for the source is turned round: `real` is True where attention is allowed, as in the attention "
            "that you call.",
            _block(real=lambda real: ~real),
        ),
    ],
    forbidden=FORBIDDEN_Q2,
    tolerance=1e-4,  # of single precision
    describe=lambda sizes, _, x, memory, real, rule: (
        f"Block{tuple(sizes)}, x {tuple(x.shape)}, memory {tuple(memory.shape)}, real {real.tolist()}"
        + (f"; {rule}" if rule.startswith("it has read") else "")
    ),
)

# ---- q3: one source, several candidates ----
# - all blocks of both stacks (one and two), both norms, the output; L_s ≠ L_t
# - N = 1 and N > 1, N = B and ≠; each candidate with its own source's memory and mask
# - the encoder reads each source once; a candidate's word does not see its future
# - padding in the source is hidden from the encoder and from the decoder; 1 and 2 are tokens as others are
# - what comes out at padding of the candidates does not count

FORBIDDEN_Q3 = (
    "course_lib.model.Transformer",
    "torch.nn.Transformer",
    "torch.nn.modules.transformer.*",
    "torch.*_transformer_*",
)

LOGITS = ("The logits", "The sentences that the encoder reads")

# What stands at the candidates' padding does not count; and the encoder's sentences are counted. Whether several
# candidates have the right memory is one thing; whether padding is hidden from them is another, which is asked by
# giving token 0 another vector. Then an answer that fails on several candidates is not punished twice.
ASK_Q3 = f"""{LOAD}
def entry_point(sizes, weights, source, candidates, other_padding):
    parts = load(Parts(*sizes), weights)
    if other_padding:
        try:
            with torch.no_grad():
                before = candidate_logits(parts, source, candidates)
                table = next(w for w in parts.source_embedding.parameters() if len(w) == sizes[0])
                table[0] += torch.arange(1.0, sizes[2] + 1)
                return bool(torch.allclose(before, candidate_logits(parts, source, candidates), atol=1e-4))
        except Exception:
            return True  # said already in the part about several candidates
    read = []
    parts.encoder[0].register_forward_pre_hook(
        lambda block, given, named: read.append(len(given[0] if given else named["x"])), with_kwargs=True
    )
    with torch.no_grad():
        logits = candidate_logits(parts, source, candidates)
    if getattr(logits, "shape", ())[:3] == candidates.shape:
        logits = logits.masked_fill((candidates == 0).unsqueeze(-1), 0.0)
    return [logits, sum(read)]
"""


@functools.cache
def parts_of(n_source, n_target, d, n_heads, d_ff, n_blocks):
    """Make the parts as the question's Parts does."""
    config = TransformerConfig(
        n_source,
        n_target,
        d_model=d,
        n_heads=n_heads,
        d_ff=d_ff,
        n_encoder_layers=n_blocks,
        n_decoder_layers=n_blocks,
        dropout=0.0,
    )
    return Transformer(config).double().eval().requires_grad_(False)


def with_weights(sizes, weights):
    """Return the parts with given weights, until they get others."""
    model = parts_of(*sizes)
    model.load_state_dict(weights)
    return model


def wired(
    past=causal_mask,
    real=padding_mask,
    memory_real=padding_mask,
    norms=(True, True),
    norm_each=(False, False),
    first_only=False,
    n_encoder=None,
    n_decoder=None,
    fed_from_embedding=False,
    dealt=False,
    mask_dealt=False,
    output=True,
    read=None,
):
    """Make an answer from how the parts are wired."""

    def answer(sizes, weights, source, candidates, other_padding):
        if other_padding:
            name = next(n for n, w in weights.items() if n.startswith("source_emb") and len(w) == sizes[0])
            table = weights[name].clone()
            table[0] += torch.arange(1.0, sizes[2] + 1)
            both = [
                answer(sizes, given, source, candidates, False)[0]
                for given in (weights, weights | {name: table})
            ]
            return torch.allclose(*both, atol=1e-4)
        m = with_weights(sizes, weights)
        n, n_candidates, length = candidates.shape
        x, mask = m.source_embedding(source), real(source)
        for block in m.encoder[:n_encoder]:
            x, _ = block(x, mask)
            x = m.encoder_norm(x) if norm_each[0] else x
        memory = m.encoder_norm(x) if norms[0] and not norm_each[0] else x
        if fed_from_embedding:
            memory = m.source_embedding(source)
        order = torch.arange(n).repeat_interleave(n_candidates)
        if dealt:
            order = torch.arange(n).repeat(n_candidates)
        order = torch.zeros_like(order) if first_only else order
        memory_mask = memory_real(source)
        mask_order = torch.arange(n).repeat(n_candidates) if mask_dealt else order
        memory_mask = None if memory_mask is None else memory_mask[mask_order]
        y = m.target_embedding(candidates.flatten(0, 1))
        for block in m.decoder[:n_decoder]:
            y, _, _ = block(y, memory[order], past(length), memory_mask)
            y = m.decoder_norm(y) if norm_each[1] else y
        y = m.decoder_norm(y) if norms[1] and not norm_each[1] else y
        logits = (m.output(y) if output else y).unflatten(0, (n, n_candidates))
        logits = logits.masked_fill((candidates == 0).unsqueeze(-1), 0.0)
        return [logits, n if read is None else read(n, n_candidates)]

    return answer


candidate_logits = wired()


def first_candidate(*arguments):
    """Return the logits of each source's first candidate alone."""
    found = candidate_logits(*arguments)
    return found if isinstance(found, bool) else [found[0][:, :1], found[1]]


def nothing(_):
    """Make no mask."""
    return None


def first_mask(source):
    """Make all masks of the first source."""
    return padding_mask(source[:1].expand(len(source), -1))


def translations(rng, n_candidates, padding=False, other_padding=False):
    """Yield sizes, weights, sources of the same or of different lengths, candidates, and what is asked of padding."""
    for sizes, n, l_s, l_t, many in zip(
        [(9, 8, 4, 2, 6, 2), (7, 11, 6, 3, 5, 1)], (3, 2), (5, 4), (4, 6), n_candidates, strict=True
    ):
        shapes = {name: w.shape for name, w in parts_of(*sizes).state_dict().items()}
        weights = {name: 0.6 * normal(rng, *shape) + ("norm" in name) for name, shape in shapes.items()}
        source = torch.tensor(rng.integers(1, sizes[0], (n, l_s)))
        if padding:
            source[torch.arange(l_s) >= torch.arange(l_s - 1, l_s - 1 - n, -1)[:, None]] = 0
        candidates = torch.tensor(rng.integers(1, sizes[1], (n, many, l_t)))
        candidates[..., 0] = 1
        candidates[-1, -1, -1:] = 0  # one candidate is shorter than the others
        yield [list(sizes), weights, source, candidates, other_padding]


Q3 = Question(
    "q3",
    ASK_Q3,
    candidate_logits,
    [
        Part("one candidate for each source", 2, lambda rng: translations(rng, (1, 1)), results=LOGITS),
        Part(
            "several candidates, each source read once",
            1,
            lambda rng: translations(rng, (2, 2)),
            results=LOGITS,
        ),
        Part(
            "padding in the source",
            1,
            lambda rng: [
                *translations(rng, (1, 1), padding=True),
                *translations(rng, (2, 2), padding=True, other_padding=True),
            ],
            results=LOGITS,
        ),
    ],
    [
        Misconception(
            "Candidates and sources do not belong together: with several candidates the memory of each source must "
            "be repeated next to itself (0, 0, 1, 1, …), not the whole batch one time after the other.",
            wired(dealt=True),
        ),
        Misconception(
            "The logits are right, but the encoder reads each source once for every candidate. It need not: read the "
            "sources once, and repeat the memory.",
            wired(read=lambda n, n_candidates: n * n_candidates),
        ),
        Misconception(
            "You return logits for the first candidate of each source alone; asked for are those of all N.",
            first_candidate,
        ),
        Misconception(
            "The candidates' words see their future: the decoder's self-attention needs a causal mask.",
            wired(past=nothing),
        ),
        Misconception(
            "With several candidates, the padding mask is not that of the candidate's own source: repeat the mask as "
            "you repeat the memory, each source's next to itself.",
            wired(mask_dealt=True),
        ),
        Misconception(
            "Padding is seen in both halves: encoder and cross-attention need the source's padding mask.",
            wired(real=nothing, memory_real=nothing),
        ),
        Misconception(
            "The encoder sees the source's padding: its blocks need the padding mask.", wired(real=nothing)
        ),
        Misconception(
            "The decoder sees the source's padding: its blocks need the padding mask of the source as well, as their "
            "last argument.",
            wired(memory_real=nothing),
        ),
        Misconception("encoder_norm is left out.", wired(norms=(False, True))),
        Misconception("decoder_norm is left out.", wired(norms=(True, False))),
        Misconception("Both norms at the ends of the stacks are left out.", wired(norms=(False, False))),
        *(
            Misconception(
                f"{which} at the end of the stack, not after each block.",
                wired(norm_each=each),
            )
            for which, each in [
                ("encoder_norm stands", (True, False)),
                ("decoder_norm stands", (False, True)),
                ("encoder_norm and decoder_norm stand", (True, True)),
            ]
        ),
        Misconception(
            "All candidates get the first source's memory. Each gets that of its own source.",
            wired(first_only=True),
        ),
        Misconception(
            "All sources get the first source's padding mask. Each has its own.",
            wired(real=first_mask, memory_real=first_mask),
        ),
        Misconception("Only the first encoder block runs.", wired(n_encoder=1)),
        Misconception("Only the first decoder block runs.", wired(n_decoder=1)),
        Misconception("Only the first block of each stack runs.", wired(n_encoder=1, n_decoder=1)),
        Misconception(
            "Your decoder attends to the source's embeddings. What it needs is the encoder's output.",
            wired(fed_from_embedding=True, read=lambda n, n_candidates: 0),
        ),
        Misconception(
            "Your function returns what comes before the last step: `parts.output` makes logits of it.",
            wired(output=False),
        ),
    ],
    forbidden=FORBIDDEN_Q3,
    tolerance=1e-4,  # of single precision
    describe=lambda sizes, _, source, candidates, other: (
        f"Parts{tuple(sizes)}, source = {source.tolist()}, candidates {tuple(candidates.shape)}"
    ),
)

# ---- q4: counting a lean Transformer ----
# - attention: no biases, G = H, 1 < G < H, G = 1, H = 1; one in an encoder block, two in a decoder block
# - feed-forward: both biases, d_ff larger and smaller than d; norms: a gain each, and one more for each stack
# - embeddings: three matrices or one (tied), two tables of positions
# - sizes are such that who builds the modules and counts has them, too

ASK_Q4 = """
def entry_point(names, sizes):
    counts = count_parameters(*sizes)
    if not isinstance(counts, dict):
        raise ValueError("expected is a dictionary with four keys")
    for name in names:
        if name not in counts:
            raise ValueError(f"your result has no entry '{name}'")
    return {name: counts[name] for name in names}
"""


def counted(
    attentions=2,
    sharing=None,
    own_biases=0,
    biases=None,
    feed_forwards=1,
    norms=3,
    ends=2,
    gain=1,
    tables=2,
    matrices=3,
):
    """Make an answer from what is counted, in a decoder block or at the ends."""

    def answer(names, sizes):
        n_vocab, d, d_ff, n_heads, n_groups, n_encoder, n_decoder, max_length, tied = sizes
        share = sharing(n_heads, n_groups) if sharing else n_groups / n_heads
        bias = d_ff + d if biases is None else biases(d, d_ff)
        counts = {
            "attention": (n_encoder + attentions * n_decoder)
            * (2 * d * d + 2 * d * d * share + own_biases * (2 * d + 2 * d * share)),
            "feed-forward": (n_encoder + feed_forwards * n_decoder) * (2 * d * d_ff + bias),
            "norms": (2 * n_encoder + norms * n_decoder + ends) * gain * d,
            "embeddings": (1 if tied else matrices) * n_vocab * d + tables * max_length * d,
        }
        return {name: counts[name] for name in names}

    return answer


SIZES = ("n_vocab", "d", "d_ff", "n_heads", "n_groups", "n_encoder", "n_decoder", "max_length")


def _taken_for(wanted, change):
    """Count what is wanted with other sizes than those that are asked for, and the rest as it should be."""

    def answer(names, sizes):
        if not set(wanted) <= set(names):
            raise ValueError("others of the four are asked for")
        others = [*change(dict(zip(SIZES, sizes, strict=False))).values(), sizes[-1]]
        return counted()(names, sizes) | counted()(wanted, others)

    return answer


def _other_sizes():
    """Yield a misconception for each size that is one too small or large, not used, or takes another's place."""
    for wanted in (["attention"], ["feed-forward"], ["norms"], ["feed-forward", "norms"], ["embeddings"]):
        counts = " and ".join(wanted) + (": your counts" if len(wanted) > 1 else ": your count")
        for size in SIZES:
            for words, value in (
                (f"{size} − 1", lambda n: n - 1),
                (f"{size} + 1", lambda n: n + 1),
                ("1", lambda n: 1),
                ("0", lambda n: 0),
            ):
                yield Misconception(
                    f"{counts} would be right with {words} in the place of {size}.",
                    _taken_for(wanted, lambda s, size=size, value=value: s | {size: value(s[size])}),
                )
        for one, other in combinations(SIZES, 2):
            yield Misconception(
                f"{counts} would be right if {one} and {other} changed places.",
                _taken_for(wanted, lambda s, one=one, other=other: s | {one: s[other], other: s[one]}),
            )


def models(rng, names):
    """Yield sizes of models; none is like the other."""
    for n_heads, n_groups, d_k, tied in [
        (6, 2, 4, True),
        (8, 2, 5, False),
        (8, 1, 64, True),
        (3, 3, 7, False),
        (1, 1, 9, True),
    ]:
        sizes = [int(rng.integers(50, 4000)), n_heads * d_k, int(rng.integers(30, 800)), n_heads, n_groups]
        n_encoder, n_decoder = (int(number) for number in rng.choice(range(2, 13), 2, replace=False))
        yield [names, [*sizes, n_encoder, n_decoder, int(rng.integers(20, 2000)), tied]]


Q4 = Question(
    "q4",
    ASK_Q4,
    counted(),
    [
        Part("attention", 1, lambda rng: models(rng, ["attention"])),
        Part("feed-forward networks and norms", 1, lambda rng: models(rng, ["feed-forward", "norms"])),
        Part("embeddings", 1, lambda rng: models(rng, ["embeddings"])),
    ],
    [
        Misconception(
            "attention: a decoder block has two attentions, to itself and to the encoder's output.",
            counted(attentions=1),
        ),
        Misconception(
            "attention: you count four d × d matrices. Keys and values are shared: their matrices have a column for "
            "each number of a group, not of a head.",
            counted(sharing=lambda n_heads, n_groups: 1),
        ),
        Misconception(
            "attention: keys and values are made once for each group, and there are n_groups of these, not "
            "n_heads / n_groups.",
            counted(sharing=lambda n_heads, n_groups: 1 / n_groups),
        ),
        Misconception("attention: here its four linear maps have no biases.", counted(own_biases=1)),
        Misconception(
            "attention: you count the chapter's, with biases and four d × d matrices. Here there are no biases, and "
            "keys and values are shared.",
            counted(sharing=lambda n_heads, n_groups: 1, own_biases=1),
        ),
        Misconception(
            "feed-forward: each decoder block has one feed-forward network, not one for each of its attentions.",
            counted(feed_forwards=2),
        ),
        Misconception("feed-forward: the biases are missing.", counted(biases=lambda d, d_ff: 0)),
        Misconception(
            "feed-forward: the outer bias, of d numbers, is missing.", counted(biases=lambda d, d_ff: d_ff)
        ),
        Misconception(
            "feed-forward: the inner bias, of d_ff numbers, is missing.", counted(biases=lambda d, d_ff: d)
        ),
        Misconception(
            "feed-forward: the two biases have different widths, d_ff inside and d at the end.",
            counted(biases=lambda d, d_ff: 2 * d),
        ),
        Misconception("norms: here a norm has a gain and no offset, d numbers in all.", counted(gain=2)),
        Misconception("norms: the two at the ends of the stacks are missing.", counted(ends=0)),
        Misconception("norms: each of the two stacks has a norm at its end.", counted(ends=1)),
        Misconception("norms: a decoder block has three sublayers, hence three norms.", counted(norms=2)),
        Misconception("embeddings: the tables of positions are learned, too: count them.", counted(tables=0)),
        Misconception("embeddings: encoder and decoder have a table of positions each.", counted(tables=1)),
        Misconception(
            "embeddings: without tying there are three matrices: the source's, the target's, and the output's.",
            counted(matrices=2),
        ),
        *(
            Misconception(
                "embeddings: with tying there is one matrix for source, target and output; without it there are three. "
                "You do not look at `tied`.",
                lambda names, sizes, tied=tied: counted()(names, [*sizes[:-1], tied]),
            )
            for tied in (True, False)
        ),
        Misconception(
            "embeddings: with tying there is one matrix for source, target and output; without it there are three. "
            "You take `tied` the wrong way round.",
            lambda names, sizes: counted()(names, [*sizes[:-1], not sizes[-1]]),
        ),
        *_other_sizes(),
    ],
    tolerance=1e-9,
    describe=lambda names, sizes: f"count_parameters{tuple(sizes)}",
)

# ---- q5: four patients ----
# - Embed: token's row · √d + position's row; one sentence and several; one word; more, fewer and as many sentences as
#   words; d = 1; shorter sentences before; token 0 as any other, wherever it stands; both tables are trained, with
#   every row
# - Stack: n_blocks blocks (one, and more than ten, too) with weights of their own, also those of modules in them, found
#   by PyTorch, each reads what the one before returns; all are trained, and eval() of a model around reaches them
# - Sublayer: pre-norm; nothing is dropped after eval() of a model around, which reaches the part; in training each
#   number of the part's output alone, with probability p, anew each time and by itself, and what stays is multiplied
#   by 1 / (1 − p); all weights are trained, also where the part needs its output for its gradient, and after eval()
# - Ends: one parameter, which trains from both ends, every row, also after a move of a model around it; the table may
#   change between two calls; x with two axes and with three, one sentence, one word
# Like all modules here, they are decided in single precision.

ASK_Q5 = f"""{LOAD}
def entry_point(kind, sizes, weights, x):
    return globals_of_question[kind](sizes, weights, x)


def gradients(result, *tensors):
    # of a sum in which each number of the result has another weight; zeros where nothing arrives
    known = [tensor for tensor in tensors if tensor.requires_grad]
    if not known or not getattr(result, "requires_grad", False):
        return [torch.zeros_like(tensor) for tensor in tensors]
    loss = (result * (1.0 + torch.arange(result.numel()).reshape(result.shape))).sum()
    found = dict(zip(map(id, known), torch.autograd.grad(loss, known, allow_unused=True)))
    found = [found.get(id(tensor)) for tensor in tensors]
    return [torch.zeros_like(t) if g is None else g.to_dense() for t, g in zip(tensors, found)]


def rows_trained(gradient, rows):
    trained = [bool(gradient[row].abs().sum() > 0) for row in rows.unique()]
    return "every row" if all(trained) else "some rows" if any(trained) else "no row"


def embed(sizes, weights, ids):
    module = load(Embed(*sizes), weights)
    if ids.shape[1] > 4:
        earlier(module, ids[:, 1:])
    vectors = module(ids)
    tokens, positions = gradients(vectors, module.tokens.weight, module.positions.weight)
    return [vectors, rows_trained(tokens, ids), bool(positions.abs().sum() > 0)]


def stack(sizes, weights, x):
    n_blocks, d = sizes
    in_training = []

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(d, d)

        def forward(self, x):
            in_training.extend([self.training, self.linear.training])
            return self.linear(x)

    module = Stack(Block, n_blocks)
    own = list(module.parameters())
    if len(own) != 2 * n_blocks:
        return [len(own), None, None, None]
    with torch.no_grad():
        for parameter, values in zip(own, weights):
            parameter.copy_(values)
    result = module(x)
    trained = [bool(gradient.abs().sum() > 0) for gradient in gradients(result, *own)]
    nn.Sequential(module).eval()
    in_training.clear()
    module(x)
    return [len(own), result, trained, not any(in_training)]


def sublayer(sizes, weights, x):
    d, p = sizes
    part = nn.Sequential(nn.Linear(d, d), nn.Sigmoid())  # its gradient needs its output
    module = Sublayer(part, d, p)
    model = nn.Sequential(module).eval()
    norm = dict(module.named_parameters())
    if "norm.weight" not in norm or "norm.bias" not in norm:
        raise ValueError("your Sublayer has no nn.LayerNorm by the name of norm")
    own = [part[0].weight, part[0].bias, norm["norm.weight"], norm["norm.bias"]]
    with torch.no_grad():
        for parameter, values in zip(own, weights):
            parameter.copy_(values)
        words = x.clone()
        outputs = [module(given) for given in (words.clone(), words.clone(), x)]
        if not all(torch.equal(output, outputs[0]) for output in outputs):
            return [False, None, None, None]
        is_told = not any(inner.training for inner in part.modules())
        torch.manual_seed(0)
        model.train()
        is_told = is_told and all(inner.training for inner in part.modules())
        once, again = module(words.clone()), module(words.clone())
    given = words.clone().requires_grad_()
    try:
        trained = all(bool(g.abs().sum() > 0) for g in gradients(module(given * 1.0), *own, given))
        model.eval()
        gradients(module(given * 1.0), *own)
        model.train()
    except RuntimeError:
        trained = "backward() stops"
    is_found = {{id(parameter) for parameter in own}} <= {{id(parameter) for parameter in module.parameters()}}
    told = [True, outputs[0], None, [trained, (is_told or "not told") if is_found else False]]
    if torch.equal(once, words) and torch.equal(again, words):
        return [*told[:2], "everything", None]
    if torch.equal(once, again) and not torch.equal(once, outputs[0]):
        return [*told[:2], "the same each time", told[3]]
    share_of_update = (once - words) / (outputs[0] - words)
    factors = sorted(set((share_of_update * 1e3).round().flatten().tolist()))
    dropped = share_of_update == 0
    if len(factors) == 2 and factors[0] == 0:
        for axis, what in enumerate(["in all sentences", "in all words", "for all of a word"]):
            if bool((dropped == dropped.narrow(axis, 0, 1)).all()):
                return [*told[:2], "the same " + what, told[3]]
        if abs(dropped.double().mean().item() - p) > 0.15:
            return [*told[:2], "another share", told[3]]
        with torch.no_grad():  # what is dropped by chance is as many now and then, but not seven times more
            if all((module(words.clone()) == words).sum() == dropped.sum() for _ in range(7)):
                return [*told[:2], "as many each time", told[3]]
    return [*told[:2], [factor / 1e3 for factor in factors] if len(factors) < 3 else "many", told[3]]


def ends(sizes, weights, x):
    module = Ends(*sizes).eval()
    nn.Sequential(module).double().float()  # other numbers lie elsewhere, as after a move to another device
    size = sum(parameter.numel() for parameter in module.parameters())
    ids, vectors = x
    before = earlier(module.logits, vectors.clone())
    earlier(module.embed, ids.clone())
    with torch.no_grad():
        module.tokens.weight.copy_(weights)
    if size != weights.numel():
        return [size, None, None, None]
    given = vectors.clone().requires_grad_()
    embedded, logits = module.embed(ids), module.logits(given * 1.0)
    if torch.is_tensor(before) and torch.is_tensor(logits) and torch.equal(before, logits):
        return [size, embedded, "as before the table was changed", None]
    table = module.tokens.weight
    (by_embedding,), (by_output, by_input) = gradients(embedded, table), gradients(logits, table, given)
    every = torch.arange(len(table))
    trained = [rows_trained(by_output, every), rows_trained(by_embedding, ids), bool(by_input.abs().sum() > 0)]
    return [size, embedded, logits, trained]


globals_of_question = {{"embed": embed, "stack": stack, "sublayer": sublayer, "ends": ends}}
"""


def run_blocks(weights, x):
    """Run linear maps one after the other."""
    x = x.double()
    for number in range(0, len(weights), 2):
        x = F.linear(x, weights[number], weights[number + 1])
    return x


def healthy(kind, sizes, weights, x):
    """Return what the healthy one of four modules returns."""
    if kind == "embed":
        tokens, positions = weights["tokens.weight"], weights["positions.weight"]
        return [tokens[x] * math.sqrt(sizes[1]) + positions[: x.shape[1]], "every row", True]
    if kind == "stack":
        return [2 * sizes[0], run_blocks(weights, x), [True] * 2 * sizes[0], True]
    if kind == "sublayer":
        (d, p), x = sizes, x.double()
        update = torch.sigmoid(F.linear(F.layer_norm(x, (d,), *weights[2:]), *weights[:2]))
        return [True, x + update, [0.0, round(1 / (1 - p), 3)], [True, True]]
    ids, vectors = x
    return [weights.numel(), weights[ids], vectors.double() @ weights.T, ["every row", "every row", True]]


def _embed(combine, trained=("every row", True)):
    """Make an answer to the first patient from tokens' and positions' tables, and ids."""

    def answer(kind, sizes, weights, x):
        if kind != "embed":
            raise ValueError("another patient")
        vectors = combine(weights["tokens.weight"], weights["positions.weight"], x, math.sqrt(sizes[1]))
        return [vectors, *trained]

    return answer


def _for(kind_of, value):
    """Make an answer to one patient from the arguments and the healthy answer."""

    def answer(kind, sizes, weights, x):
        if kind != kind_of:
            raise ValueError("another patient")
        return value(sizes, weights, x, healthy(kind, sizes, weights, x))

    return answer


def _stacked(run, trained):
    """Make an answer to the second patient from what runs, and from which parameters are trained."""
    return _for(
        "stack", lambda sizes, weights, x, right: [right[0], run(weights, x), trained(len(weights)), True]
    )


def _dropped(what, trained=(True, True)):
    """Make an answer to the third patient from what happens in training, given p."""
    return _for("sublayer", lambda sizes, weights, x, right: [True, right[1], what(sizes[1]), [*trained]])


def _tied(*trained):
    """Make an answer to the fourth patient from which rows are trained, from the output and from the embedding."""
    return _for("ends", lambda sizes, weights, x, right: [*right[:3], [*trained, True]])


def _without_norm(weights, x):
    """Return what the third patient's part makes of x itself, added to x."""
    return x.double() + torch.sigmoid(F.linear(x.double(), *weights[:2]))


def embeddings(rng):
    """Yield tables of tokens and positions, and sentences, with token 0 at the ends and once between others."""
    for n_vocab, d, max_length, n, length in [
        (7, 4, 9, 3, 5),
        (5, 1, 8, 8, 2),
        (6, 2, 4, 1, 4),
        (7, 5, 6, 3, 3),
        (4, 3, 5, 2, 1),
    ]:
        weights = {"tokens.weight": normal(rng, n_vocab, d), "positions.weight": normal(rng, max_length, d)}
        ids = torch.tensor(rng.integers(1, n_vocab, (n, length)))
        ids[-1, max(1, length - 2) :] = ids[0, length // 2 : length // 2 + 1] = 0
        yield ["embed", [n_vocab, d, max_length], weights, ids]


def stacks(rng):
    """Yield the weights of some blocks."""
    for n_blocks, d in [(3, 4), (13, 2), (1, 3)]:
        turns = [
            torch.linalg.qr(normal(rng, d, d)).Q for _ in range(n_blocks)
        ]  # however many, no number fades
        weights = [values for turn in turns for values in (turn, normal(rng, d))]
        yield ["stack", [n_blocks, d], weights, normal(rng, 2, 4, d).float()]


def sublayers(rng):
    """Yield widths and dropout; what the part returns is never near 0."""
    for d, p in [(4, 0.9375), (6, 0.25)]:  # at ½ dropping and keeping are the same; tenths do not do
        weights = [torch.tensor(rng.uniform(-0.3, 0.3, (d, d))), normal(rng, d).clamp(-1, 1)]
        weights += [torch.tensor(rng.uniform(0.5, 2, d)), normal(rng, d).clamp(-1, 1)]
        yield ["sublayer", [d, p], weights, normal(rng, 3, 40, d).float()]


def both_ends(rng):
    """Yield one table for both ends, ids with token 0, and vectors of one axis more or of two axes."""
    for n_vocab, d, of_ids, of_vectors in [
        (7, 4, (2, 3), (2, 4)),
        (5, 3, (1, 2), (1, 3)),
        (6, 2, (3, 1), (3, 1)),
        (4, 5, (1, 1), (6,)),
    ]:
        ids = torch.tensor(rng.integers(1, n_vocab, of_ids))
        ids[-1, -1] = 0
        inputs = [ids, normal(rng, *of_vectors, d).float()]
        yield ["ends", [n_vocab, d], normal(rng, n_vocab, d), inputs]


Q5 = Question(
    "q5",
    ASK_Q5,
    healthy,
    [
        Part(
            "patient 1, Embed",
            1,
            embeddings,
            results=("The vectors", "Rows of tokens with a gradient", "Whether positions get a gradient"),
        ),
        Part(
            "patient 2, Stack",
            1,
            stacks,
            results=(
                "The number of parameters",
                "The output",
                "Whether each parameter gets a gradient",
                "Whether eval() reaches the blocks",
            ),
        ),
        Part(
            "patient 3, Sublayer",
            1,
            sublayers,
            results=(
                "Whether evaluation gives the same each time",
                "The output in evaluation",
                "The factors by which training multiplies the update",
                "Whether gradients arrive, and train() and eval()",
            ),
        ),
        Part(
            "patient 4, Ends",
            1,
            both_ends,
            results=(
                "The number of parameters",
                "What embed returns",
                "What logits returns",
                "The gradients of the table and of the input",
            ),
        ),
    ],
    [
        Misconception(
            "Embed: still sick. All words of a sentence get the same position, the sentence's number in the batch. "
            "Which axis of the ids counts positions?",
            _embed(lambda tokens, positions, x, root: tokens[x] * root + positions[: len(x), None]),
        ),
        Misconception(
            "Embed: the factor √d is lost. That was healthy: only the tokens' vectors are multiplied by it.",
            _embed(lambda tokens, positions, x, root: tokens[x] + positions[: x.shape[1]]),
        ),
        Misconception(
            "Embed: the factor √d belongs to the tokens' vectors alone, not to the positions.",
            _embed(lambda tokens, positions, x, root: (tokens[x] + positions[: x.shape[1]]) * root),
        ),
        Misconception(
            "Embed: your positions are those of the tokens' ids: the same word gets the same vector, wherever it "
            "stands.",
            _embed(lambda tokens, positions, x, root: tokens[x] * root + positions[x]),
        ),
        Misconception(
            "Embed: all words get the first position.",
            _embed(lambda tokens, positions, x, root: tokens[x] * root + positions[0]),
        ),
        Misconception(
            "Embed: positions count from 0; yours count from 1.",
            _embed(
                lambda tokens, positions, x, root: (
                    tokens[x] * root
                    + positions[torch.arange(1, x.shape[1] + 1).clamp(max=len(positions) - 1)]
                )
            ),
        ),
        Misconception(
            "Embed: the positions are left out.",
            _embed(lambda tokens, positions, x, root: tokens[x] * root, ("every row", False)),
        ),
        Misconception(
            "Embed: the positions' table is read, but training cannot change it. With .detach() or .data you get the "
            "numbers alone; use the parameter itself.",
            _for("embed", lambda sizes, weights, x, right: [right[0], "every row", False]),
        ),
        Misconception(
            "Embed: the tokens' table is read, but training cannot change it. With .detach() or .data you get the "
            "numbers alone; use the parameter itself.",
            _for("embed", lambda sizes, weights, x, right: [right[0], "no row", True]),
        ),
        Misconception(
            "Embed: training cannot change the row of token 0. In the patient it could: there was no padding_idx.",
            _for(
                "embed",
                lambda sizes, weights, x, right: [right[0], "some rows" if (x > 0).any() else "no row", True],
            ),
        ),
        Misconception(
            "Stack: still sick. There are the weights of one block alone, which are used several times: a list that "
            "is multiplied holds the same block again and again. Call make_block once for each.",
            _for(
                "stack",
                lambda sizes, weights, x, right: right if sizes[0] == 1 else [2, None, None, None],
            ),
        ),
        Misconception(
            "Stack: your module has no parameters. Those of blocks in a plain list are not found by PyTorch, and not "
            "trained: use nn.ModuleList.",
            _for("stack", lambda sizes, weights, x, right: [0, None, None, None]),
        ),
        Misconception(
            "Stack: the blocks run side by side, or only the last counts: each reads what the one before returns.",
            _stacked(
                lambda weights, x: run_blocks(weights[-2:], x), lambda n: [False] * (n - 2) + [True] * 2
            ),
        ),
        Misconception(
            "Stack: the last block does not run.",
            _stacked(
                lambda weights, x: run_blocks(weights[:-2], x), lambda n: [True] * (n - 2) + [False] * 2
            ),
        ),
        Misconception(
            "Stack: the first block does not run.",
            _stacked(lambda weights, x: run_blocks(weights[2:], x), lambda n: [False] * 2 + [True] * (n - 2)),
        ),
        Misconception(
            "Stack: the blocks run in the wrong order, the last block first.",
            _stacked(
                lambda weights, x: run_blocks(
                    [w for n in range(len(weights) - 2, -1, -2) for w in weights[n : n + 2]], x
                ),
                lambda n: [True] * n,
            ),
        ),
        Misconception(
            "Stack: training reaches the last block alone. What a block returns goes on to the next without .detach().",
            _stacked(run_blocks, lambda n: [False] * (n - 2) + [True] * 2),
        ),
        Misconception(
            "Stack: PyTorch finds the parameters, but not the blocks: eval() of a model does not reach them. Use "
            "nn.ModuleList.",
            _for("stack", lambda sizes, weights, x, right: [*right[:3], False]),
        ),
        Misconception(
            "Sublayer: still sick. After eval() it still drops something at random, each time something else.",
            _for("sublayer", lambda sizes, weights, x, right: [False, None, None, None]),
        ),
        Misconception(
            "Sublayer: the part reads x without the norm, which was healthy.",
            _for(
                "sublayer",
                lambda sizes, weights, x, right: [True, _without_norm(weights, x), right[2], [False, True]],
            ),
        ),
        Misconception(
            "Sublayer: now nothing is dropped in training, either. Dropout must be on in training, and off after "
            "eval().",
            _dropped(lambda p: [1.0]),
        ),
        Misconception(
            "Sublayer: in training your dropout reaches what it should not: only the part's output is dropped, and "
            "what stays is multiplied by 1 / (1 − p).",
            _dropped(lambda p: "many"),
        ),
        Misconception(
            "Sublayer: in training another share than p is dropped; p is the share that is dropped, not the share that "
            "stays.",
            _dropped(lambda p: "another share"),
            sometimes="Sublayer: with some p another share than p is dropped in training.",
        ),
        Misconception(
            "Sublayer: in training everything that the part returns is dropped. Only a share p of it should be.",
            _for("sublayer", lambda sizes, weights, x, right: [*right[:2], "everything", None]),
            sometimes="Sublayer: with some p everything that the part returns is dropped in training. Only a share p "
            "of it should be.",
        ),
        Misconception(
            "Sublayer: in training exactly as many numbers are dropped at each call. Each is dropped, or stays, by "
            "itself, with probability p, so that it is now more, now fewer.",
            _dropped(lambda p: "as many each time"),
        ),
        Misconception(
            "Sublayer: what stays in training must be multiplied by 1 / (1 − p), so that it is as large on average as "
            "after eval().",
            _dropped(lambda p: [0.0, 1.0]),
        ),
        Misconception(
            "Sublayer: what stays is multiplied by 1 / p; p is the share that is dropped, so that it is 1 / (1 − p).",
            _dropped(lambda p: [0.0, round(1 / p, 3)]),
        ),
        Misconception(
            "Sublayer: in training it drops the same entries at each call. What is dropped is to be drawn anew each "
            "time, as nn.Dropout does.",
            _dropped(lambda p: "the same each time"),
        ),
        Misconception(
            "Sublayer: in training whole words are dropped. Each number of what the part returns is dropped, or stays, "
            "by itself.",
            _dropped(lambda p: "the same for all of a word"),
        ),
        Misconception(
            "Sublayer: in training the same columns are dropped in all words. Each number of what the part returns is "
            "dropped, or stays, by itself.",
            _dropped(lambda p: "the same in all words"),
        ),
        Misconception(
            "Sublayer: in training the same numbers are dropped in all sentences. Each number of what the part returns "
            "is dropped, or stays, by itself.",
            _dropped(lambda p: "the same in all sentences"),
        ),
        Misconception(
            "Sublayer: backward() stops, in training or after eval(): something that its gradient needs is changed in "
            "place. Leave out inplace=True, and +=.",
            _for("sublayer", lambda sizes, weights, x, right: [*right[:3], ["backward() stops", True]]),
        ),
        Misconception(
            "Sublayer: PyTorch does not find the part in it, so that it is not trained: make it an attribute, as the "
            "patient did.",
            _for("sublayer", lambda sizes, weights, x, right: [*right[:3], [True, False]]),
        ),
        Misconception(
            "Sublayer: eval() and train() of a model around it do not reach the part in it, which may drop something, "
            "too. Your own eval() or train() must hand on what it is told.",
            _for("sublayer", lambda sizes, weights, x, right: [*right[:3], [True, "not told"]]),
        ),
        Misconception(
            "Ends: still sick. There are two tables, which are equal only at the beginning: training moves each its "
            "own way. Let the output use the very parameter that the embedding uses, not a copy of its numbers.",
            _for("ends", lambda sizes, weights, x, right: [2 * right[0], None, None, None]),
        ),
        Misconception(
            "Ends: the table was changed, as training does, and the logits stayed as they were. What is made from the "
            "table beforehand does not follow it: let logits() read the parameter itself at each call.",
            _for(
                "ends", lambda sizes, weights, x, right: [*right[:2], "as before the table was changed", None]
            ),
        ),
        Misconception(
            "Ends: the output reads the table, but training cannot change it from there. With .detach() or .data it "
            "gets the numbers alone; let it use the parameter itself.",
            _tied("no row", "every row"),
        ),
        Misconception(
            "Ends: the embedding reads the table, but training cannot change it from there. With .detach() or .data it "
            "gets the numbers alone; let it use the parameter itself.",
            _tied("every row", "no row"),
        ),
        Misconception(
            "Ends: training cannot change the table from either end. With .detach() or .data they get the numbers "
            "alone; let both use the parameter itself.",
            _tied("no row", "no row"),
        ),
        Misconception(
            "Ends: from the embedding, training cannot change the row of token 0. In the patient it could: there was "
            "no padding_idx.",
            _for(
                "ends",
                lambda sizes, weights, x, right: [
                    *right[:3],
                    ["every row", "some rows" if (x[0] > 0).any() else "no row", True],
                ],
            ),
        ),
    ],
    describe=lambda kind, sizes, _, x: (
        f"{kind.capitalize()} with the sizes {sizes}"
        + (", which has read shorter sentences before" if kind == "embed" and x.shape[1] > 4 else "")
    ),
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
