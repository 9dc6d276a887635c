def masked_softmax(scores, allowed):
    flat_scores = scores.reshape(-1, scores.shape[-1])
    flat_allowed = allowed.broadcast_to(scores.shape).reshape(flat_scores.shape)
    rows = []
    for s, a in zip(flat_scores, flat_allowed):
        row = torch.zeros_like(s)
        if a.any():
            row = row.index_put((a.nonzero()[:, 0],), torch.softmax(s[a], dim=0))
        rows.append(row)
    return torch.stack(rows).reshape(scores.shape)
