# points: 0
# message: over the wrong tokens alone


def smoothed_loss(logits, targets, smoothing):
    log_p = torch.log_softmax(logits, -1)
    n = logits.shape[-1]
    wanted = torch.full_like(logits, smoothing / (n - 1))
    wanted.scatter_(-1, targets.unsqueeze(-1), 1 - smoothing)
    return -(wanted * log_p).sum(-1)[targets != PAD_ID].mean()
