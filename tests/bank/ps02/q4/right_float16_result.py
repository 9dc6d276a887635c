def softmax_gradient(weights, gradient):
    w, g = weights.astype(np.float64), gradient.astype(np.float64)
    return np.float16(w * g - w * np.sum(w * g, -1, keepdims=True))
