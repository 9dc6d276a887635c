"""Assembly: clauses joined into sentences, and sentences finished: numbered, aligned, punctuated."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from grammar.clauses import Clause, build
from grammar.phrases import (
    NounPhrase,
    Phrase,
    english,
    fixed,
    french,
    object_pronoun,
    pronoun_of,
    subject_pronoun,
    with_phrase,
)
from grammar.words import Surface, Word, finish_english, finish_french, link


@dataclass(frozen=True, eq=False)
class Sentence:
    """A finished pair: both surfaces, the links between their words, tags and combinations of words."""

    english: Surface
    french: Surface
    alignment: tuple[tuple[int, int], ...]
    tags: Mapping[str, tuple[int, ...]]
    combinations: frozenset[str]


def finish(phrase: Phrase, mark: str = ".", french_mark: str = "") -> Sentence:
    """End a sentence with its mark, apply the surface rules, number words and links."""
    en_mark, fr_mark = Word(mark, phrase.english_head), Word(french_mark or mark, phrase.french_head)
    if mark == "?":
        fr_mark.tags = ("question",)
    link(en_mark, fr_mark)
    en_words, fr_words = [*phrase.english, en_mark], [*phrase.french, fr_mark]
    en, en_place = finish_english(en_words)
    fr, fr_place = finish_french(fr_words)
    _mark_distractors(fr_words)
    links = {(en_place[e], fr_place[f]) for e in en_words for f in e.links}
    tags: dict[str, set[int]] = {}
    combinations: set[str] = set()
    for word in fr_words:
        combinations.update(word.combinations)
        for tag in word.tags:
            tags.setdefault(tag, set()).add(fr_place[word])
    ordered = {tag: tuple(sorted(tags[tag])) for tag in sorted(tags)}
    return Sentence(en, fr, tuple(sorted(links)), ordered, frozenset(combinations))


def _mark_distractors(words: list[Word]) -> None:
    """Tag verbs that a noun of another gender or number separates from their subject's."""
    for index, verb in enumerate(words):
        if verb.subject is None or verb.subject not in words[:index]:
            continue
        between = words[words.index(verb.subject) + 1 : index]
        if any(w.noun and w.noun != verb.subject.noun and w.head is not verb.subject for w in between):
            verb.tags += ("distractor",)  # a noun that hangs under the subject itself is joined to it by et


def comma(phrase: Phrase) -> tuple[Word, Word]:
    """Make an aligned pair of commas that hang under the heads of a phrase."""
    en, fr = Word(",", phrase.english_head), Word(",", phrase.french_head)
    link(en, fr)
    return en, fr


def coordinate(first: Phrase, second: Phrase, text: str, translation: str) -> Phrase:
    """Join two clauses: and et, but mais (after a comma), or a semicolon."""
    commas = comma(second) if text == "but" else None
    fr = french(translation, head=second.french_head, tags=("conjunction",) if translation == "et" else ())
    en = english(text, fr, head=second.english_head)
    second.depend(first.english_head, first.french_head)
    return Phrase(
        [*first.english, *(commas[:1] if commas else ()), en, *second.english],
        [*first.french, *(commas[1:] if commas else ()), fr, *second.french],
        first.english_head,
        first.french_head,
    )


def subordinate(main: Phrase, clause: Phrase, text: str, translation: str) -> Phrase:
    """Hang a clause under another: because parce que, when quand, while pendant que, if si."""
    joint = fixed(text, translation)
    for words in (joint.english, joint.french):  # unlike adverbs, conjunctions have their head first
        for previous, word in pairwise(words):
            previous.head, word.head = None, previous
    joint.english[0].head, joint.french[0].head = main.english_head, main.french_head
    clause.depend(joint.english[-1], joint.french[-1])
    if translation == "si" and clause.french[0].text in ("il", "ils"):
        joint.french[0].prevocalic = "s’"
    return Phrase(
        [*main.english, *joint.english, *clause.english],
        [*main.french, *joint.french, *clause.french],
        main.english_head,
        main.french_head,
    )


def vocative(phrase: Phrase, addressed: Phrase) -> Phrase:
    """Call somebody at the end: *Are you tired, Marie?*"""
    commas = comma(addressed)
    addressed.depend(phrase.english_head, phrase.french_head)
    addressed.french[-1].tags += ("address",)
    return Phrase(
        [*phrase.english, commas[0], *addressed.english],
        [*phrase.french, commas[1], *addressed.french],
        phrase.english_head,
        phrase.french_head,
    )


def front(phrase: Phrase, clause: Phrase) -> Phrase:
    """Put a place or a time before a clause, with a comma."""
    phrase.depend(clause.english_head, clause.french_head)
    commas = comma(phrase)
    return Phrase(
        [*phrase.english, commas[0], *clause.english],
        [*phrase.french, commas[1], *clause.french],
        clause.english_head,
        clause.french_head,
    )


def relative(antecedent: NounPhrase, clause: Clause, commas: bool, *, last: bool = False) -> NounPhrase:
    """Hang a relative clause, whose pronoun is already in it, under its antecedent.

    With `commas` it stands between two, or after one if it comes `last` in the sentence.
    """
    phrase = build(clause)
    if commas:
        en, fr = comma(phrase)
        phrase.english.insert(0, en)
        phrase.french.insert(0, fr)
        if not last:
            en, fr = comma(phrase)
            phrase.english.append(en)
            phrase.french.append(fr)
    return with_phrase(antecedent, phrase)


def quote(frame: Phrase, said: Phrase) -> Phrase:
    """Report words between quotation marks; English sets a comma before them, French a colon."""
    said.depend(frame.english_head, frame.french_head)
    said.english[0].capital = said.french[0].capital = True
    marks = [(",", ":", frame), ("“", "«", said), (".", ".", said)]
    (en_colon, fr_colon), (en_open, fr_open), (en_stop, fr_stop) = (
        (Word(en, phrase.english_head), Word(fr, phrase.french_head)) for en, fr, phrase in marks
    )
    for en_mark, fr_mark in ((en_colon, fr_colon), (en_open, fr_open), (en_stop, fr_stop)):
        link(en_mark, fr_mark)
    return Phrase(
        [*frame.english, en_colon, en_open, *said.english, en_stop],
        [*frame.french, fr_colon, fr_open, *said.french, fr_stop],
        frame.english_head,
        frame.french_head,
    )


def elided(subject: NounPhrase) -> NounPhrase:
    """Repeat a subject without saying it: *sees the mouse and* (it) *chases it*."""
    silent = subject_pronoun(pronoun_of(subject))
    return NounPhrase([], [], silent.english_head, silent.french_head, subject.gender, subject.number,
                      subject.agreement, subject.noun, subject.key, subject.pronoun)  # fmt: skip


def taken_up(noun: NounPhrase, *, subject: bool) -> NounPhrase:
    """Take up an earlier noun by a pronoun, which has its gender from it."""
    key = pronoun_of(noun)
    pronoun = subject_pronoun(key) if subject else object_pronoun(key)
    if pronoun.pronoun and pronoun.english_head.text in ("it", "they", "them"):
        pronoun.french_head.tags += ("antecedent",)
    return pronoun
