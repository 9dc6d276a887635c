def rate_at(step, peak, warmup):
    if step > warmup:
        return float(torch.tensor(warmup / step, dtype=torch.float64).sqrt() * peak)
    return peak / warmup * step


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    list(map(lambda group: group.__setitem__("lr", rate), optimiser.param_groups))
    with torch.enable_grad():
        loss = loss_of(model, batch)
    optimiser.zero_grad()
    loss.backward()
    gradients = [p.grad for p in model.parameters()]
    total = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in gradients]))
    factor = (max_norm / (total + 1e-6)).clamp(max=1.0)
    for g in gradients:
        g *= factor
    optimiser.step()
    return loss.tolist()
