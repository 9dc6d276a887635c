"""Greedy and beam search against each other, against enumeration, and against rescoring by teacher forcing.

Every test runs on every kind of model.
"""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import pytest
import torch
from test_recurrent import small as small_recurrent
from test_transformer import sentences
from test_transformer import small as small_transformer
from torch import Tensor

from course_lib.corpus.tokenisers import BOS_ID, EOS_ID, PAD_ID
from course_lib.decoding import Hypothesis, beam_search, greedy_search, length_penalty


@pytest.fixture(params=["transformer", "gru", "gru with attention"])
def make(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """A function that makes a model with a vocabulary of 6 tokens, or as many as asked for."""
    small = {
        "transformer": small_transformer,
        "gru": partial(small_recurrent, attention="none"),
        "gru with attention": small_recurrent,
    }[request.param]

    def model(n_vocab: int = 6, seed: int = 0) -> Any:
        # weights of size 1, not 1/√d: sharp distributions, far from ties
        model = small(seed=seed, n_target_vocab=n_vocab).eval()
        with torch.no_grad():
            model.output.weight.mul_(3)
        return model

    return model


def rescore(model: Any, source: Tensor, ids: list[int], ended: bool) -> float:
    """Log-probability of a translation by teacher forcing, with <pad> and <s> excluded."""
    target = [*ids, EOS_ID] if ended else ids
    logits = model(source, torch.tensor([[BOS_ID, *target[:-1]]]))[0]
    logits[:, [PAD_ID, BOS_ID]] = -torch.inf
    log_p = torch.log_softmax(logits, dim=-1)
    return sum(log_p[i, token].item() for i, token in enumerate(target))


def every_translation(model: Any, source: Tensor, max_length: int, alpha: float) -> list[Hypothesis]:
    """All sentences of at most ``max_length`` tokens, </s> included, and all that are cut there; best first."""
    words = [token for token in range(model.config.n_target_vocab) if token not in (PAD_ID, BOS_ID, EOS_ID)]
    found = []
    with torch.no_grad():
        for length in range(max_length + 1):
            for ids in product(words, repeat=length):
                ended = length < max_length
                log_p = rescore(model, source, list(ids), ended)
                found.append(Hypothesis(list(ids), log_p, log_p / length_penalty(length + ended, alpha)))
    return sorted(found, key=lambda h: -h.score)


class TestBeamSearch:
    @pytest.mark.parametrize("seed", range(4))
    @pytest.mark.parametrize("alpha", [0.0, 1.0])
    def test_wide_enough_it_is_exhaustive(self, make: Callable[..., Any], seed: int, alpha: float) -> None:
        model, source = make(seed=seed), sentences(11, [4], seed)
        everything = every_translation(model, source, 3, alpha)
        found = beam_search(model, source, max_length=3, width=len(everything), alpha=alpha)[0]
        assert [h.ids for h in found] == [h.ids for h in everything]
        for ours, theirs in zip(found, everything, strict=True):
            assert ours.log_probability == pytest.approx(theirs.log_probability, abs=1e-5)
            assert ours.score == pytest.approx(theirs.score, abs=1e-5)

    @pytest.mark.parametrize("seed", range(6))
    def test_width_one_is_greedy(self, make: Callable[..., Any], seed: int) -> None:
        model, source = make(13, seed), sentences(11, [4, 1, 6, 3, 5], seed)
        greedy = greedy_search(model, source, max_length=8)
        beam = beam_search(model, source, max_length=8, width=1, alpha=0.0)
        assert [[h.ids for h in hypotheses] for hypotheses in beam] == [[h.ids] for h in greedy]
        for ours, theirs in zip(beam, greedy, strict=True):
            assert ours[0].log_probability == pytest.approx(theirs.log_probability, abs=1e-5)

    @pytest.mark.parametrize("width", [1, 2, 5])
    def test_batched_is_one_by_one(self, make: Callable[..., Any], width: int) -> None:
        model, source = make(13, 1), sentences(11, [4, 1, 6, 3, 5], 1)
        together = beam_search(model, source, max_length=8, width=width)
        for i in range(len(source)):
            alone = beam_search(model, source[i : i + 1], max_length=8, width=width)[0]
            assert [h.ids for h in alone] == [h.ids for h in together[i]]

    def test_scores_are_those_of_teacher_forcing(self, make: Callable[..., Any]) -> None:
        model, source = make(13, 2), sentences(11, [5], 2)
        with torch.no_grad():
            for hypothesis in beam_search(model, source, max_length=6, width=4, alpha=0.6)[0]:
                ended = len(hypothesis.ids) < 6
                expected = rescore(model, source, hypothesis.ids, ended)
                assert hypothesis.log_probability == pytest.approx(expected, abs=1e-5)
                length = len(hypothesis.ids) + ended
                assert hypothesis.score == pytest.approx(expected / ((5 + length) / 6) ** 0.6, abs=1e-5)

    def test_width_must_be_positive(self, make: Callable[..., Any]) -> None:
        with pytest.raises(ValueError, match="width"):
            beam_search(make(), sentences(11, [3]), 5, width=0)


class TestGreedySearch:
    def test_takes_the_likeliest_token_each_time(self, make: Callable[..., Any]) -> None:
        model, source = make(13, 3), sentences(11, [4, 6], 3)
        for row, found in enumerate(greedy_search(model, source, max_length=10)):
            ids: list[int] = []
            with torch.no_grad():
                while len(ids) < 10:
                    logits = model(source[row : row + 1], torch.tensor([[BOS_ID, *ids]]))[0, -1]
                    logits[[PAD_ID, BOS_ID]] = -torch.inf
                    if (token := int(logits.argmax())) == EOS_ID:
                        break
                    ids.append(token)
            assert found.ids == ids

    def test_never_gives_more_than_max_length(self, make: Callable[..., Any]) -> None:
        model = make(13)
        assert all(len(h.ids) <= 4 for h in greedy_search(model, sentences(11, [4, 6, 2]), max_length=4))
