"""Of a step that is true, but not one step: which steps it is made of, as far as that can be found out.

Two steps in a row are searched for exactly. Where one of them only moves brackets or scalars, the line between is
told. For up to three rules a looser search leaves brackets and scalars out of account, and names the rules alone.
What is told can lead from the one line to the other; nothing says that there is no other way.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from course_lib.exercises.proofs.rules import RULES, brackets_left, factors, is_permutation, scalars_out
from course_lib.exercises.proofs.terms import (
    Attention,
    Identity,
    Product,
    Scaled,
    Softmax,
    Term,
    Transpose,
    product,
    rebuilt,
    scaled,
    transpose,
)

MOST_RULES = 3  # more than that is a plan, and the plan is the student's
MOST_LINES = 100  # that the looser search looks at in one go
MOST_PARTS = 45  # of a line; the lines of a proof have about 25


@functools.lru_cache(maxsize=256)
def explained(before: Term, after: Term, rule: str) -> str:
    """Say what a step is made of that is true, but not one step.

    Parameters
    ----------
    before, after : Term
        Two lines that are equal for all matrices, and that no rule leads to one another.
    rule : str
        The rule that was named, or what was written in its place.

    Returns
    -------
    str
        One or two sentences.
    """
    if max(_n_parts(before), _n_parts(after)) > MOST_PARTS:
        return unexplained(before, after)
    return _two_steps(before, after, rule) or " ".join(
        [_few_rules(before, after, rule) or unexplained(before, after), *_fits_nowhere(before, rule)]
    )


def _n_parts(term: Term) -> int:
    return 1 + sum(map(_n_parts, term.parts))


def unexplained(before: Term, after: Term) -> str:
    """Say that something lies between, and where the two lines differ; nothing is searched for."""
    told = "no rule leads here when used once. Write what lies between, one rule a line."
    old, new = before, after
    while True:
        changed = [(a, b) for a, b in zip(old.parts, new.parts, strict=False) if a != b]
        same_kind = type(old) is type(new) and getattr(old, "by", None) == getattr(new, "by", None)
        if not same_kind or len(changed) != 1:
            break
        old, new = changed[0]
    if old is not before:
        told += f" Only this part changes: {old}, which becomes {new}."
    return f"{told} Mind the brackets: A @ B @ C is (A @ B) @ C, and to move them, or a scalar, is a step of its own."


def _fits_nowhere(before: Term, rule: str) -> Iterator[str]:
    """Yield a sentence if the named rule has no place in the line before, as that was written."""
    if rule not in RULES or not RULES[rule].rewrite or any(True for _ in RULES[rule].used_once(before)):
        return
    if rule != "permutation" or not _holds_identity(before):  # backwards it takes an I apart
        yield f"{rule!r}, {RULES[rule].formula}, fits nowhere in the line before as it stands."


def _holds_identity(term: Term) -> bool:
    return isinstance(term, Identity) or any(map(_holds_identity, term.parts))


# ---- Two steps, exactly ----


def _two_steps(before: Term, after: Term, rule: str) -> str:
    """Say which two steps lead from one line to the other, the named rule among them if possible; "" if none do."""
    found = sorted(_pairs(before, after), key=lambda pair: rule not in pair[:2])
    if not found:
        return ""
    first, second, middle = found[0]
    if middle is not None:
        return (
            f"{first!r} leads from the line before to {middle}, and {second!r} from there to this line. "
            "Write them as two steps."
        )
    if first == second:
        return f"it takes {first!r} twice. A step uses a rule once, at one place."
    return f"it takes {first!r} and then {second!r}, each in a step of its own."


def _pairs(before: Term, after: Term) -> Iterator[tuple[str, str, Term | None]]:
    """Yield two rules that lead here one after the other, with the line between if one of them is bookkeeping."""
    for first, known in RULES.items():
        for middle in known.used_once(before):
            for second, other in RULES.items():
                if other.leads(middle, after):
                    yield first, second, None if other.rewrite else middle
    bookkeeping = [rule for rule in RULES.values() if not rule.rewrite]
    for second, known in RULES.items():
        for middle in known.used_once(after):
            for other in bookkeeping:
                if other.leads(before, middle):
                    yield other.name, second, middle


# ---- A few rules, brackets and scalars left out of account ----


def _few_rules(before: Term, after: Term, rule: str) -> str:
    start, end = _unbracketed(before), _unbracketed(after)
    if start == end:
        return "both brackets and scalars move. 'associativity' and 'scalar' are steps of their own."
    ways = _ways(start, end)
    if not ways:
        return ""
    way = min(ways, key=lambda way: rule not in way)
    if len(way) == 1:
        return (
            f"besides {way[0]!r}, brackets or scalars move. Move them by 'associativity' or 'scalar', before it or "
            "after it, in steps of their own."
        )
    return (
        f"it takes {_listed(way)}, each in a step of its own, and 'associativity' or 'scalar' wherever a rule needs "
        "brackets or scalars elsewhere."
    )


def _listed(way: Sequence[str]) -> str:
    times = {1: "", 2: " twice", 3: " three times"}
    *most, last = [f"{name!r}{times[n]}" for name, n in Counter(way).items()]
    return f"{', '.join(most)} and {last}" if most else last


def _ways(start: Term, end: Term) -> list[tuple[str, ...]]:
    """All shortest ways from the start by rules used forwards, then from there to the end by rules used backwards."""
    forwards: list[dict[Term, tuple[str, ...]]] = [{start: ()}]
    backwards: list[dict[Term, tuple[str, ...]]] = [{end: ()}]
    for length in range(1, MOST_RULES + 1):
        for layers in (forwards, backwards):
            layers.append({})
            for term, way in layers[-2].items():
                for name, new in _loosely(term):
                    if len(layers[-1]) < MOST_LINES:
                        layers[-1].setdefault(_unbracketed(new), (*way, name))
        found = [
            forwards[n][term] + backwards[length - n][term][::-1]
            for n in range(length + 1)
            for term in forwards[n].keys() & backwards[length - n].keys()
        ]
        if found:
            return sorted(found)
    return []


def _unbracketed(term: Term) -> Term:
    """One term for all that differ in brackets and in where scalars stand."""
    return brackets_left(scalars_out(term))


def _loosely(term: Term) -> Iterator[tuple[str, Term]]:
    """Rewrite an unbracketed term by one rule, used forwards at one place, with any brackets that this needs."""
    row = factors(term)
    match term:
        case Product():
            for i, (one, next_one) in enumerate(itertools.pairwise(row)):
                if is_permutation(one) and next_one == transpose(one):
                    yield (
                        "permutation",
                        _joined([*row[:i], Identity(one.shape and one.shape[0]), *row[i + 2 :]]),
                    )
            for i, one in enumerate(row):
                if isinstance(one, Identity):
                    yield "identity", _joined([*row[:i], *row[i + 1 :]])
        case Transpose(Product() as of):
            row = factors(of)
            for i in range(1, len(row)):
                yield "transpose", product(transpose(_joined(row[i:])), transpose(_joined(row[:i])))
            row = []
        case Softmax(Product() | Scaled(of=Product()) as scores):
            inner = factors(scores.of if isinstance(scores, Scaled) else scores)

            def softmax(row: list[Term]) -> Term:
                return Softmax(
                    scaled(scores.by, _joined(row)) if isinstance(scores, Scaled) else _joined(row)
                )

            if is_permutation(inner[-1]):
                yield "softmax columns", product(softmax(inner[:-1]), inner[-1])
            if is_permutation(inner[0]):
                yield "softmax rows", product(inner[0], softmax(inner[1:]))
        case Attention():
            yield "definition", next(RULES["definition"].used_once(term))
    if isinstance(term, Product):
        for i, part in enumerate(row):
            yield from ((name, _joined([*row[:i], new, *row[i + 1 :]])) for name, new in _loosely(part))
        return
    for i, part in enumerate(term.parts):
        for name, new in _loosely(part):
            yield name, rebuilt(term, [*term.parts[:i], new, *term.parts[i + 1 :]])


def _joined(row: Sequence[Term]) -> Term:
    return functools.reduce(product, row)
