# points: 2
# message: You loop over all pairs

import math


def additive_scores(Q, K, W_q, W_k, v):
    a, b = Q @ W_q, K @ W_k
    return np.array([[sum(v[u] * math.tanh(q[u] + k[u]) for u in range(len(v))) for k in b] for q in a])
