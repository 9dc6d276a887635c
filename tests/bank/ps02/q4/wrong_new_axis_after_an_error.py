# points: 3
# message: Inputs: weights of shape (3, 3)


def softmax_gradient(weights, gradient):
    n = weights.shape[-1]
    w, g = weights.reshape(-1, n), gradient.reshape(-1, n)
    sums = (w * g).sum(axis=1)
    try:
        result = w * (g - sums)
    except ValueError:
        result = w * (g - sums[:, None])
    return result.reshape(weights.shape)
