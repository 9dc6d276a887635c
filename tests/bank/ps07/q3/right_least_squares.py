def separate(values):
    o = averages(values)
    A = torch.cat([o, torch.ones(4, 1, dtype=o.dtype)], dim=1)
    t = torch.tensor([[2.0], [1.0], [1.0], [0.0]], dtype=o.dtype)
    u, v, c = torch.linalg.lstsq(A, t, driver="gelsd").solution[:, 0]
    W_1 = torch.stack([torch.stack([u, u]), torch.stack([v, v])])
    b_1 = torch.stack([c - 1, c])
    return W_1.float(), b_1.float(), 3 * torch.tensor([[-4.0], [2.0]]), torch.tensor([-3.0])
