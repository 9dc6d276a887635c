# points: 0
# message: torch.native_layer_norm is called


def layer_norm(x, g, h, eps):
    return torch.native_layer_norm(x, x.shape[-1:], g, h, eps)[0]
