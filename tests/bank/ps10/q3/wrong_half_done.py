# points: 1
# message: NotImplementedError


def rate_at(step, peak, warmup):
    return peak * min(step / warmup, math.sqrt(warmup / step))


def train_step(model, optimiser, loss_of, batch, rate, max_norm):
    raise NotImplementedError
