"""nbgrader's settings: where the instructor's versions are, and where the students' versions go."""

c = get_config()  # noqa: F821  # nbgrader defines it

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "assignments"
