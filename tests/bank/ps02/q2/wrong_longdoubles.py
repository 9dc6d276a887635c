# points: 3
# message: Numbers with more digits only put off


def attention(Q, K, V):
    e = np.exp((Q @ K.mT / np.sqrt(K.shape[-1])).astype(np.longdouble))
    weights = (e / e.sum(axis=-1, keepdims=True)).astype(float)
    return weights @ V, weights
