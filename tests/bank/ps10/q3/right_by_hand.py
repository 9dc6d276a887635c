def rate_at(step, peak, warmup):
    if step <= warmup:
        return peak * step / warmup
    return peak * (warmup / step) ** 0.5


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    optimiser.zero_grad()
    for group in optimiser.param_groups:
        group["lr"] = rate
    loss = loss_of(model, batch)
    loss.backward()
    parameters = list(model.parameters())
    norm = sum((p.grad**2).sum() for p in parameters) ** 0.5
    if norm > max_norm:
        for p in parameters:
            p.grad *= max_norm / norm
    optimiser.step()
    return float(loss)
