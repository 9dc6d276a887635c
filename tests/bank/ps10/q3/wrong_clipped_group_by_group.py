# points: 3.5
# message: You shorten the gradient of each of the optimiser's groups by itself.


def rate_at(step, peak, warmup):
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    for group in optimiser.param_groups:
        group["lr"] = rate
        torch.nn.utils.clip_grad_norm_(group["params"], max_norm)
    optimiser.step()
    return loss.item()
