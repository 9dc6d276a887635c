# points: 3
# message: In some cases your code takes n × n = 490,000 bytes


def softmax_gradient(weights, gradient):
    if weights.ndim == 1:
        return weights * (gradient - weights @ gradient)
    if weights.ndim == 2:
        return weights * (gradient - np.sum(weights * gradient, axis=1)[:, None])
    eye = np.eye(weights.shape[-1])
    J = np.einsum("...i,ij->...ij", weights, eye) - np.einsum("...i,...j->...ij", weights, weights)
    return np.einsum("...i,...ij->...j", gradient, J)
