# points: 0
# message: changes its inputs in place


def softmax_gradient(weights, gradient):
    average = (weights * gradient).sum(axis=-1, keepdims=True)
    gradient -= average
    result = weights * gradient
    gradient += average
    return result
