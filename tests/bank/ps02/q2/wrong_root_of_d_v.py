# points: 0
# message: You divide by √d_v


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.mT / np.sqrt(V.shape[-1]), axis=-1)
    return weights @ V, weights
