# points: 0
# message: the whole matrix of weights sums to 1


def attention(Q, K, V):
    scores = Q @ K.mT / np.sqrt(K.shape[-1])
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum()
    return weights @ V, weights
