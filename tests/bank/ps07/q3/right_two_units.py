def separate(values):
    negation, emphasis, happy, sad = values
    corners = torch.stack([negation + happy, negation + sad, emphasis + sad]) / 2
    ones = torch.ones(3, 1, dtype=values.dtype)
    target = torch.tensor([2.0, 1.0, 0.0], dtype=values.dtype)
    solved = torch.linalg.solve(torch.cat([corners, ones], dim=1), target)
    u, c = solved[:2], solved[2]
    W_1 = u[:, None].repeat(1, 2)
    return W_1, torch.stack([c, c - 1]), torch.tensor([[4.0], [-8.0]]), torch.tensor([-2.0])
