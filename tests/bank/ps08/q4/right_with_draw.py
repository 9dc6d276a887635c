def write_on(next_logits, start, uniforms, temperature):
    ids, ended = start.copy(), np.zeros(len(start), bool)
    for t in range(uniforms.shape[1]):
        z = next_logits(ids)
        z = z - z.max(1, keepdims=True)
        if temperature:
            e = np.exp(z / temperature)
            new = draw(e / e.sum(1, keepdims=True), uniforms[:, t])
        else:
            new = np.argmax(z, 1)
        new[ended] = PAD_ID
        ended |= new == EOS_ID
        ids = np.concatenate([ids, new[:, None]], 1)
    return ids
