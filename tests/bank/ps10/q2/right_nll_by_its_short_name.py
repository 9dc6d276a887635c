def smoothed_loss(logits, targets, smoothing):
    log_p = F.log_softmax(logits, dim=-1)[targets != PAD_ID]
    right = F.nll_loss(log_p, targets[targets != PAD_ID])
    return (1 - smoothing) * right - smoothing * log_p.mean()
