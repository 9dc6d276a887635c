# points: 3.5
# message: 'weight'


def rate_at(step, peak, warmup):
    """The learning rate of a step, counted from 1."""
    return peak * min(step / warmup, (warmup / step) ** 0.5)


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    lengths = [
        torch.linalg.norm(torch.atleast_1d(p.grad), 2) for p in model.parameters() if p.grad is not None
    ]
    norm = math.sqrt(sum(length.item() ** 2 for length in lengths))
    if norm > max_norm:
        for p in model.parameters():
            if p.grad is not None:
                p.grad *= max_norm / norm
    optimiser.step()
    return loss.item()
