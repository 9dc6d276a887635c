# points: 2
# message: where you have 0
def layer_norm(x, g, h, eps):
    mean = x.mean(dim=-1, keepdim=True)
    centred = x - mean
    variance = (centred**2).mean(dim=-1, keepdim=True)
    return (x != 0).any(dim=-1, keepdim=True) * (centred / torch.sqrt(variance + eps) * g + h)
