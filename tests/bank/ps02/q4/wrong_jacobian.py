# points: 3
# message: as much as an array of n × n numbers


def softmax_gradient(weights, gradient):
    n = weights.shape[-1]
    J = weights[..., :, None] * (np.eye(n) - weights[..., None, :])
    return (gradient[..., None, :] @ J)[..., 0, :]
