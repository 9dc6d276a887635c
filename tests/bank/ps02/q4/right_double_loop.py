def softmax_gradient(weights, gradient):
    n = weights.shape[-1]
    out = np.empty(weights.shape)
    for place in np.ndindex(weights.shape[:-1]):
        w, g = weights[place].tolist(), gradient[place].tolist()
        for j in range(n):
            total = 0.0
            for i in range(n):
                total += g[i] * w[i] * ((i == j) - w[j])
            out[(*place, j)] = total
    return out
