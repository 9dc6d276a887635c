def layer_norm(x, g, h, eps):
    # the mean is taken off by a matrix, in double precision; the result is in single
    d = x.shape[-1]
    x = x.double()
    away = torch.eye(d, dtype=torch.float64) - 1 / d
    centred = x @ away
    length = centred.norm(dim=-1, keepdim=True)
    return (centred / torch.sqrt(length**2 / d + eps)).float() * g.float() + h.float()
