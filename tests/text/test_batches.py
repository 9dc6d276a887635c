from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.text.batches import Batch, BucketedBatches, EncodedPair, encode_pairs, evaluation_batches, pad
from course_lib.text.readers import SentencePair, read_folder
from course_lib.text.tokenisers import BPETokeniser, WordTokeniser

PAD, BOS, EOS = 0, 1, 2

WORDS = st.lists(st.integers(4, 9), max_size=12)
PAIRS = st.lists(
    st.builds(lambda source, target: EncodedPair([*source, EOS], target), WORDS, WORDS), min_size=1
)


def unpadded(row: torch.Tensor) -> list[int]:
    """The ids of a row; padding must be on the right alone."""
    ids: list[int] = row.tolist()
    length = len(ids)
    while length and ids[length - 1] == PAD:
        length -= 1
    assert PAD not in ids[:length]
    return ids[:length]


def pairs_of(batch: Batch) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The pairs in a batch, after checking its layout."""
    assert batch.source.dtype == batch.target_in.dtype == batch.target_out.dtype == torch.int64
    assert batch.target_in.shape == batch.target_out.shape
    assert len(batch) == len(batch.source) == len(batch.target_in)
    found = []
    for source, target_in, target_out in zip(
        *(map(unpadded, side) for side in (batch.source, batch.target_in, batch.target_out)), strict=True
    ):
        assert source[-1] == target_out[-1] == EOS
        assert target_in[0] == BOS
        assert target_in[1:] == target_out[:-1]
        found.append((tuple(source), tuple(target_out[:-1])))
    # No wider than the longest row needs.
    assert batch.source.shape[1] == max(len(source) for source, _ in found)
    assert batch.target_out.shape[1] == max(len(target) for _, target in found) + 1
    return found


def as_counter(pairs: list[EncodedPair]) -> Counter[tuple[tuple[int, ...], tuple[int, ...]]]:
    return Counter((tuple(source), tuple(target)) for source, target in pairs)


def many_pairs(n: int, seed: int) -> list[EncodedPair]:
    """Pairs whose sides have similar lengths; the first source id is unique, and so is the pair."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 30, n)
    return [
        EncodedPair([10 + i, *[4] * int(max(0, length + rng.integers(-3, 4))), EOS], [5] * int(length))
        for i, length in enumerate(lengths)
    ]


def test_teacher_forcing_by_hand() -> None:
    [batch] = BucketedBatches([EncodedPair([7, 8, 2], [5]), EncodedPair([9, 2], [5, 6])], 100).epoch(0)
    assert batch.source.tolist() == [[7, 8, 2], [9, 2, 0]]
    assert batch.target_in.tolist() == [[1, 5, 0], [1, 5, 6]]
    assert batch.target_out.tolist() == [[5, 2, 0], [5, 6, 2]]
    assert batch.n_target_tokens == 5


@given(PAIRS, st.integers(1, 80), st.integers(0, 2**63), st.integers(0, 9))
def test_every_pair_exactly_once(pairs: list[EncodedPair], n_tokens: int, seed: int, epoch: int) -> None:
    batches = BucketedBatches(pairs, n_tokens, seed)
    found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    n_batches = 0
    for batch in batches.epoch(epoch):
        found.update(pairs_of(batch))
        n_batches += 1
        assert batch.target_out.numel() <= n_tokens or len(batch) == 1
        assert batch.n_target_tokens == sum(len(unpadded(row)) for row in batch.target_out)
    assert found == as_counter(pairs)
    assert n_batches == len(batches)


@given(PAIRS, st.integers(1, 80))
def test_evaluation_in_order_of_length(pairs: list[EncodedPair], n_tokens: int) -> None:
    places: list[int] = []
    lengths: list[int] = []
    for batch, index in evaluation_batches(pairs, n_tokens):
        assert pairs_of(batch) == [(tuple(pairs[i].source), tuple(pairs[i].target)) for i in index]
        assert max(batch.source.numel(), batch.target_out.numel()) <= n_tokens or len(batch) == 1
        places.extend(index.tolist())
        lengths.extend(len(pairs[i].source) for i in index)
    assert sorted(places) == list(range(len(pairs)))
    assert lengths == sorted(lengths)


def test_an_epoch_is_a_function_of_seed_and_epoch() -> None:
    pairs = many_pairs(500, seed=0)

    def epoch(seed: int, number: int, start: int = 0, before: int = 0) -> list[torch.Tensor]:
        batches = BucketedBatches(pairs, 200, seed)
        for number_before in range(before):
            list(batches.epoch(number_before))
        np.random.seed(number_before if before else 99)  # noqa: NPY002 - the global generators must not matter
        torch.manual_seed(before)
        return [batch.source for batch in batches.epoch(number, start)]

    def same(left: list[torch.Tensor], right: list[torch.Tensor]) -> bool:
        return len(left) == len(right) and all(map(torch.equal, left, right))

    whole = epoch(seed=3, number=2)
    assert same(whole, epoch(seed=3, number=2, before=2))
    assert not same(whole, epoch(seed=3, number=1))
    assert not same(whole, epoch(seed=4, number=2))
    for start in (0, 1, 7, len(whole) - 1, len(whole)):
        assert same(whole[start:], epoch(seed=3, number=2, start=start))


