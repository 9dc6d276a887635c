# points: 3
# message: Your weights sum to 1 along axis 1


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.mT / np.sqrt(K.shape[-1]), axis=1)
    return weights @ V, weights
