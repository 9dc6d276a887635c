# points: 2
# message: an array of n × n numbers is made


def softmax_gradient(weights, gradient):
    J = np.diag(weights) - np.outer(weights, weights)
    return J @ gradient
