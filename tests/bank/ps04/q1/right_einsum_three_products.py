def self_attention(X, W, d_k):
    W_Q, W_K, W_V = W[:, :d_k], W[:, d_k : 2 * d_k], W[:, 2 * d_k :]
    Q = np.einsum("...ld,dk->...lk", X, W_Q)
    K = np.einsum("...ld,dk->...lk", X, W_K)
    V = np.einsum("...ld,dv->...lv", X, W_V)
    A = softmax(np.einsum("...ik,...jk->...ij", Q, K) / np.sqrt(d_k))
    return np.einsum("...ij,...jv->...iv", A, V), A
