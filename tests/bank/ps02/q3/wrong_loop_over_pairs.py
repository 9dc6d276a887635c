# points: 3
# message: You loop over all pairs


def additive_scores(Q, K, W_q, W_k, v):
    scores = np.zeros((*Q.shape[:-1], K.shape[-2]))
    for place in np.ndindex(Q.shape[:-2]):
        for i, q in enumerate(Q[place]):
            for j, k in enumerate(K[place]):
                scores[place][i, j] = np.tanh(q @ W_q + k @ W_k) @ v
    return scores
