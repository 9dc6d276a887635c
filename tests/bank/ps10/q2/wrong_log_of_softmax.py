# points: 3
# message: Large logits: probabilities are rounded to 0, whose logarithm is −∞


def smoothed_loss(logits, targets, smoothing):
    log_p = torch.log(torch.softmax(logits, -1))
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return (-(1 - smoothing) * right - smoothing * log_p.mean(-1))[targets != PAD_ID].mean()
