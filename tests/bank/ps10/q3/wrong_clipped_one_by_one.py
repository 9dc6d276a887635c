# points: 3.5
# message: each parameter by itself


def rate_at(step, peak, warmup):
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    for p in model.parameters():
        if p.grad.norm() > max_norm:
            p.grad *= max_norm / p.grad.norm()
    optimiser.step()
    return loss.item()
