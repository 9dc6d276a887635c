# points: 0
# message: √ε, outside the root


def layer_norm(x, g, h, eps):
    m = x.mean(dim=-1, keepdim=True)
    v = ((x - m) ** 2).mean(dim=-1, keepdim=True)
    return (x - m) / (v.sqrt() + eps**0.5) * g + h
