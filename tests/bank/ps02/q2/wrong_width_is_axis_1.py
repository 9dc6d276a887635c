# points: 3
# message: K.shape[1] is the width of the keys in one sentence only


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.mT / np.sqrt(K.shape[1]), axis=-1)
    return weights @ V, weights
