# points: 3
# message: whose logarithm is −∞


def smoothed_loss(logits, targets, smoothing):
    log_p = torch.log(torch.softmax(logits.double(), -1))
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    losses = -(1 - smoothing) * right - smoothing * log_p.mean(-1)
    return losses[targets != PAD_ID].mean()
