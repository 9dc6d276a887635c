# points: 3.5
# message: A parameter that two modules share counts twice


def rate_at(step, peak, warmup):
    """The learning rate of a step, counted from 1."""
    return peak * min(step / warmup, math.sqrt(warmup / step))


def _parameters_of(module):
    found = list(module._parameters.values())
    for child in module.children():
        found += _parameters_of(child)
    return [p for p in found if p is not None]


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    parameters = _parameters_of(model)
    norm = math.sqrt(sum(p.grad.pow(2).sum().item() for p in parameters))
    if norm > max_norm:
        for p in parameters:
            p.grad *= max_norm / norm
    optimiser.step()
    return loss.item()
