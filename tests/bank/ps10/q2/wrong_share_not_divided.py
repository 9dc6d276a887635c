# points: 0
# message: do not divide it by the size


def smoothed_loss(logits, targets, smoothing):
    log_p = torch.log_softmax(logits, dim=-1)
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    losses = -((1 - smoothing) * right + smoothing * log_p.sum(-1))
    real = targets != PAD_ID
    return losses[real].mean()
