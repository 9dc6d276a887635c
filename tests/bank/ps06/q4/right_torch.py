def to_pair(W, d_pos):
    W = torch.tensor(W)
    return torch.cat((W, W[:d_pos]), dim=0)


def to_sum(W, d):
    W = torch.from_numpy(W)
    upper, lower = torch.tensor_split(W, [d])
    if not torch.allclose(upper[: lower.shape[0]], lower):
        return
    return upper.clone()
