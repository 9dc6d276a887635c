# points: 4
# message: Your code stops with


def look_back_attention(Q, K, V, w):
    at = np.arange(Q.shape[-2])[:, None] + np.arange(-w, 1)
    scores = (Q[:, None, :] if Q.ndim > 2 else Q[:, None]) * K[..., at.clip(0), :]
    A = softmax(np.where(at >= 0, scores.sum(-1) / np.sqrt(Q.shape[-1]), -np.inf))
    return (A[..., None] * V[..., at.clip(0), :]).sum(-2), A
