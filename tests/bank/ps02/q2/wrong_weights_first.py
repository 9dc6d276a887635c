# points: 0
# message: You return the weights first


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.mT / np.sqrt(K.shape[-1]), axis=-1)
    return weights, weights @ V
