# points: 0
# message: Your words look ahead


def look_back_attention(Q, K, V, w):
    L = Q.shape[-2]
    at = np.arange(L)[:, None] + np.arange(w + 1)
    keys, values = K[..., at.clip(0, L - 1), :], V[..., at.clip(0, L - 1), :]
    scores = np.einsum("...id,...iod->...io", Q, keys) / np.sqrt(Q.shape[-1])
    A = softmax(np.where(at < L, scores, -np.inf))
    return np.einsum("...io,...iod->...id", A, values), A
