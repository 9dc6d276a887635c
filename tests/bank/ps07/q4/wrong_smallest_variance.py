# points: 2
# message: Where `eps` is tiny


def layer_norm(x, g, h, eps):
    m = x.mean(dim=-1, keepdim=True)
    v = ((x - m) ** 2).mean(dim=-1, keepdim=True)
    return (x - m) / (v.clamp(min=1e-5) + eps).sqrt() * g + h
