# points: 0
# message: Gain and offset have changed places


def layer_norm(x, g, h, eps):
    m = x.mean(dim=-1, keepdim=True)
    v = ((x - m) ** 2).mean(dim=-1, keepdim=True)
    return (x - m) / (v + eps).sqrt() * h + g
