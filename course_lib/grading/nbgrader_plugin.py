"""Our part in nbgrader: in the place of its preprocessor that executes a submission, one that decides it outside."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from course_lib.grading.grade import grade
from course_lib.grading.problem_sets import load_problem_set
from course_lib.kernels import Kernel


class Decide(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader is not annotated
    """Runs a submission in a kernel, decides its questions by the problem set's `checks.py`, fills its grade cells."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Decide a submission; nbgrader calls this."""
        course = CourseDirectory(config=self.config)
        name = resources["nbgrader"]["assignment"]
        problem_set = load_problem_set(Path(course.format_path(course.source_directory, ".", name)))
        with Kernel(folder=resources["metadata"]["path"]) as kernel:
            grade(problem_set, nb, kernel, seed=secrets.randbits(32))
        return nb, resources
