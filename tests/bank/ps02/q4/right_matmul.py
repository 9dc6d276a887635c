def softmax_gradient(weights, gradient):
    return weights * (gradient - (weights[..., None, :] @ gradient[..., :, None])[..., 0])
