# points: 3
# message: which is not right


def smoothed_loss(logits, targets, smoothing):
    logits = logits.clamp(-80, 80)
    log_p = logits.log_softmax(-1)
    l = -(1 - smoothing) * log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1) - smoothing * log_p.mean(-1)
    return l[targets != 0].mean()
