import math


def _depth(a):
    return 1 + _depth(a[0]) if isinstance(a, list) else 0


def _one(Q, K, V):
    outs, rows = [], []
    for q in Q:
        s = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(k)) for k in K]
        top = max(s)
        e = [math.exp(x - top) for x in s]
        w = [x / math.fsum(e) for x in e]
        rows.append(w)
        outs.append([sum(x * v[c] for x, v in zip(w, V)) for c in range(len(V[0]))])
    return outs, rows


def _many(Q, K, V):
    if _depth(Q) == 2:
        return _one(Q, K, V)
    shared = _depth(K) == 2
    both = [_many(q, K if shared else K[n], V if shared else V[n]) for n, q in enumerate(Q)]
    return [b[0] for b in both], [b[1] for b in both]


def attention(Q, K, V):
    output, weights = _many(np.asarray(Q).tolist(), np.asarray(K).tolist(), np.asarray(V).tolist())
    return np.array(output), np.array(weights)
