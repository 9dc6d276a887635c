# points: 2
# message: NotImplementedError


def write_on(next_logits, start, uniforms, temperature):
    ids, ended = start, np.zeros(len(start), dtype=bool)
    for u in uniforms.T:
        z = next_logits(ids)
        if temperature == 0:
            new = np.where(ended, PAD_ID, z.argmax(1))
            ended = ended | (new == EOS_ID)
        else:
            raise NotImplementedError
        ids = np.column_stack([ids, new])
    return ids
