def write_on(next_logits, start, uniforms, temperature):
    finished = []
    for row, us in zip(start.tolist(), uniforms.tolist()):
        for u in us:
            if EOS_ID in row:
                row.append(PAD_ID)
                continue
            z = next_logits(np.array([row]))[0]
            if temperature == 0:
                row.append(int(np.argmax(z)))
                continue
            p = np.exp(z / temperature - np.max(z / temperature))
            p, total, token = p / p.sum(), 0.0, -1
            while total <= u:
                token += 1
                total += p[token]
            row.append(token)
        finished.append(row)
    return np.array(finished)
