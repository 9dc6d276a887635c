def piece(scores, V, allowed):
    scores, V, allowed = torch.tensor(scores), torch.tensor(V), torch.tensor(allowed)
    masked = scores.masked_fill(~allowed, -torch.inf)
    m, _ = masked.max(dim=1)
    e = torch.exp(masked - m.unsqueeze(1)).masked_fill(~allowed, 0.0)
    return m, e.sum(dim=1), e @ V


def merge(one, other):
    (m1, l1, o1), (m2, l2, o2) = (map(torch.as_tensor, part) for part in (one, other))
    m = torch.maximum(m1, m2)
    f1 = torch.where(l1 > 0, torch.exp(m1 - m), 0.0)
    f2 = torch.where(l2 > 0, torch.exp(m2 - m), 0.0)
    return m, l1 * f1 + l2 * f2, o1 * f1.unsqueeze(-1) + o2 * f2.unsqueeze(-1)
