def attention(Q, K, V):
    Q, K, V = (np.asarray(part, dtype=np.float32) for part in (Q, K, V))
    pairs = Q[..., :, None, :] * K[..., None, :, :]
    weights = functional.softmax(pairs.sum(axis=-1) * np.float32(K.shape[-1] ** -0.5), axis=-1)
    return (weights[..., None] * V[..., None, :, :]).sum(axis=-2), weights
