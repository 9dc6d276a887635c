"""The answers on chapters 07 to 14, computed in another way than the questions do: numbers, orders, choices.

Each foreseen wrong answer, put in the place of the right one, must fail here.
"""

import json
import math
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from statistics import median

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from course_lib.chapters.ch07_feed_forward import depth
from course_lib.chapters.ch11_claims_revisited import cost, order, records
from course_lib.chapters.ch11_claims_revisited.claims import Found, control, fair, reading
from course_lib.chapters.ch12_to_today.switches import QKNorm, RMSNorm, SwiGLU, cache_bytes
from course_lib.chapters.ch13_fast import speculation
from course_lib.chapters.ch13_fast.tiles import in_tiles, running_sums
from course_lib.chapters.facts import PRINTED
from course_lib.exercises.recall import Question, load
from course_lib.exercises.recall.bank import HERE, is_near
from course_lib.functional import attention, causal_mask, softmax, window_mask
from course_lib.model import DecoderBlock, EncoderBlock, FeedForward, MultiHeadAttention
from course_lib.model.attention import attention as torch_attention
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.batches import BucketedBatches, encode_pairs
from course_lib.text.readers import read_corpus
from course_lib.text.tokenisers import WordTokeniser

ROOT = Path(__file__).resolve().parents[3]
QUESTIONS = {name: question for name, question in load().questions.items() if question.chapter >= 7}
RNG = np.random.default_rng(0)


