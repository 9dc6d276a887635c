def layer_norm(x, g, h, eps):
    # the mean of the squares will do where there are digits enough
    y = x.double()
    mean = y.mean(-1, keepdim=True)
    variance = (y * y).mean(-1, keepdim=True) - mean * mean
    return ((y - mean) / (variance.clamp(min=0) + eps).sqrt()).to(x.dtype) * g + h
