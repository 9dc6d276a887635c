"""The small language model: its data, its floor, its two mistakes, and how it writes."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
import torch

from course_lib.chapters.ch08_masking import language_model as lm
from course_lib.chapters.fit import fit, seeded
from course_lib.fast import start_decoding
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.embedded import load_embedded

TEXTS = [
    f"{who} {verb}{what}."
    for who in ("Je", "Tu", "Il")
    for verb in ("vois", "aime")
    for what in ("", " Paul")
]


@pytest.fixture(scope="module")
def tiny() -> lm.Sentences:
    return lm.from_texts(TEXTS)


@pytest.fixture(scope="module")
def trained(tiny) -> dict[str, lm.LanguageModel]:
    kinds = {"right": {}, "no mask": {"masked": False}, "no shift": {"shifted": False}}
    n_vocab = len(tiny.tokeniser)
    return {name: lm.train(tiny.ids, n_vocab, range(120), **kind)[0] for name, kind in kinds.items()}


class TestSentences:
    def test_are_short_different_statements_of_the_training_part_whose_words_all_occur_often(self):
        sentences = lm.short_sentences()
        words = [sentences.tokeniser.tokens(sentences.tokeniser.encode(text)) for text in sentences.texts]
        counts = Counter(word for sentence in words for word in sentence)
        assert min(counts.values()) >= 5
        assert max(map(len, words)) == 6
        assert all(sentence[-1] == "." for sentence in words)
        assert len(set(sentences.texts)) == len(sentences.texts) > 1500
        assert set(sentences.texts) <= {pair.target for pair in load_embedded("train")}
        # and no more could be kept: each short statement that is left out has a word that is rare among the kept
        short = {p.target: p.target_tokens for p in load_embedded("train") if len(p.target_tokens) <= 6}
        left_out = [w for t, w in short.items() if w[-1] == "." and t not in set(sentences.texts)]
        assert all(any(counts[word.replace("’", "'")] < 5 for word in words) for words in left_out)

    def test_rows_of_ids_are_the_sentence_between_its_marks(self, tiny):
        for text, row in zip(tiny.texts, tiny.ids.tolist(), strict=True):
            end = row.index(EOS_ID)
            assert row[0] == BOS_ID
            assert row[end + 1 :] == [PAD_ID] * (len(row) - end - 1)
            assert tiny.tokeniser.decode(row) == text

    def test_refuses_to_leave_nothing(self):
        with pytest.raises(ValueError, match="longest = 1 and seen = 5 leave no sentence"):
            lm.short_sentences(longest=1)


class TestModel:
    def test_with_the_mask_it_is_the_librarys_decoder_only_model(self, tiny):
        with seeded(0):
            model = lm.LanguageModel(len(tiny.tokeniser))
        maps = model.attention_maps(tiny.ids)
        assert (maps[0].triu(1) == 0).all()
        assert (maps[0].tril() > 0).any()

    def test_without_it_every_position_sees_all_real_tokens_and_no_padding(self, tiny):
        with seeded(0):
            model = lm.LanguageModel(len(tiny.tokeniser), masked=False)
        maps = model.attention_maps(tiny.ids)
        seen = (maps[0] > 0).all(dim=(1, 2))  # (B, L): by every query
        assert torch.equal(seen, tiny.ids != PAD_ID)

    def test_without_a_shift_the_targets_are_the_inputs(self, tiny):
        inputs, targets = lm.inputs_and_targets(tiny.ids, shifted=False)
        assert torch.equal(inputs, targets)
        inputs, targets = lm.inputs_and_targets(tiny.ids)
        assert torch.equal(inputs[:, 1:], targets[:, :-1])


class TestLosses:
    def test_the_floor_is_that_of_counting_prefixes(self, tiny):
        """The best causal model of a list: each next token by its share among the sentences that begin alike."""
        rows = [row[: row.index(EOS_ID) + 1] for row in tiny.ids.tolist()]
        begun = Counter(tuple(row[:k]) for row in rows for k in range(1, len(row) + 1))
        nats = [
            math.log(begun[tuple(row[:k])] / begun[tuple(row[: k + 1])])
            for row in rows
            for k in range(1, len(row))
        ]
        assert lm.lowest_loss(tiny.ids) == pytest.approx(sum(nats) / len(nats), rel=1e-12)

    def test_only_looking_ahead_or_copying_goes_below_the_floor(self, tiny, trained):
        floor = lm.lowest_loss(tiny.ids)
        losses = {
            name: lm.mean_loss(model, tiny.ids, shifted=name != "no shift").item()
            for name, model in trained.items()
        }
        assert losses["right"] == pytest.approx(floor, rel=0.1)
        assert losses["right"] >= floor
        assert losses["no mask"] < 0.3 * floor
        assert losses["no shift"] < 0.1 * floor

    def test_writing_costs_the_honest_model_what_training_did_and_the_others_more(self, tiny, trained):
        losses = {name: lm.writing_loss(model, tiny.ids) for name, model in trained.items()}
        assert losses["right"] == pytest.approx(lm.mean_loss(trained["right"], tiny.ids).item(), rel=1e-4)
        assert min(losses["no mask"], losses["no shift"]) > 1.5 * losses["right"]

    @pytest.mark.parametrize("kind", ["right", "no mask"])
    def test_writing_predicts_each_token_from_its_beginning_alone(self, tiny, trained, kind):
        nats = []
        for row in tiny.ids.tolist():
            for k in range(1, row.index(EOS_ID) + 1):
                with torch.no_grad():
                    logits = trained[kind](torch.tensor([row[:k]]))[0, -1]
                nats.append(-torch.log_softmax(logits, dim=-1)[row[k]].item())
        assert lm.writing_loss(trained[kind], tiny.ids) == pytest.approx(sum(nats) / len(nats), rel=1e-4)

    @torch.no_grad()
    def test_a_sentence_is_as_probable_as_its_tokens_together(self, tiny, trained):
        model = trained["right"]
        found = lm.probabilities(model, tiny.ids[:3])
        for row, p in zip(tiny.ids[:3], found, strict=True):
            together, end = 1.0, row.tolist().index(EOS_ID)
            for t in range(end):
                together *= float(torch.softmax(model(row[None, : t + 1])[0, -1], dim=-1)[row[t + 1]])
            assert float(p) == pytest.approx(together, rel=1e-3)
        everything = lm.probabilities(model, tiny.ids)
        assert 0.5 < float(everything.sum()) < 1  # they share 1

    def test_the_floor_refuses_a_sentence_that_stands_twice(self, tiny):
        with pytest.raises(ValueError, match="all different"):
            lm.lowest_loss(torch.cat([tiny.ids, tiny.ids[:1]]))


class TestWriting:
    def test_greedy_is_step_by_step_the_argmax_of_the_cached_model(self, tiny, trained):
        model = trained["right"]
        written = lm.generate(model, torch.tensor([[BOS_ID]]))[0].tolist()
        state = start_decoding(model)
        with torch.no_grad():
            for now, then in pairwise(written):
                assert int(state.step(torch.tensor([now])).argmax()) == then
        assert tiny.tokeniser.decode(written) in tiny.texts
        assert written[-1] == EOS_ID

    def test_after_the_end_comes_padding_and_the_rest_of_the_batch_goes_on(self, tiny, trained):
        start = torch.full((50, 1), BOS_ID)
        drawn = lm.generate(
            trained["right"], start, temperature=1.0, generator=torch.Generator().manual_seed(0)
        )
        lengths = {row.index(EOS_ID) for row in drawn.tolist() if EOS_ID in row}
        assert len(lengths) > 1
        for row in drawn.tolist():
            after = row[row.index(EOS_ID) + 1 :] if EOS_ID in row else []
            assert set(after) <= {PAD_ID}

    def test_draws_with_the_probabilities_of_the_temperature(self, tiny, trained):
        model, start = trained["right"], torch.full((4000, 1), BOS_ID)
        for temperature in (0.5, 2.0):
            drawn = lm.generate(model, start, 1, temperature, torch.Generator().manual_seed(1))[:, 1]
            shares = torch.bincount(drawn, minlength=len(tiny.tokeniser)) / 4000
            with torch.no_grad():
                p = torch.softmax(model(start[:1])[0, -1], dim=-1)
            expected = p ** (1 / temperature) / (p ** (1 / temperature)).sum()
            assert (shares - expected).abs().max() < 0.035  # four standard deviations of a share of 1/2

    def test_with_the_cache_it_writes_what_it_writes_without_unless_it_forgets_where_it_is(self, trained):
        model, start = trained["right"], torch.full((300, 1), BOS_ID)
        read_again = lm.generate(model, start, 8, 1.0, torch.Generator().manual_seed(3))
        cached = lm.write_with_cache(model, 300, seed=3)
        length = read_again.shape[1]
        assert (cached[:, :length] == read_again).all(dim=1).float().mean() > 0.98  # but for rounding
        fresh = lm.untrained(model.config.n_vocab, seed=1)  # it depends on positions more than a trained one
        forgetful, right = (lm.write_with_cache(fresh, 300, forgetful=f, seed=3) for f in (True, False))
        assert torch.equal(forgetful[:, 1], right[:, 1])  # the first step is at position 0 anyway
        assert (forgetful == right).all(dim=1).float().mean() < 0.8

    def test_without_mask_or_shift_it_writes_what_it_has_read(self, tiny, trained):
        start = torch.tensor([[BOS_ID, *tiny.tokeniser.encode("Il")]])
        written = lm.generate(trained["no shift"], start, max_tokens=4)[0]
        assert (written[1:] == written[1]).all()

    @pytest.mark.parametrize("temperature", [-1.0, 1.0])
    def test_refuses_a_temperature_that_it_cannot_draw_with(self, trained, temperature):
        with pytest.raises(ValueError, match=f"temperature = {temperature}"):
            lm.generate(trained["right"], torch.tensor([[BOS_ID]]), temperature=temperature)

    def test_known_pairs_counts_neighbours_by_hand(self):
        sentences = lm.from_texts(["a b c"])
        a, b, c = sentences.tokeniser.encode("a b c")
        written = torch.tensor([[BOS_ID, a, b, EOS_ID, PAD_ID], [BOS_ID, a, c, b, c]])
        # known: <s>a, ab, <s>a, bc; not: b</s>, ac, cb; padding does not count
        assert lm.known_pairs(sentences.ids, written) == pytest.approx(4 / 7)


def test_the_seed_decides_on_weights_and_batches(tiny):
    n_vocab = len(tiny.tokeniser)
    first, again, other = (lm.train(tiny.ids, n_vocab, range(5), seed=seed)[1] for seed in (0, 0, 1))
    assert (first == again).all()
    model = lm.untrained(n_vocab, seed=1)

    def loss(generator: torch.Generator) -> torch.Tensor:
        return lm.mean_loss(model, tiny.ids[torch.randint(len(tiny.ids), (64,), generator=generator)])

    expected = fit(model, loss, range(5), learning_rate=lm.LEARNING_RATE, seed=1, clip=None)
    np.testing.assert_allclose(other, expected, rtol=1e-5)  # the library's training has the fused kernel


class TestHeldOut:
    def test_parts_the_sentences_without_loss_by_its_seed(self, tiny):
        seen, unseen = lm.held_out(tiny.ids, n=4)
        assert len(unseen) == 4
        both = torch.cat([seen, unseen])
        assert sorted(both.tolist()) == sorted(tiny.ids.tolist())
        assert torch.equal(lm.held_out(tiny.ids, n=4)[1], unseen)
        assert not torch.equal(lm.held_out(tiny.ids, n=4, seed=1)[1], unseen)

    @pytest.mark.parametrize("n", [0, len(TEXTS)])
    def test_refuses_to_hold_out_nothing_or_all(self, tiny, n):
        with pytest.raises(ValueError, match=f"n is {n}"):
            lm.held_out(tiny.ids, n=n)


class Told(torch.nn.Module):
    """A model that predicts what a function says of the ids."""

    def __init__(self, predict, n_vocab):
        super().__init__()
        self.predict, self.n_vocab = predict, n_vocab

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.one_hot(self.predict(ids), self.n_vocab).float()


class TestWhatAModelCopies:
    """Of models that are known to copy from the position after, or their own, or neither."""

    @pytest.fixture
    def copiers(self, tiny):
        n = len(tiny.tokeniser)
        return {
            "next": Told(lambda ids: torch.cat([ids[:, 1:], ids[:, -1:]], dim=1), n),
            "own": Told(lambda ids: ids, n),
            "none": Told(lambda ids: torch.full_like(ids, 4), n),
        }

    def test_who_copies_the_next_word_follows_it(self, tiny, copiers):
        follows = {name: lm.follows_next(model, tiny.ids, place=2) for name, model in copiers.items()}
        assert follows == {"next": 1.0, "own": 0.0, "none": 0.0}

    def test_who_copies_its_own_word_repeats_it(self, tiny, copiers):
        repeats = {name: lm.repeats_last(model, tiny.ids) for name, model in copiers.items()}
        assert repeats == {"next": 1.0, "own": 1.0, "none": 0.0}  # at the end there is no next one


def test_filled_with_minus_infinity_it_is_the_same_model_and_with_a_small_number_another(tiny, trained):
    model = trained["right"]
    for value, same in [(-math.inf, True), (-1e4, True), (-1.0, False)]:
        apart = (lm.filled_with(model, value)(tiny.ids) - model(tiny.ids)).abs().max()
        assert (apart < 1e-5) == same


def test_without_positions_only_a_second_layer_tells_an_order(tiny):
    """The mask smuggles order in: see the chapter's section 3."""
    one, two = (lm.untrained(len(tiny.tokeniser), 0, n_layers=n, positions=False) for n in (1, 2))
    ids = torch.tensor([[BOS_ID, 7, 8, 9, 10]])
    swapped = ids[:, [0, 2, 1, 3, 4]]
    for model, same in [(one, True), (two, False)]:
        with torch.no_grad():
            apart = (model(ids)[0, -1] - model(swapped)[0, -1]).abs().max()
        assert (apart < 1e-5) == same
