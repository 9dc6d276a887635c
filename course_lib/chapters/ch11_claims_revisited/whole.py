"""The whole model: claims 3, 4, 25, 17, 26, 19 and 20. A circumstance is an argument, so that another can be tried."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from course_lib import functional
from course_lib.chapters.ch04_self_attention.complexity import parameters
from course_lib.chapters.ch10_translation.runs import everything_allowed
from course_lib.chapters.ch11_claims_revisited import records
from course_lib.chapters.ch11_claims_revisited.claims import Found, control, fair, reading
from course_lib.chapters.ch11_claims_revisited.transfer import reuse
from course_lib.chapters.fit import seeded
from course_lib.model import EncoderBlock, Parts, Sublayer, Transformer, TransformerConfig

# ---- 3 ----


def one_position_alone(kernel_size: int = 1, seeds: Sequence[int] = range(5)) -> Found:
    """Claim 3: does a feed-forward network change one row only, where one row of its input is changed?

    Parameters
    ----------
    kernel_size : int
        The network is two convolutions: with a kernel of 1, the network of the Transformer; with an odd one above 1, a
        network that sees its neighbours.
    seeds : sequence of int
        For the weights and the input.

    Returns
    -------
    Found
        Number: `rows`, how many of the 8 rows move at most.

    Raises
    ------
    ValueError
        If the kernel size is not odd and positive.

    Examples
    --------
    >>> one_position_alone().verdict, one_position_alone(kernel_size=3).verdict
    ('holds', 'does not hold')
    """
    if kernel_size < 1 or kernel_size % 2 == 0:
        raise ValueError(f"kernel_size is {kernel_size}: expected an odd number, 1 or more")
    L, d, d_ff = 8, 8, 32
    alone: dict[str, list[bool]] = {"first": [], "fourth": [], "last": []}
    rows = 0
    for seed in seeds:
        with seeded(seed), torch.no_grad():
            inner = nn.Conv1d(d, d_ff, kernel_size, padding="same").double()
            outer = nn.Conv1d(d_ff, d, kernel_size, padding="same").double()
            x = torch.randn(1, d, L, dtype=torch.float64)
            for name, j in zip(alone, (0, 3, L - 1), strict=True):
                other = x.clone()
                other[..., j] += 1
                moved = outer(inner(x).relu()) != outer(inner(other).relu())  # (1, d, L)
                changed = moved[0].any(dim=0).nonzero().flatten().tolist()
                alone[name].append(changed == [j])
                rows = max(rows, len(changed))
    cases = [fair(f"the {name} word of eight is changed", each) for name, each in alone.items()]
    return Found(cases, {"rows": float(rows)})


# ---- 4 ----


def calls(layer: nn.Module, *inputs: Tensor) -> list[str]:
    """Run one of PyTorch's Transformer layers, and list its attentions and feed-forward networks as they are called.

    Examples
    --------
    >>> calls(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), torch.zeros(1, 3, 8))
    ['attention', 'feed-forward']
    """
    found: list[str] = []
    hooks = []
    for name, module in layer.named_modules():
        kind = "attention" if isinstance(module, nn.MultiheadAttention) else "feed-forward"
        if kind == "attention" or name.endswith("linear1"):
            hooks.append(module.register_forward_pre_hook(lambda m, i, kind=kind: found.append(kind)))
    layer(*inputs)
    for hook in hooks:
        hook.remove()
    return found


def followed(decoder_only: bool = False) -> Found:
    """Claim 4: in PyTorch's layers, does a feed-forward network follow each attention?

    Parameters
    ----------
    decoder_only : bool
        Whether the decoder is one without an encoder, as in GPT: an encoder's layer under a causal mask.

    Returns
    -------
    Found
        Numbers, of the decoder's layer: `attentions`, `networks`; and the spread of the rows after 8 untrained blocks,
        relative to their size, with residual connections, `spread`, and without, `spread_bare`.

    Examples
    --------
    >>> followed().verdict, followed(decoder_only=True).verdict
    ('holds when', 'holds')
    """
    x = torch.zeros(1, 5, 8)
    encoder = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    decoder = nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    in_encoder = calls(encoder, x)
    in_decoder = in_encoder if decoder_only else calls(decoder, x, torch.zeros(1, 7, 8))

    def each(listed: list[str]) -> bool:
        pairs = zip(listed, [*listed[1:], ""], strict=True)
        return all(after == "feed-forward" for before, after in pairs if before == "attention")

    name = "a decoder without an encoder, as GPT" if decoder_only else "the decoder of a translator"
    cases = [fair("the layer is an encoder’s", each(in_encoder)), fair(f"it is of {name}", each(in_decoder))]
    numbers = {
        "attentions": in_decoder.count("attention"),
        "networks": in_decoder.count("feed-forward"),
        "spread": spread(Parts()),
        "spread_bare": spread(Parts(sublayer=NoResidual)),
    }
    return Found(cases, {key: float(x) for key, x in numbers.items()})


class NoResidual(Sublayer):
    """A sub-layer without a residual connection."""

    def add(self, x: Tensor, y: Tensor) -> Tensor:
        """Return y alone."""
        return y


@torch.no_grad()
def spread(parts: Parts, n_blocks: int = 8, seeds: Sequence[int] = range(5)) -> float:
    """Return how different the rows still are after some untrained blocks: ‖rows − their mean‖ / ‖rows‖, the median.

    >>> 0 < spread(Parts(), n_blocks=1, seeds=[0]) < 1
    True
    """
    found = []
    for seed in seeds:
        with seeded(seed):
            stack = [EncoderBlock(32, 2, 128, parts=parts).double() for _ in range(n_blocks)]
            x = torch.randn(1, 9, 32, dtype=torch.float64)
        for block in stack:
            x, _ = block(x)
        found.append(float((x - x.mean(dim=1, keepdim=True)).norm() / x.norm()))
    return sorted(found)[len(found) // 2]


# ---- 25 ----


def solely_attention(feed_forward: bool = True) -> Found:
    """Claim 25: is a Transformer based solely on attention? PyTorch's layers, in the paper's size.

    Parameters
    ----------
    feed_forward : bool
        Whether the layers have a feed-forward network.

    Returns
    -------
    Found
        Numbers: `share_encoder`, `share_decoder`, the share of attention in the parameters of a layer;
        `with_attention`, `without_attention`, the largest derivative of one word's output with respect to another word.

    Examples
    --------
    >>> solely_attention().verdict, solely_attention(feed_forward=False).verdict
    ('holds when', 'holds')
    """
    options: dict[str, Any] = {"dropout": 0.0, "batch_first": True}
    share = {}
    for name, layer in {
        "encoder": nn.TransformerEncoderLayer(512, 8, 2048, **options),
        "decoder": nn.TransformerDecoderLayer(512, 8, 2048, **options),
    }.items():
        sizes = {part: parameters(module) for part, module in layer.named_children()}
        of_attention = sum(size for part, size in sizes.items() if part.endswith("attn"))
        networks = sum(size for part, size in sizes.items() if part.startswith("linear"))
        share[name] = of_attention / (sum(sizes.values()) - (0 if feed_forward else networks))
    influence = [_influence(attention, feed_forward) for attention in (True, False)]
    cases = [
        fair("one asks what carries anything from word to word", influence[1] == 0 < influence[0]),
        reading("one counts the parameters of an encoder’s layer: 95 % at least", share["encoder"] > 0.95),
        reading("one counts those of a decoder’s layer", share["decoder"] > 0.95),
    ]
    numbers = {f"share_{name}": x for name, x in share.items()}
    return Found(cases, numbers | {"with_attention": influence[0], "without_attention": influence[1]})


def _influence(attention: bool, feed_forward: bool) -> float:
    """Return the largest derivative of the first word's output with respect to the other words."""
    with seeded(25):
        layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True).double()
        x = torch.randn(1, 5, 16, dtype=torch.float64).requires_grad_()
    off = [
        *([] if attention else layer.self_attn.out_proj.parameters()),
        *([] if feed_forward else layer.linear2.parameters()),
    ]
    with torch.no_grad():
        for parameter in off:
            parameter.zero_()
    (gradient,) = torch.autograd.grad(layer(x)[0, 0, 0], x)
    return float(gradient[0, 1:].abs().max())


