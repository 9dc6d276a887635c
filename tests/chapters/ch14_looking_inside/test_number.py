"""Number in the stored translator: what carries it, what does not, and how it was measured."""

import pytest
import torch

from course_lib.chapters.ch14_looking_inside import number
from course_lib.chapters.ch14_looking_inside.heads import attentions, outputs, replaced
from course_lib.special_ids import BOS_ID, EOS_ID
from course_lib.translator import Translator
from tests.support.editions import ROOT

HEAD = ("encoder 1", 2)
THREE = [HEAD, ("cross 0", 0), ("cross 0", 1)]


@pytest.fixture(scope="module")
def translator() -> Translator:
    return Translator.load(ROOT / "results" / "embedded" / "transformer-0.safetensors")


@pytest.fixture(scope="module")
def given(translator) -> number.Pairs:
    return number.pairs(translator)


class TestPairs:
    def test_two_sentences_differ_in_the_noun_alone(self, translator, given):
        assert ((given.one != given.many).sum(dim=1) == 1).all()
        tokens = translator.source_tokeniser.tokens(given.one[0].tolist())
        assert tokens == ["I", "saw", "the", given.nouns[0], ".", "</s>"]
        assert (given.one[:, -1] == EOS_ID).all()
        assert (given.prefix[:, 0] == BOS_ID).all()

    def test_the_translator_gets_all_of_them_right(self, translator, given):
        found = translator.model(given.many, given.prefix)[:, -1].argmax(-1)
        assert set(found.tolist()) == set(given.plural)
        found = translator.model(given.one, given.prefix)[:, -1].argmax(-1)
        assert set(found.tolist()) <= set(given.singular)
        assert len(given.nouns) > 190


class TestEffect:
    def test_all_heads_of_the_encoder_and_of_cross_attention_carry_nearly_everything(self, translator, given):
        heads = [head for head in number.all_heads(translator.model) if head[0] != "decoder 0"]
        nothing, everything = number.effect(translator, given, [], heads)
        assert nothing == (pytest.approx(0, abs=1e-5), 0)
        assert everything.share > 0.95

    def test_one_head_turns_articles_and_the_controls_none(self, translator, given):
        found = number.effect(translator, given, *[[("encoder 1", h)] for h in range(4)])
        assert found[2].plural > 0.75
        assert [found[h].plural for h in (0, 1, 3)] == [0, 0, 0]
        assert all(abs(found[h].share) < 0.01 for h in (0, 1, 3))

    def test_a_run_patched_with_itself_stays_as_it_is(self, translator, given):
        [found] = number.effect(translator, given, THREE, donor=given.one)
        assert found.share == pytest.approx(0, abs=1e-5)
        assert found.plural == 0

    def test_three_heads_turn_all(self, translator, given):
        [found] = number.effect(translator, given, THREE)
        assert found.plural == 1
        assert found.share > 0.95

    def test_gender_is_carried_less(self, translator, given):
        genders = number.genders(translator, given)
        ours, other = number.effect(translator, genders, [HEAD], [("encoder 1", 0)])
        assert 0.1 < ours.share < 0.6
        assert abs(other.share) < 0.02

    def test_what_it_writes_on_the_article_is_what_turns_it(self, translator, given):
        layer = attentions(translator.model)["encoder 1"]
        theirs = outputs(translator.model, given.many, given.prefix)[layer]

        def turned(at: slice) -> float:
            with replaced(layer, HEAD[1], theirs, at):
                return float((number.margins(translator, given, given.one) > 0).float().mean())

        assert turned(slice(2, 3)) > 0.7
        assert [turned(slice(i, i + 1)) for i in (0, 1, 3, 4, 5)] == [0] * 5


class TestAveraged:
    def test_number_is_lost_when_both_roads_are_closed_and_not_before(self, translator, given):
        others = [("encoder 1", 1), ("cross 0", 2), ("cross 0", 3)]
        found = number.averaged(translator, given, THREE[:1], THREE[1:], others, THREE)
        assert [min(each) for each in found[:3]] == [1, 1, 1]
        assert found[3] == (0, 1)

    def test_averages_of_a_pair_alone_are_halfway(self, translator, given):
        """Singular and plural get the same from all heads: with all cross-attention averaged the article is one."""
        pair = given._replace(one=given.one[:1], many=given.many[:1], prefix=given.prefix[:1])
        heads = [(f"cross {i}", h) for i in range(2) for h in range(4)]
        [found] = number.averaged(translator, pair, heads)
        assert found.singular + found.plural == 1


class TestValuesSwapped:
    def test_the_head_reads_the_value_of_the_noun_and_nothing_else(self, translator, given):
        noun = slice(3, 4)
        assert number.values_swapped(translator, given, 2, noun).plural > 0.7
        assert number.values_swapped(translator, given, 2, noun, "W_K").plural == 0
        assert number.values_swapped(translator, given, 1, noun).plural == 0
        assert number.values_swapped(translator, given, 2, slice(3)).plural == 0

    def test_no_hook_is_left(self, translator):
        layer = attentions(translator.model)["encoder 1"]
        assert not layer.W_V._forward_hooks


