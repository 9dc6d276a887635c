# points: 4
# message: Does a window reach into the sentence before?


def look_back_attention(Q, K, V, w):
    q, k, v = (x.reshape(-1, x.shape[-1]) for x in (Q, K, V))
    at = np.arange(len(q))[:, None] - np.arange(w, -1, -1)
    s = (q[:, None] * k[at.clip(0)]).sum(axis=-1) / np.sqrt(Q.shape[-1])
    a = softmax(np.where(at < 0, -np.inf, s))
    return (a[..., None] * v[at.clip(0)]).sum(axis=1).reshape(V.shape), a.reshape(*Q.shape[:-1], w + 1)
