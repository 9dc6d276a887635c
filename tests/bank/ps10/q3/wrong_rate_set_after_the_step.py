# points: 1.5
# message: You set the rate after the step


def rate_at(step, peak, warmup):
    if step <= warmup:
        return peak * step / warmup
    return peak / math.sqrt(step / warmup)


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimiser.step()
    for group in optimiser.param_groups:
        group["lr"] = rate
    return loss.item()
