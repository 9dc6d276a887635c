# points: 0
# message: The sum over all weights is missing


def softmax_gradient(weights, gradient):
    return weights * gradient
