def shift_right(targets):
    read = torch.from_numpy(targets).roll(1, dims=1)
    read[:, 0] = BOS_ID
    return read.numpy()


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step = (torch.from_numpy(allowed) | torch.eye(L, dtype=torch.bool)).double()
    knows = torch.linalg.matrix_power(step / L, n_layers)  # shares, which do not overflow
    padded = torch.cat([knows, torch.zeros(L, ahead)], dim=1)
    return (padded.diagonal(ahead) > 0).numpy()
