# points: 0
# message: the deviation of the first word


def layer_norm(x, g, h, eps):
    # mean and deviation of the first word, for all words
    first = x.reshape(-1, x.shape[-1])[0]
    return (x - first.mean()) / torch.sqrt(first.var(correction=0) + eps) * g + h
