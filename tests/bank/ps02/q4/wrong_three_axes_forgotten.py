# points: 3
# message: Inputs: weights of shape (2, 5, 3)


def softmax_gradient(weights, gradient):
    out = np.zeros_like(gradient)
    if weights.ndim == 1:
        out[:] = weights * (gradient - weights.dot(gradient))
    elif weights.ndim == 2:
        for a in range(weights.shape[0]):
            out[a] = weights[a] * (gradient[a] - weights[a].dot(gradient[a]))
    else:
        for a in range(weights.shape[0]):
            for b in range(weights.shape[1]):
                for c in range(weights.shape[2]):
                    w, g = weights[a, b, c], gradient[a, b, c]
                    out[a, b, c] = w * (g - w.dot(g))
    return out
