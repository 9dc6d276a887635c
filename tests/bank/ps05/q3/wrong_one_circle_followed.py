# points: 2
# message: right numbers at the wrong places


def original_weights(weights, order):
    if order.ndim > 1:
        return np.stack([original_weights(w, o) for w, o in zip(weights, order, strict=True)])
    out = weights.copy()
    place = 0  # follow the words from place to place, until the circle closes
    while True:
        word = order[place]
        out[:, word] = weights[:, place]
        place = word
        if place == 0:
            return out


def total_order(first, second):
    return first[second]
