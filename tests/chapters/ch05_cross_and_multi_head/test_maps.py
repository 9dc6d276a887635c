"""Shuffled attention weights: the mixing, the shuffle, and what is counted."""

import pytest
import torch

from course_lib.chapters.ch05_cross_and_multi_head import maps
from course_lib.chapters.ch05_cross_and_multi_head.maps import Sentences, TenseReader
from course_lib.chapters.fit import seeded
from course_lib.model import MultiHeadAttention
from course_lib.text.embedded import AnnotatedPair
from tests.support.compare import assert_close


def reader(n_words: int = 9, seed: int = 0) -> TenseReader:
    with seeded(seed):
        return TenseReader(n_words, d=8).eval()


WORDS = torch.tensor([[1, 2, 3, 4, 5], [6, 7, 0, 0, 0], [8, 1, 9, 0, 0], [2, 2, 4, 1, 0]])
DATA = Sentences(WORDS, torch.tensor([0, 1, 1, 0]))


def pair(words: str, tags: tuple[str, ...]) -> AnnotatedPair:
    tokens = tuple(words.split())
    return AnnotatedPair(words, "", tokens, (), (-1,) * len(tokens), (), (), dict.fromkeys(tags, (0,)))


class TestMix:
    def layer(self) -> tuple[MultiHeadAttention, torch.Tensor, torch.Tensor]:
        generator = torch.Generator().manual_seed(1)
        with seeded(1):
            layer = MultiHeadAttention(6, 2, d_k=3, d_v=4, d_context=5).double()
        return (
            layer,
            torch.randn(2, 3, 6, generator=generator, dtype=torch.float64),
            torch.randn(2, 7, 5, generator=generator, dtype=torch.float64),
        )

    def test_with_the_layers_own_weights_gives_its_output(self):
        layer, x, context = self.layer()
        output, weights = layer(x, context)
        assert_close(maps.mix(layer, context, weights), output)

    def test_with_other_weights_mixes_the_values_of_each_head(self):
        layer, _, context = self.layer()
        weights = torch.rand(2, 2, 3, 7, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
        values = layer.W_V(context)  # head h has columns 4h … 4h + 3
        joined = torch.cat([weights[:, h] @ values[..., 4 * h : 4 * h + 4] for h in range(2)], dim=-1)
        assert_close(maps.mix(layer, context, weights), layer.W_O(joined))


class TestShuffled:
    def test_each_row_keeps_its_numbers_among_the_real_keys(self):
        real = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
        weights = torch.rand(2, 3, 5, 6, generator=torch.Generator().manual_seed(0)) * real[:, None, None]
        other = maps.shuffled(weights, torch.Generator().manual_seed(1), real)
        assert torch.equal(other.sort(-1).values, weights.sort(-1).values)
        assert not other[1, ..., 4:].any()
        assert not torch.equal(other, weights)

    def test_rows_are_shuffled_independently_and_every_order_is_as_likely(self):
        row = torch.tensor([1.0, 2.0, 3.0]).expand(6000, 1, 1, 3)
        other = maps.shuffled(row, torch.Generator().manual_seed(0))[:, 0, 0].tolist()
        counts = [other.count(list(order)) for order in {tuple(r) for r in other}]
        assert len(counts) == 6
        assert all(abs(count - 1000) < 150 for count in counts)


class TestOnOneWord:
    REAL = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])

    @pytest.mark.parametrize(("which", "best"), [("most", max), ("least", min)])
    def test_puts_the_whole_weight_on_that_word_among_the_real_ones(self, which, best):
        weights = (
            torch.rand(2, 2, 3, 5, generator=torch.Generator().manual_seed(3)) * self.REAL[:, None, None]
        )
        changed = maps.on_one_word(which, self.REAL)(weights)
        for b, n in enumerate((5, 3)):
            rows, others = weights[b].flatten(0, 1).tolist(), changed[b].flatten(0, 1).tolist()
            for row, other in zip(rows, others, strict=True):
                wanted = row.index(best(row[:n]))
                assert other == [float(j == wanted) for j in range(5)]

    def test_refuses_anything_else(self):
        with pytest.raises(ValueError, match="which is 'best'"):
            maps.on_one_word("best", self.REAL)


