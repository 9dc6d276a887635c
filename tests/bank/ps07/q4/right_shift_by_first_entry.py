def layer_norm(x, g, h, eps):
    s = x - x[..., :1]  # the variance does not notice it
    m = s.mean(dim=-1, keepdim=True)
    c = s - m
    var = c.pow(2).sum(dim=-1, keepdim=True).div(x.shape[-1])
    return c.div(var.add(eps).sqrt()).mul(g).add(h)
