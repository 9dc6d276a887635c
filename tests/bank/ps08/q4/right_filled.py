def write_on(next_logits, start, uniforms, temperature):
    B, L = start.shape
    n = uniforms.shape[1]
    ids = np.full((B, L + n), PAD_ID)
    ids[:, :L] = start
    going = np.ones(B, dtype=bool)
    for t in range(n):
        if not going.any():
            break
        z = next_logits(ids[:, : L + t])
        if temperature > 0:
            z = z / temperature
            p = np.exp(z - z.max(axis=-1, keepdims=True))
            ends = np.cumsum(p, axis=-1)
            chosen = (ends <= uniforms[:, [t]] * ends[:, [-1]]).sum(axis=-1)
        else:
            chosen = np.argmax(z, axis=-1)
        ids[going, L + t] = chosen[going]
        going &= ids[:, L + t] != EOS_ID
    return ids
