# points: 3
# message: Padding has a part in the share


def smoothed_loss(logits, targets, smoothing):
    log_p = torch.log_softmax(logits, dim=-1)
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    losses = -((1 - smoothing) * right + smoothing * log_p.mean())
    real = targets != PAD_ID
    return losses[real].mean()
