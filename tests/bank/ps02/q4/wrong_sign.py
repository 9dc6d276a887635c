# points: 0
# message: right but for the sign


def softmax_gradient(weights, gradient):
    return weights * ((weights * gradient).sum(axis=-1, keepdims=True) - gradient)
