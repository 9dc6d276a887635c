"""The step checker: is each line of a proof with matrices one step, by a named rule, from the line before?

A line is a matrix expression in Python's notation, `softmax(Q @ K.T / sqrt(d_k)) @ V`. It is read, never
run: nothing but the notation of `NOTATION` has a meaning. It becomes a term, and a rule rewrites terms.
So an accepted proof holds for matrices of every size; numbers are drawn only to tell a step that is false
from one that is true but too long.

What counts as the same line, so that no step leads from one to the other: `(A.T).T` and `A`, `I.T` and
`I`, and a scalar however it is written, `A / sqrt(d_k)` or `1 / sqrt(d_k) * A`. Brackets do count, and
`A @ B @ C` is `(A @ B) @ C`, as in Python.

Two rules are bookkeeping, `associativity` and `scalar`: one step may move as many brackets, or scalars,
as it likes, all over the line. Every other rule is used at one place, from left to right or from right to left.

`check` checks a proof, `RULES` are the rules, `INVARIANCE` and `EQUIVARIANCE` what
the course has proved with them. Read on in the order of the modules: `terms`, `theorems`, `reading`,
`rules`, `between`, `checking`.
"""

from course_lib.exercises.proofs.checking import Report, Step, Verdict, check
from course_lib.exercises.proofs.reading import NOTATION, parse
from course_lib.exercises.proofs.rules import RULES, Rule
from course_lib.exercises.proofs.terms import NotationError, Term
from course_lib.exercises.proofs.theorems import EQUIVARIANCE, INVARIANCE, Theorem, evaluate, example

__all__ = [
    "EQUIVARIANCE",
    "INVARIANCE",
    "NOTATION",
    "RULES",
    "NotationError",
    "Report",
    "Rule",
    "Step",
    "Term",
    "Theorem",
    "Verdict",
    "check",
    "evaluate",
    "example",
    "parse",
]
