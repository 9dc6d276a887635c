# points: 3
# message: as much as an array of n × n numbers


def softmax_gradient(weights, gradient):
    w = weights.astype(np.float32)
    J = w[..., :, None] * w[..., None, :]
    return w * gradient - np.einsum("...ij,...i->...j", J, gradient)
