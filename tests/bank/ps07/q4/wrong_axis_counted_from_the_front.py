# points: 3
# message: counted from the front


def layer_norm(x, g, h, eps):
    # right for a sentence, wrong for a batch of sentences
    axis = x.dim() - 1 if x.dim() <= 2 else 1
    centred = x - x.mean(axis, keepdim=True)
    return centred / torch.sqrt((centred**2).mean(axis, keepdim=True) + eps) * g + h
