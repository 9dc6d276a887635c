def look_back_attention(Q, K, V, w):
    from numpy.lib.stride_tricks import sliding_window_view as views

    ahead = [(0, 0)] * (Q.ndim - 2) + [(w, 0), (0, 0)]
    k = views(np.pad(K, ahead, constant_values=np.nan), w + 1, axis=-2)
    v = views(np.pad(V, ahead), w + 1, axis=-2)
    scores = np.einsum("...ld,...ldo->...lo", Q, k) / np.sqrt(Q.shape[-1])
    weights = softmax(np.nan_to_num(scores, nan=-np.inf))
    return np.einsum("...lo,...ldo->...ld", weights, v), weights
