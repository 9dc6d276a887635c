# points: 3
# message: Your code stops with


def softmax_gradient(weights, gradient):
    return weights * (gradient - np.dot(weights, gradient))
