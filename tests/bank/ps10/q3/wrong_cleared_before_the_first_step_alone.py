# points: 3.5
# message: left over before each step


_seen = set()


def rate_at(step, peak, warmup):
    """The learning rate of a step, counted from 1."""
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    if optimiser not in _seen:
        _seen.add(optimiser)
        optimiser.zero_grad()
    for group in optimiser.param_groups:
        group["lr"] = rate
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimiser.step()
    optimiser.zero_grad()
    return loss.item()
