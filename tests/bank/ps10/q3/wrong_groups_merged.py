# points: 3.5
# message: momentum=0.9 and momentum=0.5


def rate_at(step, peak, warmup):
    """The learning rate of a step, counted from 1."""
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    everything = [p for group in optimiser.param_groups for p in group["params"]]
    optimiser.param_groups = [{**optimiser.defaults, "params": everything, "lr": rate}]
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(everything, max_norm)
    optimiser.step()
    return loss.item()
