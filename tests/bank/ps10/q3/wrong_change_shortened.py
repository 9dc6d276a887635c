# points: 3.5
# message: You shorten the change of the parameters


def rate_at(step, peak, warmup):
    """The learning rate of a step, counted from 1."""
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    before = [p.detach().clone() for p in model.parameters()]
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    optimiser.step()
    with torch.no_grad():
        changes = [p - old for p, old in zip(model.parameters(), before)]
        length = torch.cat([c.flatten() for c in changes]).norm()
        if length > rate * max_norm:
            for p, old, change in zip(model.parameters(), before, changes):
                p.copy_(old + change * (rate * max_norm / length))
    return loss.item()
