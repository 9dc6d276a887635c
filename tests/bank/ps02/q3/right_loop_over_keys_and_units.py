def additive_scores(Q, K, W_q, W_k, v):
    scores = np.zeros((*Q.shape[:-1], K.shape[-2]))
    for j in range(K.shape[-2]):
        for a in range(len(v)):
            from_key = K[..., j, :] @ W_k[:, a]
            from_queries = Q @ W_q[:, a]
            unit = np.tanh(from_queries + from_key[..., None])
            scores[..., j] += unit * v[a]
    return scores
