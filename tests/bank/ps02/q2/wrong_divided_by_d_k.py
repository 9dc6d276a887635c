# points: 0
# message: it should be by its square root


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.mT / Q.shape[-1], axis=-1)
    return weights @ V, weights
