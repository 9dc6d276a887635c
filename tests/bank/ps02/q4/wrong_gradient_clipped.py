# points: 2
# message: Inputs: weights


def softmax_gradient(weights, gradient):
    g = np.clip(gradient, -10, 10)
    return weights * (g - (weights * g).sum(axis=-1, keepdims=True))
