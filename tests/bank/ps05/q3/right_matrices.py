def original_weights(weights, order):
    P = np.eye(order.shape[-1])[order]
    return weights @ P


def total_order(first, second):
    P_first, P_second = np.eye(len(first)), np.eye(len(second))
    return np.argmax(P_second[second] @ P_first[first], axis=1)
