# points: 0
# message: torch.nn.functional.layer_norm is called


def layer_norm(x, g, h, eps):
    return F.layer_norm(x, x.shape[-1:], g, h, eps)
