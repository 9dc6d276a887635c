def smoothed_loss(logits, targets, smoothing):
    real = torch.where(targets == PAD_ID, 0.0, 1.0)
    p = torch.distributions.Categorical(logits=logits)
    right = p.log_prob(targets)
    every = p.logits.mean(dim=-1)
    losses = -((1.0 - smoothing) * right + smoothing * every)
    return torch.sum(losses * real) / torch.sum(real)
