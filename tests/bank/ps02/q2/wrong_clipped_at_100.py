# points: 3
# message: You cut scores off at a largest size


def attention(Q, K, V):
    s = np.clip(Q @ K.mT / np.sqrt(K.shape[-1]), -100, 100)
    weights = functional.softmax(s, axis=-1)
    return weights @ V, weights
