# points: 0
# message: not with w²


def softmax_gradient(weights, gradient):
    return weights * (gradient - (weights**2 * gradient).sum(axis=-1, keepdims=True))
