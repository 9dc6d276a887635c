# points: 0
# message: stops with NotImplementedError


def cosine_lookup(queries, keys, values, beta):
    raise NotImplementedError
