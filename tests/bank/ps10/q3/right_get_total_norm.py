def rate_at(step, peak, warmup):
    progress = step / warmup
    return peak * progress if progress < 1 else peak * progress**-0.5


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    optimiser.zero_grad()  # whatever was there before
    loss = loss_of(model, batch)
    loss.backward()
    parameters = [p for p in model.parameters() if p.grad is not None]
    total = torch.nn.utils.get_total_norm([p.grad for p in parameters])
    if total > max_norm:
        torch.nn.utils.clip_grads_with_norm_(parameters, max_norm, total)
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.step()
    optimiser.zero_grad()
    return loss.detach().cpu().numpy().item()
