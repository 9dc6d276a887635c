import numpy as np


def rate_at(step, peak, warmup):
    return np.minimum(np.float64(step) / warmup, np.sqrt(warmup / step)) * peak


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    model.train()
    parameters = []
    for group in optimiser.param_groups:
        group["lr"] = rate
        parameters.extend(group["params"])
    for p in parameters:
        p.grad = None
    loss = loss_of(model, batch)
    before = loss.item()
    loss.backward()
    with torch.no_grad():
        norm = math.sqrt(sum(float((p.grad.double() ** 2).sum()) for p in parameters if p.grad is not None))
        if norm > max_norm:
            for p in parameters:
                if p.grad is not None:
                    p.grad.mul_(max_norm / norm)
    optimiser.step()
    optimiser.zero_grad()
    return before
