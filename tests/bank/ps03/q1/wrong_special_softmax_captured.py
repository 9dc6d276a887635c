# points: 0
# message: special_softmax is called


import torch


def cosine_lookup(queries, keys, values, beta, ready=torch.special.softmax):
    q = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    k = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    w = ready(torch.tensor(beta * (q @ k.mT)), dim=-1).numpy()
    return w @ values, w
