# points: 2
# message: if the number c had the other sign


def separate(values):
    n, v, h, s = values
    u = torch.linalg.solve(torch.stack([n - v, h - s]) / 2, torch.ones(2, dtype=values.dtype))
    c = (v + s) @ u / 2
    return (
        torch.stack([u, u], dim=1),
        torch.stack([c, c - 1]),
        torch.tensor([[2.0], [-4.0]]),
        torch.tensor([-1.0]),
    )
