# points: 3
# message: Your axis is counted from the front


def layer_norm(x, g, h, eps):
    m = x.mean(dim=1, keepdim=True)
    v = x.var(dim=1, correction=0, keepdim=True)
    return (x - m) / torch.sqrt(v + eps) * g + h
