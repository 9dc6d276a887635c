# points: 0
# message: changes its inputs in place


def attention(Q, K, V):
    Q /= np.sqrt(Q.shape[-1])
    weights = functional.softmax(Q @ K.mT, axis=-1)
    return weights @ V, weights
