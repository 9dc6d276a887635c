# points: 0
# message: changes its inputs in place


def layer_norm(x, g, h, eps):
    x -= x.mean(-1, keepdim=True)
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + eps) * g + h
