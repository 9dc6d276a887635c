# points: 0
# message: NotImplementedError


def encode(positions, d, base=10000.0):
    raise NotImplementedError
