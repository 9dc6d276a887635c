def smoothed_loss(logits, targets, smoothing):
    n_vocab = logits.shape[-1]
    wanted = torch.full_like(logits, smoothing / n_vocab)
    wanted += (1 - smoothing) * torch.nn.functional.one_hot(targets, n_vocab)
    losses = -(wanted * logits.log_softmax(-1)).sum(-1)
    real = (targets != PAD_ID).to(losses.dtype)
    return (losses * real).sum() / real.sum()
