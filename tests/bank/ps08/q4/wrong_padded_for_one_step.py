# points: 2
# message: padded for one step


def write_on(next_logits, start, uniforms, temperature):
    ids = start
    for u in uniforms.T:
        z = next_logits(ids)
        if temperature == 0:
            token = z.argmax(axis=1)
        else:
            p = np.exp((z - z.max(axis=1, keepdims=True)) / temperature)
            token = (np.cumsum(p / p.sum(axis=1, keepdims=True), axis=1) > u[:, None]).argmax(axis=1)
        token[ids[:, -1] == EOS_ID] = PAD_ID  # the step after, and no further
        ids = np.column_stack([ids, token])
    return ids
