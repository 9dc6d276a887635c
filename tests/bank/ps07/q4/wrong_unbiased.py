# points: 0
# message: Your variance divides by d − 1


def layer_norm(x, g, h, eps):
    return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + eps) * g + h
