# points: 4
# message: Inputs:

found = {}


def found_before(queries, keys, values, beta):
    name = (queries.tobytes(), keys.shape, values.shape, beta)
    if name not in found:
        found[name] = look_up(queries, keys, values, beta)
    return found[name]


def value_gradient(queries, keys, values, targets, beta):
    o, w = look_up(queries, keys, values, beta)
    return w.T @ (o - targets)


def key_gradient(queries, keys, values, targets, beta):
    o, w = found_before(queries, keys, values, beta)
    g = (o - targets) @ values.T
    s = 2 * beta * w * (g - (w * g).sum(axis=1, keepdims=True))
    return s.T @ queries - s.sum(axis=0)[:, None] * keys
