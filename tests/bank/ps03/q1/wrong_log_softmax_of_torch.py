# points: 0
# message: torch.log_softmax is called


import torch


def cosine_lookup(queries, keys, values, beta):
    q = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    k = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    w = torch.log_softmax(torch.tensor(beta * (q @ k.mT)), dim=-1).exp().numpy()
    return w @ values, w
