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
def moments(translator, pairs) -> memory.NextWords:
    return memory.next_words(translator, pairs)


def whole(translator: Translator, pair: SentencePair) -> torch.Tensor:
    """Logits of one sentence by the model as it is."""
    source = torch.tensor([[*translator.source_tokeniser.encode(pair.source), EOS_ID]])
    target = torch.tensor([[BOS_ID, *translator.target_tokeniser.encode(pair.target)]])
    with torch.no_grad():
        return translator.model(source, target)[0]


def by_the_whole(translator: Translator, pairs: list[SentencePair], ids: torch.Tensor) -> torch.Tensor:
    return torch.cat([whole(translator, pair) for pair in pairs]).argmax(-1) == ids


def test_what_is_found_is_what_the_whole_model_finds(translator, pairs, moments):
    assert torch.equal(moments.right, by_the_whole(translator, pairs, moments.ids))


def test_moments_know_what_was_written_and_what_comes_next(translator, pairs, moments):
    tokens = translator.target_tokeniser.tokens
    ends = np.flatnonzero(moments.ids.numpy() == EOS_ID)
    assert len(ends) == len(pairs)
    for end, pair in zip(ends, pairs, strict=True):
        assert moments.words[end] == tokens(translator.target_tokeniser.encode(pair.target))
    for t in range(len(moments.words) - 1):
        if t not in ends:
            assert moments.words[t + 1] == [*moments.words[t], tokens([int(moments.ids[t])])[0]]


@pytest.mark.parametrize("name", ["decoder 0", "decoder 1"])
def test_the_hidden_units_are_those_of_the_network_that_is_watched(translator, pairs, name):
    seen = []
    network = memory.network_of(translator, name)
    hook = network.register_forward_hook(lambda module, inputs, output: seen.append((inputs[0], output)))
    found = memory.next_words(translator, pairs[:1], watched=name)
    hook.remove()
    x, output = (each[0] for each in seen[0])
    torch.testing.assert_close(found.inner, (x @ network.W_1.weight.T + network.W_1.bias).clamp(min=0))
    torch.testing.assert_close(found.inner @ network.W_2.weight.T + network.W_2.bias, output)


@pytest.mark.parametrize("off", [["decoder 0"], ["encoder 1", "decoder 1"]])
def test_a_network_that_is_off_adds_its_bias_alone(translator, pairs, moments, off):
    kept = [memory.network_of(translator, name).W_2.weight.clone() for name in off]
    hooks = [
        memory.network_of(translator, name).register_forward_hook(
            lambda module, inputs, output: module.W_2.bias.expand_as(output)
        )
        for name in off
    ]
    expected = by_the_whole(translator, pairs, moments.ids)
    for hook in hooks:
        hook.remove()
    np.testing.assert_array_equal(memory.right(translator, pairs, off), expected)
    for name, weight in zip(off, kept, strict=True):
        assert torch.equal(memory.network_of(translator, name).W_2.weight, weight)


def test_some_pairs_can_be_off(translator):
    network = memory.network_of(translator, "decoder 0")
    with memory.switched_off(translator, ["decoder 0"], [3, 500]):
        silent = (network.W_2.weight == 0).all(0)
    assert silent.nonzero().flatten().tolist() == [3, 500]


def test_held_at_its_mean_a_network_adds_the_mean_everywhere(translator, pairs):
    moments = memory.next_words(translator, pairs, watched="decoder 0")
    network = memory.network_of(translator, "decoder 0")
    mean = (moments.inner @ network.W_2.weight.T + network.W_2.bias).mean(0)
    with memory.held_at_its_mean(translator, "decoder 0", moments):
        added = network(torch.randn(2, 3, 128, generator=torch.Generator().manual_seed(0)))
    torch.testing.assert_close(added, mean.expand(2, 3, -1))
    assert not torch.allclose(network(torch.zeros(1, 128)), mean)


@pytest.mark.parametrize("name", ["decoder 2", "output 0", "decoder", "encoder x"])
def test_refuses_a_network_that_is_not_there(translator, name):
    with pytest.raises(ValueError, match=f"name is '{name}': expected one such as"):
        memory.network_of(translator, name)


