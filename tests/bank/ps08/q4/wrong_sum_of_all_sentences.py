# points: 2
# message: Each sentence has its own


def write_on(next_logits, start, uniforms, temperature):
    ids, ended = start, np.zeros(len(start), dtype=bool)
    for u in uniforms.T:
        z = next_logits(ids)
        if temperature == 0:
            new = z.argmax(1)
        else:
            p = np.exp((z - z.max(1, keepdims=True)) / temperature)
            new = draw(p / p.sum(), u)
        new = np.where(ended, PAD_ID, new)
        ended = ended | (new == EOS_ID)
        ids = np.column_stack([ids, new])
    return ids
