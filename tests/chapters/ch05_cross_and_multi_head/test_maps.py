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

    def test_learns_the_tense_of_a_small_language(self):
        generator = torch.Generator().manual_seed(0)
        words = torch.randint(1, 8, (400, 4), generator=generator)
        words[:, 2] = torch.randint(8, 10, (400,), generator=generator)  # word 8: present, word 9: past
        data = Sentences(words, words[:, 2] - 8)
        assert min(maps.right(maps.train_reader(data, 9, 0, range(40)), data)) > 0.99


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

    def test_what_is_right_is_told_for_each_tense(self):
        assert maps.right(self.Told(), DATA) == (0.0, 1.0)  # it says past of every sentence

    def test_shuffles_are_averaged(self):
        told = maps.what_changes(self.Told(), DATA, n_draws=400)
        # the weight stays on the first of n words in one of n shuffles: 5 and 4 words, 2 and 3 words
        present, past = told["shuffled"]
        assert present == pytest.approx((4 / 5 + 3 / 4) / 2, abs=0.03)
        assert past == pytest.approx((1 / 2 + 2 / 3) / 2, abs=0.03)


class TestInterventions:
    def test_all_but_the_most_gives_its_weight_to_the_others_in_proportion(self):
        row = torch.tensor([[[[0.5, 0.3, 0.2, 0.0]]], [[[1.0, 0.0, 0.0, 0.0]]]])
        real = torch.tensor([[True, True, True, False]] * 2)
        other = maps.all_but_the_most(real)(row)
        torch.testing.assert_close(other[0, 0, 0], torch.tensor([0.0, 0.6, 0.4, 0.0]))
        torch.testing.assert_close(other[1, 0, 0], torch.tensor([0.0, 0.5, 0.5, 0.0]))

    def test_what_a_place_says_is_what_the_reader_says_with_all_weight_on_it(self):
        model = reader()
        places = torch.eye(5)
        scores = [model(WORDS[:1], lambda w, one=one: one.expand_as(w))[0][0] for one in places]
        expected = torch.stack(scores).softmax(-1)[:, 1]
        torch.testing.assert_close(maps.says(model, WORDS[:1]), expected)

    def test_without_exchange_a_place_depends_on_its_own_word_only(self):
        model = reader()
        other = WORDS[:1].clone()
        other[0, 3] = 9
        before, after = (maps.says(model, words, exchange=False) for words in (WORDS[:1], other))
        keep = [0, 1, 2, 4]
        torch.testing.assert_close(before[keep], after[keep])
        assert not torch.allclose(before[3], after[3])
        assert not torch.allclose(*(maps.says(model, words)[keep] for words in (WORDS[:1], other)))

    def test_counting_and_leaving_out(self):
        assert maps.counts(DATA, 1) == (3, 1)
        assert maps.counts(DATA, 6) == (1, 1)
        assert maps.without(DATA, 1).words.tolist() == [WORDS[1].tolist()]

    def test_how_many_begin_with_a_word(self):
        assert maps.begins(DATA, 8) == (1, 1)
        assert maps.begins(DATA, 4) == (0, 0)

    def test_parts_add_up_to_what_the_reader_says(self):
        model, words = reader(), WORDS[:1]
        told = maps.parts(model, words)
        scores = model(words)[0][0]
        assert told.score == pytest.approx((scores[1] - scores[0]).item(), abs=1e-6)
        assert float(told.part.sum()) + told.constant == pytest.approx(told.score, abs=1e-6)
        alone = maps.says(model, words)  # with the whole weight on one place: its value and the constant
        torch.testing.assert_close((told.value + told.constant).sigmoid(), alone)

    def test_of_a_model_that_follows_its_map(self):
        told = maps.what_changes(TestReading.Told(), DATA)
        assert told["only the most"] == (0.0, 0.0)
        assert told["all but the most"] == (1.0, 1.0)
        assert told["equal"] == (1.0, 0.5)  # 5 and 4 words, 2 and 3 words

    def test_the_other_word_deleted_is_never_the_one_with_most_weight(self):
        class First(TestReading.Told):
            """Says the past if the first word is still there."""

            def forward(self, words, change=None):
                past = words[:, 0] > 0
                return torch.stack([~past, past], dim=-1).float(), super().forward(words, change)[1]

        told = maps.what_changes(First(), DATA)
        assert told["most deleted"] == (1.0, 1.0)
        assert told["other deleted"] == (0.0, 0.0)

    def test_a_reader_that_always_says_present_changes_every_sentence_about_the_past_and_no_other(self):
        class Perfect(TestReading.Told):
            def forward(self, words, change=None):
                scores = torch.stack([1.0 - DATA.past, 1.0 * DATA.past], -1)
                lost = torch.tensor([1.0, 0.0]).expand(len(words), 2)
                return (scores if change is None else lost), super().forward(words, change)[1]

        told = maps.what_changes(Perfect(), DATA)
        assert told["shuffled"] == told["equal"] == told["only the most"] == (0.0, 1.0)
