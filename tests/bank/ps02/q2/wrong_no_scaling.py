# points: 0
# message: Your scores are not scaled


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.mT, axis=-1)
    return weights @ V, weights
