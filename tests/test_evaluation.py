import math
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.evaluation import (
    Accuracy,
    accuracy_by_phenomenon,
    alignment_error_rate,
    bleu,
    exact_match,
    hard_alignment,
)
from course_lib.text.readers import read_folder

HYPOTHESES = ["Le petit chat noir dort sur le tapis.", "un chien court dans le parc", "Deux hommes mangent"]
REFERENCES = [
    "Le chat noir dort sur un tapis rouge.",
    "Un chien court dans le parc",
    "Deux hommes mangent une pomme",
]

LINKS = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6)
ALIGNMENTS = st.lists(st.tuples(LINKS, LINKS, LINKS), min_size=1, max_size=4)


def bleu_by_definition(hypotheses: list[list[str]], references: list[list[str]]) -> float:
    """Papineni et al. (2002), with the words already cut, for texts in which every precision is above 0."""
    log_precision = 0.0
    for n in range(1, 5):
        matched = total = 0
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            have, want = (
                Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
                for words in (hypothesis, reference)
            )
            matched += sum((have & want).values())
            total += sum(have.values())
        log_precision += math.log(matched / total) / 4
    c, r = sum(map(len, hypotheses)), sum(map(len, references))
    return 100 * min(1.0, math.exp(1 - r / c)) * math.exp(log_precision)


@pytest.mark.parametrize("lowercase", [False, True])
def test_bleu_against_its_definition(lowercase: bool) -> None:
    cut = [
        [(text.lower() if lowercase else text).replace(".", " .").split() for text in texts]
        for texts in (HYPOTHESES, REFERENCES)
    ]
    result = bleu(HYPOTHESES, REFERENCES, lowercase)
    assert result.score == pytest.approx(bleu_by_definition(*cut), rel=1e-10)
    assert result.brevity_penalty == pytest.approx(math.exp(1 - 20 / 18))
    assert len(result.precisions) == 4


def test_bleu_against_sacrebleu_s_command(tmp_path: Path) -> None:
    for name, texts in (("hypotheses", HYPOTHESES), ("references", REFERENCES)):
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    command = [sys.executable, "-m", "sacrebleu", "references", "-i", "hypotheses", "-w", "6", "-lc"]
    score, signature = (
        subprocess.run(
            [*command, *more], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.strip()
        for more in (["-b"], ["-f", "text"])
    )
    result = bleu(HYPOTHESES, REFERENCES, lowercase=True)
    assert f"{result.score:.6f}" == score
    assert result.signature == signature.removeprefix("BLEU|").split(" = ")[0]
    assert result.signature.startswith("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:")
    assert str(result) == f"BLEU {result.score:.1f} ({result.signature})"


def test_bleu_at_its_ends_and_case() -> None:
    assert bleu(REFERENCES, REFERENCES).score == pytest.approx(100)
    assert bleu(["a b c d e"], ["v w x y z"]).score == 0
    assert bleu([""], ["v w x y z"]).score == 0
    shouted = [text.upper() for text in REFERENCES]
    assert bleu(shouted, REFERENCES, lowercase=True).score == pytest.approx(100)
    assert bleu(shouted, REFERENCES).score < 10
    assert "case:mixed" in bleu(shouted, REFERENCES).signature


def test_exact_match() -> None:
    assert exact_match(["a", "b", "c"], ["a", "b", "C"]) == pytest.approx(2 / 3)
    assert exact_match(["a "], ["a"]) == 0


def test_accuracy_by_phenomenon() -> None:
    tags = [["negation", "elision", "negation"], {"elision"}, (), {"question"}]
    result = accuracy_by_phenomenon(["a", "b", "c", "d"], ["a", "x", "c", "d"], tags)
    assert result == {"elision": Accuracy(1, 2), "negation": Accuracy(1, 1), "question": Accuracy(1, 1)}
    assert list(result) == sorted(result)
    assert result["elision"].share == 0.5
    assert accuracy_by_phenomenon(["a"], ["a"], [[]]) == {}


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a"], ["a", "b"], "equally many, not 1 and 2"),
        ([], ["a"], "equally many, not 0 and 1"),
        ([], [], "at least one sentence"),
        ("a", ["a"], "hypotheses must be a sequence"),
        (["a"], "a", "references must be a sequence"),
    ],
)
def test_texts_that_do_not_go_together(hypotheses: list[str], references: list[str], message: str) -> None:
    for compare in (bleu, exact_match, lambda h, r: accuracy_by_phenomenon(h, r, [[]] * len(r))):
        with pytest.raises(ValueError, match=message):
            compare(hypotheses, references)


