def rate_at(step, peak, warmup):
    rising = step / warmup
    falling = 1 / math.sqrt(step / warmup)
    return peak * (rising if rising < falling else falling)


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    parameters = list(model.parameters())
    loss = loss_of(model, batch)
    gradients = torch.autograd.grad(loss, parameters)
    long = torch.cat([g.reshape(-1) for g in gradients]).norm()
    factor = min(1.0, max_norm / float(long))
    for p, g in zip(parameters, gradients):
        p.grad = factor * g
    for group in optimiser.param_groups:
        group.update(lr=rate)
    optimiser.step()
    return loss.item()
