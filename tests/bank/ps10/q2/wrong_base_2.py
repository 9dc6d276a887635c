# points: 0
# message: have the base 2


def smoothed_loss(logits, targets, smoothing):
    log_p = logits.log_softmax(-1) / math.log(2)
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    losses = -(1 - smoothing) * right - smoothing * log_p.mean(-1)
    return losses[targets != PAD_ID].mean()
