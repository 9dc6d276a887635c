import torch.nn.functional as F


def smoothed_loss(logits, targets, smoothing):
    log_p = F.log_softmax(logits, dim=2).flatten(0, 1)
    flat = targets.flatten()
    plain = F.nll_loss(log_p, flat, ignore_index=PAD_ID)
    uniform = -log_p[flat != PAD_ID].mean()
    return (1 - smoothing) * plain + smoothing * uniform