@cache
def printed(chapter: int) -> dict[str, float]:
    """The numbers that a chapter's notebook has printed, by their names."""
    [path] = (ROOT / "notebooks").glob(f"{chapter:02}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    texts = ["".join(o.get("text") or o.get("data", {}).get("text/plain", [])) for o in outputs]
    return {name: float(number) for name, number in PRINTED.findall("\n".join(texts))}


def n_weights(*modules: nn.Module, biases: bool = True) -> int:
    parameters = [named for module in modules for named in module.named_parameters()]
    return sum(p.numel() for name, p in parameters if biases or (not name.endswith("bias") and p.dim() == 2))


# ---- numbers ----


def most_right_by_a_sum() -> int:
    """Not happy and very sad below 0, not sad and very happy above, with a number for each word: tried out."""
    first, second = RNG.normal(size=(2, 100_000, 2))  # not, very; happy, sad
    moods = (first[:, :, None] + second[:, None, :]).reshape(-1, 4)
    assert np.allclose(np.add.outer([1, 3], [-2, -5]), [[-1, -4], [1, -2]]), "the feedback's example"
    return int((np.sign(moods) == [-1, 1, 1, -1]).sum(axis=1).max())


def two_hidden_units(m: float, n: float) -> float:
    network = nn.Linear(2, 2, bias=False), nn.Linear(2, 1, bias=False)
    for layer, weights in zip(network, ([[1.0, 0.0], [1.0, -1.0]], [[1.0, -1.0]]), strict=True):
        layer.weight.data = torch.tensor(weights)
    return network[1](torch.relu(network[0](torch.tensor([m, n], dtype=torch.float32)))).item()


def first_beside_last(n: int) -> float:
    one = np.tril(np.ones((n, n)))
    one /= one.sum(axis=1, keepdims=True)
    return float((one @ one)[-1, 0] / (one @ one)[-1, -1])


def at_temperature(probabilities: list[float], temperature: float) -> float:
    return float(softmax(np.log(probabilities) / temperature)[0])


def reach_of_windows(n_layers: int, window: int) -> int:
    seen = np.linalg.matrix_power(window_mask(40, window, causal=True).astype(int), n_layers)[-1]
    return 39 - int(np.flatnonzero(seen)[0])


def length_at_which(less: Callable[[int], int], more: Callable[[int], int]) -> int:
    """The first length at which both are equal."""
    return next(length for length in range(1, 10_000) if more(length) >= less(length))


def best_smoothed_probability() -> float:
    """What a model says best when one word in 1,000 is wanted and a tenth is spread: tried out."""
    shares = torch.linspace(0.05, 0.995, 190)[:, None]
    logits = torch.cat([shares, ((1 - shares) / 999).expand(-1, 999)], dim=1).log()
    right = torch.zeros(len(shares), dtype=torch.long)
    losses = F.cross_entropy(logits, right, label_smoothing=0.1, reduction="none")
    return shares[losses.argmin()].item()


def right_of_a_text(known: int, length: int, n_words: int) -> float:
    """Each word that is guessed counts for its chance."""
    return 100 * float(np.mean([1.0 if i < known else 1 / n_words for i in range(length)]))


def width_of_the_gate() -> int:
    gated = SwiGLU(30, 120)
    assert n_weights(gated, biases=False) == n_weights(FeedForward(30, 120), biases=False)
    return gated.W_1.out_features


def running_sum(scores: list[float]) -> float:
    return in_tiles(scores, [[0.0]] * len(scores), tile=1)[-1].total


def linear_attention_keeps(width: int, length: int) -> int:
    S, z = np.zeros((width, width)), np.zeros(width)
    for k, v in RNG.normal(size=(length, 2, width)) ** 2:
        S, z = S + np.outer(k, v), z + k
    return S.size + z.size


def tokens_of_the_first_pass() -> int:
    a, b, c, d, e, x = range(10, 16)
    own = [a, b, c, d, e, EOS_ID]

    def model(source: object, ids: torch.Tensor) -> torch.Tensor:
        return F.one_hot(torch.tensor([[own[min(i, 5)] for i in range(ids.shape[1])]]), 16).float()

    def draft(ids: list[int], k: int) -> list[int]:
        return [a, b, x, d] if ids == [BOS_ID] else [x] * k

    written, passes = speculation.speculate(model, None, draft, k=4)  # type: ignore[arg-type]
    assert written == own[:-1]
    return passes[0].n_kept + 1


def followed_at(words: list[str]) -> int:
    """Where the word stands that came after the last one's earlier self."""
    return next(i for i in range(1, len(words)) if words[i - 1] == words[-1])


def moved_on(at_first: float, wanted: float, now: float) -> float:
    return 100 * float(np.interp(now, [at_first, wanted], [0, 1]))


NUMBERS: dict[str, Callable[[], float]] = {
    "ch07-three-of-four": most_right_by_a_sum,
    "ch07-corner": lambda: two_hidden_units(3, 5),
    "ch07-parameters": lambda: n_weights(FeedForward(10, 40)),
    "ch08-by-hand": lambda: 100 * float(softmax(np.where([1, 1, 0, 0], np.log([2.0, 3, 1, 4]), -np.inf))[0]),
    "ch08-first-counts-more": lambda: first_beside_last(2),
    "ch08-temperature": lambda: 100 * at_temperature([0.75, 0.25], 0.5),
    "ch08-positions-computed": lambda: sum(len(range(n)) for n in range(1, 11)),
    "ch08-window": lambda: reach_of_windows(4, 3),
    "ch09-attention-parameters": lambda: n_weights(MultiHeadAttention(4, 2)),
    "ch09-half": lambda: (
        100 * n_weights(FeedForward(8, 32), biases=False) / n_weights(DecoderBlock(8, 2, 32), biases=False)
    ),
    "ch09-when-the-square-leads": lambda: length_at_which(
        lambda length: cost.multiply_adds(length, 100)[0] + 8 * length * 100**2,
        lambda length: cost.multiply_adds(length, 100)[1],
    ),
    "ch10-share-of-padding": lambda: (
        100 * (nn.utils.rnn.pad_sequence([torch.ones(n) for n in (2, 4, 4, 6)]) == 0).float().mean().item()
    ),
    "ch10-first-loss": lambda: F.cross_entropy(torch.zeros(1, 1000), torch.tensor([7])).item(),
    "ch10-spacing": lambda: 12 / max(range(19)),
    "ch11-first-ten": lambda: right_of_a_text(10, 40, 5),
    "ch11-a-third": lambda: 100 * cost.multiply_adds(64, 64)[1] / sum(cost.multiply_adds(64, 64)),
    "ch11-which-it-sees": lambda: int(causal_mask(4)[["<s>", "Je", "t’", "aime"].index("t’")].sum()),
    "ch12-perplexity": lambda: math.exp(np.mean(-np.log([1 / 2, 1 / 8]))),
    "ch12-rms-by-hand": lambda: RMSNorm(4)(torch.tensor([0.0, 0, 0, 8]))[-1].item(),
    "ch12-width-of-the-gate": width_of_the_gate,
    "ch12-cache-bytes": lambda: cache_bytes(n_layers=2, n_kv_heads=2, d_k=16, bytes_each=4),
    "ch12-bounded-score": lambda: RMSNorm(16)(torch.randn(16)).square().sum().item() / math.sqrt(16),
    "ch13-rows-to-break-even": lambda: next(rows for rows in range(1, 999) if rows * 2 >= 2 * 200),
    "ch13-low-rank-size": lambda: np.zeros((2, 8, 64)).size / np.zeros(128).size,
    "ch13-running-sum": lambda: running_sum([math.log(2), math.log(6)]),
    "ch13-size-of-the-state": lambda: linear_attention_keeps(8, 1000),
    "ch13-tokens-of-a-pass": tokens_of_the_first_pass,
    "ch14-share-of-the-way": lambda: moved_on(-4, 6, 1),
    "ch14-copying": lambda: followed_at(["sun", "tree", "dog", "fish", "sun", "tree"]),
}


def test_every_number_that_is_asked_for_is_computed_here() -> None:
    assert set(NUMBERS) == {name for name, question in QUESTIONS.items() if question.kind == "number"}


# ---- orders: by what are the lines put in order, the smallest first? ----


def steps_of_a_decoder_block() -> dict[str, float]:
    """When each part of a block is called; the output matrix comes behind all blocks."""
    block, called = DecoderBlock(8, 2, 16).eval(), list[str]()
    lines = {
        block.self_attention: "each French position reads the F",
        block.cross_attention: "each French position reads the E",
        block.feed_forward: "a network",
    }
    for part, line in lines.items():
        part.register_forward_hook(lambda *_, line=line: called.append(line))
    block(torch.randn(1, 3, 8), torch.randn(1, 4, 8))
    return {line: 1.0 + n for n, line in enumerate([*called, "a matrix"])}


def steps_of_a_pre_norm_block() -> dict[str, float]:
    """When each part is called, and what it is given: the sum is there before the second norm reads it."""
    block, called, given = EncoderBlock(8, 2, 16, norm="pre").eval(), list[str](), list[torch.Tensor]()
    names = {nn.LayerNorm: "a norm", MultiHeadAttention: "attention", FeedForward: "the feed-forward"}
    outputs: dict[str, torch.Tensor] = {}
    for part in block.modules():
        if type(part) in names:

            def called_now(part: nn.Module, inputs: tuple[torch.Tensor, ...], output: object) -> None:
                called.append(names[type(part)])
                given.append(inputs[0])
                outputs[called[-1]] = output[0] if isinstance(output, tuple) else output  # type: ignore[assignment]

            part.register_forward_hook(called_now)
    x = torch.randn(1, 3, 8)
    block(x)
    assert called == ["a norm", "attention", "a norm", "the feed-forward"]
    assert torch.equal(given[0], x)
    assert torch.allclose(given[2], x + outputs["attention"]), "the second norm reads the sum"
    lines = [
        "a norm is applied to a copy of x",
        "attention",
        "what attention gives",
        "a norm is applied to a copy of the",
    ]
    return {line: 1.0 + n for n, line in enumerate([*lines, "the feed-forward"])}


def residual_left() -> list[float]:
    stacks = [
        depth.spread_by_layer(8, length=9, n_seeds=3, norm="post", residual=share) for share in (0, 0.5, 1.0)
    ]
    return [median(stack[:, -1]) for stack in stacks]


def kept_numbers() -> dict[str, float]:
    heads, width, length = 8, 16, 10_000
    return {
        "own keys": heads * length * 2 * width,
        "one head": length * 2 * width,
        "a window": heads * 100 * 2 * width,
        "linear": heads * linear_attention_keeps(width, 3),
    }


def share_of_the_square(length: int, d: int) -> float:
    linear, square = cost.multiply_adds(length, d)
    return square / (linear + square)


# Question → each line's first words, and the number by which it is put in order.
ORDERS: dict[str, Callable[[], dict[str, float]]] = {
    "ch07-how-much-residual": lambda: dict(
        zip(
            ["each sublayer gives f", "each sublayer gives 0.5", "each sublayer gives x"],
            residual_left(),
            strict=True,
        )
    ),
    "ch08-losses": lambda: {
        "of a model without the right shift": printed(8)["no_shift_held_out"],
        "of a model without the mask": printed(8)["no_mask_held_out"],
        "the lowest": printed(8)["held_out_floor"],
        "of a model with mask and shift": printed(8)["mask_held_out"],
    },
    "ch09-decoder-block": steps_of_a_decoder_block,
    "ch10-left-out": lambda: {
        "the decoder sees only the average": printed(10)["transformer_pooled_memory_test"],
        "no positions": printed(10)["transformer_no_positions_test"],
        "one wide head": printed(10)["transformer_one_head_test"],
        "nothing": printed(10)["transformer_test"],
    },
    "ch11-share-of-the-square": lambda: {
        f"{length:,} words, width {d:,}": share_of_the_square(length, d)
        for length, d in [(100_000, 4096), (1000, 512), (100, 512), (100, 4096)]
    },
    "ch12-pre-norm-block": steps_of_a_pre_norm_block,
    "ch13-how-much-is-kept": kept_numbers,
    "ch14-where-it-holds": lambda: {
        "another head": printed(14)["next"],
        "the head that was found, article at the start": printed(14)["start"],
        "the head that was found, article inside": printed(14)["flips"],
        "this head and two": printed(14)["three"],
    },
}


def test_every_order_that_is_asked_for_is_computed_here() -> None:
    assert set(ORDERS) == {name for name, question in QUESTIONS.items() if question.kind == "order"}


# ---- choices: with what words does the right one begin, if one computes it? ----


def mood_of_an_average() -> str:
    moods = softmax(RNG.normal(scale=20, size=(100_000, 2))) @ [1.0, 0.0]
    return "Yes" if moods.min() < 0 else "No"


def where_attention_is_linear() -> str:
    Q, K, V, A, B = RNG.normal(size=(5, 6, 4))
    weights = attention(Q, K, V)[1]
    ways: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "In the values": lambda x: weights @ x,
        "In the vectors of the words": lambda x: attention(x, x, x)[0],
        "In the queries": lambda x: attention(x, K, V)[0],
    }
    [found] = [way for way, f in ways.items() if np.allclose(f(A + B), f(A) + f(B))]
    return found


