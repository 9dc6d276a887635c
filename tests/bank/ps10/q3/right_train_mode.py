def rate_at(step: int, peak: float, warmup: int) -> float:
    """The learning rate of a step, counted from 1."""
    factor = torch.minimum(torch.tensor(step / warmup), torch.tensor(warmup / step).sqrt())
    return peak * factor.item()


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    model.train()
    optimiser.zero_grad()
    (loss := loss_of(model, batch)).backward()
    torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.grad is not None], max_norm)
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.step()
    return loss.item()
