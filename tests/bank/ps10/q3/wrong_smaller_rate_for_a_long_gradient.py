# points: 3.5
# message: a smaller rate in place of a shorter gradient


def rate_at(step, peak, warmup):
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    norm = math.sqrt(sum(float((p.grad**2).sum()) for p in model.parameters()))
    for group in optimiser.param_groups:
        group["lr"] = rate * min(1.0, max_norm / norm)
    optimiser.step()
    return loss.item()
