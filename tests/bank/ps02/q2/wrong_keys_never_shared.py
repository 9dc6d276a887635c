# points: 3
# message: Your code stops with ValueError


def attention(Q, K, V):
    K, V = K.reshape(*Q.shape[:-2], *K.shape[-2:]), V.reshape(*Q.shape[:-2], *V.shape[-2:])
    weights = functional.softmax(Q @ K.mT / np.sqrt(K.shape[-1]), axis=-1)
    return weights @ V, weights
