# points: 2
# message: Where `eps` is tiny


def layer_norm(x, g, h, eps):
    eps = max(eps, 1e-5)
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    return (x - mu) / (var + eps) ** 0.5 * g + h
