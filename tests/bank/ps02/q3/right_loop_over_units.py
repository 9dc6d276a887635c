def additive_scores(Q, K, W_q, W_k, v):
    scores = 0
    for a in range(len(v)):
        query_part = Q @ W_q[:, a]
        key_part = K @ W_k[:, a]
        scores = scores + v[a] * np.tanh(query_part[..., :, None] + key_part[..., None, :])
    return scores
