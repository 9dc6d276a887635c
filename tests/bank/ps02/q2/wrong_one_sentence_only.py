# points: 3
# message: Your code stops with


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.T / np.sqrt(K.shape[-1]))
    return weights @ V, weights
