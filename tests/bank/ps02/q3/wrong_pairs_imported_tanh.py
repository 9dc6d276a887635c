# points: 3
# message: You loop over all pairs


from numpy import tanh


def additive_scores(Q, K, W_q, W_k, v):
    a, b = Q @ W_q, K @ W_k
    scores = np.zeros((*Q.shape[:-1], K.shape[-2]))
    for place in np.ndindex(scores.shape):
        scores[place] = tanh(a[place[:-1]] + b[place[:-2] + place[-1:]]) @ v
    return scores
