def softmax_gradient(weights, gradient):
    tiny = 1e-30
    out = np.empty(weights.shape, dtype=float)
    for j in range(weights.shape[-1]):
        moved = weights.astype(complex)
        moved[..., j] = moved[..., j] * np.exp(1j * tiny)  # the score j grows by i * tiny
        moved = moved / moved.sum(axis=-1, keepdims=True)
        out[..., j] = (moved * gradient).sum(axis=-1).imag / tiny
    return out
