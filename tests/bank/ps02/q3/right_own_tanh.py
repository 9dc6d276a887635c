def additive_scores(Q, K, W_q, W_k, v):
    def tanh(a):
        powers = np.exp(-2 * np.abs(a))
        return np.sign(a) * (1 - powers) / (1 + powers)

    pairs = np.add((Q @ W_q)[..., :, np.newaxis, :], (K @ W_k)[..., np.newaxis, :, :])
    return np.sum(tanh(pairs) * v, axis=-1).astype(np.longdouble)
