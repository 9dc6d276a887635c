"""The hard test's data: few pairs in which every word occurs, and sentences that word order alone tells apart."""

import re
from collections import Counter

import pytest

from course_lib.text.embedded import FEW, REVERSALS, SPLITS, load_embedded, load_few, load_reversals
from course_lib.text.embedded.hard import (
    REVERSALS_CHECKSUM,
    few_of,
    reversals_checksum,
    words_of,
)
from course_lib.text.readers import SentencePair
from course_lib.text.tokenisers import WordTokeniser
from course_lib.text.typography import normalise


def bare(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", normalise(text).lower()).split())


class TestFew:
    def test_every_word_of_training_is_in_them(self) -> None:
        train, few = load_embedded("train"), load_few()
        assert len(few) == FEW == 2000
        assert set(words_of(few)) == set(words_of(train))
        assert all(pair in train for pair in few[::100])
        vocabularies = [
            WordTokeniser.train(
                normalise(side) for pair in pairs for side in (pair.source, pair.target)
            ).vocabulary
            for pairs in (few, train)
        ]
        assert set(vocabularies[0]) == set(vocabularies[1])

    def test_they_are_in_order_and_different(self) -> None:
        place = {pair.source: i for i, pair in enumerate(load_embedded("train"))}
        places = [place[pair.source] for pair in load_few()]
        assert places == sorted(set(places))

    def test_what_words_do_not_ask_for_is_taken_from_the_beginning(self) -> None:
        train = load_embedded("train")
        few, fewer = few_of(train), few_of(train, 1900)
        assert {pair.source for pair in fewer} < {pair.source for pair in few}
        more = [pair.source for pair in few if pair.source not in {other.source for other in fewer}]
        left = [pair.source for pair in train if pair.source not in {other.source for other in fewer}]
        assert more == left[:100]

    def test_too_few_or_too_many_are_refused(self) -> None:
        pairs = load_embedded("val")
        with pytest.raises(ValueError, match=r"n is 3: expected .*, which hold every word, to 500"):
            few_of(pairs, 3)
        with pytest.raises(ValueError, match="n is 501"):
            few_of(pairs, 501)


class TestReversals:
    def test_as_many_as_there_should_be_and_always_the_same(self) -> None:
        assert len(load_reversals()) == sum(REVERSALS.values())
        assert [len(load_reversals(kind)) for kind in REVERSALS] == list(REVERSALS.values())
        assert [both for kind in REVERSALS for both in load_reversals(kind)] == load_reversals()
        assert reversals_checksum() == REVERSALS_CHECKSUM
        with pytest.raises(
            ValueError, match="expected one of object, recipient, relative, clause, got 'verb'"
        ):
            load_reversals("verb")

    def test_both_have_the_same_english_words_in_another_order(self) -> None:
        for there, back in load_reversals():
            assert Counter(there.source_tokens) == Counter(back.source_tokens), there.source
            assert there.source_tokens != back.source_tokens
            assert there.target_tokens != back.target_tokens

    def test_one_noun_takes_the_place_of_the_other_and_nothing_else_moves(self) -> None:
        """Without its two nouns and their adjectives, each English sentence is the other."""
        for there, back in load_reversals():
            moved = [
                i
                for i, (a, b) in enumerate(zip(there.source_tokens, back.source_tokens, strict=True))
                if a != b
            ]
            assert len(moved) >= 2, there.source
            if len(moved) == 2:
                i, j = moved
                assert there.source_tokens[i] == back.source_tokens[j]
                assert there.source_tokens[j] == back.source_tokens[i]

    def test_none_is_in_the_corpus_nor_twice_among_themselves(self) -> None:
        pairs = [pair for both in load_reversals() for pair in both]
        for side in ("source", "target"):
            known = {bare(getattr(pair, side)) for split in SPLITS for pair in load_embedded(split)}
            mine = [bare(getattr(pair, side)) for pair in pairs]
            assert not known & set(mine)
            assert len(set(mine)) == len(mine)

    def test_their_words_are_known_from_the_few_and_their_length_from_training(self) -> None:
        counts = words_of(load_few())
        pairs = [pair for both in load_reversals() for pair in both]
        assert min(counts[word] for word in words_of(pairs)) >= 3
        assert max(len(pair.source_tokens) for pair in pairs) <= 12
        assert max(len(pair.target_tokens) for pair in pairs) <= 13

    def test_the_tokeniser_cuts_them_into_their_words(self) -> None:
        pairs = [
            SentencePair(normalise(p.source), normalise(p.target)) for both in load_reversals() for p in both
        ]
        tokeniser = WordTokeniser.train([side for pair in pairs for side in pair])
        for pair, annotated in zip(pairs, (p for both in load_reversals() for p in both), strict=True):
            assert len(tokeniser.encode(pair.source)) == len(annotated.source_tokens)
            assert len(tokeniser.encode(pair.target)) == len(annotated.target_tokens)

    def test_who_does_it_is_whom_the_french_verb_has_as_its_subject(self) -> None:
        """By the gold links: the first noun of the English sentence is the first of the French one, in both orders."""
        for both in load_reversals("object"):
            for pair in both:
                nouns = [
                    i
                    for i in range(len(pair.source_tokens))
                    if _has_the(pair.source_tokens, pair.source_heads, i)
                ]
                assert len(nouns) == 2, pair.source
                first, second = (min(j for i, j in pair.alignment if i == noun) for noun in nouns)
                assert first < second, pair


def _has_the(tokens: tuple[str, ...], heads: tuple[int, ...], i: int) -> bool:
    return any(head == i and token.lower() == "the" for token, head in zip(tokens, heads, strict=True))
