def self_attention(X, W, d_k):
    between = W[:, :d_k] @ W[:, d_k : d_k + d_k].T / np.sqrt(d_k)  # (d, d)
    weights = softmax(X @ between @ np.swapaxes(X, -2, -1))
    return weights @ X @ W[:, 2 * d_k :], weights
