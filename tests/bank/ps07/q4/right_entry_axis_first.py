def layer_norm(x, g, h, eps):
    z = x.movedim(-1, 0)
    s = z.std(dim=0, correction=0)
    z = (z - z.mean(dim=0)) / (s * s + eps).sqrt()
    return z.movedim(0, -1) * g + h
