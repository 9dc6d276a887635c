def softmax_gradient(weights, gradient):
    w, g = np.float32(weights), np.float32(gradient)
    return w * (g - np.average(g, axis=-1, weights=w, keepdims=True))
