"""The grammar behind the embedded corpus: it makes the files that lie in the package, the same everywhere."""

import os
import subprocess
import sys
from itertools import product

import corpus
import pytest
from grammar import adjectives, nouns, verbs
from grammar.assembly import finish, relative
from grammar.clauses import Clause, build
from grammar.phrases import noun_phrase, relative_pronoun
from grammar.words import split_words

from course_lib.chapters.ch04_self_attention import fluffy
from course_lib.text.embedded import CHECKSUM, SPLITS, checksum, load_embedded


def test_the_files_were_made_by_the_grammar_as_it_is() -> None:
    """Making them takes half a minute, and is left to `make soak`: the same grammar makes the same files."""
    assert corpus.MADE_BY.read_text().strip() == corpus.grammar_checksum(), "run python tools/corpus.py"
    assert checksum() == CHECKSUM


@pytest.mark.soak
def test_the_files_are_what_the_grammar_makes() -> None:
    made = corpus.contents()
    there = {path.name for path in corpus.FOLDER.iterdir()}
    assert there == set(made)
    assert [name for name, text in made.items() if corpus.read(corpus.FOLDER / name) != text] == []
    assert checksum() == CHECKSUM


def test_a_changed_file_is_noticed_and_written_anew(tmp_path, monkeypatch, capsys) -> None:
    made = {"nouns.tsv": "cat\tcats\n", "val.tsv.xz": "I sleep.\tJe dors.\n"}
    monkeypatch.setattr(corpus, "FOLDER", tmp_path)
    monkeypatch.setattr(corpus, "MADE_BY", tmp_path.parent / "made_by.sha256")
    monkeypatch.setattr(corpus, "contents", lambda: made)
    (tmp_path / "nouns.tsv").write_text("cat\tcat\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["corpus.py", "--check"])
    assert corpus.main() == 1
    assert "2 of 2 files differ: nouns.tsv, val.tsv.xz" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["corpus.py"])
    assert corpus.main() == 0
    assert {name: corpus.read(tmp_path / name) for name in made} == made
    assert corpus.MADE_BY.read_text().strip() == corpus.grammar_checksum()
    monkeypatch.setattr(sys, "argv", ["corpus.py", "--check"])
    assert corpus.main() == 0


PROGRAM = """
import hashlib
from grammar.patterns import sample
from grammar.scenes import Dice
dice = Dice(1)
sentences = [sample(dice) for _ in range(500)]
print(hashlib.sha256(repr([(s.french, s.alignment, s.tags) for s in sentences]).encode()).hexdigest())
"""


def test_it_does_not_depend_on_the_hash_seed() -> None:
    printed = set()
    for seed in ("0", "1", "4321"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment
        )
        printed.add(done.stdout)
    assert len(printed) == 1


def test_tokens_are_the_words_of_the_text() -> None:
    for split in SPLITS:
        for pair in load_embedded(split):
            assert split_words(pair.source, "en") == list(pair.source_tokens)
            assert split_words(pair.target, "fr") == list(pair.target_tokens)
    with pytest.raises(ValueError, match="language: expected 'en' or 'fr'"):
        split_words("Hallo", "de")


def in_french(noun: str, adjective: str, verb: str, other: str) -> str:
    """The grammar's translation of a sentence about the fluffy cat."""
    subject = noun_phrase(nouns.LEXICON[noun], "the")
    (said,) = (a for a in adjectives.LEXICON if a.english == adjective)
    act = next(v for v in verbs.LEXICON if v.english[0] == verb)
    which = relative_pronoun(subject, "subject", commas=True)
    whole = relative(subject, Clause(which, verbs.BE, predicate=said), True)
    object_ = noun_phrase(nouns.LEXICON[other], "the") if other else None
    return finish(build(Clause(whole, act, object=object_))).french.text


@pytest.mark.parametrize("verb", fluffy.INTRANSITIVE + fluffy.TRANSITIVE)
def test_the_fluffy_cat_s_french_is_that_of_the_grammar(verb: str) -> None:
    animals = fluffy.MASCULINE + fluffy.FEMININE
    others = animals if verb in fluffy.TRANSITIVE else [""]
    for noun, adjective, other in product(animals, fluffy.ADJECTIVES, others):
        assert fluffy.in_french(noun, adjective, verb, other) == in_french(noun, adjective, verb, other)
        words = fluffy.example(noun, adjective, verb, other).words
        assert next(v for v in verbs.LEXICON if v.english[0] == verb).english[1] in words
