def layer_norm(x, g, h, eps):
    d = x.shape[-1]
    away = x - x.mean(-1, keepdim=True)
    var = away.var(-1, keepdim=True) * (d - 1) / d
    return away / torch.sqrt(var + eps) * g + h
