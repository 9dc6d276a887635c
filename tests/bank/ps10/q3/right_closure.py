def rate_at(step, peak, warmup):
    return peak * (step / warmup if step < warmup else (step / warmup) ** -0.5)


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    def closure():
        optimiser.zero_grad(set_to_none=False)
        loss = loss_of(model, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        return loss

    for group in optimiser.param_groups:
        group["lr"] = rate
    return optimiser.step(closure).item()
