# points: 0
# message: You take the plain mean of the g


def softmax_gradient(weights, gradient):
    return weights * (gradient - gradient.mean(axis=-1, keepdims=True))
