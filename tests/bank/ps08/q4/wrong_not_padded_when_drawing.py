# points: 3
# message: When you draw, a sentence that has ended goes on


def write_on(next_logits, start, uniforms, temperature):
    ids, ended = start, np.zeros(len(start), dtype=bool)
    for u in uniforms.T:
        z = next_logits(ids)
        if temperature == 0:
            new = np.where(ended, PAD_ID, z.argmax(1))
            ended = ended | (new == EOS_ID)
        else:
            p = np.exp((z - z.max(1, keepdims=True)) / temperature)
            new = draw(p / p.sum(1, keepdims=True), u)
        ids = np.column_stack([ids, new])
    return ids
