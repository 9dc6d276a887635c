# points: 3
# message: you keep the logarithm finite by a smallest probability


def smoothed_loss(logits, targets, smoothing):
    log_p = torch.log(torch.softmax(logits, -1) + 1e-12)
    right = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return (-(1 - smoothing) * right - smoothing * log_p.mean(-1))[targets != PAD_ID].mean()
