# points: 3.5
# message: neither ∞ · 0 nor ∞ − ∞ is 0


def rate_at(step, peak, warmup):
    """The learning rate of a step, counted from 1."""
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    old = [None if p.grad is None else p.grad.clone() for p in model.parameters()]
    loss = loss_of(model, batch)
    loss.backward()
    for p, before in zip(model.parameters(), old):
        if before is not None:
            p.grad -= before
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimiser.step()
    return loss.item()
