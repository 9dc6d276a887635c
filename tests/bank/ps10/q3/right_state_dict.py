def rate_at(step, peak, warmup):
    """The learning rate of a step, counted from 1."""
    return (step / warmup if step < warmup else (step / warmup) ** (-1 / 2)) * peak


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    """Change the model's parameters by one step; return the loss before it."""
    state = optimiser.state_dict()
    for group in state["param_groups"]:
        group["lr"] = rate
    optimiser.load_state_dict(state)

    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    gradients = [p.grad for p in model.parameters()]
    norm = torch.nn.utils.get_total_norm(gradients)
    torch.nn.utils.clip_grads_with_norm_(model.parameters(), max_norm, norm)
    optimiser.step()
    optimiser.zero_grad()
    return loss.tolist()
