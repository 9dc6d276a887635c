def softmax_gradient(weights, gradient):
    out = np.zeros_like(weights)
    for place in np.ndindex(weights.shape[:-1]):
        w, g = weights[place], gradient[place]
        out[place] = w * (g - w @ g)
    return out
