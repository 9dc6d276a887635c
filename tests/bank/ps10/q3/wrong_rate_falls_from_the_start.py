# points: 3
# message: falls from the first step on


def rate_at(step, peak, warmup):
    return peak * (warmup / step) ** 0.5


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimiser.step()
    return loss.item()
