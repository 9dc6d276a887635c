# points: 0
# message: All four signs are turned round


def separate(values):
    negation, emphasis, happy, sad = values
    moves = torch.stack([negation - emphasis, happy - sad]) / 2
    u = torch.linalg.solve(moves, torch.ones(2, dtype=values.dtype))
    c = -(emphasis + sad) @ u / 2
    W_2 = torch.tensor([[-2.0], [4.0]], dtype=values.dtype)
    return torch.stack([u, u], dim=1), torch.stack([c, c - 1]), W_2, torch.ones(1, dtype=values.dtype)
