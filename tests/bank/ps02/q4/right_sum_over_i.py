def softmax_gradient(weights, gradient):
    n = weights.shape[-1]
    result = np.zeros(weights.shape)
    for i in range(n):
        w_i, g_i = weights[..., i : i + 1], gradient[..., i : i + 1]
        delta = np.zeros(n)
        delta[i] = 1.0
        result += g_i * w_i * (delta - weights)
    return result
