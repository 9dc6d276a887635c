def look_back_attention(Q, K, V, w):
    L = Q.shape[-2]
    scores = np.full((*Q.shape[:-1], w + 1), -np.inf)
    for back in range(min(w, L - 1) + 1):
        scores[..., back:, w - back] = (Q[..., back:, :] * K[..., : L - back, :]).sum(-1) / np.sqrt(
            Q.shape[-1]
        )
    band = softmax(scores)
    output = np.zeros(V.shape)
    for back in range(min(w, L - 1) + 1):
        output[..., back:, :] += band[..., back:, w - back, None] * V[..., : L - back, :]
    return output, band
