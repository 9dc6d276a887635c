# points: 0
# message: NotImplementedError


def rotary_scores(queries, keys, query_positions, key_positions, base):
    raise NotImplementedError