# ---- 17 ----


def hides_the_answer(step: int = 0, residual: bool = True) -> Found:
    """Claim 17: with the triangular mask, can a position see the word that it has to name?

    Parameters
    ----------
    step : int
        How many words more than 1 … i the mask allows to word i; −1 forbids its own.
    residual : bool
        Whether the block has residual connections.

    Returns
    -------
    Found
        Numbers: the largest derivative of the output of a position with respect to the word after it, `next`, and with
        respect to the word that it reads, `own`.

    Examples
    --------
    >>> hides_the_answer().verdict, hides_the_answer(step=1).verdict
    ('holds when', 'does not hold')
    """
    with seeded(17):
        parts = Parts() if residual else Parts(sublayer=NoResidual)
        block = EncoderBlock(16, 2, 32, parts=parts).double()
        x = torch.randn(1, 6, 16, dtype=torch.float64).requires_grad_()
    mask = torch.ones(6, 6, dtype=torch.bool).tril(step)
    y, _ = block(x, mask)
    # Not the sum over the row: after a LayerNorm that can be constant.
    gradients = [torch.autograd.grad(y[0, i, 0], x, retain_graph=True)[0][0].abs() for i in range(6)]
    following = [float(gradients[i][i + 1].max()) for i in range(5)]
    own = [float(gradients[i][i].max()) for i in range(6)]
    cases = [
        fair("position i reads word i and names word i + 1 (the right shift)", [g == 0 for g in following]),
        fair("position i names the word that it reads", [g == 0 for g in own]),
    ]
    return Found(cases, {"next": max(following), "own": max(own)})


