def additive_scores(Q, K, W_q, W_k, v):
    from_queries = Q @ W_q
    columns = []
    for j in range(K.shape[-2]):
        columns.append(np.tanh(from_queries + (K[..., j, :] @ W_k)[..., None, :]) @ v)
    return np.stack(columns, axis=-1)
