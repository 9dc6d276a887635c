# points: 0
# message: Your variance is the sum of the squares


def layer_norm(x, g, h, eps):
    m = x.mean(dim=-1, keepdim=True)
    v = ((x - m) ** 2).mean(dim=-1, keepdim=True)
    return (x - m) / (v * x.shape[-1] + eps).sqrt() * g + h
