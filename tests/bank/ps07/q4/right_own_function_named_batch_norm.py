def batch_norm(words, eps):
    words = words - words.mean(1, keepdim=True)
    return words / ((words**2).mean(1, keepdim=True) + eps).sqrt()


def layer_norm(x, g, h, eps):
    return batch_norm(x.reshape(-1, x.shape[-1]), eps).reshape(x.shape) * g + h
