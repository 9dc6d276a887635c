def layer_norm(x, g, h, eps):
    d = x.shape[-1]
    centred = x - x.sum(-1)[..., None] / d
    root = (torch.einsum("...i,...i->...", centred, centred) / d + eps) ** 0.5
    return torch.einsum("...i,i,...->...i", centred, g, 1 / root) + h
