# points: 2
# message: rows and columns are exchanged


def separate(values):
    # in the example the matrix is the unit matrix, so that it does not show
    negation, emphasis, happy, sad = values
    moves = torch.stack([negation - emphasis, happy - sad], dim=1) / 2
    u = torch.linalg.solve(moves, torch.ones(2, dtype=values.dtype))
    c = -(emphasis + sad) @ u / 2
    W_2 = torch.tensor([[2.0], [-4.0]], dtype=values.dtype)
    return torch.stack([u, u], dim=1), torch.stack([c, c - 1]), W_2, torch.tensor([-1.0])
