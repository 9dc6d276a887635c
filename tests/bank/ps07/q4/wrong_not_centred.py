# points: 0
# message: without taking off the mean


def layer_norm(x, g, h, eps):
    return x / torch.sqrt(x.var(-1, correction=0, keepdim=True) + eps) * g + h
