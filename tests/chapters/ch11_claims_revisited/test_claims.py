"""The ledger: its rule, its book-keeping, and deciding code that can find either verdict."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from course_lib import functional
from course_lib.chapters.ch11_claims_revisited import claim_cases
from course_lib.chapters.ch11_claims_revisited.claims import Claim, Ledger, judge

# ---- The rule ----


@pytest.mark.parametrize("outcomes", list(product([True, False], repeat=3)))
def test_the_verdict_follows_from_how_many_cases_are_true(outcomes):
    expected = {0: "does not hold", 3: "holds"}.get(sum(outcomes), "holds when")
    assert judge(dict(zip("abc", outcomes, strict=True))) == expected
    assert (
        judge({"one": outcomes[:1], "two": list(outcomes[1:2]), "three": np.array(outcomes[2:])}) == expected
    )


def test_a_case_is_true_only_if_it_was_in_every_repetition():
    assert judge({"a": [True, True, True]}) == "holds"
    assert judge({"a": [True, False, True]}) == "does not hold"
    assert judge({"a": [True, False], "b": np.bool_(True)}) == "holds when"


@pytest.mark.parametrize(
    ("cases", "told"),
    [
        ({}, "cases is empty"),
        ({"a": []}, "case 'a' has no outcome"),
        ({"a": 0.98}, "case 'a' has the outcome 0.98"),
        ({"a": True, "b": "yes"}, "case 'b' has the outcome 'yes'"),
        ({"a": [True, None]}, "expected true or false"),
    ],
)
def test_what_is_no_outcome_is_refused(cases, told):
    with pytest.raises(ValueError, match=told):
        judge(cases)


def test_a_claim_says_its_conditions_and_counts_its_repetitions():
    claim = Claim(
        7,
        "Water boils",
        "A",
        {"at 100 °C": (True, True), "at 20 °C": (True, False), "in space": (True,)},
        "ice",
        2,
    )
    assert claim.sentence == "holds when at 100 °C – or in space"
    assert str(claim).splitlines() == [
        "7. Water boils (A)",
        "   ✓ at 100 °C  [2 of 2]",
        "   ✗ at 20 °C  [1 of 2]",
        "   ✓ in space",
        "   → holds when at 100 °C – or in space",
        "   would flip it: ice",
    ]


# ---- The book ----


def enter(ledger: Ledger, number: int, words: str = "", cases: object = None) -> None:
    outcome = {"always": True} if cases is None else cases
    ledger.enter(number, words or f"claim {number}", "A", outcome, flip="nothing", chapter=3)


def complete(n: int = 29) -> Ledger:
    ledger = Ledger(n)
    for number in reversed(range(1, n + 1)):  # in whatever order
        enter(ledger, number)
    return ledger


@pytest.mark.parametrize("number", [0, -1, 30])
def test_a_number_out_of_range_is_refused(number):
    with pytest.raises(ValueError, match="expected one of 1 to 29"):
        enter(Ledger(29), number)


def test_a_number_cannot_be_given_to_two_claims_nor_a_claim_two_numbers():
    ledger = complete()
    with pytest.raises(ValueError, match="number is 4 for 'another': 4 is entered as 'claim 4'"):
        enter(ledger, 4, "another")
    ledger = Ledger(29)
    enter(ledger, 4)
    with pytest.raises(ValueError, match="number is 5 for 'claim 4': 4 is entered"):
        enter(ledger, 5, "claim 4")


def test_a_claim_decided_again_stands_once_with_the_later_evidence():
    ledger = complete()
    enter(ledger, 4, cases={"always": False})
    assert ledger[4].verdict == "does not hold"
    assert [claim.number for claim in ledger] == list(range(1, 30))
    assert ledger.counts() == {"holds": 28, "holds when": 0, "does not hold": 1}


@pytest.mark.parametrize("close", [Ledger.table, Ledger.counts, list])
def test_the_table_is_refused_while_claims_are_missing(close):
    ledger = Ledger(29)
    for number in set(range(1, 30)) - {3, 17}:
        enter(ledger, number)
    with pytest.raises(ValueError, match="lacks 3, 17: run the cells"):
        close(ledger)
    enter(ledger, 3)
    enter(ledger, 17)
    close(ledger)


def test_the_table_has_a_row_for_each_claim_in_order(capsys):
    ledger = complete(3)
    enter(ledger, 2, "claim 2", {"here": True, "there|now": False})
    assert "→ holds when here" in capsys.readouterr().out
    rows = ledger.table().splitlines()
    assert len(rows) == 2 + 3
    assert all(row.replace(r"\|", "").count("|") == 7 for row in rows)
    assert rows[2:] == [
        "| 1 | claim 1 | A | **holds** | nothing | 03 |",
        "| 2 | claim 2 | A | **holds when** here | nothing | 03 |",
        "| 3 | claim 3 | A | **holds** | nothing | 03 |",
    ]


def test_a_bar_in_a_condition_does_not_break_the_table():
    ledger = Ledger(1)
    enter(ledger, 1, "P(a|b)", {"given a|b": True, "else": False})
    assert r"| P(a\|b) | A | **holds when** given a\|b |" in ledger.table()


# ---- Verdicts that come out the other way on other circumstances ----

K = np.arange(256)


def bell(d: int) -> np.ndarray:
    """Rows whose products are exactly a Gaussian of their distance, by a factor of that matrix; d is not needed."""
    i = np.arange(100)
    values, vectors = np.linalg.eigh(np.exp(-((i[:, None] - i) ** 2) / 200))
    return vectors * np.sqrt(np.maximum(values, 0))


FLIPS = {
    "1, order: with positions": (
        claim_cases.reordering,
        lambda: claim_cases.reordering(functional.sinusoidal_encoding),
        ("holds when", "does not hold"),
    ),
    "3, feed-forward: with neighbours": (
        claim_cases.one_position_alone,
        lambda: claim_cases.one_position_alone(kernel_size=3),
        ("holds", "does not hold"),
    ),
    "5, wavelengths: spaced over d − 2": (
        lambda: claim_cases.wavelengths_span({"0": 2 * K / 512, "1": 2 * (K + 1) / 512}),
        lambda: claim_cases.wavelengths_span({"d − 2": 2 * K / 510}),
        ("does not hold", "holds"),
    ),
    "6, Gaussian: an exact one": (
        lambda: claim_cases.near_a_gaussian(lambda d: functional.sinusoidal_encoding(100, d)),
        lambda: claim_cases.near_a_gaussian(bell),
        ("does not hold", "holds"),
    ),
    "10, softmax: a stable one": (
        lambda: claim_cases.softmax_works(lambda x: np.exp(x) / np.exp(x).sum()),
        lambda: claim_cases.softmax_works(functional.softmax),
        ("holds when", "holds"),
    ),
}


@pytest.mark.parametrize("name", FLIPS)
def test_the_deciding_code_can_find_the_other_verdict(name):
    usual, changed, expected = FLIPS[name]
    assert (judge(usual()), judge(changed())) == expected


def test_longer_sequences_flip_with_rotary_encoding():
    found = {
        kind: claim_cases.right_by_length(claim_cases.readers(kind, seeds=[1]))
        for kind in ("sinusoidal", "rotary")
    }
    verdicts = {kind: judge(claim_cases.at_least(0.8, right)) for kind, right in found.items()}
    assert verdicts == {"sinusoidal": "holds when", "rotary": "holds"}
    assert found["sinusoidal"]["twice as long"][0] < 0.75


def test_order_is_told_case_by_case():
    outcomes = claim_cases.reordering(n=3)
    assert [sum(found) for found in outcomes.values()] == [3, 3, 3, 0]
    shifted = claim_cases.reordering(
        lambda L, d: np.ones((L, d)), n=3
    )  # the same for every place: no positions
    assert shifted == outcomes


def test_kernels_wider_than_the_sequence_and_even_ones():
    assert judge(claim_cases.one_position_alone(15, seeds=[0])) == "does not hold"
    for size in (0, 2, -1):
        with pytest.raises(ValueError, match=f"kernel_size is {size}"):
            claim_cases.one_position_alone(size)


@pytest.mark.parametrize(("wrong", "failing"), [(lambda x: x * 0, 3), (lambda x: np.exp(x - x.max()), 3)])
def test_what_is_no_softmax_is_found_out(wrong, failing):
    assert sum(not works for works in claim_cases.softmax_works(wrong).values()) == failing


def test_wavelengths_are_compared_at_both_ends():
    spans = claim_cases.wavelengths_span(
        {"both": [0, 1], "late": [0.01, 1], "short": [0, 0.99], "close": [0.0005, 1]}
    )
    assert spans == {"both": True, "late": False, "short": False, "close": True}


# ---- Verdicts from records ----


def write(folder: Path, **scores: list[float]) -> Path:
    """Records as the long runs write them: name → exact match for each seed; "small" has a third of the parameters."""
    (folder / "embedded").mkdir(exist_ok=True)
    for name, exact in scores.items():
        name = name.replace("_", "-")
        for seed, share in enumerate(exact):
            record = {
                "parameters": 430_000 if "small" in name else 1_300_000 + seed,
                "quality": {part: {"greedy": {"exact_match": share}} for part in ("test", "longer")},
            }
            (folder / "embedded" / f"{name}-{seed}.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


def write_speed(folder: Path, training: list[float], decoding: list[list[float]]) -> None:
    """Tokens a second of the Transformer, the GRU and the GRU with attention; decoding by size of batch."""
    names = ("transformer", "gru", "gru-attention")
    by_model = dict(zip(names, decoding, strict=True))
    record = {
        "training": dict(zip(names, training, strict=True)),
        "batch_sizes": [1, 8, 64],
        "decoding": {"10": by_model, "40": by_model},
    }
    (folder / "embedded" / "speed.json").write_text(json.dumps(record), encoding="utf-8")


@pytest.mark.parametrize(
    ("small", "small_rival", "gru", "rival", "verdict"),
    [
        (0.80, 0.60, [0.5, 0.6, 0.7], [0.7, 0.8, 0.9], "holds"),
        (0.79, 0.60, [0.5, 0.6, 0.7], [0.7, 0.8, 0.9], "holds"),  # short by less than the margin
        (0.70, 0.60, [0.5, 0.6, 0.7], [0.7, 0.8, 0.9], "holds when"),
        (0.80, 0.89, [0.5, 0.6, 0.7], [0.7, 0.8, 0.9], "holds when"),  # the small rival does it too
        (0.40, 0.60, [0.5, 0.6, 0.7], [0.7, 0.8, 0.9], "does not hold"),
    ],
)
def test_fewer_parameters_either_way(tmp_path, small, small_rival, gru, rival, verdict):
    results = write(
        tmp_path,
        transformer=[0.9, 0.9, 0.9],
        gru=gru,
        gru_attention=rival,
        small_transformer=[small],
        small_gru_attention=[small_rival],
    )
    assert judge(claim_cases.fewer_parameters(results)) == verdict


def test_a_small_model_that_is_not_small_proves_nothing(tmp_path):
    names = ("transformer", "gru", "gru_attention")
    results = write(
        tmp_path, **dict.fromkeys(names, [0.5] * 3), small_transformer=[0.9], small_gru_attention=[0.1]
    )
    assert judge(claim_cases.fewer_parameters(results)) == "holds"
    path = results / "embedded" / "small-transformer-0.json"
    path.write_text(path.read_text(encoding="utf-8").replace("430000", "700000"), encoding="utf-8")
    assert judge(claim_cases.fewer_parameters(results)) == "does not hold"


def comparison(folder: Path, ours: list[float], theirs: list[float], speeds: list[float]) -> dict[str, bool]:
    """The cases of claim 16 if both rivals are alike: speeds of (Transformer, rival) in everything."""
    names = ("gru", "gru_attention", "gru_same_time", "gru_attention_same_time")
    write(folder, transformer=ours, **dict.fromkeys(names, theirs))
    mine, rival = speeds
    write_speed(folder, [mine, rival, rival], [[mine] * 3, [rival] * 3, [rival] * 3])
    return claim_cases.faster_and_better(folder)


def test_faster_and_better_either_way(tmp_path):
    better, worse = [0.8, 0.9, 0.95], [0.5, 0.6, 0.79]
    assert judge(comparison(tmp_path, better, worse, [110, 100])) == "holds"
    assert judge(comparison(tmp_path, worse, better, [100, 110])) == "does not hold"
    only_faster = comparison(tmp_path, [0.7, 0.9, 0.95], worse, [110, 100])  # its worst is below their best
    assert {case for case, ahead in only_faster.items() if not ahead} == {
        c for c in only_faster if "accuracy" in c
    }
    only_better = comparison(tmp_path, better, worse, [104, 100])  # within the margin
    assert {case for case, ahead in only_better.items() if ahead} == {
        c for c in only_better if "accuracy" in c
    }
    assert len(only_better) == 12


def test_one_slow_batch_size_counts_where_it_belongs(tmp_path):
    comparison(tmp_path, [1, 1, 1], [0, 0, 0], [110, 100])
    write_speed(tmp_path, [110, 100, 100], [[110, 110, 90], [100] * 3, [1] * 3])
    failed = [case for case, ahead in claim_cases.faster_and_better(tmp_path).items() if not ahead]
    assert failed == ["decoding speed counts, in batches, beside a plain GRU"]


def test_longer_sentences_count_for_themselves(tmp_path):
    comparison(tmp_path, [0.8, 0.9, 0.9], [0.5, 0.6, 0.7], [110, 100])
    path = tmp_path / "embedded" / "gru-2.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["quality"]["longer"]["greedy"]["exact_match"] = 0.81
    path.write_text(json.dumps(record), encoding="utf-8")
    failed = [case for case, ahead in claim_cases.faster_and_better(tmp_path).items() if not ahead]
    assert failed == ["accuracy on longer sentences counts, beside a plain GRU"]


def test_equal_data_and_equal_time_are_different_records(tmp_path):
    comparison(tmp_path, [0.8, 0.9, 0.9], [0.5, 0.6, 0.7], [110, 100])
    write(tmp_path, gru_same_time=[0.5, 0.6, 0.85])
    failed = [case for case, ahead in claim_cases.faster_and_better(tmp_path).items() if not ahead]
    assert failed == ["accuracy counts, after equal time, beside a plain GRU"]


def test_pooling_either_way(tmp_path):
    results = write(tmp_path, transformer=[0.9, 0.8, 0.95], transformer_pooled_memory=[0.76])
    assert claim_cases.survives_pooling(results)
    write(tmp_path, transformer_pooled_memory=[0.74])
    assert not claim_cases.survives_pooling(results)


def test_a_missing_record_names_the_command(tmp_path):
    with pytest.raises(FileNotFoundError, match="make results"):
        claim_cases.fewer_parameters(write(tmp_path, transformer=[0.9] * 3))
