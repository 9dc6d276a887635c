# points: 0
# message: NotImplementedError


def original_weights(weights, order):
    raise NotImplementedError


def total_order(first, second):
    raise NotImplementedError
