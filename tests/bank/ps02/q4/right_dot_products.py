def softmax_gradient(weights, gradient):
    average = np.einsum("...i,...i->...", weights, gradient)
    return weights * gradient - weights * average[..., None]
