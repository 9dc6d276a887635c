# points: 3.5
# message: torch.optim.Adam


def rate_at(step, peak, warmup):
    """The learning rate of a step, counted from 1."""
    return peak * min(step / warmup, (warmup / step) ** 0.5)


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    for group in optimiser.param_groups:
        group["lr"] = 1.0
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    for p in model.parameters():
        if p.grad is not None:
            p.grad *= rate
    optimiser.step()
    return loss.item()
