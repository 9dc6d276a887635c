# points: 2
# message: take away


def write_on(next_logits, start, uniforms, temperature):
    ids, ended = start, np.zeros(len(start), dtype=bool)
    for u in uniforms.T:
        z = next_logits(ids)
        if temperature == 0:
            token = z.argmax(axis=1)
        else:
            p = np.exp((z - z.max()) / temperature)
            token = (np.cumsum(p / p.sum(axis=1, keepdims=True), axis=1) > u[:, None]).argmax(axis=1)
        token[ended] = PAD_ID
        ids = np.column_stack([ids, token])
        ended |= token == EOS_ID
    return ids
