# points: 0
# message: course_lib.model.positions.rotate is called

from course_lib.model.positions import rotate


def rotary_scores(queries, keys, query_positions, key_positions, base):
    return rotate(queries) @ rotate(keys).mT / queries.shape[-1] ** 0.5
