# points: 0
# message: NotImplementedError


def softmax(x, axis):
    raise NotImplementedError