def without_the_max() -> str:
    """Fixed query: e^s (v·u + b) of both words, over a positive sum; behind it any matrix, and no corner."""
    best = 0
    for _ in range(200):
        vectors, scores = RNG.normal(size=(4, 3)), RNG.normal(size=4)
        M = np.eye(3) + RNG.normal(size=(3, 128)) @ RNG.normal(size=(128, 3))
        outputs = np.array(
            [softmax(scores[[i, j]]) @ vectors[[i, j]] for i, j in [(0, 2), (1, 3), (0, 3), (1, 2)]]
        )
        for u, b in zip(RNG.normal(size=(50, 3)), RNG.normal(size=50), strict=True):
            best = max(best, int((np.sign(outputs @ M @ u + b) == [-1, -1, 1, 1]).sum()))
    return "Nothing" if best == 3 else "It reads all four"


def whose_output_changes() -> str:
    layer, x = FeedForward(8, 32), torch.randn(1, 8, 8)
    moved = x.clone()
    moved[0, 3] += 0.1
    changed = (layer(moved) != layer(x)).any(dim=-1)[0].nonzero().flatten().tolist()
    return {(3,): "Only the one", (2, 3, 4): "Those of the word and its two"}.get(
        tuple(changed), "Those of all"
    )


def what_a_late_mask_tells() -> str:
    scores = np.array([0.0, 1.0, 2.0])
    values = RNG.normal(size=(3, 2))
    kept = [softmax([*scores[:2], last])[:2] for last in (0.0, 3.0)]
    tells_the_score = not np.allclose(*kept)
    others = values + np.array([[0, 0], [0, 0], [9, 9]])
    late = np.array([1, 1, 0])  # the mask, after the softmax
    value_moves = not np.allclose((softmax(scores) * late) @ values, (softmax(scores) * late) @ others)
    return "A share of its value" if value_moves else "How large" if tells_the_score else "Nothing"


