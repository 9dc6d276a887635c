# points: 0
# message: stops with NotImplementedError


def smallest(score, heads):
    raise NotImplementedError
