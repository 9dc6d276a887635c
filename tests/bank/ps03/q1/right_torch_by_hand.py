import torch


def cosine_lookup(queries, keys, values, beta):
    q, k, v = (torch.from_numpy(np.array(x)) for x in (queries, keys, values))
    q = q / torch.linalg.norm(q, dim=-1, keepdim=True)
    k = k / k.norm(dim=-1, keepdim=True)
    s = beta * (q @ k.transpose(-1, -2))
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
    w = e / e.sum(dim=-1, keepdim=True)
    return w @ v, w
