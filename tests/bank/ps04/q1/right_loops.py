def self_attention(X, W, d_k):
    L, d = X.shape[-2:]
    outputs, weights = [], []
    for sentence in X.reshape(-1, L, d):
        projected = sentence @ W
        A = np.zeros((L, L))
        for i in range(L):
            scores = [projected[i, :d_k] @ projected[j, d_k : 2 * d_k] / np.sqrt(d_k) for j in range(L)]
            A[i] = np.exp(scores) / np.sum(np.exp(scores))
        weights.append(A)
        outputs.append(A @ projected[:, 2 * d_k :])
    batch = X.shape[:-2]
    return [np.array(outputs).reshape(*batch, L, -1), np.array(weights).reshape(*batch, L, L)]