def masked_blocks(x: torch.Tensor, mask: torch.Tensor | None, n: int = 12) -> list[torch.Tensor]:
    torch.manual_seed(1)
    outputs = []
    for _ in range(n):
        x = EncoderBlock(8, 2, 16).eval()(x, mask)[0]
        outputs.append(x)
    return outputs


def through_twelve_layers() -> str:
    x = torch.randn(1, 5, 8)
    other = torch.cat([x[:, :4], torch.randn(1, 1, 8)], dim=1)
    mask = torch.tril(torch.ones(5, 5)).bool()
    same = all(
        torch.equal(a[:, :4], b[:, :4])
        for a, b in zip(masked_blocks(x, mask), masked_blocks(other, mask), strict=True)
    )
    assert not torch.allclose(masked_blocks(x, None)[0][:, :4], masked_blocks(other, None)[0][:, :4])
    return "They stay exactly" if same else "They change"


def who_notices_padding() -> str:
    x = torch.randn(1, 4, 8)
    padded = torch.cat([x, torch.randn(1, 2, 8)], dim=1)
    mask = torch.tril(torch.ones(6, 6)).bool()
    with_mask = torch.allclose(
        masked_blocks(x, mask[:4, :4])[-1], masked_blocks(padded, mask)[-1][:, :4], atol=1e-5
    )
    without = torch.allclose(masked_blocks(x, None)[-1], masked_blocks(padded, None)[-1][:, :4], atol=1e-5)
    notice = (not with_mask, not without)
    return {
        (False, True): "Those of a network without",
        (True, False): "Those of a network with a",
        (False, False): "Nobody’s",
    }[notice]


