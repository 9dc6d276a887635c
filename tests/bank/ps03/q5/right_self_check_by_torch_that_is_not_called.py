def check():
    import torch

    q, k, v, t = (torch.randn(3, 2, requires_grad=True) for _ in range(4))
    w = torch.softmax(-(torch.cdist(q, k) ** 2), dim=-1)
    (0.5 * ((w @ v - t) ** 2).sum()).backward()
    assert np.allclose(k.grad, key_gradient(*(x.detach().numpy() for x in (q, k, v, t)), 1.0), atol=1e-5)


def value_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    return w.T @ (output - targets)


def key_gradient(queries, keys, values, targets, beta):
    output, w = look_up(queries, keys, values, beta)
    e = output - targets
    s = 2 * beta * w * (e @ values.T - np.sum(e * output, axis=1, keepdims=True))
    return s.T @ queries - s.sum(axis=0)[:, None] * keys
