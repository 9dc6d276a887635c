def additive_scores(Q, K, W_q, W_k, v):
    from_keys = K @ W_k
    rows = []
    for i in range(Q.shape[-2]):
        query = Q[..., i : i + 1, :] @ W_q
        rows.append(np.tanh(query + from_keys) @ v)
    return np.stack(rows, axis=-2)
