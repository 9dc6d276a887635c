import math


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    all_keys = torch.cat([keys, torch.matmul(x, W_K)], dim=1)
    all_values = torch.cat([values, torch.matmul(x, W_V)], dim=1)
    queries = torch.matmul(x, W_Q).tolist()
    t, d_k = keys.shape[1], keys.shape[2]
    out = []
    for qs, ks, vs in zip(queries, all_keys.tolist(), all_values.tolist()):
        rows = []
        for i, q in enumerate(qs):
            seen = t + i + 1
            scores = [sum(a * b for a, b in zip(q, k)) / math.sqrt(d_k) for k in ks[:seen]]
            top = max(scores)
            e = [math.exp(s - top) for s in scores]
            z = math.fsum(e)
            rows.append([sum(w * v[c] for w, v in zip(e, vs)) / z for c in range(W_V.shape[1])])
        out.append(rows)
    return torch.tensor(out, dtype=torch.float32), all_keys, all_values
