def attention(Q, K, V):
    S = (Q / np.sqrt(Q.shape[-1])) @ np.swapaxes(K, -1, -2)
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    A = E / E.sum(axis=-1, keepdims=True)
    return [A @ V, A]
