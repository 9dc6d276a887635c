import numpy as np


def layer_norm(x, g, h, eps):
    words = x.numpy().astype(np.float64)
    z = (words - words.mean(-1, keepdims=True)) / np.sqrt(words.var(-1, keepdims=True) + eps)
    return torch.from_numpy(z * g.numpy() + h.numpy()).float()
