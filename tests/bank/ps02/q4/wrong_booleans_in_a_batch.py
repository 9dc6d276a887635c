# points: 3
# message: In some cases your code takes n × n = 490,000 bytes


def softmax_gradient(weights, gradient):
    products = weights * gradient
    if weights.ndim == 1:
        return products - weights * products.sum()
    delta = np.eye(weights.shape[-1], dtype=bool)
    return (delta * products[..., None, :]).sum(-1) - weights * products.sum(-1, keepdims=True)
