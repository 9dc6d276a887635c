# points: 3
# message: You take the mean of each sentence


def smoothed_loss(logits, targets, smoothing):
    log_p = torch.log_softmax(logits, -1)
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    losses = -(1 - smoothing) * right - smoothing * log_p.mean(-1)
    return torch.stack([row[ids != PAD_ID].mean() for row, ids in zip(losses, targets)]).mean()
