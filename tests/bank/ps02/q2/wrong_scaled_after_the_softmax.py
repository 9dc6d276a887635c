# points: 0
# message: You divide the weights by √d_k


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.mT, axis=-1) / np.sqrt(K.shape[-1])
    return weights @ V, weights
