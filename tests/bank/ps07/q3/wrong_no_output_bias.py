# points: 0
# message: stretch r by W_2


def separate(values):
    negation, emphasis, happy, sad = values
    moves = torch.stack([negation - emphasis, happy - sad]) / 2
    u = torch.linalg.solve(moves, torch.ones(2, dtype=values.dtype))
    c = -(emphasis + sad) @ u / 2
    W_2 = torch.tensor([[1.0], [-3.0]], dtype=values.dtype)
    return torch.stack([u, u], dim=1), torch.stack([c, c - 1]), W_2, torch.zeros(1)
