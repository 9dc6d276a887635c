# points: 2
# message: Inputs: a language


def write_on(next_logits, start, uniforms, temperature):
    ids, ended = start, np.zeros(len(start), dtype=bool)
    for _ in range(uniforms.shape[1]):
        z = next_logits(ids)
        if temperature == 0:
            token = z.argmax(axis=1)
        else:
            p = np.exp((z - z.max(axis=1, keepdims=True)) / temperature)
            p /= p.sum(axis=1, keepdims=True)
            token = np.array([np.random.choice(len(row), p=row) for row in p])
        token = np.where(ended, PAD_ID, token)
        ids = np.column_stack([ids, token])
        ended |= token == EOS_ID
    return ids
