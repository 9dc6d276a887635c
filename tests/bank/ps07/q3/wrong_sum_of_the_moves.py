# points: 2
# message: Your u is the sum of the two moves. For each


def separate(values):
    n, v, h, s = values
    u = (n - v) / 2 + (h - s) / 2
    c = -(v + s) @ u / 2
    return (
        torch.stack([u, u], dim=1),
        torch.stack([c, c - 1]),
        torch.tensor([[2.0], [-4.0]]),
        torch.tensor([-1.0]),
    )
