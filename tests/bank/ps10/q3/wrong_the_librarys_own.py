# points: 0
# message: course_lib.training.learning_rate is called

from course_lib.training import TrainingConfig, learning_rate


def rate_at(step, peak, warmup):
    return learning_rate(step, TrainingConfig(learning_rate=peak, warmup_steps=warmup))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimiser.step()
    return loss.item()
