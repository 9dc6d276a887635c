# points: 3
# message: Your code stops with ValueError


def softmax_gradient(weights, gradient):
    return weights * (gradient - (weights * gradient).sum(axis=-1))
