"""Greedy and beam search against each other, against enumeration, and against rescoring by teacher forcing.

Every test runs on every kind of model.
"""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor

from course_lib.decoding import BeamTrace, Hypothesis, beam_search, greedy_search, length_penalty, ranking
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from tests.support.models import sentences, small_recurrent, small_transformer


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


def likeliest_continuation(model: Any, source: Tensor, prefix: list[int], max_length: int) -> list[int]:
    """The likeliest token after a beginning, again and again, each by a whole pass through the model."""
    ids = list(prefix)
    with torch.no_grad():
        while len(ids) < max_length:
            logits = model(source, torch.tensor([[BOS_ID, *ids]]))[0, -1]
            logits[[PAD_ID, BOS_ID]] = -torch.inf
            if (token := int(logits.argmax())) == EOS_ID:
                break
            ids.append(token)
    return ids


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


class TestBeamTrace:
    @pytest.mark.parametrize("width", [1, 2, 5])
    @pytest.mark.parametrize("max_length", [1, 4, 12])
    def test_holds_all_that_the_search_returns(
        self, make: Callable[..., Any], width: int, max_length: int
    ) -> None:
        trace: BeamTrace = []
        model, source = make(13, 1), sentences(11, [5], 1)
        found = beam_search(model, source, max_length, width, 0.6, trace)[0]
        assert found == beam_search(model, source, max_length, width, 0.6)[0]
        rebuilt = []
        for length, step in enumerate(trace, start=1):
            for c in step:
                assert len(c.ids) == length
                assert c.fate != "cut" or length == max_length
                if c.fate in ("finished", "cut"):
                    ids = list(c.ids[:-1] if c.fate == "finished" else c.ids)
                    score = c.log_probability / ((5 + length) / 6) ** 0.6
                    rebuilt.append(Hypothesis(ids, c.log_probability, score))
        assert sorted(rebuilt, key=lambda h: h.score, reverse=True)[:width] == found
        for alpha in (0.0, 0.6, 3.0):  # which ranks what has finished, and does not steer the search
            assert ranking(trace, alpha)[:width] == beam_search(model, source, max_length, width, alpha)[0]

    @pytest.mark.parametrize("seed", range(4))
    @pytest.mark.parametrize("width", [1, 2, 4])
    def test_each_step_keeps_the_best_of_all_continuations(
        self, make: Callable[..., Any], seed: int, width: int
    ) -> None:
        trace: BeamTrace = []
        model, source, max_length = make(9, seed), sentences(11, [4], seed), 6
        beam_search(model, source, max_length, width, trace=trace)
        parents: dict[tuple[int, ...], float] = {(): 0.0}
        n_finished = 0
        for length, step in enumerate(trace, start=1):
            everything = {}
            for ids, log_p in parents.items():
                with torch.no_grad():
                    logits = model(source, torch.tensor([[BOS_ID, *ids]]))[0, -1]
                logits[[PAD_ID, BOS_ID]] = -torch.inf
                more = torch.log_softmax(logits, dim=-1).tolist()
                everything |= {(*ids, i): log_p + more[i] for i in range(9) if i not in (PAD_ID, BOS_ID)}
            likeliest = sorted(everything, key=lambda ids: -everything[ids])
            assert [c.ids for c in step] == likeliest[: 2 * width]
            for c in step:
                assert c.log_probability == pytest.approx(everything[c.ids], abs=1e-5)
            ended = [ids for ids in likeliest[:width] if ids[-1] == EOS_ID]
            best = [ids for ids in likeliest if ids[-1] != EOS_ID][:width]
            n_finished += len(ended)
            fate = "dropped" if n_finished >= width else "cut" if length == max_length else "lives on"
            expected = dict.fromkeys(ended, "finished") | dict.fromkeys(best, fate)
            assert {c.ids: c.fate for c in step} == {
                ids: expected.get(ids, "dropped") for ids in likeliest[: 2 * width]
            }
            parents = {ids: everything[ids] for ids in best} if fate == "lives on" else {}
        assert not parents

    def test_width_one_follows_greedy_search(self, make: Callable[..., Any]) -> None:
        for seed in range(6):
            trace: BeamTrace = []
            model, source = make(13, seed), sentences(11, [5], seed)
            beam_search(model, source, max_length=8, width=1, trace=trace)
            path = [c.ids for step in trace for c in step if c.fate != "dropped"]
            greedy = greedy_search(model, source, max_length=8)[0].ids
            ids = greedy if len(greedy) == 8 else [*greedy, EOS_ID]
            assert path == [tuple(ids[:n]) for n in range(1, len(ids) + 1)]

    def test_is_of_one_sentence(self, make: Callable[..., Any]) -> None:
        with pytest.raises(ValueError, match="trace: expected one sentence to trace, not 2"):
            beam_search(make(), sentences(11, [3, 2]), 5, trace=[])


class TestGreedySearch:
    def test_takes_the_likeliest_token_each_time(self, make: Callable[..., Any]) -> None:
        model, source = make(13, 3), sentences(11, [4, 6], 3)
        for row, found in enumerate(greedy_search(model, source, max_length=10)):
            assert found.ids == likeliest_continuation(model, source[row : row + 1], [], 10)

    @pytest.mark.parametrize("prefix", [[5], [9, 4, 9], [12, 11, 10, 4, 5]])
    def test_goes_on_from_a_given_beginning(self, make: Callable[..., Any], prefix: list[int]) -> None:
        model, source = make(13, 3), sentences(11, [4, 6, 1], 3)
        with torch.no_grad():
            for row, found in enumerate(greedy_search(model, source, max_length=10, prefix=prefix)):
                assert found.ids == likeliest_continuation(model, source[row : row + 1], prefix, 10)
                expected = rescore(model, source[row : row + 1], found.ids, ended=len(found.ids) < 10)
                assert found.log_probability == pytest.approx(expected, abs=1e-4)

    @pytest.mark.parametrize("seed", range(3))
    def test_from_its_own_beginning_it_goes_on_as_before(self, make: Callable[..., Any], seed: int) -> None:
        model, source = make(13, seed), sentences(11, [5], seed)
        (whole,) = greedy_search(model, source, max_length=8)
        for length in range(len(whole.ids) + 1):
            assert greedy_search(model, source, 8, prefix=whole.ids[:length]) == [whole]

    def test_a_given_beginning_may_end_the_sentence_and_is_cut_as_any_other(
        self, make: Callable[..., Any]
    ) -> None:
        model, source = make(13), sentences(11, [4, 2])
        ended = greedy_search(model, source, max_length=8, prefix=[7, EOS_ID, 9])
        assert [h.ids for h in ended] == [[7], [7]]
        cut = greedy_search(model, source, max_length=3, prefix=[7, 8, 9, 10])
        assert [h.ids for h in cut] == [[7, 8, 9], [7, 8, 9]]

    def test_never_gives_more_than_max_length(self, make: Callable[..., Any]) -> None:
        model = make(13)
        assert all(len(h.ids) <= 4 for h in greedy_search(model, sentences(11, [4, 6, 2]), max_length=4))
