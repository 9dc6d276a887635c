def smoothed_loss(logits, targets, smoothing):
    x = logits.double()
    x = x - x.amax(-1, keepdim=True)
    log_p = x - x.exp().sum(-1, keepdim=True).log()
    total, count = 0.0, 0
    for row, wanted in zip(log_p, targets):
        for values, y in zip(row, wanted):
            if y != PAD_ID:
                total = total - (1 - smoothing) * values[y] - smoothing * values.mean()
                count += 1
    return total / count
