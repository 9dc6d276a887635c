def smoothed_loss(logits, targets, smoothing):
    real = targets.flatten().nonzero().squeeze(1)
    rows = logits.flatten(0, 1)[real]
    right = rows[torch.arange(len(real)), targets.flatten()[real]]
    return (rows.logsumexp(1) - (1 - smoothing) * right - smoothing * rows.mean(1)).mean()
