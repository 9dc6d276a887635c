# points: 0
# message: (5,) is right, but the largest error is


def softmax_gradient(weights, gradient):
    step = 1e-3
    result = np.zeros(weights.shape)
    loss = (weights * gradient).sum(axis=-1)
    for j in range(weights.shape[-1]):
        moved = weights.copy()
        moved[..., j] *= np.exp(step)
        moved /= moved.sum(axis=-1, keepdims=True)
        result[..., j] = ((moved * gradient).sum(axis=-1) - loss) / step
    return result
