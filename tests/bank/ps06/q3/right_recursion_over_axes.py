def rotary_scores(queries, keys, query_positions, key_positions, base):
    if queries.dim() > 2:
        pairs = zip(queries, keys, strict=True)
        return torch.stack([rotary_scores(q, k, query_positions, key_positions, base) for q, k in pairs])
    L_q, d = queries.shape
    out = torch.zeros(L_q, len(keys))
    theta = torch.tensor([base ** (-2 * c / d) for c in range(d // 2)])

    def rotate(v, p):
        cos, sin = torch.cos(p * theta), torch.sin(p * theta)
        return torch.hstack([v[: d // 2] * cos - v[d // 2 :] * sin, v[: d // 2] * sin + v[d // 2 :] * cos])

    for n, i in enumerate(query_positions):
        for m, j in enumerate(key_positions):
            out[n, m] = torch.dot(rotate(queries[n], i), rotate(keys[m], j)) / d**0.5
    return out
