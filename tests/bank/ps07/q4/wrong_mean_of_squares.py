# points: 3
# message: In single precision


def layer_norm(x, g, h, eps):
    mean = x.mean(-1, keepdim=True)
    variance = (x**2).mean(-1, keepdim=True) - mean**2
    return (x - mean) / torch.sqrt(variance + eps) * g + h
