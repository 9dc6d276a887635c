# points: 3
# message: You add up over the first axis


def softmax_gradient(weights, gradient):
    return weights * (gradient - np.sum(weights * gradient, axis=0))
