# points: 0
# message: NotImplementedError


def softmax_gradient(weights, gradient):
    raise NotImplementedError
