# points: 0
# message: You normalise over the first axis


def layer_norm(x, g, h, eps):
    return (x - x.mean(0)) / (x.var(0, correction=0) + eps).sqrt() * g + h
