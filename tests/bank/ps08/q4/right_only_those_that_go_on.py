def write_on(next_logits, start, uniforms, temperature):
    ids = np.hstack([start, np.zeros(uniforms.shape, dtype=start.dtype)])
    for t in range(start.shape[1], ids.shape[1]):
        for b in np.flatnonzero((ids[:, :t] != EOS_ID).all(axis=1)):
            z = next_logits(ids[b : b + 1, :t]).ravel()
            p = np.exp((z - z.max()) / (temperature or 1e-6))
            u = uniforms[b, t - start.shape[1]] if temperature else 0.5
            ids[b, t] = np.searchsorted(np.cumsum(p) / p.sum(), u, side="right")
    return ids
