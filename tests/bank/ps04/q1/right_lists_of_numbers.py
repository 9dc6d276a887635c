import math


def _sentence(X, W, d_k):
    rows = [[sum(x * W[a][c] for a, x in enumerate(word)) for c in range(len(W[0]))] for word in X]
    weights = []
    for p in rows:
        s = [sum(p[c] * r[d_k + c] for c in range(d_k)) / math.sqrt(d_k) for r in rows]
        m = max(s)
        e = [math.exp(v - m) for v in s]
        total = sum(e)
        weights.append([v / total for v in e])
    output = [[sum(w * r[c] for w, r in zip(ws, rows)) for c in range(2 * d_k, len(W[0]))] for ws in weights]
    return output, weights


def self_attention(X, W, d_k):
    X, W = np.asarray(X, dtype=float), np.asarray(W, dtype=float)
    if X.ndim > 2:
        pairs = [self_attention(sentence, W, d_k) for sentence in X]
        return np.array([o for o, _ in pairs]), np.array([w for _, w in pairs])
    output, weights = _sentence(X.tolist(), W.tolist(), d_k)
    return np.array(output), np.array(weights)
