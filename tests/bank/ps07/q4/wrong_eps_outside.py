# points: 2
# message: Your ε stands outside the root


def layer_norm(x, g, h, eps):
    # an ε of 1e-5 is too small to show the place where it stands
    centred = x - x.mean(-1, keepdim=True)
    return centred / ((centred**2).mean(-1, keepdim=True).sqrt() + eps) * g + h
