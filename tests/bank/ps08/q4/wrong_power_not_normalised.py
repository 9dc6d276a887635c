# points: 2
# message: they no longer sum to 1


def write_on(next_logits, start, uniforms, temperature):
    ids, ended = start, np.zeros(len(start), dtype=bool)
    for u in uniforms.T:
        z = next_logits(ids)
        if temperature == 0:
            new = z.argmax(1)
        else:
            p = np.exp((z - z.max(1, keepdims=True)))
            p = p / p.sum(1, keepdims=True)
            new = draw(p ** (1 / temperature), u)
        new = np.where(ended, PAD_ID, new)
        ended = ended | (new == EOS_ID)
        ids = np.column_stack([ids, new])
    return ids
