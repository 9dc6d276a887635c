# points: 0
# message: Your weights sum to 1 over the queries


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.mT / np.sqrt(K.shape[-1]), axis=-2)
    return weights @ V, weights
