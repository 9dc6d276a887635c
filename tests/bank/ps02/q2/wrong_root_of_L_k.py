# points: 0
# message: the root of the number of keys


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.mT / np.sqrt(K.shape[-2]), axis=-1)
    return weights @ V, weights
