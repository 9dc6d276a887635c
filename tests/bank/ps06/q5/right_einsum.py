def step(x, keys, values, phi, W_Q, W_K, W_V):
    t = values.shape[1]
    q, k, v = ((x + phi[t]) @ W for W in (W_Q, W_K, W_V))
    keys = torch.cat([keys, k[:, None]], dim=1)
    values = torch.cat([values, v[:, None]], dim=1)
    weights = (torch.einsum("bk,btk->bt", q, keys) * k.shape[-1] ** -0.5).softmax(-1)
    return torch.einsum("bt,btv->bv", weights, values), keys, values
