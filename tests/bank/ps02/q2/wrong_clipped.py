# points: 3
# message: You cut scores off at a largest size


def attention(Q, K, V):
    scores = np.clip(Q @ K.mT / np.sqrt(K.shape[-1]), -700, 700)
    e = np.exp(scores)
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights
