# points: 3.5
# message: every number of the gradient by itself


def rate_at(step, peak, warmup):
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    for p in model.parameters():
        p.grad.clamp_(-max_norm, max_norm)
    optimiser.step()
    return loss.item()
