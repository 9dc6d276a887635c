"""nbgrader's settings: where the instructor's versions are, where the students' go, and how these are graded."""

import sys
from pathlib import Path

from course_grading.html import configure
from course_lib.exercises.privacy import keep_closed

c = get_config()  # noqa: F821  # nbgrader defines it

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "assignments"
# Of a problem set's folder students get the notebook alone: nothing that decides or explains an answer.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "*.pyc", "checks.py", "*.md"]

c.ClearSolutions.code_stub = {"python": "raise NotImplementedError  # your code takes the place of this line"}
c.ClearSolutions.text_stub = "*Your answer takes the place of this line.*"

# A problem set that was handed in may change: the gradebook is told of new cells, and keeps all marks.
c.GenerateAssignment.exporter_class = "course_grading.release.Exporter"
c.GenerateAssignment.preprocessors = [
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.InstantiateTests",
    "nbgrader.preprocessors.LockCells",
    "nbgrader.preprocessors.ClearSolutions",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "course_grading.release.SaveCells",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# What students wrote is taken in with distrust, runs in a sandbox, and is decided outside of it.
c.Autograde.exporter_class = "course_grading.nbgrader_plugin.Exporter"
# What nbgrader then does with a graded notebook.
c.Autograde.autograde_preprocessors = [
    "nbgrader.preprocessors.SaveAutoGrades",
    "course_grading.late.GrantExtensions",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# What handing in late costs: nothing, until a percentage is given. One student's extension is given here, too.
c.AssignLatePenalties.plugin_class = "course_grading.late.LatePolicy"
c.LatePolicy.percent_a_day = 0
c.LatePolicy.grace_minutes = 15
c.LatePolicy.extensions = {}  # {"ps03": {"ada": "2 days"}}

# The exchange: what lies there is collected with distrust, and feedback goes to those who handed in through it.
c.ExchangeFactory.collect = "course_grading.exchange.Collect"
c.ExchangeFactory.release_feedback = "course_grading.exchange.ReleaseFeedback"

# What was not graded has no mark, where nbgrader's own export writes 0.
c.ExportApp.plugin_class = "course_grading.export.Plain"

# What students wrote is shown cleaned, in feedback and in formgrader, with formulas that need no network.
configure(c)

# Whatever reads these settings closes marks, answers and solutions to other accounts on this machine. Where several
# grade together, c.CourseDirectory.groupshared = True, above this line, leaves them open to the folder's group.
for line in keep_closed(Path(__file__).parent, group=c.CourseDirectory.get("groupshared", False)):
    print(line, file=sys.stderr)
