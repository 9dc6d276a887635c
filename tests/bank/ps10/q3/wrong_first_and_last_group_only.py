# points: 3
# message: the second keeps its old rate


def rate_at(step, peak, warmup):
    """The learning rate of a step, counted from 1."""
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    optimiser.param_groups[0]["lr"] = rate
    optimiser.param_groups[-1]["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimiser.step()
    return loss.item()
