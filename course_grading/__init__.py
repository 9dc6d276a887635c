"""The instructor's side of the problem sets. None of this is part of what students install.

What decides, and how that is proved:

- `questions`, `problem_sets`: what decides an answer, from plain values alone
- `bank`, `mutants`: answers and changed answers of which it is known what they are worth

A submission's way, each module taking over from the one before:

- `intake`: which bytes are taken, and what of them is a notebook
- `cells`, `content`: whose a cell is, and which texts and pictures may be kept
- `cleaning`: what is not the student's to change is put back
- `sandbox`: where it runs; `sandbox_server` is the other side of that wall, `system_calls` a part of the wall
- `grade`: its cells run, and each question is decided
- `submissions`: all of that for one submission, wherever that may be
- `executors`, `batch`: many of them, on this machine or on others
- `course`, `records`: what is kept, in nbgrader's gradebook and beside it
- `nbgrader_plugin`: lets nbgrader's own commands go this way

Afterwards:

- `late`, `export`, `report`, `similarity`: what it costs to be late, marks for others, how it went, what is alike
- `report_page`, `chart`: what the last two write
- `html`, `mathml`: feedback and formgrader show students' work without running any of it
"""

import sys

# jsonschema, which nbformat calls, tries to import it, and does without: that takes longer than to grade a submission.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
