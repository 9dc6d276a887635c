def additive_scores(Q, K, W_q, W_k, v):
    L_q, L_k = Q.shape[-2], K.shape[-2]
    queries = np.repeat(Q, L_k, axis=-2)
    keys = np.concatenate([K] * L_q, axis=-2)
    both = np.concatenate([queries, keys], axis=-1) @ np.vstack([W_q, W_k])
    return (np.tanh(both) @ v).reshape(*Q.shape[:-2], L_q, L_k)
