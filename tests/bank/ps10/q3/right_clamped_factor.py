import numpy as np


def rate_at(step, peak, warmup):
    up, down = step / warmup, np.sqrt(warmup / step)
    return float(peak * np.minimum(up, down))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    all_of_them = []
    for group in optimiser.param_groups:
        group["lr"] = rate
        all_of_them.extend(group["params"])
    for p in all_of_them:
        p.grad = None

    loss = loss_of(model, batch)
    before = loss.tolist()
    loss.backward()

    with torch.no_grad():
        norms = [torch.linalg.vector_norm(p.grad) for p in all_of_them if p.grad is not None]
        total = torch.linalg.vector_norm(torch.stack(norms))
        factor = torch.clamp(max_norm / total, max=1.0)  # total = 0: inf, clamped to 1
        for p in all_of_them:
            if p.grad is not None:
                p.grad *= factor
    optimiser.step()
    return before
