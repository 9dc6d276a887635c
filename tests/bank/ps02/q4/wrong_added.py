# points: 0
# message: The sum of w g is added


def softmax_gradient(weights, gradient):
    return weights * (gradient + (weights * gradient).sum(axis=-1, keepdims=True))
