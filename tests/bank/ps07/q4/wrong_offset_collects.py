# points: 3
# message: changes its inputs in place


def layer_norm(x, g, h, eps):
    c = x - x.mean(-1, keepdim=True)
    c = c / ((c * c).mean(-1, keepdim=True) + eps).sqrt() * g
    if c.shape == h.shape:
        h += c
        return h
    return c + h
