# points: 3
# message: as much as an array of n × n numbers


def softmax_gradient(weights, gradient):
    if weights.ndim > 1:
        return np.array([softmax_gradient(w, g) for w, g in zip(weights, gradient, strict=True)])
    J = [[wi * ((i == j) - wj) for i, wi in enumerate(weights)] for j, wj in enumerate(weights)]
    return np.array([sum(row * gradient) for row in map(np.array, J)])
