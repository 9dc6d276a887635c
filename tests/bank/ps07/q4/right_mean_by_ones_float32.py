def layer_norm(x, g, h, eps):
    d = x.size(-1)
    ones = torch.full((d, 1), 1.0 / d)
    away = x - x @ ones
    return away * torch.rsqrt(away.pow(2) @ ones + eps) * g + h
