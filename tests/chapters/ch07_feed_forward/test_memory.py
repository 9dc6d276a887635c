"""A network as a memory: moments, votes and what is switched off are those of the whole model."""

import numpy as np
import pytest
import torch

from course_lib.chapters.ch07_feed_forward import memory
from course_lib.special_ids import BOS_ID, EOS_ID
from course_lib.text.readers import SentencePair, read_corpus
from course_lib.translator import Translator
from tests.support.editions import ROOT


@pytest.fixture(scope="module")
def translator() -> Translator:
    return Translator.load(ROOT / "results" / "embedded" / "transformer-0.safetensors")


@pytest.fixture(scope="module")
def pairs() -> list[SentencePair]:
    return read_corpus(None, "test")[:60]


@pytest.fixture(scope="module")
def moments(translator, pairs) -> memory.Moments:
    return memory.watch(translator, pairs)


def whole(translator: Translator, pair: SentencePair) -> torch.Tensor:
    """Logits of one sentence by the model as it is."""
    source = torch.tensor([[*translator.source_tokeniser.encode(pair.source), EOS_ID]])
    target = torch.tensor([[BOS_ID, *translator.target_tokeniser.encode(pair.target)]])
    with torch.no_grad():
        return translator.model(source, target)[0]


def test_the_logits_of_all_moments_are_the_models(translator, pairs, moments):
    expected = torch.cat([whole(translator, pair) for pair in pairs])
    torch.testing.assert_close(memory.logits(translator, moments), expected, rtol=1e-4, atol=1e-4)


def test_moments_know_what_was_written_and_what_comes_next(translator, pairs, moments):
    tokens = translator.target_tokeniser.tokens
    ends = np.flatnonzero(moments.next_ids.numpy() == EOS_ID)
    assert len(ends) == len(pairs)
    for end, pair in zip(ends, pairs, strict=True):
        assert moments.words[end] == tokens(translator.target_tokeniser.encode(pair.target))
    for t in range(len(moments.words) - 1):
        if t not in ends:
            assert moments.words[t + 1] == [*moments.words[t], tokens([int(moments.next_ids[t])])[0]]


def test_pairs_that_are_switched_off_are_off_in_both_ways_of_saying_so(translator, pairs, moments):
    off = [3, 141, 59, 26, 500]
    kept = translator.model.decoder[-1].feed_forward.W_2.weight.clone()
    with memory.switched_off(translator, off):
        expected = torch.cat([whole(translator, pair) for pair in pairs])
    torch.testing.assert_close(memory.logits(translator, moments, off), expected, rtol=1e-4, atol=1e-4)
    assert not torch.allclose(memory.logits(translator, moments), expected, atol=1e-2)
    assert torch.equal(translator.model.decoder[-1].feed_forward.W_2.weight, kept)


def test_a_vote_is_what_a_little_more_activation_adds_but_for_the_size_of_the_row(translator, moments):
    """By finite differences: to the change of a logit LayerNorm adds the same multiple of the row for all pairs."""
    votes = memory.votes(translator)
    t, step = 17, 1e-2
    model, network = translator.model, translator.model.decoder[-1].feed_forward
    one = memory.Moments(moments.before[[t]], moments.activations[[t]], moments.next_ids[[t]], [moments.words[t]])
    with torch.no_grad():
        row = (one.before + network.W_2(one.activations))[0].double()
        centred = row - row.mean()
        size = centred.square().mean().sqrt()
        weight, gain = model.output.weight.double(), model.decoder_norm.weight.double()
        for number in (5, 77, 300):
            value = network.W_2.weight[:, number].double()
            value = value - value.mean()
            along = (value @ centred) / (centred @ centred)  # of the value that only lengthens the row
            expected = (votes[number].double() - along * (weight @ (gain * centred))) / size
            more = one._replace(activations=one.activations + step * torch.eye(512)[[number]])
            less = one._replace(activations=one.activations - step * torch.eye(512)[[number]])
            found = (memory.logits(translator, more) - memory.logits(translator, less))[0] / (2 * step)
            torch.testing.assert_close(found.double(), expected, rtol=5e-2, atol=5e-3)


def test_voters_add_most_where_the_word_comes_next(translator, moments):
    votes = memory.votes(translator)
    word = memory.common_words(moments, least=5)[1]
    when = [t for t, i in enumerate(moments.next_ids.tolist()) if i == word]
    added = [float(np.mean([moments.activations[t, i] * votes[i, word] for t in when])) for i in range(512)]
    assert set(memory.voters(moments, votes, word, n=4)) == set(np.argsort(added)[-4:].tolist())


def test_common_words_are_counted_and_have_no_end_of_a_sentence(moments):
    counts = np.bincount(moments.next_ids.numpy())
    found = memory.common_words(moments, least=10)
    assert EOS_ID not in found
    assert set(found) == {i for i, n in enumerate(counts) if n >= 10} - {EOS_ID}
    assert all(counts[a] >= counts[b] for a, b in zip(found, found[1:], strict=False))


def test_strengths_compare_with_the_voters_of_other_words(translator, moments):
    words = memory.common_words(moments, least=10)[:3]
    votes = memory.votes(translator)
    strengths = memory.strengths(translator, moments, words, n=20)
    off = {i: memory.right(translator, moments, memory.voters(moments, votes, i, 20)) for i in words}
    for i, told in zip(words, strengths, strict=True):
        here = moments.next_ids.numpy() == i
        assert told.n == here.sum()
        assert told.without == pytest.approx(off[i][here].mean())
        assert told.without_others == pytest.approx(np.mean([off[j][here].mean() for j in words if j != i]))
        assert told.others == pytest.approx(off[i][~here].mean())
        assert told.whole == pytest.approx(memory.right(translator, moments)[here].mean())


def test_a_pair_is_told_by_its_strongest_moments_and_votes(translator, moments):
    votes = memory.votes(translator)
    told = memory.pair(translator, moments, 42, n_moments=2, n_words=3, last=2)
    strongest = int(moments.activations[:, 42].argmax())
    assert told.number == 42
    assert len(set(told.moments)) == 2
    assert told.moments[0][0] == (" ".join(moments.words[strongest][-2:]) or "<s>")
    tokens = translator.target_tokeniser.tokens
    assert [word for word, _ in told.writes] == tokens(votes[42].argsort(descending=True)[:3].tolist())
    assert told.writes[0][1] == pytest.approx(float(votes[42].max() * moments.activations[:, 42].max()), rel=1e-4)


def test_agreement_is_high_where_values_say_what_comes_next_and_low_where_they_do_not(translator, moments, monkeypatch):
    share, by_chance = memory.agreement(translator, moments)
    assert 0 <= by_chance < share <= 1
    nothing = torch.randn(512, len(translator.target_tokeniser), generator=torch.Generator().manual_seed(1))
    monkeypatch.setattr(memory, "votes", lambda translator: nothing)
    share, by_chance = memory.agreement(translator, moments)
    assert share < 0.05
    assert by_chance < 0.05
