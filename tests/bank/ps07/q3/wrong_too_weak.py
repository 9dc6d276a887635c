# points: 0
# message: All signs are right, but


def separate(values):
    negation, emphasis, happy, sad = values
    moves = torch.stack([negation - emphasis, happy - sad]) / 2
    u = torch.linalg.solve(moves, torch.ones(2, dtype=values.dtype))
    c = -(emphasis + sad) @ u / 2
    W_2 = torch.tensor([[1.0], [-2.0]], dtype=values.dtype)
    return torch.stack([u, u], dim=1), torch.stack([c, c - 1]), W_2, torch.tensor([-0.5])
