# points: 3
# message: You add up over the whole array


def softmax_gradient(weights, gradient):
    return weights * (gradient - np.sum(weights * gradient))
