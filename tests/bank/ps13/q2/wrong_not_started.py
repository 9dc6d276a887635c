# points: 0
# message: NotImplementedError


def chunk(Q, K, V, S, gamma):
    raise NotImplementedError