def all_forbidden() -> str:
    weights = softmax([-10_000.0] * 5)
    assert np.isnan(torch.full((5,), -torch.inf).softmax(dim=0).numpy()).all(), "with −∞"
    return "They are all equal" if np.allclose(weights, 0.2) else "They are all 0"


def shape_of_cross_attention() -> str:
    return str(attention(np.ones((8, 4)), np.ones((7, 4)), np.ones((7, 4)))[1].shape)


def five_hundred_words() -> str:
    block = EncoderBlock(8, 2, 16)
    fits = block(torch.randn(1, 5, 8))[0].shape == (1, 5, 8) and block(torch.randn(1, 500, 8))[0].shape == (
        1,
        500,
        8,
    )
    longer = printed(10)["transformer_longer"] < printed(10)["transformer_test"] / 2
    return "It runs, and may well be wrong" if fits and longer else "It stops"


def blocks_that_continue() -> str:
    """An encoder block sees the next word without a mask, and does not with one; it has no second stack to ask."""
    x = torch.randn(1, 5, 8, requires_grad=True)
    sees = []
    for mask in (None, torch.tril(torch.ones(5, 5)).bool()):
        [gradient] = torch.autograd.grad(masked_blocks(x, mask, 2)[-1][0, 2].square().sum(), x)
        sees.append(bool(gradient[0, 3].abs().sum() > 0))
    return {(True, False): "A causal mask, and", (False, False): "An output matrix, and no"}[tuple(sees)]  # type: ignore[index]


def a_leak_without_training() -> str:
    return "Before any training" if blocks_that_continue().startswith("A causal") else "After"


def what_the_decoder_reads() -> str:
    pairs = read_corpus(None, "val")[:60]
    words = WordTokeniser.train([line for pair in pairs for line in pair])
    for batch in BucketedBatches(encode_pairs(pairs, words, words)[0], n_tokens=300).epoch(0):
        real = batch.target_in[:, 1:] != PAD_ID
        if not torch.equal(batch.target_in[:, 1:][real], batch.target_out[:, :-1][real]):
            return "Its own"
    return "The right word"


def under_label_smoothing() -> str:
    return f"About {best_smoothed_probability():.1f}"


def verdict_of_three_cases() -> str:
    cases = [fair("as the author means it", True), reading("otherwise", False), control("a control", False)]
    verdicts = {"holds": "It holds.", "holds when": "It holds under", "does not hold": "It does not"}
    return verdicts[Found(cases, {}).verdict]


def in_which_block_the_mask_counts() -> str:
    moves = [
        order.same_words(causal=masks, seeds=range(3)).numbers["stop_moves"] > 1e-9
        for masks in ((True, False), (False, True))
    ]
    return {(True, False): "If it is the first", (False, True): "If it is the second"}.get(
        (moves[0], moves[1]), "In both"
    )


def four_times_as_wide() -> str:
    narrow, wide = (
        length_at_which(
            lambda length, d=d: cost.multiply_adds(length, d)[0],
            lambda length, d=d: cost.multiply_adds(length, d)[1],
        )
        for d in (64, 256)
    )
    return {4.0: "Four times", 1.0: "As long as", 0.25: "A quarter"}[wide / narrow]


def verdicts_by_margin() -> str:
    found = [records.fewer_parameters(["test", "combinations"], m).verdict for m in (0.02, 0.005, 0.2)]
    return "The margin" if len(set(found)) > 1 and found[0] == "holds" else "The verdict"


