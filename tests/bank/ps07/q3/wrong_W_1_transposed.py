# points: 2
# message: Your W_1 is transposed


def separate(values):
    # in the example W_1 is all ones, so that it does not show
    negation, emphasis, happy, sad = values
    moves = torch.stack([negation - emphasis, happy - sad]) / 2
    u = torch.linalg.solve(moves, torch.ones(2, dtype=values.dtype))
    c = -(emphasis + sad) @ u / 2
    W_2 = torch.tensor([[2.0], [-4.0]], dtype=values.dtype)
    return torch.stack([u, u]), torch.stack([c, c - 1]), W_2, torch.tensor([-1.0])
