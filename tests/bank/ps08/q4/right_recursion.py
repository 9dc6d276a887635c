def row(z, u, T):
    if T == 0:
        return int(np.argmax(z))
    shares = np.exp(z / T - np.max(z / T))
    shares = shares / np.sum(shares)
    total = 0.0
    for k, share in enumerate(shares):
        total += share
        if total > u:
            return k
    return len(z) - 1


def write_on(next_logits, start, uniforms, temperature, ended=None):
    if uniforms.shape[1] == 0:
        return start
    ended = [False] * len(start) if ended is None else ended
    logits = next_logits(start)
    new = [PAD_ID if over else row(z, u, temperature) for z, u, over in zip(logits, uniforms[:, 0], ended)]
    ended = [over or k == EOS_ID for over, k in zip(ended, new)]
    longer = np.hstack([start, np.array(new)[:, None]])
    return write_on(next_logits, longer, uniforms[:, 1:], temperature, ended)
