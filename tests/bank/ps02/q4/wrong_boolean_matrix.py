# points: 3
# message: as much as an array of n × n numbers


def softmax_gradient(weights, gradient):
    same = np.eye(weights.shape[-1], dtype=bool)
    columns = []
    for j in range(weights.shape[-1]):
        columns.append((gradient * weights * (same[j] - weights[..., j : j + 1])).sum(axis=-1))
    return np.stack(columns, axis=-1)