def first_merge() -> str:
    pairs = Counter(pair for word in ("▁banana", "▁band") for pair in pairwise(word))
    (best, n), (_, second) = pairs.most_common(2)
    assert n > second
    return f"*{''.join(best)}*"


def nats_a_letter() -> str:
    a, b = 2.0 / 2, 3.2 / 4
    return "B" if b < a else "A" if a < b else "Neither"


def same_after_a_shift() -> str:
    x = torch.randn(5, 16)
    same = [torch.allclose(norm(x + 3), norm(x), atol=1e-4) for norm in (nn.LayerNorm(16), RMSNorm(16))]
    assert all(torch.allclose(norm(3 * x), norm(x), atol=1e-4) for norm in (nn.LayerNorm(16), RMSNorm(16)))
    return {(True, False): "Layer normalisation only", (False, True): "RMSNorm only"}.get(
        (same[0], same[1]), "Layer normalisation and"
    )


def a_hundred_times_as_long() -> str:
    q, k, normed = torch.randn(1, 6, 16), torch.randn(1, 6, 16), QKNorm(16, torch_attention)
    before, after = (normed(times * q, times * k, k)[1] for times in (1, 100))
    assert torch_attention(100 * q, 100 * k, k)[1].max() > 0.999 > before.max()
    if torch.allclose(before, after, atol=1e-5):
        return "They stay"
    return "They become equal" if torch.allclose(after, after[..., :1]) else "They become sharper"


def where_u_can_go() -> str:
    q, c, U = RNG.normal(size=6), RNG.normal(size=(50, 3)), RNG.normal(size=(3, 6))
    return "Multiply the query" if np.allclose((c @ U) @ q, c @ (U @ q)) else "Leave U out"


def which_is_another_function() -> str:
    q, k, v = torch.randn(3, 40, 8, dtype=torch.float64)
    exact = torch_attention(q, k, v)[0]
    phi = lambda x: F.elu(x) + 1  # noqa: E731
    linear = phi(q) @ phi(k).mT
    same = {
        "Attention in tiles": torch.allclose(running_sums(q, k, v, rows=8, tile=8), exact),
        "Linear attention": torch.allclose(linear @ v / linear.sum(dim=-1, keepdim=True), exact),
    }
    [other] = [way for way, is_same in same.items() if not is_same]
    assert printed(13)["small_different"] == printed(13)["blind_different"] == 0
    return other


def what_a_sum_gives() -> str:
    k, S, delta = np.array([0.6, 0.8]), np.zeros((2, 2)), np.zeros((2, 2))
    for v in ([1.0, 0.0], [0.0, 1.0]):
        S = S + np.outer(k, v)
        delta = delta + np.outer(k, v - k @ delta)
    assert np.allclose(k @ delta, [0, 1])
    return "(" + ", ".join(f"{x:.0f}" for x in k @ S) + ")"


def unseen_by_the_lens() -> str:
    """A direction that the output matrix does not read, and that a later layer turns into a word."""
    E = np.array([[1.0, 0, 0], [0, 1.0, 0]])  # two words, width 3
    halfway, later = np.array([0.2, 0, 5.0]), np.array([[0, 0, 0], [0, 0, 0], [0, 1.0, 0]])
    lens, final = E @ halfway, E @ (halfway + halfway @ later)
    return "If the rest were removed" if lens.argmax() != final.argmax() else "The model does not"


def cached_or_computed_again() -> str:
    """Under a mask earlier rows are as they were, layer by layer; without one they are not."""
    x, mask = torch.randn(1, 5, 8), torch.tril(torch.ones(5, 5)).bool()
    short, long = masked_blocks(x[:, :4], mask[:4, :4], 3), masked_blocks(x, mask, 3)
    free, freer = masked_blocks(x[:, :4], None, 3), masked_blocks(x, None, 3)
    assert not torch.allclose(free[0], freer[0][:, :4], atol=1e-3)
    exact = all(torch.allclose(a, b[:, :4], atol=1e-5) for a, b in zip(short, long, strict=True))
    return "A new token changes nothing" if exact else "A new token changes the earlier"


