# points: 0
# message: changes its inputs in place


def softmax_gradient(weights, gradient):
    gradient -= (weights * gradient).sum(axis=-1, keepdims=True)
    return weights * gradient
