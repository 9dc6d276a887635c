# points: 0
# message: The smoothing is missing


def smoothed_loss(logits, targets, smoothing):
    log_p = torch.log_softmax(logits, -1)
    return -log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)[targets != PAD_ID].mean()
