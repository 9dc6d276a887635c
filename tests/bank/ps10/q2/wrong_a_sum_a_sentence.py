# points: 0
# message: divided by the number of sentences


def smoothed_loss(logits, targets, smoothing):
    log_p = torch.log_softmax(logits, -1)
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    losses = -(1 - smoothing) * right - smoothing * log_p.mean(-1)
    return (losses * (targets != PAD_ID)).sum(1).mean()
