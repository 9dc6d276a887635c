# points: 3.5
# message: You call loss_of twice


def rate_at(step, peak, warmup):
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    for group in optimiser.param_groups:
        group["lr"] = rate
    with torch.no_grad():
        before = loss_of(model, batch).item()  # with dropout, not what is backpropagated below
    optimiser.zero_grad()
    loss_of(model, batch).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimiser.step()
    return before
