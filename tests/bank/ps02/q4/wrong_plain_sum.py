# points: 0
# message: each g has to be counted with its weight w


def softmax_gradient(weights, gradient):
    return weights * (gradient - gradient.sum(axis=-1, keepdims=True))
