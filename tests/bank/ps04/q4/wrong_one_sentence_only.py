# points: 4
# message: Your code stops with


def look_back_attention(Q, K, V, w):
    L, d_k = Q.shape
    at = np.arange(L)[:, None] + np.arange(-w, 1)
    scores = (Q[:, None, :] * K[at.clip(0)]).sum(-1) / np.sqrt(d_k)
    A = softmax(np.where(at >= 0, scores, -np.inf))
    return (A[:, :, None] * V[at.clip(0)]).sum(1), A
