# points: 0
# message: the wrong axis


def smoothed_loss(logits, targets, smoothing):
    log_p = torch.log_softmax(logits, dim=0)
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    losses = -((1 - smoothing) * right + smoothing * log_p.mean(-1))
    real = targets != PAD_ID
    return losses[real].mean()
