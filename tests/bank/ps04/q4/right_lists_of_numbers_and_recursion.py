def look_back_attention(Q, K, V, w):
    if Q.ndim > 2:
        both = [look_back_attention(q, k, v, w) for q, k, v in zip(Q, K, V)]
        return np.array([o for o, _ in both]), np.array([a for _, a in both])
    outputs, bands = [], []
    for i, q in enumerate(Q):
        row = [float(q @ K[j]) / len(q) ** 0.5 if j >= 0 else -np.inf for j in range(i - w, i + 1)]
        most = max(row)
        e = [np.exp(s - most) for s in row]
        a = [x / sum(e) for x in e]
        bands.append(a)
        outputs.append(sum(x * V[j] for x, j in zip(a, range(i - w, i + 1)) if j >= 0))
    return outputs, bands
