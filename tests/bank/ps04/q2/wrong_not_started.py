# points: 0
# message: NotImplementedError


def equivariance():
    raise NotImplementedError
