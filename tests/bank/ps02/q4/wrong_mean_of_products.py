# points: 0
# message: You divide the sum of w g by the number of weights


def softmax_gradient(weights, gradient):
    return weights * (gradient - np.mean(weights * gradient, axis=-1, keepdims=True))
