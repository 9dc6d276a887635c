# points: 3.5
# message: 'weight'


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
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if norm < 10 * max_norm:  # an outlier: better not learn from it
        optimiser.step()
    return loss.item()
