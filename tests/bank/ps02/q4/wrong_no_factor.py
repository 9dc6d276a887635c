# points: 0
# message: The factor w_j in front is missing


def softmax_gradient(weights, gradient):
    return gradient - (weights * gradient).sum(axis=-1, keepdims=True)
