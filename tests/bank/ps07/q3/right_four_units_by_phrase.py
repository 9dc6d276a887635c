def separate(values):
    # t counts 0, 1, 2; four units make the tent max(0, t) - 2 max(0, t - 1) + max(0, t - 2), twice, and shift it
    n, v, h, s = values
    a, b = (n - v) / 2, (h - s) / 2
    determinant = a[0] * b[1] - a[1] * b[0]
    u = torch.stack([b[1] - a[1], a[0] - b[0]]) / determinant  # Cramer's rule
    c = -(v + s).dot(u) / 2
    W_1 = u[:, None].repeat(1, 4)
    b_1 = torch.stack([c, c - 1, c - 2, c - 2])
    return W_1, b_1, torch.tensor([[2.0], [-4.0], [1.0], [1.0]]).to(values), -torch.ones(1).to(values)
