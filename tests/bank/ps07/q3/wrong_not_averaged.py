# points: 0
# message: for the sums of the two words' values


def separate(values):
    # solves for the sums of the two words' values, and forgets that attention halves them
    negation, emphasis, happy, sad = values
    moves = torch.stack([negation - emphasis, happy - sad])
    u = torch.linalg.solve(moves, torch.ones(2, dtype=values.dtype))
    c = -(emphasis + sad) @ u
    W_2 = torch.tensor([[2.0], [-4.0]], dtype=values.dtype)
    return torch.stack([u, u], dim=1), torch.stack([c, c - 1]), W_2, torch.tensor([-1.0])
