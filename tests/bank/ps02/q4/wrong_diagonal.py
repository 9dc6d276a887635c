# points: 0
# message: You use the derivatives with i = j only


def softmax_gradient(weights, gradient):
    return gradient * weights * (1 - weights)
