# points: 2
# message: Inputs: x


def layer_norm(x, g, h, eps):
    # takes entries that are 0 for padding
    real = (x != 0).to(x.dtype)
    n = real.sum(-1, keepdim=True).clamp(min=1)
    m = (x * real).sum(-1, keepdim=True) / n
    v = (((x - m) * real) ** 2).sum(-1, keepdim=True) / n
    return (x - m) / torch.sqrt(v + eps) * g + h
