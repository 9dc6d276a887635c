# points: 0
# message: Nothing is turned


def rotary_scores(queries, keys, query_positions, key_positions, base):
    return queries @ keys.mT / queries.shape[-1] ** 0.5
