# points: 0
# message: They are the weights already


def softmax_gradient(weights, gradient):
    w = functional.softmax(weights)
    return w * (gradient - (w * gradient).sum(axis=-1, keepdims=True))
