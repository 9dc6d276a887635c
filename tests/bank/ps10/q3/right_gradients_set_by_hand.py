def rate_at(step, peak, warmup):
    if step < warmup:
        share = step / warmup
    else:
        share = 1 / math.sqrt(step / warmup)
    return share * peak


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    parameters = [p for p in model.parameters() if p.requires_grad]
    loss = loss_of(model, batch)
    gradients = torch.autograd.grad(loss, parameters, allow_unused=True)
    used = [g.flatten() for g in gradients if g is not None]
    norm = torch.cat(used).norm() if used else torch.tensor(0.0)
    shrink = 1.0
    if norm > max_norm:
        shrink = max_norm / norm
    for p, g in zip(parameters, gradients):
        p.grad = None if g is None else g * shrink
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.step()
    return loss.detach().item()
