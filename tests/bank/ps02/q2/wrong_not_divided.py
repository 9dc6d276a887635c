# points: 0
# message: Your weights are not divided by their sum


def attention(Q, K, V):
    scores = Q @ K.mT / np.sqrt(K.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights @ V, weights
