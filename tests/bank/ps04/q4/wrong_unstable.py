# points: 3
# message: exponentials vanish


def look_back_attention(Q, K, V, w):
    at = np.arange(Q.shape[-2])[:, None] + np.arange(-w, 1)
    keys, values = K[..., at.clip(0), :], V[..., at.clip(0), :]
    scores = np.einsum("...id,...iod->...io", Q, keys) / np.sqrt(Q.shape[-1])
    e = np.exp(scores) * (at >= 0)
    A = e / e.sum(axis=-1, keepdims=True)
    return np.einsum("...io,...iod->...id", A, values), A
