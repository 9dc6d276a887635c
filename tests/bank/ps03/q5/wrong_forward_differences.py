# points: 0
# message: Inputs:


def loss(queries, keys, values, targets, beta):
    return 0.5 * np.sum((look_up(queries, keys, values, beta)[0] - targets) ** 2)


def value_gradient(queries, keys, values, targets, beta):
    g, base = np.zeros(values.shape), loss(queries, keys, values, targets, beta)
    for at in np.ndindex(values.shape):
        moved = values.copy()
        moved[at] += 1e-7
        g[at] = (loss(queries, keys, moved, targets, beta) - base) / 1e-7
    return g


def key_gradient(queries, keys, values, targets, beta):
    g, base = np.zeros(keys.shape), loss(queries, keys, values, targets, beta)
    for at in np.ndindex(keys.shape):
        moved = keys.copy()
        moved[at] += 1e-7
        g[at] = (loss(queries, moved, values, targets, beta) - base) / 1e-7
    return g