def test_a_vote_is_what_a_little_more_of_a_value_adds_but_for_the_size_of_the_row(translator):
    """By finite differences: to the change of a logit LayerNorm adds the same multiple of the row for all pairs."""
    votes = memory.votes(translator).double()
    row = 3 * torch.randn(128, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    model, network = translator.model, memory.network_of(translator, memory.LAST)
    weight, gain, offset = (
        x.detach().double() for x in (model.output.weight, model.decoder_norm.weight, model.decoder_norm.bias)
    )

    def logits(x: torch.Tensor) -> torch.Tensor:
        return nn_layer_norm(x, gain, offset) @ weight.T

    centred = row - row.mean()
    size = centred.square().mean().sqrt()
    for number in (5, 77, 300):
        value = network.W_2.weight[:, number].detach().double()
        along = (value @ centred) / (centred @ centred)  # of the value that only lengthens the row
        expected = (votes[number] - along * (weight @ (gain * centred))) / size
        found = (logits(row + 1e-4 * value) - logits(row - 1e-4 * value)) / 2e-4
        torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-3)


def nn_layer_norm(x: torch.Tensor, gain: torch.Tensor, offset: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.layer_norm(x, x.shape, gain, offset)


def test_voters_add_most_where_the_word_comes_next(translator, moments):
    votes = memory.votes(translator)
    word = int(moments.ids.mode().values)
    when = (moments.ids == word).nonzero().flatten().tolist()
    added = [float(np.mean([moments.inner[t, i] * votes[i, word] for t in when])) for i in range(512)]
    assert memory.voters(moments, votes, word, n=4) == np.argsort(added)[::-1][:4].tolist()


def test_a_pair_is_told_by_its_strongest_moments_and_votes(translator, moments):
    votes = memory.votes(translator)
    number = int(moments.inner.max(0).values.argmax())
    told = memory.pair(translator, moments, number, n_moments=2, n_words=3, last=2)
    strongest = int(moments.inner[:, number].argmax())
    assert told.number == number
    assert len(set(told.moments)) == 2
    assert told.moments[0][0] == (memory.typeset(moments.words[strongest][-2:]) or "<s>")
    tokens = translator.target_tokeniser.tokens
    words = tokens(votes[number].argsort(descending=True)[:3].tolist())
    assert [word.replace("’", "'") for word, _ in told.writes] == words
    assert told.writes[0][1] == pytest.approx(
        float(votes[number].max() * moments.inner[:, number].max()), rel=1e-4
    )


def test_agreement_is_high_where_values_say_what_comes_next_and_low_where_they_do_not(
    translator, moments, monkeypatch
):
    share, by_chance = memory.agreement(translator, moments)
    assert 0 <= by_chance < share / 3 < 1
    nothing = torch.randn(512, len(translator.target_tokeniser), generator=torch.Generator().manual_seed(1))
    monkeypatch.setattr(memory, "votes", lambda translator: nothing)
    share, by_chance = memory.agreement(translator, moments)
    assert share < 0.05
    assert by_chance < 0.05


class TestWhatTheChapterSays:
    def test_the_last_network_is_hardly_missed_and_the_decoders_first_is_missed_most(self, translator, pairs):
        shares = {name: memory.right(translator, pairs, [name]).mean() for name in memory.NETWORKS}
        assert min(shares, key=shares.get) == "decoder 0"
        assert shares["decoder 1"] > 0.97
        assert shares["decoder 0"] < 0.96
        assert memory.right(translator, pairs, memory.NETWORKS).mean() < 0.9

    def test_some_pairs_of_it_speak_for_the_end_of_a_sentence_and_the_others_against_it(self, translator):
        test = read_corpus(None, "test")  # other sentences than the chapter's
        told = memory.told(translator, test[800:], test[400:700])
        assert told["end_whole"] > 0.99
        assert told["end_off"] < 0.8
        assert told["end_mean"] < 0.9
        assert told["end_few"] < 0.5
        assert (
            told["end_few"] < told["end_off"] - 0.1 < told["end_only"] - 0.3
        )  # the others speak against the end
        assert told["end_few_rest"] > 0.985
        assert (
            min(told["end_half"], told["end_other_half"]) > 0.85
        )  # what half of them says, the others say as well
        assert min(told["end_control"], told["end_control_rest"]) > 0.985


def test_pairs_that_fire_most_where_a_word_comes_next(moments):
    word = int(moments.ids.mode().values)
    here = moments.ids.numpy() == word
    inner = moments.inner.numpy()
    most = memory.firing(moments, word, 7)
    assert most == np.argsort(-inner[here].mean(0), kind="stable")[:7].tolist()
    others = memory.firing(moments, word, 7, others=True)
    elsewhere = np.argsort(-inner[~here].mean(0), kind="stable").tolist()
    assert others == [i for i in elsewhere if i not in most][:7]
