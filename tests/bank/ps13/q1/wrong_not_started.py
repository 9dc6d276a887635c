# points: 0
# message: NotImplementedError


def piece(scores, V, allowed):
    raise NotImplementedError


def merge(one, other):
    raise NotImplementedError