class TestTask:
    @pytest.mark.parametrize(
        ("tags", "past"),
        [
            (("past_avoir",), True),
            (("article", "past_etre"), True),
            (("present",), False),
            (("modal",), False),
            (("near_future",), False),
            (("past_avoir", "present"), None),
            (("question",), None),
        ],
    )
    def test_the_tense_is_that_of_the_tags(self, tags, past):
        assert maps._is_past(pair("I slept", tags)) is past

    def test_sentences_are_numbered_padded_and_in_one_tense(self, monkeypatch):
        corpus = {
            "train": [pair("We slept .", ("past_avoir",)), pair("the cat sleeps .", ("present",))],
            "test": [pair("The dog slept", ("past_avoir",)), pair("cat", ("present",)), pair("we", ())],
        }
        monkeypatch.setattr(maps, "load_embedded", corpus.__getitem__)
        numbers = maps.vocabulary()
        assert numbers == {"cat": 1, "sleeps": 2, "slept": 3, "the": 4, "we": 5}
        words, past = maps.sentences("test", numbers)
        assert words.tolist() == [[4, 0, 3], [1, 0, 0]]
        assert past.tolist() == [1, 0]


class TestReader:
    def test_padding_changes_nothing(self):
        model = reader()
        torch.testing.assert_close(model(WORDS[1:2])[0], model(WORDS[1:2, :2])[0])

    def test_unchanged_weights_change_nothing_and_others_do(self):
        model = reader()
        plain = model(WORDS)[0]
        torch.testing.assert_close(model(WORDS, lambda w: w)[0], plain)
        assert not torch.allclose(model(WORDS, lambda w: w.flip(-1))[0], plain)

    def test_only_one_puts_the_whole_weight_on_each_word_in_turn(self):
        model = reader()
        alone = maps.only_one(model, WORDS)
        for place in range(5):
            expected = model(WORDS, lambda w, place=place: (torch.arange(5) == place).float().expand_as(w))[0]
            torch.testing.assert_close(alone[:, place], expected)

    def test_learns_the_tense_of_a_small_language(self):
        generator = torch.Generator().manual_seed(0)
        words = torch.randint(1, 8, (400, 4), generator=generator)
        words[:, 2] = torch.randint(8, 10, (400,), generator=generator)  # word 8: present, word 9: past
        data = Sentences(words, words[:, 2] - 8)
        with_tense = maps.read(maps.train_reader(data, 9, 0, range(40)), data)
        assert with_tense.right > 0.99


class TestReading:
    """Counted on models of which the answer is known."""

    class Told(torch.nn.Module):
        """Tells the past if and only if the weight on the first word is at least a half."""

        def forward(self, words, change=None):
            weights = torch.zeros(len(words), 1, 1, words.shape[1])
            weights[..., 0] = 1.0
            used = weights if change is None else change(weights)
            past = used[:, 0, 0, 0] >= 0.5
            return torch.stack([~past, past], dim=-1).float(), weights

    def test_of_a_model_that_follows_its_map(self):
        told = maps.read(self.Told(), DATA, n_shuffles=400)
        assert told.right == pytest.approx(0.5)  # all of the past, none of the present
        # the weight stays on the first of n words in one of n shuffles: 5 and 4 words, 2 and 3 words
        expected = ((4 / 5 + 3 / 4) / 2 + (1 / 2 + 2 / 3) / 2) / 2
        assert told.changed_by_shuffling == pytest.approx(expected, abs=0.03)
        assert told.changed_by_levelling == pytest.approx((1 + 1 / 2) / 2)  # ½ of 2 words is still enough
        assert told.same_from_one_word == pytest.approx(((1 / 5 + 1 / 4) / 2 + (1 / 2 + 1 / 3) / 2) / 2)
        assert told.largest == 1.0

    def test_of_a_model_that_heeds_nothing(self):
        class Always(self.Told):
            def forward(self, words, change=None):
                scores, weights = super().forward(words, change)
                return torch.tensor([1.0, 0.0]).expand_as(scores), weights

        assert maps.read(Always(), DATA) == (
            0.5,
            0.0,
            0.0,
            1.0,
            1.0,
        )  # padding is no word that tells anything
