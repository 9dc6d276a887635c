# points: 1
# message: changes its inputs in place


def original_weights(weights, order):
    for index in np.ndindex(*order.shape[:-1]):
        weights[index][:, order[index]] = weights[index].copy()
    return weights


def total_order(first, second):
    return first[second]
