# points: 0
# message: and the number of sentences in a batch


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.mT / np.sqrt(len(K)), axis=-1)
    return weights @ V, weights