def test_tags_that_do_not_go_with_the_texts() -> None:
    with pytest.raises(ValueError, match="tags must have one entry for each of 2 sentences, not 1"):
        accuracy_by_phenomenon(["a", "b"], ["a", "b"], [["x"]])
    with pytest.raises(ValueError, match="not the single string 'elision'"):
        accuracy_by_phenomenon(["a"], ["a"], ["elision"])


@given(st.integers(0, 6), st.integers(1, 6), st.integers(0, 2**32))
def test_hard_alignment_takes_the_largest_of_each_row(n_rows: int, n_columns: int, seed: int) -> None:
    weights = np.random.default_rng(seed).dirichlet(np.ones(n_columns), n_rows).reshape(n_rows, n_columns)
    expected = {
        (i, j) for i in range(n_rows) for j in range(n_columns) if all(weights[i, j] >= w for w in weights[i])
    }
    assert hard_alignment(weights) == expected


def test_hard_alignment_at_its_ends() -> None:
    assert hard_alignment([[0.5, 0.5], [0.0, 0.0], [0.0, 1.0]]) == {(0, 0), (2, 1)}
    assert hard_alignment(np.zeros((0, 3))) == set()
    for bad in ([0.5, 0.5], np.zeros((2, 2, 2)), np.zeros((2, 0))):
        with pytest.raises(ValueError, match=r"weights must have shape \(L_q, L_k\)"):
            hard_alignment(bad)
    for bad in ([[math.nan, 1.0]], [[math.inf, 1.0]], [[-0.1, 1.1]]):
        with pytest.raises(ValueError, match="finite and not negative"):
            hard_alignment(bad)


@given(ALIGNMENTS)
def test_alignment_error_rate_link_by_link(
    sentences: list[tuple[set[tuple[int, int]], set[tuple[int, int]], set[tuple[int, int]]]],
) -> None:
    """Count misses and false alarms as one would on paper, over every cell of every grid."""
    predicted, sure, extra = zip(*sentences, strict=True)
    possible = [s | e for s, e in zip(sure, extra, strict=True)]
    hits = n_links = 0
    for a, s, p in zip(predicted, sure, possible, strict=True):
        for cell in ((i, j) for i in range(4) for j in range(4)):
            hits += (cell in a and cell in s) + (cell in a and cell in p)
            n_links += (cell in a) + (cell in s)
    if n_links == 0:
        with pytest.raises(ValueError, match="no link"):
            alignment_error_rate(predicted, sure, possible)
        return
    error = alignment_error_rate(iter(predicted), iter(sure), iter(possible))
    assert error == pytest.approx(1 - hits / n_links, abs=1e-12)
    assert -1e-12 <= error <= 1
    assert (
        alignment_error_rate(predicted, sure) >= error - 1e-12
    )  # more is wrong when only sure links are right


def test_alignment_error_rate_with_sure_links_alone_is_one_minus_f1() -> None:
    predicted, sure = [{(0, 0), (1, 1), (2, 2)}], [{(0, 0), (1, 2)}]
    precision, recall = 1 / 3, 1 / 2
    assert alignment_error_rate(predicted, sure) == pytest.approx(
        1 - 2 * precision * recall / (precision + recall)
    )


def test_alignment_error_rate_at_its_ends() -> None:
    # "I love you" – "Je t'aime": the crossing, with a link that is possible only.
    sure, possible = [{(0, 0), (1, 2), (2, 1)}], [{(0, 0), (1, 2), (2, 1), (1, 1)}]
    assert alignment_error_rate(sure, sure, possible) == 0
    assert alignment_error_rate(possible, sure, possible) == 0
    assert alignment_error_rate([{(0, 1)}], sure, possible) == 1
    assert alignment_error_rate([set()], sure, possible) == 1
    crossing = [[0.9, 0.1, 0.0], [0.1, 0.1, 0.8], [0.0, 1.0, 0.0]]
    assert alignment_error_rate([hard_alignment(crossing)], sure, possible) == 0
    with pytest.raises(ValueError, match="not 1, 2 and 2"):
        alignment_error_rate([set()], [set(), set()])
    with pytest.raises(ValueError, match="not 1, 1 and 2"):
        alignment_error_rate([set()], [set()], [set(), set()])
    with pytest.raises(ValueError, match=r"sentence 0 lacks \{\(0, 0\)\}"):
        alignment_error_rate(sure, sure, [{(1, 2), (2, 1)}])


def test_bleu_on_the_real_corpus_is_100_for_the_references_and_low_for_others(corpus_folder: Path) -> None:
    references = [pair.target for pair in read_folder(corpus_folder, "val")]
    assert bleu(references, references).score == pytest.approx(100)
    # Sentences that belong to other ones share little beyond the frequent words.
    assert bleu(references[1:] + references[:1], references).score < 5
