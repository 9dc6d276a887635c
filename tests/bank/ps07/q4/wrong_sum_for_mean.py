# points: 0
# message: You take off the sum of a word's entries


def layer_norm(x, g, h, eps):
    x = x.double()
    away = x - x.sum(-1, keepdim=True)
    return (away / (away**2).mean(-1, keepdim=True).add(eps).sqrt() * g + h).float()
