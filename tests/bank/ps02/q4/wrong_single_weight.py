# points: 3
# message: Inputs: weights = [[1


def softmax_gradient(weights, gradient):
    if weights.shape[-1] == 1:
        return gradient.copy()
    return weights * (gradient - (weights * gradient).sum(axis=-1, keepdims=True))
