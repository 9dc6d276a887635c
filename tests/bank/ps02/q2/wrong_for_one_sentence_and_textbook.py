# points: 2
# message: Some of your exponentials overflow


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(K.shape[1])
    E = np.exp(S)
    A = E / E.sum(axis=1, keepdims=True)
    return A @ V, A
