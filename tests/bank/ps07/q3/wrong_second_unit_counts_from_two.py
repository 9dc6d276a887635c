# points: 0
# message: Hidden unit 2 is off for all of them


def separate(values):
    n, v, h, s = values
    u = torch.linalg.solve(torch.stack([n - v, h - s]) / 2, torch.ones(2, dtype=values.dtype))
    c = -(v + s) @ u / 2
    W_2 = torch.tensor([[2.0], [-4.0]], dtype=values.dtype)
    return torch.stack([u, u], dim=1), torch.stack([c, c - 2]), W_2, torch.tensor([-1.0])
