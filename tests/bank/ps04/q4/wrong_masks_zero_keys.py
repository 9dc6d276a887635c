# points: 3
# message: Inputs: Q of shape


def look_back_attention(Q, K, V, w):
    ahead = [(0, 0)] * (Q.ndim - 2) + [(w, 0), (0, 0)]
    at = np.arange(Q.shape[-2])[:, None] + np.arange(w + 1)
    keys, values = np.pad(K, ahead)[..., at, :], np.pad(V, ahead)[..., at, :]
    scores = np.einsum("...id,...iod->...io", Q, keys) / np.sqrt(Q.shape[-1])
    A = softmax(np.where((keys == 0).all(axis=-1), -np.inf, scores))
    return np.einsum("...io,...iod->...id", A, values), A
