# points: 0
# message: have changed places


def smoothed_loss(logits, targets, smoothing):
    log_p = torch.log_softmax(logits, -1)
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return (-smoothing * right - (1 - smoothing) * log_p.mean(-1))[targets != PAD_ID].mean()