# ---- 26 ----


def looks_back(mask: bool = True) -> Found:
    """Claim 26: does the decoder attend to previous words of the output only?

    Position i reads word i and writes word i + 1 (the right shift).

    Parameters
    ----------
    mask : bool
        Whether the decoder has its causal mask.

    Returns
    -------
    Found
        Numbers: `later`, the largest weight on a later word of the output; `own`, the largest on the word that a
        position reads, the first position aside; `source`, the smallest on a word of the source.

    Examples
    --------
    >>> looks_back().verdict, looks_back(mask=False).verdict
    ('holds when', 'does not hold')
    """
    config = TransformerConfig(20, 20, d_model=16, n_heads=2, d_ff=32, dropout=0.0)
    with seeded(26):
        model = Transformer(config, Parts() if mask else Parts(target_mask=everything_allowed)).eval()
    with torch.no_grad():
        maps = model.attention_maps(torch.tensor([[4, 5, 6, 7]]), torch.tensor([[1, 8, 9, 10, 11]]))
    output, source = torch.stack(maps.decoder), torch.stack(maps.cross)  # (layers, B, H, 5, 5 or 4)
    later = float(output[..., ~torch.from_numpy(functional.causal_mask(5))].max())
    own = float(output.diagonal(dim1=-2, dim2=-1)[..., 1:].max())
    seen = float(source.min())
    cases = [
        fair("the position that writes the word is meant: it reads none from that word on", later == 0),
        fair(
            "the position that reads the word is meant: it attends to words before its own only",
            later == own == 0,
        ),
        control("no word is read early, in output or source", later == 0 and seen == 0),
    ]
    return Found(cases, {"later": later, "own": own, "source": seen})


# ---- 19 ----


def one_size_only(pooled: bool = False) -> Found:
    """Claim 19: do networks of convolutions, built for 5 words, refuse 50?

    Parameters
    ----------
    pooled : bool
        Whether the network that ends in a dense layer averages over the words before it, instead of flattening them.

    Returns
    -------
    Found
        Number: `refusing`, how many of the three refuse.

    Examples
    --------
    >>> one_size_only().verdict, one_size_only(pooled=True).verdict
    ('holds when', 'does not hold')
    """
    pool = nn.Sequential(nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(8, 3))
    flat = nn.Sequential(nn.Flatten(), nn.Linear(8 * 5, 3))
    ends = {
        "a dense layer reads all positions, as in VGG": pool if pooled else flat,
        "an average stands before the dense layer": pool,
        "there are convolutions and nothing else": nn.Conv1d(8, 3, 1),
    }
    cases = []
    for name, end in ends.items():
        network = nn.Sequential(nn.Conv1d(4, 8, 5, padding=2), nn.ReLU(), end)
        network(torch.zeros(1, 4, 5))  # what it was built for
        cases.append(fair(name, _refuses(network, torch.zeros(1, 4, 50))))
    return Found(cases, {"refusing": float(sum(case.true for case in cases))})


def _refuses(network: nn.Module, x: Tensor) -> bool:
    try:
        network(x)
    except RuntimeError:
        return True
    return False


# ---- 20 ----


def compact(trained: bool = True, results: Path = records.RESULTS) -> Found:
    """Claim 20: is the encoder's output compact, and of use for other tasks, as VGG's vector is?

    Parameters
    ----------
    trained : bool
        Whether the encoder that is reused has been trained to translate.
    results : Path
        Where the records and the trained translator are.

    Returns
    -------
    Found
        Numbers: `size_4`, `size_16`, how many numbers it gives for so many words; `pooled`, `whole` as in
        `records.one_vector`; `probe_encoder`, `probe_untrained`, `probe_embeddings`, means of `transfer.reuse`.

    Examples
    --------
    >>> compact(trained=False).verdict
    'does not hold'
    """
    config = TransformerConfig(20, 20, d_model=16, n_heads=2, d_ff=32)
    with seeded(20), torch.no_grad():
        sizes = {L: Transformer(config).eval().encode(torch.full((1, L), 5)).numel() for L in (4, 16)}
    translated = records.one_vector(results)
    shares = reuse(trained, results)
    cases = [
        fair("compact means: as many numbers for each sentence", sizes[4] == sizes[16]),
        reading("compact means: one vector is enough", translated["pooled"] > translated["whole"] - 0.05),
        fair(
            "it can be reused: frozen, it tells a probe what an untrained one does not",
            [
                ours > theirs + 0.1
                for ours, theirs in zip(shares["encoder"], shares["untrained"], strict=True)
            ],
        ),
    ]
    numbers = {"size_4": float(sizes[4]), "size_16": float(sizes[16]), **translated}
    numbers |= {f"probe_{name}": sum(each) / len(each) for name, each in shares.items()}
    return Found(cases, numbers)
