# points: 2
# message: as much as an array of n × n numbers


def softmax_gradient(weights, gradient):
    J = np.diag(weights) - np.outer(weights, weights)
    return J @ gradient
