def _back(w, o):
    if o and isinstance(o[0], list):
        return [_back(a, b) for a, b in zip(w, o)]
    inverse = {word: place for place, word in enumerate(o)}
    return [[row[inverse[j]] for j in range(len(row))] for row in w]


def original_weights(weights, order):
    return np.array(_back(weights.tolist(), order.tolist()), dtype=weights.dtype).reshape(weights.shape)


def total_order(first, second):
    a, b = list(first), list(second)
    return np.array([a[k] for k in b])
