from numpy.lib.stride_tricks import as_strided


def look_back_attention(Q, K, V, w):
    def windows(A):
        first = np.repeat(A[..., :1, :], w, axis=-2)
        A = np.ascontiguousarray(np.concatenate([first, A], axis=-2), dtype=float)
        L = A.shape[-2] - w
        return as_strided(
            A,
            (*A.shape[:-2], L, w + 1, A.shape[-1]),
            (*A.strides[:-2], A.strides[-2], A.strides[-2], A.strides[-1]),
            writeable=False,
        )

    scores = (windows(K) @ Q[..., None])[..., 0] / np.sqrt(Q.shape[-1])
    weights = softmax(scores)
    real = np.arange(w + 1) >= w - np.arange(Q.shape[-2])[:, None]
    weights = np.where(real, weights, 0)  # word 0 is among the real ones, so that the sum is never 0
    weights /= weights.sum(axis=-1, keepdims=True)
    return (weights[..., None, :] @ windows(V))[..., 0, :], weights
