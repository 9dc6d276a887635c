# points: 0
# message: NotImplementedError


def to_pair(W, d_pos):
    raise NotImplementedError


def to_sum(W, d):
    raise NotImplementedError
