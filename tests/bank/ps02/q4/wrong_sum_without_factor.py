# points: 0
# message: The sum of w g has lost its factor w_j


def softmax_gradient(weights, gradient):
    products = weights * gradient
    return products - products.sum(axis=-1, keepdims=True)
