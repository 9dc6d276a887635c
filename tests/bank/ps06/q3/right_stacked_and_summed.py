def rotary_scores(queries, keys, query_positions, key_positions, base):
    d = queries.shape[-1]
    c = torch.arange(d // 2, dtype=torch.float32)
    w = torch.exp(-2 * c / d * np.log(base))
    total = 0
    for hand in range(d // 2):
        relative = (query_positions[:, None] - key_positions[None, :]) * w[hand]
        a, b = queries[..., hand, None], queries[..., hand + d // 2, None]
        e, f = keys[..., None, :, hand], keys[..., None, :, hand + d // 2]
        total = total + (a * e + b * f) * torch.cos(relative) + (a * f - b * e) * torch.sin(relative)
    return total / np.sqrt(d)
