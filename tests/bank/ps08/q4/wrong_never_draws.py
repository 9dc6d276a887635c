# points: 2
# message: You never draw


def write_on(next_logits, start, uniforms, temperature):
    ids, ended = start, np.zeros(len(start), dtype=bool)
    for _ in range(uniforms.shape[1]):
        token = np.where(ended, PAD_ID, next_logits(ids).argmax(axis=1))
        ids = np.column_stack([ids, token])
        ended |= token == EOS_ID
    return ids
