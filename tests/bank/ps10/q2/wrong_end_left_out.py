# points: 0
# message: You leave out </s> as well


def smoothed_loss(logits, targets, smoothing):
    log_p = logits.log_softmax(-1)
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    losses = -(1 - smoothing) * right - smoothing * log_p.mean(-1)
    return losses[targets > EOS_ID].mean()
