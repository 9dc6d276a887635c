def write_on(next_logits, start, uniforms, temperature):
    B, n = uniforms.shape
    ids = np.array(start)
    for t in range(n):
        z = next_logits(ids)
        new = []
        for b in range(B):
            if ids[b][-1] in (EOS_ID, PAD_ID):
                new.append(PAD_ID)
                continue
            if temperature == 0:
                new.append(int(np.argmax(z[b])))
                continue
            p = np.exp((z[b] - z[b].max()) / temperature)
            p /= p.sum()
            new.append(np.searchsorted(np.cumsum(p), uniforms[b, t], side="right"))
        ids = np.column_stack([ids, new])
    return ids
