# points: 2
# message: Inputs: x


def layer_norm(x, g, h, eps):
    m = x.mean(-1, keepdim=True)
    v = ((x - m) ** 2).mean(-1, keepdim=True)
    return (x - m) / (torch.sqrt(v + eps) + eps) * g + h
