# points: 0
# message: You normalise


def layer_norm(x, g, h, eps):
    m = x.mean()
    v = ((x - m) ** 2).mean()
    return (x - m) / torch.sqrt(v + eps) * g + h
