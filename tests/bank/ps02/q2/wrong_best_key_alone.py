# points: 3
# message: you give one key all the weight


def attention(Q, K, V):
    s = Q @ K.mT / np.sqrt(K.shape[-1])
    best = np.zeros_like(s)
    np.put_along_axis(best, s.argmax(axis=-1)[..., None], 1.0, axis=-1)
    soft = functional.softmax(s, axis=-1)
    spread = s.max(axis=-1, keepdims=True) - s.min(axis=-1, keepdims=True)
    weights = np.where(spread > 50, best, soft)
    return weights @ V, weights