def test_epochs_mix_the_pairs_anew() -> None:
    """Not only the order of batches changes: neighbours in one epoch are seldom neighbours in the next."""
    batches = BucketedBatches(many_pairs(2000, seed=1), 300, seed=0)
    groups = [{frozenset(batch.source[:, 0].tolist()) for batch in batches.epoch(e)} for e in range(2)]
    assert len(groups[0] & groups[1]) < 0.1 * len(batches)
    lengths = [batch.target_out.shape[1] for batch in batches.epoch(0)]
    assert lengths != sorted(lengths)
    assert abs(np.corrcoef(lengths, range(len(lengths)))[0, 1]) < 0.3


def test_padding_share() -> None:
    pairs = many_pairs(2000, seed=2)
    batches = BucketedBatches(pairs, 400, seed=0)
    for epoch in range(2):
        tensors = list(batches.epoch(epoch))
        counted = tuple(
            sum(int((side(b) == PAD).sum()) for b in tensors) / sum(side(b).numel() for b in tensors)
            for side in (lambda b: b.source, lambda b: b.target_out)
        )
        assert batches.padding_share(epoch) == pytest.approx(counted)
        assert counted[0] < 0.10
        assert counted[1] < 0.02


def test_nearly_all_of_the_budget_is_used() -> None:
    sizes = [batch.target_out.numel() for batch in BucketedBatches(many_pairs(5000, seed=3), 600).epoch(0)]
    assert max(sizes) <= 600
    assert np.mean(sizes) > 0.93 * 600


def test_encoding_pairs() -> None:
    pairs = [
        SentencePair("I love you.", "Je t'aime."),
        SentencePair("I sleep.", "Je dors."),
        SentencePair("I.", "Je."),
    ]
    english, french = (WordTokeniser.train(side) for side in zip(*pairs, strict=True))
    encoded, n_dropped = encode_pairs(pairs, english, french)
    assert n_dropped == 0
    assert [pair.source for pair in encoded] == [[*english.encode(pair.source), EOS] for pair in pairs]
    assert [pair.target for pair in encoded] == [french.encode(pair.target) for pair in pairs]
    assert [french.decode(pair.target) for pair in encoded] == [pair.target for pair in pairs]
    for max_length, kept in ((5, 3), (4, 2), (3, 1), (2, 0), (1, 0)):
        assert encode_pairs(pairs, english, french, max_length) == (encoded[3 - kept :], 3 - kept)
    with pytest.raises(ValueError, match="max_length must be at least 1"):
        encode_pairs(pairs, english, french, 0)


@pytest.mark.parametrize(("source", "target"), [("a a a a", "b"), ("a", "b b b b")])
def test_either_side_can_be_too_long(source: str, target: str) -> None:
    words = WordTokeniser.train(["a b"])
    pairs = [SentencePair(source, target)]
    assert encode_pairs(pairs, words, words, 4) == ([], 1)
    assert encode_pairs(pairs, words, words, 5)[1] == 0


def test_pad() -> None:
    padded = pad([[5, 6, 2], [], [5, 2]])
    assert padded.dtype == torch.int64
    assert padded.tolist() == [[5, 6, 2], [0, 0, 0], [5, 2, 0]]
    assert pad([[]]).shape == (1, 0)


def test_moving_a_batch() -> None:
    batch = Batch(pad([[5, 2]]), pad([[1, 6]]), pad([[6, 2]]))
    moved = batch.to("meta")
    assert {side.device.type for side in (moved.source, moved.target_in, moved.target_out)} == {"meta"}
    same = batch.to("cpu")
    assert torch.equal(same.source, batch.source)
    assert torch.equal(same.target_in, batch.target_in)
    assert torch.equal(same.target_out, batch.target_out)


def test_bad_arguments() -> None:
    pair = EncodedPair([5, 2], [6])
    with pytest.raises(ValueError, match="pairs must hold at least one"):
        BucketedBatches([], 10)
    with pytest.raises(ValueError, match="pairs must hold at least one"):
        list(evaluation_batches([], 10))
    with pytest.raises(ValueError, match="n_tokens must be at least 1"):
        BucketedBatches([pair], 0)
    with pytest.raises(ValueError, match="n_tokens must be at least 1"):
        list(evaluation_batches([pair], 0))
    with pytest.raises(ValueError, match="seed must not be negative"):
        BucketedBatches([pair], 10, seed=-1)
    with pytest.raises(ValueError, match="sequences must hold at least one"):
        pad([])
    for epoch, start in ((-1, 0), (0, -1), (0, 2)):
        with pytest.raises(ValueError, match=f"start in 0…1, not {epoch} and {start}"):
            BucketedBatches([pair], 10).epoch(epoch, start)


@pytest.mark.share(2)
def test_batches_of_the_real_corpus_hold_every_pair_and_little_padding(corpus_folder: Path) -> None:
    train = read_folder(corpus_folder, "train")
    bpe = BPETokeniser.train((sentence for pair in train for sentence in pair), n_vocab=5000)
    encoded, n_dropped = encode_pairs(train, bpe, bpe, max_length=100)
    assert (len(encoded), n_dropped) == (29000, 0)
    batches = BucketedBatches(encoded, 1500, seed=0)
    source, target = batches.padding_share()
    assert source < 0.05
    assert target < 0.005
    n_tokens = sum(batch.n_target_tokens for batch in batches.epoch(0))
    assert n_tokens == sum(len(pair.target) + 1 for pair in encoded)