CHOICES: dict[str, Callable[[], str]] = {
    "ch07-not-happy": mood_of_an_average,
    "ch07-linear": where_attention_is_linear,
    "ch07-no-max": without_the_max,
    "ch07-each-word": whose_output_changes,
    "ch08-mask-afterwards": what_a_late_mask_tells,
    "ch08-twelve-layers": through_twelve_layers,
    "ch08-padding": who_notices_padding,
    "ch08-why-a-cache": cached_or_computed_again,
    "ch08-nothing-allowed": all_forbidden,
    "ch09-cross-shape": shape_of_cross_attention,
    "ch09-any-length": five_hundred_words,
    "ch09-decoder-only": blocks_that_continue,
    "ch09-before-training": a_leak_without_training,
    "ch10-teacher-forcing": what_the_decoder_reads,
    "ch10-smoothing": under_label_smoothing,
    "ch11-verdict": verdict_of_three_cases,
    "ch11-one-mask": in_which_block_the_mask_counts,
    "ch11-wider": four_times_as_wide,
    "ch11-margin": verdicts_by_margin,
    "ch12-first-merge": first_merge,
    "ch12-other-tokens": nats_a_letter,
    "ch12-same-number-added": same_after_a_shift,
    "ch12-hundred-times": a_hundred_times_as_long,
    "ch13-short-vector": where_u_can_go,
    "ch13-which-is-not-the-same": which_is_another_function,
    "ch13-new-value": what_a_sum_gives,
    "ch14-lens": unseen_by_the_lens,
}


# ---- compared ----


@cache
def computed(name: str) -> object:
    """What a question's own function gives."""
    RNG.bit_generator.state = np.random.default_rng(0).bit_generator.state
    torch.manual_seed(0)
    return {**NUMBERS, **ORDERS, **CHOICES}[name]()


def is_right(question: Question) -> bool:
    """Whether the right answer that a question has, and no other of its answers, is what was computed."""
    found = computed(question.id)
    if isinstance(found, dict):
        first_words = sorted(found, key=lambda line: found[line])
        pairs = pairwise(found[line] for line in first_words)
        assert all(later - earlier > 0.02 * later for earlier, later in pairs), "a near-tie"
        fits = [
            lines
            for lines in permutations(question.lines)
            if all(line.startswith(words) for line, words in zip(lines, first_words, strict=True))
        ]
        return fits == [question.lines]
    if isinstance(found, str):
        options = (question.right, *(wrong.text for wrong in question.wrong))
        return [text for text in options if text.startswith(found)] == [question.right]
    assert isinstance(found, int | float)
    values = (question.answer, *(wrong.value for wrong in question.wrong))
    return [value for value in values if is_near(found, value, question.tolerance or 1e-5)] == [
        question.answer
    ]


@pytest.mark.parametrize("name", [*NUMBERS, *ORDERS, *CHOICES])
def test_the_answer_is_what_is_computed_and_no_other_is(name: str) -> None:
    assert is_right(QUESTIONS[name])


@pytest.mark.parametrize("name", [*NUMBERS, *ORDERS, *CHOICES])
def test_a_wrong_answer_in_the_place_of_the_right_one_is_found(name: str) -> None:
    question = QUESTIONS[name]
    for n, wrong in enumerate(question.wrong):
        if question.kind == "order":
            lines = list(question.lines)
            lines.insert(wrong.puts[1], lines.pop(wrong.puts[0]))
            planted = replace(question, lines=tuple(lines))
        else:
            old = replace(wrong, text=question.right, value=question.answer)
            others = (*question.wrong[:n], old, *question.wrong[n + 1 :])
            planted = replace(question, right=wrong.text, answer=wrong.value, wrong=others)
        assert not is_right(planted)


# Their answers follow from what the question says.
MATTERS_OF_WORDS = {
    "ch09-hidden-from-one-head",  # from two outcomes that it tells
    "ch13-not-shared",  # what belongs to the model and what to a text
    "ch14-which-intervention",  # what ablation and patching ask
}


def test_whatever_is_not_computed_names_a_number_of_its_chapter_or_is_a_matter_of_words() -> None:
    """So that nobody adds a question whose answer rests on nothing."""
    raw = [
        each
        for path in (HERE / "questions").glob("*.toml")
        for each in tomllib.loads(path.read_text(encoding="utf-8"))["question"]
        if each["id"] in QUESTIONS
    ]
    computed = {*NUMBERS, *ORDERS, *CHOICES}
    assert {each["id"] for each in raw if "<!--" not in str(each)} - computed == MATTERS_OF_WORDS
