# points: 3
# message: takes one maximum away from all scores


def attention(Q, K, V):
    scores = Q @ K.mT / np.sqrt(K.shape[-1])
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights
