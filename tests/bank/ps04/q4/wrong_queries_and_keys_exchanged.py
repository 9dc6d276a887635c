# points: 0
# message: Queries and keys have changed places


def look_back_attention(Q, K, V, w):
    at = np.arange(Q.shape[-2])[:, None] + np.arange(-w, 1)
    keys, values = K[..., at.clip(0), :], V[..., at.clip(0), :]
    scores = np.einsum("...id,...iod->...io", K, Q[..., at.clip(0), :]) / np.sqrt(Q.shape[-1])
    A = softmax(np.where(at >= 0, scores, -np.inf))
    return np.einsum("...io,...iod->...id", A, values), A
