# points: 3.5
# message: train_step returns a tensor


def rate_at(step, peak, warmup):
    if step <= warmup:
        return peak * step / warmup
    return peak / math.sqrt(step / warmup)


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimiser.step()
    return loss.detach()
