def shift_matrix(delta, frequencies):
    angle = (delta * torch.as_tensor(frequencies)).float()
    zero = torch.zeros(len(angle), len(angle))
    C, S = zero + torch.diag(angle.cos()), zero + torch.diag(angle.sin())
    return torch.vstack([torch.hstack([C, -S]), torch.hstack([S, C])])
