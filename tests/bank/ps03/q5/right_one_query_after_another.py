def value_gradient(queries, keys, values, targets, beta):
    total = np.zeros_like(values)
    for i in range(len(queries)):
        o, w = look_up(queries[i : i + 1], keys, values, beta)
        total += w[0][:, None] * (o[0] - targets[i])[None, :]
    return total


def key_gradient(queries, keys, values, targets, beta):
    total = np.zeros_like(keys)
    for j in range(len(keys)):
        for i in range(len(queries)):
            o, w = look_up(queries[i : i + 1], keys, values, beta)
            total[j] += (
                2 * beta * w[0, j] * np.dot(values[j] - o[0], o[0] - targets[i]) * (queries[i] - keys[j])
            )
    return total