class TestReadAlone:
    def test_each_cross_attention_reads_the_article_by_itself(self, translator, given):
        for cross in ("cross 0", "cross 1"):
            found = number.read_alone(translator, given, HEAD, cross)
            assert 0.15 < found.share < 0.35
            assert found.plural == 0

    def test_both_together_are_the_whole_swap(self, translator, given):
        """What one sees is the swapped encoder's output: with one cross-attention frozen the other is left."""
        layers = attentions(translator.model)
        mine = outputs(translator.model, given.one, given.prefix)
        theirs = outputs(translator.model, given.many, given.prefix)
        swap = replaced(layers["encoder 1"], 2, theirs[layers["encoder 1"]])
        with swap, replaced(layers["cross 0"], range(4), mine[layers["cross 0"]]):
            after = number.margins(translator, given, given.one)
        one, many = (number.margins(translator, given, source) for source in (given.one, given.many))
        share = float(((after - one) / (many - one)).mean())
        assert number.read_alone(translator, given, HEAD, "cross 1").share == pytest.approx(share, abs=1e-4)


class TestGapLeft:
    def test_all_is_left_without_a_change_and_little_with_both_roads_closed(self, translator, given):
        means = number.averages(translator, given)
        assert number.gap_left(translator, given, [], means) == pytest.approx(1)
        assert number.gap_left(translator, given, THREE, means) < 0.1


class TestLeads:
    def test_at_the_last_stage_it_is_the_effect(self, translator, given):
        [effect] = number.effect(translator, given, THREE[1:])
        stages = number.leads(translator, given, THREE[1:])
        assert list(stages.values())[-1] == effect.plural
        assert stages["cross-attention 0"] > 0.9 > 0.5 > stages["cross-attention 1"]


class TestMemorySwapped:
    def test_the_article_reads_two_words_and_the_noun_one(self, translator, given):
        places = slice(0), slice(2, 3), slice(3, 4), slice(None)
        nothing, the, noun, everything = number.memory_swapped(translator, given, *places)
        assert nothing == (0, 0)
        assert the.article > 0.7
        assert the.noun == 0
        assert 0.6 < noun.article < 0.9
        assert noun.noun > 0.95
        assert everything.article == 1

    def test_no_hook_is_left(self, translator):
        assert not translator.model.encoder_norm._forward_hooks


class TestWrite:
    def test_unpatched_is_what_the_translator_writes(self, translator):
        text = "The girls slept."
        assert number.write(translator, text) == translator.translate([text])[0]

    def test_the_sentences_of_the_chapter(self, translator):
        assert number.write(translator, "I saw the dog.", "I saw the dogs.", [HEAD]) == "J'ai vu les chien."
        assert number.write(translator, "The dog slept.", "The dogs slept.", THREE) == "Les chien ont dormi."
        one, many = "She sees the woman.", "She sees the women."
        assert number.write(translator, one, many, [HEAD]) == "Elle voit les femme."
        assert number.write(translator, one, many, [("encoder 1", 0)]) == "Elle voit la femme."

    def test_sentences_of_two_lengths_are_refused(self, translator):
        with pytest.raises(ValueError, match="expected as many"):
            number.write(translator, "I saw the dog.", "I slept.", [HEAD])


class TestLens:
    def test_it_ends_in_what_the_model_says_and_begins_with_what_it_reads(self, translator):
        source = torch.tensor([[*translator.source_tokeniser.encode("The dogs slept."), EOS_ID]])
        read = torch.tensor([[BOS_ID, *translator.target_tokeniser.encode("Les chiens ont dormi.")]])
        found = number.read_off(translator.model, source, read)
        torch.testing.assert_close(found["feed-forward 1"], translator.model(source, read))
        assert torch.equal(found["embedding"].argmax(-1), read)

    def test_a_stage_is_the_model_without_all_later_sublayers(self, translator):
        """Whose last matrices are zero."""
        stages, words, _ = number.lens(translator, "The dogs slept.", "Les chiens ont dormi.")
        other = Translator.load(ROOT / "results" / "embedded" / "transformer-0.safetensors")
        last = other.model.decoder[1]
        for matrix in (last.self_attention.W_O, last.cross_attention.W_O, last.feed_forward.W_2):
            torch.nn.init.zeros_(matrix.weight)
            torch.nn.init.zeros_(matrix.bias)
        _, cut, _ = number.lens(other, "The dogs slept.", "Les chiens ont dormi.")
        assert cut[-1] == words[stages.index("feed-forward 0")] != words[-1]


def test_after_a_forced_article_the_noun_follows_the_english_and_the_verb_the_french(translator):
    found = number.forced(translator)
    assert found.noun > 0.95
    assert found.auxiliary > 0.8
    assert found.backwards > 0.8
