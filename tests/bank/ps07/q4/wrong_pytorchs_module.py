# points: 0
# message: torch.nn.LayerNorm is called


def layer_norm(x, g, h, eps):
    norm = nn.LayerNorm(x.shape[-1], eps=eps, elementwise_affine=False)
    return norm(x) * g + h
