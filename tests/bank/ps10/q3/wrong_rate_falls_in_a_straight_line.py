# points: 3
# message: step = 11


def rate_at(step, peak, warmup):
    return peak * (step / warmup if step <= warmup else 1 - (step - warmup) / (6 * warmup))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimiser.step()
    return loss.item()
