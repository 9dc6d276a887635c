# points: 3
# message: The first w words see only themselves


def look_back_attention(Q, K, V, w):
    at = np.arange(Q.shape[-2])[:, None] + np.arange(-w, 1)
    keys, values = K[..., at.clip(0), :], V[..., at.clip(0), :]
    scores = np.einsum("...id,...iod->...io", Q, keys) / np.sqrt(Q.shape[-1])
    early = np.arange(Q.shape[-2])[:, None] < w
    itself = np.arange(w + 1) == w
    A = softmax(np.where(early & ~itself, -np.inf, scores))
    return np.einsum("...io,...iod->...id", A, values), A
