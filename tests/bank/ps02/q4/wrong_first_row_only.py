# points: 3
# message: Of several rows you compute the first alone


def softmax_gradient(weights, gradient):
    if weights.ndim == 1:
        return weights * (gradient - weights @ gradient)
    out = np.zeros_like(weights)
    w, g = weights[0], gradient[0]
    out[0] = w * (g - (w * g).sum(-1, keepdims=True))
    return out
