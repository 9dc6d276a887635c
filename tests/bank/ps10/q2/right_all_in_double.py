def smoothed_loss(logits, targets, smoothing):
    x = logits.to(torch.float64)
    highest = x.max(dim=-1, keepdim=True).values.detach()
    log_z = highest + (x - highest).exp().sum(dim=-1, keepdim=True).log()
    log_p = x - log_z
    b, t = (targets != PAD_ID).nonzero(as_tuple=True)
    y = targets[b, t]
    picked = log_p[b, t, y]
    q_rest = smoothing / log_p.size(-1)
    return torch.mean(-(1 - smoothing) * picked - q_rest * log_p[b, t].sum(-1))
