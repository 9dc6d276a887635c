def layer_norm(x, g, h, eps):
    d = x.shape[-1]
    centred = x @ (torch.eye(d) - 1 / d)
    return g * centred / ((centred * centred).sum(-1, keepdim=True) / d + eps) ** 0.5 + h
