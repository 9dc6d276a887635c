def rate_at(step, peak, warmup):
    return peak * warmup**0.5 * min(step**-0.5, step * warmup**-1.5)


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    loss = loss_of(model, batch)
    model.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
    for i in range(len(optimiser.param_groups)):
        optimiser.param_groups[i]["lr"] = rate
    optimiser.step()
    return loss.detach().item()
