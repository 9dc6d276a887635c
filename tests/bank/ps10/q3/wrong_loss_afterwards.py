# points: 3.5
# message: computed after the step


def rate_at(step, peak, warmup):
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss_of(model, batch).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimiser.step()
    return loss_of(model, batch).item()
