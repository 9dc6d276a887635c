# points: 2
# message: original_weights with weights of shape (4, 6), order =


def original_weights(weights, order):
    out = np.zeros_like(weights)
    for idx in np.ndindex(*order.shape[:-1]):
        for q in range(weights.shape[-2]):
            row = weights[idx][q].tolist()
            for value in row:
                place = row.index(value)  # with two equal weights: always the first place
                out[idx][q, order[idx][place]] = value
    return out


def total_order(first, second):
    return first[second]
