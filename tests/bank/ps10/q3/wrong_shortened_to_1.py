# points: 3.5
# message: to the length 1


def rate_at(step, peak, warmup):
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    norm = math.sqrt(sum(float((p.grad**2).sum()) for p in model.parameters()))
    if norm > max_norm:
        for p in model.parameters():
            p.grad /= norm
    optimiser.step()
    return loss.item()
