# points: 0
# message: stops with NotImplementedError


def decode(queries, keys, radius, blends, places, words):
    raise NotImplementedError
