# points: 3
# message: You compare the sum of the gradient's absolute values


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
    gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
    if gradient.abs().sum() > max_norm:
        for p in model.parameters():
            p.grad *= max_norm / gradient.norm()
    optimiser.step()
    return loss.item()
