# points: 3
# message: you subtract one largest logit from all rows


def smoothed_loss(logits, targets, smoothing):
    log_p = (logits - logits.max()) - (logits - logits.max()).exp().sum(-1, keepdim=True).log()
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    losses = -(1 - smoothing) * right - smoothing * log_p.mean(-1)
    return losses[targets != PAD_ID].mean()
