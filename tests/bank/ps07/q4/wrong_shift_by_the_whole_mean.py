# points: 3
# message: take off each word's own mean


def layer_norm(x, g, h, eps):
    x = x - x.mean()  # so that squares do not get large
    mu = x.mean(-1, keepdim=True)
    var = (x * x).mean(-1, keepdim=True) - mu**2
    return (x - mu) / torch.sqrt(var.clamp(min=0) + eps) * g + h
