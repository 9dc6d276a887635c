# points: 3.5
# message: Parameters of a module within a module count more than once


def rate_at(step, peak, warmup):
    """The learning rate of a step, counted from 1."""
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    squares = 0.0
    for module in model.modules():
        for p in module.parameters():
            squares += p.grad.pow(2).sum().item()
    norm = squares**0.5
    if norm > max_norm:
        for p in model.parameters():
            p.grad *= max_norm / norm
    optimiser.step()
    return loss.item()
