# points: 3
# message: your result has another shape


def write_on(next_logits, start, uniforms, temperature):
    ids, ended = start, np.zeros(len(start), dtype=bool)
    for u in uniforms.T:
        z = next_logits(ids)
        if temperature == 0:
            new = z.argmax(1)
        else:
            p = np.exp((z - z.max(1, keepdims=True)) / temperature)
            new = draw(p / p.sum(1, keepdims=True), u)
        ended = np.isin(ids[:, -1], [EOS_ID, PAD_ID])
        new = np.where(ended, PAD_ID, new)
        if temperature and ended.all():
            break
        ids = np.column_stack([ids, new])
    return ids
