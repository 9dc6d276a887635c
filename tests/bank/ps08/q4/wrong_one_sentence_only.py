# points: 1
# message: Your code stops with


def write_on(next_logits, start, uniforms, temperature):
    ids = start
    for t in range(uniforms.shape[1]):
        if EOS_ID in ids[0]:
            token = PAD_ID
        elif temperature == 0:
            token = next_logits(ids).argmax()
        else:
            p = np.exp(next_logits(ids) / temperature)
            token = np.searchsorted(np.cumsum(p) / p.sum(), uniforms[0, t], side="right")
        ids = np.append(ids, [[token]], axis=1)
    return ids
