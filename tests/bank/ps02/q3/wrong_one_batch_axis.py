# points: 3
# message: Your code stops with ValueError


def additive_scores(Q, K, W_q, W_k, v):
    if Q.ndim == 2:
        return additive_scores(Q[None], K[None], W_q, W_k, v)[0]
    return (
        np.tanh(np.einsum("bid,da->bia", Q, W_q)[:, :, None] + np.einsum("bjd,da->bja", K, W_k)[:, None]) @ v
    )
