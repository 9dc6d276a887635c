# points: 0
# message: NotImplementedError


def shift_matrix(delta, frequencies):
    raise NotImplementedError
