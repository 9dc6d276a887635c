# points: 3
# message: which had the rate 0, keeps it


def rate_at(step, peak, warmup):
    """The learning rate of a step, counted from 1."""
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    first = [g.get("initial_lr", g["lr"]) for g in optimiser.param_groups]
    torch.optim.lr_scheduler.LambdaLR(optimiser, [lambda _, lr=lr: rate / lr if lr else 0.0 for lr in first])
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimiser.step()
    return loss.item()
