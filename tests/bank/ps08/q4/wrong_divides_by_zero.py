# points: 2
# message: Do you divide the logits by 0


def write_on(next_logits, start, uniforms, temperature):
    ids = start.copy()
    ended = np.zeros(len(ids), dtype=bool)
    for t in range(uniforms.shape[1]):
        z = next_logits(ids)
        z = (z - z.max(axis=1, keepdims=True)) / temperature
        p = np.exp(z)
        p = p / p.sum(axis=1, keepdims=True)
        new = (np.cumsum(p, axis=1) > uniforms[:, t, None]).argmax(axis=1)
        new = np.where(ended, PAD_ID, new)
        ended = ended | (new == EOS_ID)
        ids = np.concatenate([ids, new[:, None]], axis=1)
    return ids
