# points: 2
# message: at a right angle


def separate(values):
    n, v, h, s = values
    m_1, m_2 = (n - v) / 2, (h - s) / 2
    u = m_1 / (m_1 @ m_1) + m_2 / (m_2 @ m_2)
    c = -(v + s) @ u / 2
    W_2 = torch.tensor([[200.0], [-400.0]], dtype=values.dtype)
    return torch.stack([u, u], dim=1), torch.stack([c, c - 1]), W_2, torch.tensor([-100.0])
