def look_back_attention(Q, K, V, w):
    before = [(0, 0)] * (Q.ndim - 2) + [(w, 0), (0, 0)]
    windows = np.lib.stride_tricks.sliding_window_view
    keys = windows(np.pad(K, before), w + 1, axis=-2)  # (…, L, d_k, w + 1)
    values = windows(np.pad(V, before), w + 1, axis=-2)
    scores = (Q[..., None, :] @ keys)[..., 0, :] / np.sqrt(Q.shape[-1])
    missing = np.arange(Q.shape[-2])[:, None] + np.arange(w + 1) < w
    band = softmax(np.where(missing, -np.inf, scores))
    return (values @ band[..., None])[..., 0], band
