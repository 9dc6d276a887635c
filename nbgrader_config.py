"""nbgrader's settings: where the instructor's versions are, where the students' go, and what stays behind."""

c = get_config()  # noqa: F821  # nbgrader defines it

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "assignments"
# Of a problem set's folder students get the notebook alone: nothing that decides or explains an answer.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "*.pyc", "checks.py", "*.md"]

c.ClearSolutions.code_stub = {"python": "raise NotImplementedError  # your code takes the place of this line"}
c.ClearSolutions.text_stub = "*Your answer takes the place of this line.*"

# What decides runs outside the student's kernel: ours takes the place of nbgrader's Execute.
c.Autograde.autograde_preprocessors = [
    "course_lib.grading.nbgrader_plugin.Decide",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
