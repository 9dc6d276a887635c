# points: 3
# message: you put a number in the place of −∞


def look_back_attention(Q, K, V, w):
    at = np.arange(Q.shape[-2])[:, None] + np.arange(-w, 1)
    keys, values = K[..., at.clip(0), :], V[..., at.clip(0), :]
    scores = np.einsum("...id,...iod->...io", Q, keys) / np.sqrt(Q.shape[-1])
    A = softmax(np.where(at >= 0, scores, -50.0))
    return np.einsum("...io,...iod->...id", A, values), A
