# points: 3
# message: Your code stops with


def attention(Q, K, V):
    turned = K.T if K.ndim == 2 else K.transpose(0, 2, 1)
    weights = functional.softmax(Q @ turned / np.sqrt(K.shape[-1]))
    return weights @ V, weights
