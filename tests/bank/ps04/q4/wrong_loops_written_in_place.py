# points: 0
# message: changes its inputs in place


def look_back_attention(Q, K, V, w):
    Q /= np.sqrt(Q.shape[-1])
    at = np.arange(Q.shape[-2])[:, None] + np.arange(-w, 1)
    scores = np.einsum("...id,...iod->...io", Q, K[..., at.clip(0), :])
    A = softmax(np.where(at >= 0, scores, -np.inf))
    return np.einsum("...io,...iod->...id", A, V[..., at.clip(0), :]), A
