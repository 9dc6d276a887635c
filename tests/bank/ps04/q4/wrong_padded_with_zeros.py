# points: 3
# message: You put zeros in front of the first word


def look_back_attention(Q, K, V, w):
    before = [(0, 0)] * (Q.ndim - 2) + [(w, 0), (0, 0)]
    at = np.arange(Q.shape[-2])[:, None] + np.arange(w + 1)
    keys, values = np.pad(K, before)[..., at, :], np.pad(V, before)[..., at, :]
    A = softmax(np.einsum("...id,...iod->...io", Q, keys) / np.sqrt(Q.shape[-1]))
    return np.einsum("...io,...iod->...id", A, values), A
