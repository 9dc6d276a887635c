# points: 0
# message: is called in


def layer_norm(x, g, h, eps):
    return torch.ops.aten.layer_norm(x, x.shape[-1:], g, h, eps)
