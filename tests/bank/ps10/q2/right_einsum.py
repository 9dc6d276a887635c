def smoothed_loss(logits, targets, smoothing):
    n_vocab = logits.shape[-1]
    log_p = logits - torch.logsumexp(logits, -1, keepdim=True)
    q = torch.full(logits.shape, smoothing / n_vocab)
    q.scatter_(-1, targets.unsqueeze(-1), 1 - smoothing + smoothing / n_vocab)
    losses = -torch.einsum("blv,blv->bl", q, log_p)
    real = targets.ne(PAD_ID)
    return losses.masked_select(real).sum() / real.sum()
