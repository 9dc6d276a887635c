def additive_scores(Q, K, W_q, W_k, v):
    a = np.einsum("...iq,qa->...ia", Q, W_q)
    b = np.einsum("...jk,ka->...ja", K, W_k)
    return np.einsum("...ija,a->...ij", np.tanh(np.expand_dims(a, -2) + np.expand_dims(b, -3)), v)
