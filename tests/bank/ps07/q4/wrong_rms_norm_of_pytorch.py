# points: 0
# message: torch.nn.functional.rms_norm is called


def layer_norm(x, g, h, eps):
    return F.rms_norm(x - x.mean(-1, keepdim=True), x.shape[-1:], g, eps) + h
