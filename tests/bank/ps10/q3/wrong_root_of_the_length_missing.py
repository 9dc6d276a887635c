# points: 3.5
# message: the root is missing


def rate_at(step, peak, warmup):
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    norm = sum((p.grad**2).sum() for p in model.parameters())
    if norm > max_norm:
        for p in model.parameters():
            p.grad *= max_norm / norm
    optimiser.step()
    return loss.item()
