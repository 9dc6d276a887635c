# points: 1
# message: Where `eps` is tiny


def layer_norm(x, g, h, eps):
    m = x.mean(dim=-1, keepdim=True)
    v = ((x - m) ** 2).mean(dim=-1, keepdim=True)
    return (x - m) / (v + max(eps, 1e-3)).sqrt() * g + h
