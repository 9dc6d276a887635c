import torch.nn.functional as F


def smoothed_loss(logits, targets, smoothing):
    n = logits.size(-1)
    q = F.one_hot(targets, n) * (1 - smoothing) + smoothing / n
    divergence = F.kl_div(F.log_softmax(logits, -1), q, reduction="none").sum(-1)
    entropy = -torch.xlogy(q, q).sum(-1)
    return (divergence + entropy)[targets != PAD_ID].mean()
