"""Say, question by question, what people's slips in right answers cost, and whether they are told what is wrong.

Slips (course_grading/slips.py) are made in the bank's right answers. slips: those that behave in ways of their own;
kinds: of how many kinds they are; lose: those that lose points; specific: those of them that are told what is wrong,
not only that numbers differ.
"""

import argparse
import json
import sys
from pathlib import Path

from bank import add_patterns, chosen
from environment import ROOT
from tqdm import tqdm

from course_grading.bank import Told, bank_answers, decide_slips

COLUMNS = ("slips", "kinds", "lose", "specific")


def entry(question: str, told: Told) -> dict[str, object]:
    """Return all that a reader needs to judge a message."""
    return {
        "question": question,
        "answer": told.answer,
        "kind": told.slip.kind,
        "where": told.slip.where,
        "points": told.verdict.points if told.verdict else 0,
        "specific": told.is_specific,
        "messages": told.verdict.messages if told.verdict else ["(never ends)"],
        "source": told.slip.source,
    }


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_patterns(parser)
    parser.add_argument("--seed", type=int, default=0, help="of the inputs (default: 0)")
    parser.add_argument("--most", type=int, default=60, help="slips to try in each question (default: 60)")
    parser.add_argument(
        "--to", type=Path, metavar="FILE", help="write all slips and what they are told, as JSON"
    )
    parser.add_argument(
        "--show", choices=("kept", "vague"), help="print those that keep all points, or are told numbers only"
    )
    options = parser.parse_args()
    rows, everything = [], []
    for ours, question in tqdm(chosen(parser, options.patterns), unit="question", leave=False):
        name = ours.name
        answers = bank_answers(ROOT / "tests" / "bank" / name / question, ours.questions[question].points)
        told = decide_slips(ours, question, [a for a in answers if a.is_right], options.seed, options.most)
        losing = [one for one in told if one.loses]
        specific = sum(one.is_specific for one in losing)
        rows.append(
            [f"{name} {question}", len(told), len({one.slip.kind for one in told}), len(losing), specific]
        )
        everything += [entry(f"{name} {question}", one) for one in told]
        for one in told:
            if (options.show == "kept" and not one.loses) or (
                options.show == "vague" and one.loses and not one.is_specific
            ):
                print(f"{name} {question} {one.answer}: {one.slip.kind}: {one.slip.where}")
                print(
                    *(f"    {message}" for message in (one.verdict.messages if one.verdict else [])), sep="\n"
                )
    rows.append(["all", *(sum(row[n] for row in rows) for n in range(1, 5))])
    for line in [["question", *COLUMNS], *rows]:
        print("  ".join(f"{cell!s:<10}" for cell in line).rstrip())
    if options.to:
        options.to.write_text(json.dumps(everything, indent=1, ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
